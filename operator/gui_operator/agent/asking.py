"""`ask_person`: for what only a person can do, a login, a code, a captcha, a decision. Asks on the terminal, waits, and
shows the model what is there then. What the person does meanwhile is theirs, and not recorded."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from anthropic.tools import ToolError
from anthropic.types.beta import BetaToolParam

from gui_operator.agent.looking import Looks
from gui_operator.policy import Gate, Terminal
from gui_operator.policy.terminal import NobodyThere, Question
from gui_operator.policy.visible import bounded, visible
from gui_operator.recording import Recording
from gui_operator.toolsets.fields import refuse_unknown, text_field
from gui_operator.toolsets.function_tool import FunctionTool

ASK_PERSON = "ask_person"

_PROMPT = "Your answer, or only Return when it is done: "
_LONGEST_QUESTION = 2000


class AskPersonTool(FunctionTool[str]):
    """`unanswered` is what was asked when there was nobody to ask, or no answer in time."""

    effect = "read"

    def __init__(
        self, terminal: Terminal, looks: Looks, *, answer_s: float, gate: Gate, recording: Recording | None = None
    ) -> None:
        super().__init__(gate=gate, recording=recording)
        self._terminal = terminal
        self._looks = looks
        self._answer_s = answer_s
        self.unanswered: str | None = None

    def to_dict(self) -> BetaToolParam:
        return {
            "name": ASK_PERSON,
            "description": "Ask the person whose task this is for something that only a person can do or decide: to "
            "log in, to type a code, to solve a captcha, to choose. They may act on the screen or page themselves "
            "before they answer; you are shown what is there then.",
            "input_schema": {
                "type": "object",
                "properties": {"question": {"type": "string"}},
                "required": ["question"],
                "additionalProperties": False,
            },
            "strict": True,
        }

    def parse(self, call_input: Mapping[str, object]) -> str:
        refuse_unknown(call_input, ("question",), ASK_PERSON)
        question = text_field(call_input, "question", ASK_PERSON).strip()
        if not question:
            raise ToolError(f"{ASK_PERSON} needs a 'question'.")
        return question

    async def perform(self, parsed: str) -> Any:
        text = f"The model asks:\n{visible(bounded(parsed, _LONGEST_QUESTION))}"
        try:
            async with asyncio.timeout(self._answer_s):
                answer = await self._terminal.ask(Question(text, _PROMPT, lambda line: line))
        except (NobodyThere, TimeoutError):
            self.unanswered = parsed
            raise ToolError("There is nobody to ask. The run ends here.") from None
        said = f"The person answered: {answer}" if answer else "The person says that it is done."
        return [{"type": "text", "text": said}, *await self._looks.take_all()]
