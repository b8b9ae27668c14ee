"""Who answers when a rule says `ask`: the protocol, and the one that is used where there is nobody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from gui_operator.policy.requests import CallRequest


@dataclass(frozen=True, slots=True)
class Answer:
    """`reason` is read by the model when the call is not allowed. `again`: a yes to this same call in this same place
    from now on, as long as what it would hit is exactly this."""

    allowed: bool
    by: Literal["person", "nobody"] = "person"
    reason: str | None = None
    again: bool = False


class Approver(Protocol):
    """Asks someone about a call: `request` says what it is and, in its `sight`, what it would hit. An exception refuses
    the call; so does anything but a true `allowed`, and an answer that does not come in time."""

    async def ask(self, request: CallRequest) -> Answer: ...


class NobodyToAsk:
    """Where no one can be asked, the answer is no."""

    async def ask(self, request: CallRequest) -> Answer:
        return Answer(False, "nobody")
