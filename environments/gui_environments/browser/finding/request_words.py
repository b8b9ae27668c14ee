"""Words of requests by what they do in one: name a kind of element, an action, a place. Pure data. English."""

from __future__ import annotations

from enum import Enum

from gui_environments.browser.finding.stemming import stem

_FIELDS = "textbox searchbox combobox spinbutton date time month week datetime listbox"
FIELD_ROLES = frozenset((*_FIELDS.split(), "slider", "color", "file", "checkbox", "radio", "switch"))
_ROLE_WORDS = {
    "button": "button clickable switch summary file menuitem",
    "icon": "button image clickable link",
    "link": "link",
    "field input box textbox entry form": _FIELDS,
    "search": "searchbox search textbox combobox",
    "area editor": "textbox",
    "dropdown selector combobox": "combobox listbox",
    "select": "checkbox radio option combobox listbox",
    "picker": "date time datetime month week color combobox textbox button",
    "tick untick": "checkbox",
    "checkbox": "checkbox switch",
    "toggle switch": "switch checkbox button",
    "radio": "radio",
    "option": "option radio menuitem menuitemradio",
    "tab": "tab",
    "slider": "slider",
    "heading": "heading",
    "image picture photo": "image",
    "menu": "menuitem menu button summary",
    "row": "row listitem",
    "table grid": "table grid",
    "dialog popup": "dialog alertdialog",
    "upload attach file receipt": "file",
    "date birthdate birthday born day": "date datetime",
    "time": "time datetime",
    "when": "date time datetime",
    "color": "color",
    "number quantity many": "spinbutton slider",
    "story article": "link heading article",
    "enable disable turn stop allow let prevent": "switch checkbox",
    "type enter fill write": _FIELDS,
}
ROLES_BY_WORD: dict[str, frozenset[str]] = {
    stem(word): frozenset(roles.split()) for words, roles in _ROLE_WORDS.items() for word in words.split()
}


def _stems(words: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words.split())


ONLY_KINDS = _stems(
    """
    button link field input box textbox dropdown selector select combobox picker checkbox tick untick toggle radio
    icon slider heading area type enter fill click press tap control element widget
    """
)
"""Words that say what kind of element is meant and, mostly, nothing else."""

VAGUE = _stems(
    """
    show open choose change see put set take jump move switch pick get view look make start bring let give page
    item different other another new thing something way state tell whether find go visit
    """
)
ACTIONS = _stems(
    """
    send submit post play pause stop add delete remove edit apply pay buy order download print save share
    subscribe unsubscribe follow unfollow report write compose close dismiss accept reject decline cancel reset
    clear copy reply create rename upload attach mute unmute archive hide show sign signin signout register redeem
    vote upvote star like undo redo continue refresh reload check restart start begin launch run stop lock unlock
    block unblock ban bookmark restore recover withdraw confirm approve discard duplicate clone export import
    forward move merge split sort filter expand collapse enlarge zoom rotate crop increase decrease raise lower
    return assign invite pin unpin publish release deploy install uninstall update upgrade call phone email
    message book reserve rate review skip next previous mark flag enable disable activate deactivate turn change
    open view read see choose pick select jump go search find swap exchange switch
    ring kill drop forget deliver leave put give take let keep bring make tell tick untick move sign shut prolong extend
    renew withdraw reschedule postpone compare contact visit
    """
)
DONE_TO_THINGS = _stems("add create insert make delete remove share copy send move duplicate rename clear reset new")
"""Actions whose object may itself be called a field, a link, an icon."""

STEPS = _stems("next previous")
"""Say what to do wherever they stand."""

DETERMINERS = frozenset(
    ("the", "a", "an", "my", "your", "our", "their", "this", "that", "these", "all", "every", "it", "me")
)
"""Before them stands a verb, where a description begins."""

NOUNS_TOO = _stems(
    """
    search order report message email phone call review rate book filter sort start stop end return transfer
    record play post share flag mark change copy print view update upgrade release check save contact lock like
    star zoom upload download import export archive reply draft reset register open close next previous skip move
    branch fork merge
    """
)
"""Verbs only when a determiner or a preposition follows: an order number, a search radius."""

_OPENERS = """
of for in on at from about with by under beside inside within called named near that which whose
"""
OPENERS = frozenset(_OPENERS.split())
"""Open what tells the element from others, once a word that counts stands before."""

ORDINALS = {
    "first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "5th": 5,
    "last": -1,
}  # fmt: skip


class Side(Enum):
    """Of the page. Values are the words for it."""

    TOP = "top upper uppermost"
    BOTTOM = "bottom lower lowermost"
    LEFT = "left leftmost"
    RIGHT = "right rightmost"

    def along(self, x_px: float, y_px: float) -> float:
        """How far to this side a point is."""
        return {Side.TOP: -y_px, Side.BOTTOM: y_px, Side.LEFT: -x_px, Side.RIGHT: x_px}[self]


SIDE_WORDS = frozenset(word for side in Side for word in side.value.split())
