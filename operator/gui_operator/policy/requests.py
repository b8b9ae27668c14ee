"""What is asked of the policy, and what it decides. Values only: nothing here decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from gui_environments.sights import Sight

Effect = Literal["read", "pointer", "keyboard", "navigation", "script", "file", "shell"]
"""What a call can do to the world, by the widest thing it can do."""

DecidedBy = Literal["rule", "person", "remembered", "nobody", "late", "environment", "fault", "callable"]
"""Who decided: a rule alone; a person who was asked; the same person's earlier yes to this same call in this same
place; nobody, since there was no one to ask; nobody in time; the environment, where what the call would hit was not
there, or not there any more; a fault in the policy or in the asking, which always refuses; or a `confirm` callable that
is not a gate's."""


@dataclass(frozen=True, slots=True)
class CallRequest:
    """One call that wants to run. `toolset` is None for a function tool (bash, the editor, one of your own). `sight` is
    what it would hit, for whoever is asked; None for what hits nothing on a screen or in a page."""

    toolset: str | None
    name: str
    effect: Effect
    input: Mapping[str, object]
    tool_use_id: str | None = None
    sight: Sight | None = None

    @property
    def title(self) -> str:
        """The call's name as a person or the model reads it: `computer.left_click`, `bash`."""
        return f"{self.toolset}.{self.name}" if self.toolset else self.name


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a call may run, who said so, and the words for it. `rule` is the rule that decided or that had someone
    asked (`bash=ask`); `reason` is what a person, the environment or the fault said, or None; `because` is why there is
    the rule, where it says so."""

    allowed: bool
    by: DecidedBy
    rule: str | None = None
    reason: str | None = None
    because: str = ""
