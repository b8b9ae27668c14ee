"""What `exec` can be told about the browser, read once into a frozen value. Opens nothing."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from anthropic.tools import BetaLocalFilePolicy, ToolsetConfigError

from gui_environments.browser.dialog_rules import DialogPolicy
from gui_environments.geometry import Size
from gui_operator.cli.dialog_options import describe_dialogs, dialog_policy
from gui_operator.cli.sizes import read_size
from gui_operator.policy.effects import MEMBER_EFFECTS

DEFAULT_VIEWPORT = Size(1280, 800)

WINDOW_ROOM = Size(160, 100)
"""Pixels that the desktop of `--environment both` is larger than the viewport by default: a window's own are fewer."""

_MEMBERS = MEMBER_EFFECTS["browser"]
_BROWSER_ONLY = (
    "viewport",
    "enable",
    "disable",
    "upload_root",
    "download_dir",
    "storage_state",
    "headed",
    "chromium",
    "dialog",
)


@dataclass(frozen=True, slots=True)
class BrowserOptions:
    """`configs` are the toolset's. `download_dir` None is a folder that is removed in
    the end, `chromium` None the one that is found."""

    viewport: Size
    configs: Mapping[str, Any]
    upload_roots: tuple[Path, ...]
    download_dir: Path | None
    storage_state: Path | None
    headed: bool
    chromium: Path | None
    dialogs: DialogPolicy

    def file_policy(self, download_dir: Path | None) -> BetaLocalFilePolicy:
        """Raises `ToolsetConfigError` when downloads would land where uploads are taken from."""
        return BetaLocalFilePolicy(
            upload_roots=self.upload_roots, download_dir=download_dir, expose_download_paths=True
        )


def describe_browser(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the browser (with --environment browser or both)")
    group.add_argument(
        "--viewport",
        type=read_size,
        metavar="WIDTHxHEIGHT",
        help=f"size of what a page shows in pixels (default: {DEFAULT_VIEWPORT})",
    )
    group.add_argument(
        "--enable",
        type=_read_member,
        action="append",
        metavar="MEMBER",
        help="switch on javascript_exec, file_upload, read_console or read_network; may be repeated",
    )
    group.add_argument(
        "--disable", type=_read_member, action="append", metavar="MEMBER", help="switch a member off; may be repeated"
    )
    group.add_argument(
        "--upload-root",
        type=Path,
        action="append",
        metavar="DIR",
        help="file_upload takes files below this folder; may be repeated (default: none)",
    )
    group.add_argument(
        "--download-dir", type=Path, metavar="DIR", help="where downloads go (default: a folder removed in the end)"
    )
    group.add_argument(
        "--storage-state", type=Path, metavar="FILE", help="start signed in, from a file in Playwright's format"
    )
    group.add_argument(
        "--headed",
        action="store_true",
        default=None,
        help="show a window on the display that DISPLAY names; with both it is always shown, on the desktop",
    )
    group.add_argument("--chromium", type=Path, metavar="PATH", help="use this Chromium (default: the one found)")
    describe_dialogs(group)


def read_browser_options(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> BrowserOptions | None:
    """None when no browser is asked for."""
    if arguments.environment == "desktop":
        for name in _BROWSER_ONLY:
            if getattr(arguments, name) is not None:
                parser.error(f"--{name.replace('_', '-')} is for --environment browser or both")
        return None
    downloads = [arguments.download_dir] if arguments.download_dir else []
    for option, folders in (("--upload-root", arguments.upload_root or []), ("--download-dir", downloads)):
        for folder in folders:
            if not folder.is_dir():
                parser.error(f"{option}: {folder} is not a folder")
    enabled, disabled = arguments.enable or [], arguments.disable or []
    for member in set(enabled) & set(disabled):
        parser.error(f"{member} cannot be both enabled and disabled")
    try:
        dialogs = dialog_policy(arguments.dialog or (), arguments.answer_s)
    except ValueError as error:
        parser.error(f"--dialog: {error}")
    configs = {name: {"enabled": True} for name in enabled} | {name: {"enabled": False} for name in disabled}
    options = BrowserOptions(
        viewport=arguments.viewport or DEFAULT_VIEWPORT,
        configs=MappingProxyType(configs),
        upload_roots=tuple(path.resolve() for path in arguments.upload_root or ()),
        download_dir=arguments.download_dir.resolve() if arguments.download_dir else None,
        storage_state=arguments.storage_state,
        headed=bool(arguments.headed) or arguments.environment == "both",
        chromium=arguments.chromium,
        dialogs=dialogs,
    )
    if options.download_dir is not None:
        try:
            options.file_policy(options.download_dir)
        except ToolsetConfigError as error:
            parser.error(f"--download-dir: {error}")
    return options


def _read_member(text: str) -> str:
    if text in _MEMBERS:
        return text
    near = difflib.get_close_matches(text, sorted(_MEMBERS), n=3)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    raise argparse.ArgumentTypeError(f"the browser has no member {text!r}{hint}")
