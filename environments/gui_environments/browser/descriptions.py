"""What a description of an element asks for: what it is about, the kind of element, an action. Pure. Knows English."""

from __future__ import annotations

from dataclasses import dataclass

from gui_environments.browser.words import STOP_STEMS, stem, words_of

_FIELDS = "textbox searchbox combobox spinbutton date time month week datetime listbox"
FIELD_ROLES = frozenset((*_FIELDS.split(), "slider", "color", "file", "checkbox", "radio", "switch"))
_ROLE_WORDS = {
    "button": "button clickable switch summary file menuitem",
    "icon": "button image clickable link",
    "link": "link",
    "field input box textbox entry form": _FIELDS,
    "search": "searchbox search",
    "area editor": "textbox",
    "dropdown selector select combobox": "combobox listbox",
    "picker": "date time datetime month week color combobox textbox button",
    "checkbox tick": "checkbox switch",
    "toggle switch": "switch checkbox button",
    "radio": "radio",
    "option": "option radio menuitem menuitemradio",
    "tab": "tab",
    "slider": "slider",
    "heading": "heading",
    "image picture photo": "image",
    "menu": "menuitem menu button summary combobox",
    "row": "row listitem",
    "table grid": "table grid",
    "dialog popup": "dialog alertdialog",
    "upload attach file receipt": "file",
    "date birthdate birthday born": "date datetime",
    "time": "time datetime",
    "color colour": "color",
    "number quantity many": "spinbutton slider",
    "story article": "link heading article",
    "turn disable enable": "switch checkbox",
    "type enter fill": _FIELDS,
}
ROLES_BY_WORD: dict[str, frozenset[str]] = {
    stem(word): frozenset(roles.split()) for words, roles in _ROLE_WORDS.items() for word in words.split()
}
_KIND_WORDS = """
button link field input box textbox dropdown selector select combobox picker checkbox tick toggle radio icon slider
heading area type enter fill turn click press
"""
_ONLY_ROLE = frozenset(stem(word) for word in _KIND_WORDS.split())
"""Words that say what kind of element is meant and, mostly, nothing else."""

_VAGUE_WORDS = """
show open choose change see put turn set take jump move switch pick get view look make start bring let give page item
"""
VAGUE_STEMS = frozenset(stem(word) for word in _VAGUE_WORDS.split())
_ACTION_WORDS = """
send submit post play pause stop add delete remove edit apply pay buy order download print save share subscribe follow
report write compose close dismiss accept reject decline cancel reset clear copy reply create rename upload attach mute
archive hide sign signin signout register redeem vote upvote star like undo continue print refresh reload check
"""
ACTIONS = frozenset(stem(word) for word in _ACTION_WORDS.split())
ACTED_ON = ROLES_BY_WORD["button"] | {"link", "menuitem", "tab", "radio", "checkbox", "option"}


@dataclass(frozen=True, slots=True)
class Description:
    """A query: the stems that say what an element is about, those that say what kind it is, and the roles meant;
    `small` are its stop words."""

    about: tuple[str, ...]
    kinds: tuple[str, ...]
    roles: frozenset[str]
    small: frozenset[str]
    whole: str


def described(query: str) -> Description:
    """Words for kinds are what an element is about when nothing else is left."""
    stems = [word for word in dict.fromkeys(words_of(query)) if word not in STOP_STEMS]
    kinds = tuple(word for word in stems if word in _ONLY_ROLE)
    about = tuple(word for word in stems if word not in _ONLY_ROLE)
    if not about:
        about = kinds or tuple(words_of(query))
    roles = frozenset(role for word in stems for role in ROLES_BY_WORD.get(word, ()))
    strict = [ROLES_BY_WORD[word] for word in kinds if word in ROLES_BY_WORD]
    words = words_of(query)
    return Description(
        about,
        kinds,
        frozenset().union(*strict) if strict else roles,
        frozenset(words) & STOP_STEMS,
        " ".join(words),
    )
