"""Asks a person, on a terminal, how a dialog of a page is to be answered. Answers none by itself."""

from __future__ import annotations

from dataclasses import replace

from gui_environments.browser.watching.dialog_rules import DialogQuestion, DialogReply
from gui_environments.secrets import Masking
from gui_operator.policy.terminal import NobodyThere, Question, Terminal
from gui_operator.policy.terminal_approver import FACT_LIMIT
from gui_operator.policy.visible import bounded, visible

_PROMPTS = {
    "alert": "[a]ccept, or [d]ismiss: ",
    "confirm": "[a]ccept, or [d]ismiss: ",
    "prompt": "[a]ccept with what is suggested, [a]ccept and the answer, or [d]ismiss: ",
    "beforeunload": "[a]ccept and leave the page, or [d]ismiss and stay: ",
}


class TerminalDialogs:
    """`ask=TerminalDialogs(terminal).ask` is how a browser takes it. Without a terminal dialogs are dismissed.
    `masking` is for what is shown of one."""

    def __init__(self, terminal: Terminal, masking: Masking | None = None) -> None:
        self._terminal = terminal
        self._masking = masking or Masking()

    async def ask(self, question: DialogQuestion) -> DialogReply:
        takes_text = question.kind == "prompt"
        asked = Question(
            dialog_text(self._masked(question)),
            _PROMPTS[question.kind],
            lambda line: _reply_of(line, takes_text=takes_text),
        )
        try:
            return await self._terminal.ask(asked) or DialogReply(False)
        except NobodyThere:
            return DialogReply(False, by="nobody")

    def _masked(self, question: DialogQuestion) -> DialogQuestion:
        mask = self._masking
        suggested = question.suggested and mask(question.suggested)
        return replace(question, address=mask(question.address), message=mask(question.message), suggested=suggested)


def dialog_text(question: DialogQuestion) -> str:
    """The dialog as a person reads it; what cannot be seen is spelled out."""
    facts = {"page": question.address, "tab": question.tab_id, question.kind: question.message}
    if question.suggested:
        facts["suggested"] = question.suggested
    lines = [f"  {label}: {visible(bounded(text, FACT_LIMIT))}" for label, text in facts.items()]
    return "\n".join(["A page shows a dialog:", *lines])


def _reply_of(line: str, *, takes_text: bool) -> DialogReply | None:
    word, _, rest = line.partition(" ")
    text = rest.strip() or None
    if text is not None and not takes_text:
        return None
    if word.lower() in ("a", "accept", "y", "yes"):
        return DialogReply(True, text)
    if word.lower() in ("d", "dismiss", "n", "no") and text is None:
        return DialogReply(False)
    return None
