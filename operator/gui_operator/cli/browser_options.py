"""What `exec` can be told about the browser, read once into a frozen value. Opens nothing."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from gui_environments.browser.watching.dialog_rules import DialogPolicy
from gui_environments.geometry import Size
from gui_operator.cli.dialog_options import describe_dialogs, dialog_policy
from gui_operator.cli.file_options import FILE_OPTIONS, FileOptions, describe_files, read_file_options
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
    "storage_state",
    "headed",
    "chromium",
    "dialog",
    *FILE_OPTIONS,
)


@dataclass(frozen=True, slots=True)
class BrowserOptions:
    """`configs` are the toolset's. `chromium` None is the one that is found."""

    viewport: Size
    configs: Mapping[str, Any]
    files: FileOptions
    storage_state: Path | None
    headed: bool
    chromium: Path | None
    dialogs: DialogPolicy


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
    describe_files(group)
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
    enabled, disabled = arguments.enable or [], arguments.disable or []
    for member in set(enabled) & set(disabled):
        parser.error(f"{member} cannot be both enabled and disabled")
    try:
        dialogs = dialog_policy(arguments.dialog or (), arguments.answer_s)
    except ValueError as error:
        parser.error(f"--dialog: {error}")
    configs = {name: {"enabled": True} for name in enabled} | {name: {"enabled": False} for name in disabled}
    return BrowserOptions(
        viewport=arguments.viewport or DEFAULT_VIEWPORT,
        configs=MappingProxyType(configs),
        files=read_file_options(arguments, parser),
        storage_state=arguments.storage_state,
        headed=bool(arguments.headed) or arguments.environment == "both",
        chromium=arguments.chromium,
        dialogs=dialogs,
    )


def _read_member(text: str) -> str:
    if text in _MEMBERS:
        return text
    near = difflib.get_close_matches(text, sorted(_MEMBERS), n=3)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    raise argparse.ArgumentTypeError(f"the browser has no member {text!r}{hint}")
