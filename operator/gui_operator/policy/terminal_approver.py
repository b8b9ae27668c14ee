"""Asks a person about a call, on a terminal: the call whole, where it goes, what it would hit and a picture of that."""

from __future__ import annotations

import json

from gui_operator.policy.approver import Answer
from gui_operator.policy.requests import CallRequest
from gui_operator.policy.terminal import NobodyThere, Question, Terminal
from gui_operator.policy.visible import bounded, visible

FACT_LIMIT = 1000
"""Characters of what a page or an application says of itself."""

PROMPT = "[y]es, yes and do not ask [a]gain for exactly this here, or [n]o and a reason: "


class TerminalApprover:
    """Asks on a terminal, or on the one at a path; where it cannot be opened there is nobody to ask, and the answer is
    no."""

    def __init__(self, terminal: Terminal | str = "/dev/tty") -> None:
        self._terminal = terminal if isinstance(terminal, Terminal) else Terminal(terminal)

    async def ask(self, request: CallRequest) -> Answer:
        spots = () if request.sight is None else request.sight.spots
        question = Question(f"May this run?\n{question_text(request)}", PROMPT, _answer_of, spots)
        try:
            return await self._terminal.ask(question) or Answer(False, "person")
        except NobodyThere:
            return Answer(False, "nobody")


def question_text(request: CallRequest) -> str:
    """The call as a person reads it, whole, on lines of its own; what cannot be seen is spelled out."""
    lines = [f"{visible(request.title)} ({request.effect})"]
    lines += [
        f"  {visible(key)}: {visible(json.dumps(value, ensure_ascii=False))}" for key, value in request.input.items()
    ]
    if request.sight is not None and request.sight.facts:
        lines.append("There:")
        lines += [f"  {visible(label)}: {visible(bounded(text, FACT_LIMIT))}" for label, text in request.sight.facts]
    return "\n".join(lines)


def _answer_of(line: str) -> Answer | None:
    word, _, reason = line.partition(" ")
    if word.lower() in ("y", "yes"):
        # "yes but ..." is not a yes.
        return Answer(True) if not reason.strip() else None
    if word.lower() in ("a", "again", "always"):
        return Answer(True, again=True) if not reason.strip() else None
    if word.lower().rstrip(",:") in ("n", "no"):
        return Answer(False, "person", reason.strip() or None)
    return None
