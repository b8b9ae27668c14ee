"""Texts cut into words: phrases as one word, `camelCase` and `snake_case` parted. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gui_environments.browser.finding.stemming import folded
from gui_environments.browser.finding.vocabulary import phrases

_STOP_WORDS = """
a an the of to in on at for from by with and or is are be am my your our me i we it its this that these which who what
where when how do does can could would should will please goes one ones s t as into up was were want wants use using
used so if there their them they you he she his her him has have had been being just also than then too about like need
needs whose some
"""
_FOREIGN_STOP_WORDS = """
der die das den dem des ein eine einen und zu zum zur von vom mit auf ist im
le la les de du des un une que qui et au aux sur dans est mon ma mes
el los las y del al una mi il lo gli di della dei o os um uma do dos het een en van
"""
STOP_WORDS = frozenset((*_STOP_WORDS.split(), *_FOREIGN_STOP_WORDS.split()))

_WORD = re.compile(r"[^\W\d_]+|\d+")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_CONTRACTED = re.compile(r"(?:n['’]t|['’](?:s|m|re|ve|ll|d))\b", re.IGNORECASE)
"""Ends of words that are others, cut short, or say whose a thing is."""


def plain(text: str) -> str:
    text = folded(_HUMP.sub(" ", _CONTRACTED.sub("", text)))
    return phrases().sub(text)


def words_of(text: str) -> tuple[str, ...]:
    """In order, unstemmed, stop words included."""
    return tuple(_WORD.findall(plain(text)))


def words_by_text(texts: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The words of many texts at once, which takes a fraction of the time."""
    different = list(dict.fromkeys(texts))
    if not different:
        return {}
    lines = plain("\n".join(text.replace("\n", " ") for text in different)).split("\n")
    return {text: tuple(_WORD.findall(line)) for text, line in zip(different, lines, strict=True)}
