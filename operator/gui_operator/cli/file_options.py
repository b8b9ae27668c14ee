"""What `exec` can be told about files that go up to pages and come down from them, read once into a frozen value. Makes
and opens nothing."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Literal

from gui_environments.browser.files.limits import DOWNLOAD_LIMITS, UPLOAD_LIMITS, FileLimits, size_words
from gui_environments.browser.files.places import NamedPlace, contained, overlap
from gui_environments.errors import EnvironmentUnavailable
from gui_operator.cli.backups import state_root
from gui_operator.cli.sizes import read_bytes
from gui_operator.policy.secret_grammar import SecretOption

FILE_OPTIONS = ("upload_root", "download_dir", "document_dir", "max_upload", "max_download")

_LARGEST_COUNT = 1_000_000


@dataclass(frozen=True, slots=True)
class FileOptions:
    """`download_dir` None is a folder that is removed in the end; without roots and a `document_dir` no file can be
    given. `kept_from_pages` are files that no root may hold."""

    upload_roots: tuple[Path, ...]
    document_dir: Path | None
    download_dir: Path | None
    upload_limits: FileLimits
    download_limits: FileLimits
    kept_from_pages: tuple[NamedPlace, ...] = ()


@dataclass(frozen=True, slots=True)
class LimitOption:
    """One of `SIZE`, `total=SIZE` and `files=N`."""

    what: Literal["file", "total", "files"]
    value: int


def describe_files(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--upload-root",
        type=Path,
        action="append",
        metavar="DIR",
        help="file_upload takes files below this folder, which relative paths are relative to; may be repeated "
        "(default: none). The editor and bash are not bound by it",
    )
    group.add_argument(
        "--document-dir",
        type=Path,
        metavar="DIR",
        help="file_upload by document id takes the file DIR/ID, or the only one in the folder DIR/ID (default: none)",
    )
    group.add_argument(
        "--download-dir", type=Path, metavar="DIR", help="where downloads go (default: a folder removed in the end)"
    )
    for option, verb, limits in (
        ("--max-upload", "give pages", UPLOAD_LIMITS),
        ("--max-download", "download", DOWNLOAD_LIMITS),
    ):
        group.add_argument(
            option,
            type=_read_limit,
            action="append",
            metavar="LIMIT",
            help=f"{verb} no more: SIZE for one file, total=SIZE for all of a session together, files=N for how many; "
            f"a size is a number with B, kB, MB, GB, KiB, MiB or GiB; may be repeated (default: {_words(limits)})",
        )


def read_file_options(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> FileOptions:
    for option, folders in (
        ("--upload-root", arguments.upload_root or []),
        ("--download-dir", [arguments.download_dir] if arguments.download_dir else []),
        ("--document-dir", [arguments.document_dir] if arguments.document_dir else []),
    ):
        for folder in folders:
            if not folder.is_dir():
                parser.error(f"{option}: {folder} is not a folder")
    limits = {}
    for option, given, default in (
        ("--max-upload", arguments.max_upload, UPLOAD_LIMITS),
        ("--max-download", arguments.max_download, DOWNLOAD_LIMITS),
    ):
        try:
            limits[option] = _limits(given or (), default)
        except ValueError as error:
            parser.error(f"{option}: {error}")
    signed_in = [("--storage-state", arguments.storage_state)] if arguments.storage_state else []
    options = FileOptions(
        upload_roots=tuple(path.absolute() for path in arguments.upload_root or ()),
        document_dir=arguments.document_dir.absolute() if arguments.document_dir else None,
        download_dir=arguments.download_dir.absolute() if arguments.download_dir else None,
        upload_limits=limits["--max-upload"],
        download_limits=limits["--max-download"],
        kept_from_pages=(*signed_in, *secret_files(arguments.secrets)),
    )
    sentence = misplaced(options, arguments.record)
    if sentence is not None:
        parser.error(f"{sentence}; choose folders apart from each other")
    return options


def require_placed_apart(options: FileOptions, record: Path | None) -> None:
    """Raises `EnvironmentUnavailable`."""
    sentence = misplaced(options, record)
    if sentence is not None:
        raise EnvironmentUnavailable(f"{sentence}. Choose folders apart from each other.")


def secret_files(secrets: Iterable[SecretOption]) -> tuple[NamedPlace, ...]:
    return tuple(
        (f"the file of the secret {secret.name}", Path(secret.source.place))
        for secret in secrets
        if secret.source.kind == "file"
    )


def misplaced(options: FileOptions, record: Path | None) -> str | None:
    """A sentence about folders that lie in each other, or that would let pages be given what is not meant for them;
    None where there is nothing to say. `record` is the recording's folder."""
    sources: list[NamedPlace] = [("--upload-root", root) for root in options.upload_roots]
    if options.document_dir is not None:
        sources.append(("--document-dir", options.document_dir))
    targets: list[NamedPlace] = [("--download-dir", options.download_dir)] if options.download_dir else []
    recordings: list[NamedPlace] = [("--record", record)] if record else []
    private: list[NamedPlace] = [
        ("the folder for temporary files, where sessions keep theirs,", Path(tempfile.gettempdir())),
        ("the folder for copies of edited files", state_root()),
    ]
    kept_apart = [*product(private, [*sources, *targets]), *product(options.kept_from_pages, sources)]
    return overlap([*targets, *sources, *recordings]) or next(
        (found for inner, outer in kept_apart if (found := contained(inner, outer))), None
    )


def _limits(options: Iterable[LimitOption], default: FileLimits) -> FileLimits:
    """Raises `ValueError` for what is said twice."""
    said: dict[str, int] = {}
    for option in options:
        if option.what in said:
            raise ValueError(f"the limit of {'one file' if option.what == 'file' else option.what} is said twice")
        said[option.what] = option.value
    file_bytes = said.get("file", default.file_bytes)
    # Whoever allows one large file means that it may be given.
    total_bytes = said.get("total", max(default.total_bytes, file_bytes))
    return FileLimits(file_bytes, total_bytes, said.get("files", default.files))


def _read_limit(text: str) -> LimitOption:
    what, equals, value = text.rpartition("=")
    if what == "files" and value.isascii() and value.isdecimal() and 1 <= int(value) <= _LARGEST_COUNT:
        return LimitOption("files", int(value))
    if not equals:
        return LimitOption("file", read_bytes(value))
    if what == "total":
        return LimitOption("total", read_bytes(value))
    raise argparse.ArgumentTypeError(f"{text!r} is not SIZE, total=SIZE or files=N, such as 20MB, total=1GB, files=10")


def _words(limits: FileLimits) -> str:
    return f"{size_words(limits.file_bytes)}, total={size_words(limits.total_bytes)}, files={limits.files}".replace(
        " MB", "MB"
    ).replace(" GB", "GB")
