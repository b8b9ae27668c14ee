"""Command lines given as one argument. Split like a shell line, run by none."""

from __future__ import annotations

import argparse
import shlex


def read_words(text: str) -> tuple[str, ...]:
    """For `argparse`."""
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} cannot be split into words: {error}") from None
    if not words or not words[0]:
        raise argparse.ArgumentTypeError("it names no program")
    return words
