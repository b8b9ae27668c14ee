"""Asks a person on the terminal the process belongs to. Never reads standard input, which may carry the calls."""

from __future__ import annotations

from gui_operator.policy.approver import Answer
from gui_operator.policy.requests import CallRequest


class TerminalApprover:
    """Asks on `terminal`; where it cannot be opened there is nobody to ask, and the answer is no."""

    def __init__(self, terminal: str = "/dev/tty") -> None:
        self._terminal = terminal

    async def ask(self, request: CallRequest) -> Answer:
        raise NotImplementedError
