"""Sizes as options spell them: `1280x800` of a picture, `20MB` of a file."""

from __future__ import annotations

import argparse
import re

from gui_environments.browser.files.limits import bytes_of_words
from gui_environments.geometry import Size

# Sides that the X protocol can say.
_LARGEST_SIDE_PX = 32_767


def read_size(text: str) -> Size:
    match = re.fullmatch(r"([1-9][0-9]{0,4})x([1-9][0-9]{0,4})", text)
    if match is None or max(int(match[1]), int(match[2])) > _LARGEST_SIDE_PX:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a size such as 1280x800, of at most {_LARGEST_SIDE_PX} a side"
        )
    return Size(int(match[1]), int(match[2]))


def read_bytes(text: str) -> int:
    try:
        return bytes_of_words(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
