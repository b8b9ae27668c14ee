"""What is asked of the policy, and what it decides. Values only: nothing here decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Effect = Literal["read", "pointer", "keyboard", "navigation", "script", "file", "shell"]
"""What a call can do to the world, by the widest thing it can do."""

DecidedBy = Literal["rule", "person", "nobody", "fault", "callable"]
"""Who decided: a rule alone; a person who was asked; nobody, since there was no one to ask; a fault in the policy or
in the asking, which always refuses; or a `confirm` callable that is not a gate's."""


@dataclass(frozen=True, slots=True)
class CallRequest:
    """One call that wants to run. `toolset` is None for a function tool (bash, the editor, one of your own)."""

    toolset: str | None
    name: str
    effect: Effect
    input: Mapping[str, object]
    tool_use_id: str | None = None

    @property
    def title(self) -> str:
        """The call's name as a person or the model reads it: `computer.left_click`, `bash`."""
        return f"{self.toolset}.{self.name}" if self.toolset else self.name


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a call may run, who said so, and the words for it. `rule` is the rule that decided or that had someone
    asked (`bash=ask`); `reason` is what a person or the fault said, or None."""

    allowed: bool
    by: DecidedBy
    rule: str | None = None
    reason: str | None = None
