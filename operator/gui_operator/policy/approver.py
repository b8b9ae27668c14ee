"""Who answers when a rule says `ask`: the protocol, and the one that is used where there is nobody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from gui_operator.policy.requests import CallRequest


@dataclass(frozen=True, slots=True)
class Answer:
    """`reason` is read by the model when the call is not allowed."""

    allowed: bool
    by: Literal["person", "nobody"] = "person"
    reason: str | None = None


class Approver(Protocol):
    """Asks someone about a call. An exception refuses the call; so does anything but a true `allowed`."""

    async def ask(self, request: CallRequest) -> Answer: ...


class NobodyToAsk:
    """Where no one can be asked, the answer is no."""

    async def ask(self, request: CallRequest) -> Answer:
        return Answer(False, "nobody")
