"""Lines of scripts for the stand-in that the tests of runs share."""

from __future__ import annotations

from standin.blocks import Json
from standin.script import Reply, calls, function, member


def note(word: str) -> Json:
    """A command that leaves a word behind, so that it can be seen whether and how often it ran."""
    return function("bash", command=f"echo {word} >> ran")


def notes(*words: str) -> Reply:
    return calls(*map(note, words))


def screenshot() -> Json:
    return member("computer", "screenshot")


def click(x: int = 10, y: int = 10) -> Json:
    return member("computer", "left_click", coordinate=[x, y])
