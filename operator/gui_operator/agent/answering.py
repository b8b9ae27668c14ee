"""What is done with the calls of a reply: whether they may run, their results as they are sent, and what of them ends
the run. The SDK's runner runs them."""

from __future__ import annotations

import json
import time
from typing import Any

from anthropic.lib.tools import BetaAsyncStreamingToolRunner
from anthropic.types.beta import BetaMessage, BetaMessageParam, BetaToolUseBlock

from gui_operator.agent.conversation.conversation import Conversation
from gui_operator.agent.conversation.fitting import fitting_pictures
from gui_operator.agent.endings import Ending
from gui_operator.agent.means import OF_THE_RUN, Means
from gui_operator.agent.replies import Reply
from gui_operator.agent.results import SUBMIT_RESULT
from gui_operator.agent.settings import RunSettings
from gui_operator.agent.tally import Tally
from gui_operator.toolsets.guarded_runner import run_calls

REFUSED_RESULTS = 2
"""So many results that the schema does not admit end the run."""

TOO_EARLY = "The result was not taken: another call of this turn failed. See what came of it, then hand the result in."

_LONGEST = 300


class Answering:
    """Of one run."""

    def __init__(self, settings: RunSettings, means: Means, conversation: Conversation, tally: Tally) -> None:
        self._settings = settings
        self._means = means
        self._conversation = conversation
        self._tally = tally

    async def answer(
        self, runner: BetaAsyncStreamingToolRunner[Any], message: BetaMessage
    ) -> tuple[Ending | None, BetaMessageParam | None]:
        """Have the calls of a whole reply run. Returns how that ends the run, if it does, and what the runner sends."""
        calls = [block for block in message.content if isinstance(block, BetaToolUseBlock)]
        actions = sum(call.name not in OF_THE_RUN for call in calls)
        limits = self._settings.limits
        if not self._tally.leaves_room_for(actions, limits):
            return Ending("limit reached", f"The limit of {limits.actions} actions was reached."), None
        started_at_s = time.monotonic()
        response = await run_calls(runner, message, self._means.toolbox.recording)
        if response is None:
            return None, None
        blocks: Any = response["content"]
        self._tally.count_actions(actions, time.monotonic() - started_at_s)
        ending = self._ending_of(calls, blocks)
        if ending is None:
            await self._prepare(calls, blocks)
            self._conversation.answered(response, len(message.content))
        return ending, response

    async def note_of_what_ran(self, reply: Reply, what: str) -> list[Any]:
        """For the model, whose reply is left out though calls of it have run."""
        self._tally.count_actions(len(reply.ran), 0.0)
        lines = [f"Your last reply {what}. Of its calls these have run already, and were not undone:"]
        lines += [f"- {_in_words(call, reply.ran[call.id])}" for call in reply.calls if call.id in reply.ran]
        lines.append("Nothing else of it ran. Go on from what is there now.")
        return [{"type": "text", "text": "\n".join(lines)}, *await self._means.looks.take_all()]

    def _ending_of(self, calls: list[BetaToolUseBlock], blocks: list[Any]) -> Ending | None:
        means = self._means
        if (died := means.toolbox.environment_died) is not None:
            return Ending("environment died", died)
        if means.person.unanswered is not None:
            return Ending("needs a person", f"The model asked, and nobody answered: {means.person.unanswered}")
        if means.failure.reason is not None:
            return Ending("failed", f"The model says that the task cannot be done: {means.failure.reason}")
        return None if means.result is None else self._ending_of_result(calls, blocks)

    def _ending_of_result(self, calls: list[BetaToolUseBlock], blocks: list[Any]) -> Ending | None:
        tool = self._means.result
        assert tool is not None
        if len(tool.refusals) >= REFUSED_RESULTS:
            return Ending("failed", f"The result was not what was asked for, twice: {tool.refusals[-1]}.")
        if not tool.accepted:
            return None
        if not any(block.get("is_error") for block in blocks):
            return Ending("succeeded", "The model handed in the result.", tool.result)
        tool.take_back()
        submitted = {call.id for call in calls if call.name == SUBMIT_RESULT and call.toolset_name is None}
        for block in blocks:
            if block["tool_use_id"] in submitted:
                block.update(content=TOO_EARLY, is_error=True)
        return None

    async def _prepare(self, calls: list[BetaToolUseBlock], blocks: list[Any]) -> None:
        """The results as they are sent."""
        largest = self._settings.model.largest_image_base64_bytes
        for block in blocks:
            if block.get("content") is not None:
                block["content"] = fitting_pictures(block["content"], largest)
        if self._settings.look_after:
            await self._means.looks.add_to(calls, blocks)


def _in_words(call: BetaToolUseBlock, result: Any) -> str:
    title = f"{call.toolset_name}.{call.name}" if call.toolset_name else call.name
    content = result.get("content") or ""
    said = content if isinstance(content, str) else " ".join(b["text"] for b in content if b["type"] == "text")
    return f"{title} {json.dumps(call.input, ensure_ascii=False)[:_LONGEST]}: {said[:_LONGEST]}"
