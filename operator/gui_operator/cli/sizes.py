"""Sizes as options spell them: `1280x800` of a picture, `20MB` of a file."""

from __future__ import annotations

import argparse
import re
from decimal import Decimal

from gui_environments.geometry import Size

# Sides that the X protocol can say.
_LARGEST_SIDE_PX = 32_767

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


def read_size(text: str) -> Size:
    match = re.fullmatch(r"([1-9][0-9]{0,4})x([1-9][0-9]{0,4})", text)
    if match is None or max(int(match[1]), int(match[2])) > _LARGEST_SIDE_PX:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a size such as 1280x800, of at most {_LARGEST_SIDE_PX} a side"
        )
    return Size(int(match[1]), int(match[2]))


def read_bytes(text: str) -> int:
    match = re.fullmatch(rf"([0-9]{{1,9}}(?:\.[0-9]{{1,6}})?)({'|'.join(UNITS_BYTES)})", text)
    size_bytes = 0 if match is None else int(Decimal(match[1]) * UNITS_BYTES[match[2]])
    if not 1 <= size_bytes <= _LARGEST_BYTES:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a size such as 20MB: a number and one of {', '.join(UNITS_BYTES)}"
        )
    return size_bytes
