"""How well each element of a page fits a description: by its name, role, value, surroundings and attributes. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gui_environments.browser.finding import weights
from gui_environments.browser.finding.descriptions import Description
from gui_environments.browser.finding.recognizing import GLYPH_NAME_LENGTH, Hits, Recognizer, merged
from gui_environments.browser.finding.request_words import FIELD_ROLES, ORDINALS, ROLES_BY_WORD
from gui_environments.browser.finding.shapes import all_shape_words, shape_words
from gui_environments.browser.finding.stemming import stem
from gui_environments.browser.finding.surroundings import TEXT_ROLES, Candidate, Surroundings, surroundings_of
from gui_environments.browser.finding.vocabulary import opposites, sign_words
from gui_environments.browser.finding.words import STOP_WORDS, words_of

_GROUPING_ROLES = """
main navigation banner contentinfo complementary search region form list menu menubar toolbar table grid tree tablist
group radiogroup heading dialog alertdialog image iframe figure log listbox article
"""
_GROUPING = frozenset(_GROUPING_ROLES.split())
_ACTED_ON_ROLES = "button clickable switch summary file menuitem link tab radio checkbox option combobox"
_ACTED_ON = frozenset(_ACTED_ON_ROLES.split())
_TURNED_ROLES = "checkbox switch radio menuitemcheckbox menuitemradio option"
_TURNED = frozenset(_TURNED_ROLES.split())

_STATE_WORDS = {
    "checked": "checked ticked selected active",
    "selected": "selected active current",
    "pressed": "pressed active",
    "expanded": "expanded open",
    "collapsed": "collapsed closed",
    "disabled": "disabled inactive unavailable greyed",
    "current": "current active selected",
    "required": "required mandatory",
    "invalid": "invalid wrong error",
    "readonly": "readonly",
    "password": "password",
    "focused": "focused",
}


@dataclass(frozen=True, slots=True)
class Match:
    """The place of a candidate. `fits`: enough of the description was found; `has_ordinal`: its own name says `second`
    when the description does."""

    place: int
    score: float
    fits: bool
    has_ordinal: bool = False


def rank(query: str, description: Description, candidates: Sequence[Candidate]) -> list[Match]:
    """The candidates that fit, the best first; when none does, those that come nearest."""
    if not description.about:  # signs only
        sign = query.strip().casefold()
        return [
            Match(place, 1.0, fits=True)
            for place, candidate in enumerate(candidates)
            if sign in candidate.name.casefold()
        ]
    matches = _Ranking(description, candidates).matches()
    matches.sort(key=lambda match: (match.fits, match.score), reverse=True)
    return [match for match in matches if match.fits == matches[0].fits]


class _Ranking:
    """One description over the candidates of one page."""

    def __init__(self, description: Description, candidates: Sequence[Candidate]) -> None:
        self.description = description
        self.candidates = candidates
        self.words = Recognizer([asked.word for asked in description.about])
        self.words.learn(_texts(candidates))
        self.names = [self.words.hits(candidate.name) for candidate in candidates]
        self.shapes = bool(self.words.hits(all_shape_words()))
        self.weights = self._weights()
        self.total = sum(self.weights)
        self.on_it = [weights.ON_IT[asked.part] for asked in description.about]
        self.around = [weights.AROUND[asked.part] for asked in description.about]
        stems = [asked.stem for asked in description.about]
        self.roles = [ROLES_BY_WORD.get(word, frozenset()) for word in stems]
        against = [sorted(opposites().get(word, ())) for word in stems]
        self.against = {word: place for place, words in enumerate(against) for word in words}
        ordinals = [place for place, asked in enumerate(description.about) if asked.word in ORDINALS]
        self.ordinal = ordinals[0] if ordinals else -1
        self.verb_stands = description.action and any(hits.get(0, 0.0) >= weights.VERB_FOUND for hits in self.names)
        self.kinds = Recognizer([*(asked.word for asked in description.about), *description.kinds])

    def _weights(self) -> list[float]:
        """Words that stand on few elements tell more than words that stand on many."""
        counts = Counter(place for hits in self.names for place, surely in hits.items() if surely >= weights.ITSELF)
        return [
            asked.weight * (weights.ANYWHERE + 1.0 / (1.0 + weights.COMMON * min(counts[place], weights.COMMON_FROM)))
            for place, asked in enumerate(self.description.about)
        ]

    def matches(self) -> list[Match]:
        found = []
        around = surroundings_of(self.candidates, self.names, self.words)
        for place, (candidate, surroundings) in enumerate(zip(self.candidates, around, strict=True)):
            own = self._own(candidate, self.names[place], surroundings.label)
            covered = self._covered(candidate, own, surroundings)
            if covered >= weights.NEARBY or (self.description.kinds and candidate.role in self.description.roles):
                score = covered + self._fit(candidate, surroundings.label or _called(candidate), own)
                found.append(Match(place, score, covered >= weights.COVERED, self.ordinal in self.names[place]))
        return found

    def _covered(self, candidate: Candidate, own: Hits, surroundings: Surroundings) -> float:
        """The share of the description that was found."""
        around = self._around(surroundings)
        found = 0.0
        for at, weight in enumerate(self.weights):
            best = max(
                own.get(at, 0.0) * self.on_it[at], min(around.get(at, 0.0) * self.around[at], weights.AROUND_MOST)
            )
            if candidate.role in self.roles[at]:
                best = max(best, weights.ROLE_WORD)
            found += weight * best
        covered = found / self.total
        small = self.description.small
        if small and candidate.role in FIELD_ROLES:
            name = words_of(candidate.name)
            if small.intersection(name) and STOP_WORDS.issuperset(name):
                covered += weights.SMALL
        return covered

    def _own(self, candidate: Candidate, name: Hits, label: str) -> Hits:
        """The words found on the candidate itself."""
        words = self.words
        own = merged(name, words.glyph_hits(candidate.name), weights.GLYPH)
        if label:
            own = merged(own, words.hits(label), weights.LABEL)
        if candidate.said:
            own = merged(own, words.hits(candidate.said), weights.SAID)
        if candidate.states:
            own = merged(own, words.hits(_shown_states(candidate.states)), weights.STATE)
        if candidate.column:
            column = weights.LABEL if candidate.is_unlabelled_field else weights.COLUMN
            own = merged(own, words.hits(candidate.column), column)
        if candidate.hints:
            # Authors count from 0 or 1: their numbers say nothing of `the second`.
            hints = {place: surely for place, surely in words.hits(candidate.hints).items() if place != self.ordinal}
            own = merged(own, hints, weights.HINT)
        if self.shapes:
            for shape in shape_words(candidate.name):
                own = merged(own, words.hits(shape), weights.SHAPE)
        if self.against and (candidate.role in _TURNED or " pressed" in candidate.states):
            for word in words_of(candidate.name):
                at = self.against.get(stem(word))
                if at is not None:
                    own = merged(own, {at: weights.OPPOSITE})
        return own

    def _around(self, surroundings: Surroundings) -> Hits:
        around = surroundings.group.context
        for share, hits in (
            (weights.NEAR, surroundings.near),
            (weights.ROW_HEAD, surroundings.row_head),
            (weights.INSIDE, surroundings.inside),
            (weights.HEADING, surroundings.heading),
        ):
            around = merged(around, hits, share)
        return around

    def _fit(self, candidate: Candidate, called: str, own: Hits) -> float:
        """What speaks for an element beside the words found: its kind, and that its name says nothing else."""
        description = self.description
        fit = 0.0
        name = words_of(called)
        telling = [word for word in name if word not in STOP_WORDS and not word.isdigit()]
        if telling:
            asked = sum(max(self.kinds.hits(word).values(), default=0.0) for word in telling)
            fit += weights.NAME_SAYS_NOTHING_ELSE * asked / len(telling)
        if " ".join(stem(word) for word in name) == description.whole:
            fit += weights.NAME_IS_ALL
        if description.kinds:
            fit += weights.KIND_MEANT if candidate.role in description.roles else weights.KIND_NOT_MEANT
        elif candidate.role in description.roles:
            fit += weights.KIND_LIKELY
        if not description.kinds:
            if description.action:
                if candidate.role not in _ACTED_ON:
                    fit += weights.NOT_ACTED_ON
                elif own.get(0, 0.0) >= weights.VERB_FOUND or description.about[0].weight < 1:
                    fit += weights.ACTED_ON_BONUS
                if self.verb_stands and own.get(0, 0.0) < weights.VERB_FOUND:
                    fit += weights.VERB_ELSEWHERE
            elif candidate.role in FIELD_ROLES:
                fit += weights.FIELD_BONUS
        if candidate.role == "text":
            fit += weights.TEXT_LOSS
        elif candidate.role in TEXT_ROLES:
            fit += weights.CELL_LOSS if not candidate.hints else weights.ACTED_CELL
        elif candidate.role in _GROUPING:
            fit += weights.GROUPING_LOSS
        if " disabled" in candidate.states:
            fit += weights.DISABLED_LOSS
        return fit


def _called(candidate: Candidate) -> str:
    """Its name, or what a name of mere signs stands for."""
    name = candidate.name
    if len(name) > GLYPH_NAME_LENGTH or any(letter.isalnum() for letter in name):
        return name
    return candidate.said or sign_words(name)


def _texts(candidates: Sequence[Candidate]) -> Iterable[str]:
    for candidate in candidates:
        yield candidate.name
        if candidate.hints:
            yield candidate.hints


def _shown_states(states: str) -> str:
    """Values, placeholders and options without the words that name them; states in words of people."""
    shown = re.findall(r'"((?:[^"\\]|\\.)*)"', states) if '"' in states else []
    bare = re.sub(r'\S+="(?:[^"\\]|\\.)*"', "", states) if shown else states
    return " ".join([*shown, *(_STATE_WORDS.get(word, "") for word in bare.split())])
