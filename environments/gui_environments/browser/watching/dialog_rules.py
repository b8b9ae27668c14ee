"""How dialogs of pages are answered, what somebody is asked about one, and what they say, as data: rules travel to a
remote browser, questions and answers between it and whoever is asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from gui_environments.browser.events import DialogAnsweredBy, DialogKind

DialogAction = Literal["accept", "dismiss", "ask"]

ANSWER_S = 60.0
"""How long whoever is asked may take: meanwhile the page, and all that is asked of it, stands still."""


@dataclass(frozen=True, slots=True)
class DialogPolicy:
    """How dialogs are answered: by kind, else dismissed. To dismiss `beforeunload` is to stay on the page.

    `prompt_text` is what a prompt that a rule accepts is answered with; None leaves what the page suggested. A question
    that is not answered within `answer_s`, or that nobody can be asked, is a dismissal.
    """

    by_kind: Mapping[DialogKind, DialogAction] = field(default_factory=dict)
    prompt_text: str | None = None
    answer_s: float = ANSWER_S

    def action(self, kind: DialogKind) -> DialogAction:
        return self.by_kind.get(kind, "dismiss")

    @property
    def longest_wait_s(self) -> float:
        """How long a dialog may be open."""
        return self.answer_s if "ask" in self.by_kind.values() else 0.0


@dataclass(frozen=True, slots=True)
class DialogQuestion:
    """A dialog that somebody is asked about. `suggested` is what a prompt offers to answer. Texts are the page's."""

    tab_id: str
    address: str
    kind: DialogKind
    message: str
    suggested: str = ""


@dataclass(frozen=True, slots=True)
class DialogReply:
    """`text` is what a prompt is answered with; None leaves what the page suggested."""

    accepted: bool
    text: str | None = None
    by: DialogAnsweredBy = "person"


AskAboutDialog = Callable[[DialogQuestion], Awaitable[DialogReply]]
"""An exception dismisses the dialog; so does an answer that does not come in time, which is cancelled."""
