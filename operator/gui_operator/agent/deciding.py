"""What a reply means for the run, by the reason it stopped for: the runner goes on, the conversation is changed first,
or the run ends. Sends nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from anthropic.lib.tools import BetaAsyncStreamingToolRunner
from anthropic.types.beta import BetaMessage

from gui_operator.agent.answering import Answering
from gui_operator.agent.conversation.conversation import Conversation
from gui_operator.agent.endings import Ending
from gui_operator.agent.means import Means
from gui_operator.agent.replies import Reply
from gui_operator.agent.settings import RunSettings
from gui_operator.agent.tally import Tally
from gui_operator.agent.usage import Usage

MORE_ROOM = 2
"""A reply that was cut is asked for once more, with so many times the room."""

RESEND_AFTER_S = (0.2, 1.0)
"""How long is waited before a reply that broke off is asked for again; after as many times in a row the run fails."""

LEAST_PICTURES = 1
"""What is kept of them when the model's context is exhausted."""

ASK_FOR_RESULT = (
    "You ended without handing in the result. If the task is done, hand it in with submit_result. If it is not, go on, "
    "or say with report_failure why it cannot be done."
)

ASK_FOR_WORDS = (
    "You ended without a word. If the task is done, say what you did and what came of it. If it is not, go on, or say "
    "with report_failure why it cannot be done."
)


@dataclass(frozen=True, slots=True)
class Restart:
    """The runner is to be closed, `change` made to the conversation, and a new one to go on."""

    change: Callable[[], None]
    after_s: float = 0.0


Step = Ending | Restart | None
"""What a reply leads to; None: the runner goes on by itself."""


class Deciding:
    """Of one run. `notice` takes sentences about it; `words` are the model's last."""

    def __init__(
        self,
        settings: RunSettings,
        means: Means,
        conversation: Conversation,
        tally: Tally,
        notice: Callable[[str], None],
    ) -> None:
        self._limits = settings.limits
        self._wants_result = means.result is not None
        self._conversation = conversation
        self._tally = tally
        self._answering = Answering(settings, means, conversation, tally)
        self._notice = notice
        self._broken_in_a_row = 0
        self._was_cut = False
        self._was_exhausted = False
        self._was_asked_for_result = False
        self.words = ""

    async def step_after(self, runner: BetaAsyncStreamingToolRunner[Any], reply: Reply) -> Step:
        self.words = reply.text or self.words
        if reply.broken is not None or reply.message is None:
            return await self._asked_again(reply)
        self._broken_in_a_row = 0
        match reply.message.stop_reason:
            case "tool_use":
                return await self._answered(runner, reply, reply.message)
            case "pause_turn" | "compaction":
                return self._at_limit()
            case "end_turn" | "stop_sequence":
                return self._finished(reply)
            case "max_tokens":
                return await self._cut(reply)
            case "model_context_window_exceeded":
                return await self._exhausted(reply)
            case "refusal":
                return Ending("refused", _refusal_of(reply.message))
            case other:
                return Ending("failed", f"The model stopped for a reason that is not known here: {other}.")

    async def _answered(self, runner: BetaAsyncStreamingToolRunner[Any], reply: Reply, message: BetaMessage) -> Step:
        self._was_cut = self._was_exhausted = False
        ending, response = await self._answering.answer(runner, message)
        if ending is not None:
            return ending
        if (ending := self._at_limit()) is not None:
            return ending
        prompt_tokens = Usage.of(message.usage).prompt_tokens
        if response is None or not self._conversation.is_to_be_pruned(prompt_tokens, response):
            return None

        def prune() -> None:
            self._conversation.add(response)
            self._prune(None)

        return Restart(prune)

    def _at_limit(self) -> Ending | None:
        reached = self._tally.reached(self._limits)
        if reached is None:
            return None
        return Ending("limit reached", f"{reached[0].upper()}{reached[1:]} was reached.")

    def _finished(self, reply: Reply) -> Step:
        """A result has to be handed in, or at least something said; what is missing is asked for once."""
        if not self._wants_result and reply.text:
            return Ending("succeeded", "The model says that the task is done.")
        missing = "handing in the result" if self._wants_result else "a word"
        if self._was_asked_for_result:
            return Ending("failed", f"The model ended without {missing}.")
        self._was_asked_for_result = True
        if (ending := self._at_limit()) is not None:
            return ending
        ask = ASK_FOR_RESULT if self._wants_result else ASK_FOR_WORDS
        if reply.message is not None and reply.message.content:
            return Restart(lambda: self._conversation.add({"role": "user", "content": ask}))
        # An empty reply cannot be sent back.
        return Restart(lambda: self._conversation.drop_reply([{"type": "text", "text": ask}]))

    async def _cut(self, reply: Reply) -> Step:
        room = self._conversation.max_tokens
        if self._was_cut:
            return Ending("failed", f"The model's reply was cut at {room:,} tokens, twice.")
        self._was_cut = True
        return await self._without(
            reply, "was cut for its length", lambda: self._conversation.give_room(room * MORE_ROOM)
        )

    async def _exhausted(self, reply: Reply) -> Step:
        if self._was_exhausted or self._conversation.pictures <= LEAST_PICTURES:
            return Ending("failed", "The conversation has become longer than the model can read.")
        self._was_exhausted = True
        return await self._without(reply, "found no room any more", lambda: self._prune(LEAST_PICTURES))

    async def _asked_again(self, reply: Reply) -> Step:
        """For one that did not come whole."""
        times, self._broken_in_a_row = self._broken_in_a_row, self._broken_in_a_row + 1
        if times >= len(RESEND_AFTER_S):
            return Ending("failed", f"Again and again {reply.broken}.")
        return await self._without(reply, "broke off", lambda: None, after_s=RESEND_AFTER_S[times])

    async def _without(self, reply: Reply, what: str, change: Callable[[], None], *, after_s: float = 0.0) -> Step:
        """Go on as if the reply had not come; what of it ran already is told to the model, which sees what is there."""
        if (ending := self._at_limit()) is not None:
            return ending
        self._notice(f"A reply {what}; it was left out and is asked for again.")
        note = await self._answering.note_of_what_ran(reply, what) if reply.ran else []

        def leave_out() -> None:
            self._conversation.drop_reply(note)
            change()

        return Restart(leave_out, after_s)

    def _prune(self, keep_pictures: int | None) -> None:
        left_out = self._conversation.prune(keep_pictures)
        self._notice(f"{left_out} older screenshots were left out of the conversation.")


def _refusal_of(message: BetaMessage) -> str:
    details = message.stop_details
    said = getattr(details, "explanation", None) if details is not None else None
    return f"The model refused: {said}" if said else "The model refused to go on."
