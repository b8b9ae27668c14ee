"""Words of descriptions and of elements, made comparable: cut, cased and stemmed alike, with what means the same.

Pure. Knows English; words of other languages are compared as they are.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from rapidfuzz import fuzz

WORDS_KEPT = 50_000
"""Texts, words and pairs of words whose comparison is remembered: those of a large page."""

FUZZY_FROM = 84.0
"""Likeness in percent from which a longer word may be another one misspelt or in another form."""

FUZZY_LENGTH = 5
"""Shorter words are too alike to be guessed."""

SYNONYM = 0.85
PREFIX = 0.8
FUZZY = 0.75
"""How much a word counts that is found in another form, 1 being the word itself."""

_STOP_WORDS = """
a an the of to in on at for from by with and or is are be my your our me i we it its this that these which who what
where when how do does can please go goes one s t as into up was want wants use using used
"""

_PHRASES = {
    r"\b(keep|stay)( me| us)? (logg|sign)ed ?-?in\b": "remember",
    r"\b(log|sign)(ged)? ?-?(in|on)\b": "signin",
    r"\b(log|sign)(ged)? ?-?(out|off)\b": "signout",
    r"\bsign ?-?up\b": "register",
    r"\be-mail": "email",
    r"\b(wish|watch) ?list\b": "favourite",
    r"\bsave for later\b": "favourite save",
    r"\b(home ?page|web ?site|web ?page)\b": "website",
    r"\b(time ?zone)\b": "timezone",
    r"\b(drop ?-?down|pull ?-?down)\b": "dropdown",
    r"\bcheck ?-?box(es)?\b": "checkbox",
    r"\btext ?-?(box|field|area|input)\b": "textbox",
    r"\b(first|given) name\b": "firstname",
    r"\b(last|family) name\b|\bsurname\b": "lastname",
    r"\b(date of birth|birth ?-?(day|date)|dob)\b": "birthdate",
    r"\bcheck ?-?out\b": "checkout",
    r"\bpass ?-?word\b": "password",
    r"\bbread ?-?crumbs?\b": "breadcrumb",
    r"\bup ?-?vote": "upvote",
}

_SAME = """
email mailto | close remove x | previous left | next right | full whole all complete | progress seek position
one 1 | two 2 | three 3 | four 4 | five 5 | history log commits changes | pay payment credit debit bank | play pause
signin login | signout logout | register join signup enrol account | delete remove trash erase discard bin
cancel abort dismiss | close dismiss hide exit | cart basket bag trolley
search find lookup query seek magnifier | next forward following onward
previous prev back backward last earlier | settings preferences options configuration gear | email mail
phone telephone mobile tel cell | menu navigation hamburger sections drawer
favourite favorite like heart star wish love bookmark | save store keep remember | add new create insert plus
submit send confirm continue proceed go register | colour color accent | quantity qty amount count number items
picture photo image avatar | website url homepage site | biography bio about | birthdate birthday born birth
show reveal display see view unhide visible open | password passcode pin | policy terms conditions privacy rules
language locale | price cost fee total amount | cheap price | buy purchase get order
edit modify change pencil rename | change switch select choose pick selector | write compose new create
message body text | attach attachment upload file paperclip | upload attach choose file browse
recipient to addressee | story article news post | location where place address | appointment event meeting
user person member customer account | people users members | passenger adult traveller traveler guest
departure depart outbound leave leaves from | arrival arrive return | class cabin | cheapest price
sort sorting order sorted | filter refine narrow | page pagination pager | copy clipboard duplicate
documentation docs manual | install installation setup | version release | chapter section
configure configuration setup settings | all every everything each | row entry line record
entries rows results items per | currency eur usd money | receipt invoice bill | print printer
help support assistance | share post | reviews ratings comments | review rating comment feedback | report flag
size dimension | returns refund return refunds | delivery shipping | description details info information more
notes comments remarks | comment note reply | increase more plus add raise increment up
decrease less minus reduce lower decrement down | mute silence sound | captions subtitles cc | play start
accept agree allow consent ok yes | reject decline refuse deny no | captcha robot
notification notifications alert alerts bell | home main start | folder directory | source src code
commit commits history | branch branches | issue issues bug bugs | star favourite | expand more unfold
collapse less fold | company organisation organization employer | country nation state
discount promo coupon voucher code | redeem apply | cardholder card name | pay payment
guests visitors people number | newsletter subscribe subscription | off disable | dark night theme | clear reset
reset restore clear | today now | week weekly | day daily | month monthly | year yearly annual annually
minimum min lowest | maximum max highest | profile account user | tag label keyword | large big | small little
encyclopedia wikipedia wiki | german deutsch | french français | spanish español | english
assign assigned assignee | title heading name subject topic | question faq ask | seat seats
""".replace("\n", "|")

_GLYPHS = {
    "×✕✖✗": "close",
    "+＋➕": "add",
    "›»→❯▶>": "next",
    "‹«←❮◀<": "previous",
    "☰≡": "menu",
    "♡♥❤🤍": "favourite",
    "★☆⭐": "star",
    "▲": "upvote up",
    "▼▾": "expand down",
    "⋮⋯…": "more options",
    "☺😀🙂": "emoji",
    "🗑": "delete",
    "✎✏🖉": "edit",
    "⚙": "settings",
    "🔍🔎": "search",
    "−–": "decrease",
}
_GLYPH_WORDS = {glyph: words for glyphs, words in _GLYPHS.items() for glyph in glyphs}
GLYPH_NAME_LENGTH = 3
"""Names up to this long may be a picture rather than words."""

_ENDINGS = (("ies", "y"), ("sses", "ss"), ("ing", ""), ("edly", ""), ("ed", ""), ("es", ""), ("s", ""), ("e", ""))
STEM_LENGTH = 3


@lru_cache(maxsize=WORDS_KEPT)
def stem(word: str) -> str:
    """The word without its ending, for words written in Latin letters."""
    if not word.isascii() or not word.isalpha():
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= STEM_LENGTH and not word.endswith("ss"):
            cut = word[: -len(ending)] + instead
            # running, stopped
            return cut[:-1] if len(cut) > STEM_LENGTH and cut[-1] == cut[-2] and cut[-1] not in "lsz" else cut
    return word


@cache
def _synonyms() -> dict[str, frozenset[str]]:
    same: dict[str, set[str]] = {}
    for group in _SAME.split("|"):
        stems = {stem(word) for word in group.split()}
        for word in stems:
            same.setdefault(word, set()).update(stems)
    return {word: frozenset(others) for word, others in same.items()}


_PARTS_OF_PHRASES = re.compile(
    "logg?|sign|mail|list|save|page|site|zone|down|box|text|field|name|birth|dob|check|pass|bread|vote"
)
"""One of them is in every phrase: most names have none, and are spared the search for each."""


def plain(text: str) -> str:
    """In lower case, without accents on Latin letters, with phrases as one word."""
    text = text.casefold()
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
        text = unicodedata.normalize("NFC", re.sub(r"(?<=[a-z])[\u0300-\u036f]", "", text))
    if _PARTS_OF_PHRASES.search(text):
        for phrase, word in _PHRASES.items():
            text = re.sub(phrase, word, text)
    return text


@lru_cache(maxsize=WORDS_KEPT)
def words_of(text: str) -> tuple[str, ...]:
    """Stems, in order, stop words included. `camelCase` and `snake_case` are cut into their words."""
    text = re.sub(r"([a-z])([A-Z])", r"\1 \2", text)
    return tuple(stem(word) for word in re.findall(r"[^\W\d_]+|\d+", plain(re.sub(r"['’]s\b", "", text))))


@lru_cache(maxsize=WORDS_KEPT)
def telling_words(text: str) -> frozenset[str]:
    """Its stems without stop words."""
    return frozenset(words_of(text)) - STOP_STEMS


@lru_cache(maxsize=WORDS_KEPT)
def glyph_words(name: str) -> list[str]:
    """What a name that is a picture of one or two characters stands for."""
    if len(name.strip()) > GLYPH_NAME_LENGTH and not any(glyph in name for glyph in "♡♥☰▲★🗑"):
        return []
    return [stem(word) for character in name for word in _GLYPH_WORDS.get(character, "").split()]


STOP_STEMS = frozenset(stem(word) for word in _STOP_WORDS.split()) | frozenset(_STOP_WORDS.split())


@lru_cache(maxsize=WORDS_KEPT)
def likeness(asked: str, found: str) -> float:
    """From 0 to 1: how far a stem that was found means the one asked for."""
    if asked == found:
        return 1.0
    if found in _synonyms().get(asked, ()):
        return SYNONYM
    shorter, longer = sorted((asked, found), key=len)
    if shorter.isdigit() and longer.isdigit():
        return PREFIX if len(shorter) > 1 and longer.startswith(shorter) else 0.0
    if not shorter.isascii():
        return PREFIX if shorter in longer else 0.0
    if len(shorter) >= 4 and longer.startswith(shorter):
        return PREFIX
    if len(shorter) >= FUZZY_LENGTH and fuzz.ratio(asked, found, score_cutoff=FUZZY_FROM):
        return FUZZY
    return 0.0
