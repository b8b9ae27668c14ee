"""How much may go up to pages and come down from them in one session, as data: it travels to a remote browser as it
is; and sizes in words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

UNITS_BYTES = {
    "B": 1,
    "kB": 1_000,
    "MB": 1_000_000,
    "GB": 1_000_000_000,
    "KiB": 1 << 10,
    "MiB": 1 << 20,
    "GiB": 1 << 30,
}

_LARGEST_BYTES = 1 << 50
"""More than any disk of one machine: a typing error."""

_UNITS = ((1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB"))


@dataclass(frozen=True, slots=True)
class FileLimits:
    """`file_bytes` bounds one file, `total_bytes` all of a session together, `files` how many of them there may be."""

    file_bytes: int
    total_bytes: int
    files: int


UPLOAD_LIMITS = FileLimits(500_000_000, 2_000_000_000, 500)
"""What pages are given is copied first, and the copies stay until the session ends."""

DOWNLOAD_LIMITS = FileLimits(2_000_000_000, 5_000_000_000, 500)


def size_words(size_bytes: int) -> str:
    """`20 MB`, `1.5 GB`, `12 bytes`."""
    for unit_bytes, unit in _UNITS:
        if size_bytes >= unit_bytes:
            return (
                f"{size_bytes / unit_bytes:.3g} {unit}" if size_bytes < 1000 * unit_bytes else f"{size_bytes:,} bytes"
            )
    return "1 byte" if size_bytes == 1 else f"{size_bytes} bytes"


def bytes_of_words(text: str) -> int:
    """`20MB`, `1.5GiB`. Raises `ValueError`."""
    match = re.fullmatch(rf"([0-9]{{1,9}}(?:\.[0-9]{{1,6}})?)({'|'.join(UNITS_BYTES)})", text)
    size_bytes = 0 if match is None else int(Decimal(match[1]) * UNITS_BYTES[match[2]])
    if not 1 <= size_bytes <= _LARGEST_BYTES:
        raise ValueError(f"{text!r} is not a size such as 20MB: a number and one of {', '.join(UNITS_BYTES)}")
    return size_bytes
