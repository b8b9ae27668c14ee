"""One run with Claude, from the task to how it ends: the SDK's runner asks and runs the calls; what each reply means
for the run is decided here. Opens no environment and writes no file but through the recording."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from anthropic import AnthropicError, AsyncAnthropic
from anthropic.lib.tools import BetaAsyncStreamingToolRunner
from anthropic.types.beta import BetaMessage, BetaToolUseBlock

from gui_operator.agent.answering import Answering
from gui_operator.agent.conversation.breakpoints import Breakpoints
from gui_operator.agent.conversation.conversation import Conversation
from gui_operator.agent.endings import Ending
from gui_operator.agent.means import Means
from gui_operator.agent.progress import reply_line
from gui_operator.agent.replies import Reply, read_reply
from gui_operator.agent.settings import RunSettings
from gui_operator.agent.tally import Tally
from gui_operator.agent.troubles import in_words
from gui_operator.agent.usage import Usage
from gui_operator.recording.run_events import Reply as RecordedReply
from gui_operator.recording.run_events import record_notice, record_reply

log = logging.getLogger(__name__)

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


@dataclass(frozen=True, slots=True)
class Restart:
    """The runner is to be closed, `change` made to the conversation, and a new one to go on."""

    change: Callable[[], None]
    after_s: float = 0.0


Step = Ending | Restart | None
"""What a reply leads to; None: the runner goes on by itself."""


class Run:
    """`await Run(...).to_its_end()`, once. `tell` takes lines for a person."""

    def __init__(
        self,
        settings: RunSettings,
        means: Means,
        client: AsyncAnthropic,
        *,
        tally: Tally,
        tell: Callable[[str], None],
    ) -> None:
        self.tally = tally
        self._settings = settings
        self._means = means
        self._recording = means.toolbox.recording
        self._tell = tell
        self._conversation = Conversation(
            client,
            {
                **settings.request_fields(),
                "tools": list(means.declared),
                "messages": [{"role": "user", "content": settings.task}],
            },
            threads=settings.threads,
            eager=settings.eager,
            breakpoints=Breakpoints(by_itself=settings.model.marked_by_itself),
            pruning=settings.pruning,
        )
        self._answering = Answering(settings, means, self._conversation, self.tally)
        self._broken_in_a_row = 0
        self._was_cut = False
        self._was_exhausted = False
        self._was_asked_for_result = False
        self._said_unthreaded = not settings.threads
        self.words = ""

    async def to_its_end(self) -> Ending:
        """Raises `RecordingFailed`, and `CancelledError` once the call in flight has ended and let go of everything."""
        limits = self._settings.limits
        try:
            async with asyncio.timeout(limits.seconds) as clock:
                return await self._converse()
        except TimeoutError:
            if not clock.expired():
                raise
            return Ending("limit reached", f"The limit of {limits.seconds:g} seconds was reached.", words=self.words)
        except AnthropicError as error:
            if error is (self._recording.failure if self._recording is not None else None):
                raise
            log.debug("the run failed", exc_info=True)
            return Ending("failed", in_words(error), words=self.words)

    async def _converse(self) -> Ending:
        while True:
            step = await self._drive(self._conversation.runner())
            if isinstance(step, Ending):
                return step
            step.change()
            await asyncio.sleep(step.after_s)

    async def _drive(self, runner: BetaAsyncStreamingToolRunner[Any]) -> Ending | Restart:
        """Until something is to be done that the runner does not do by itself."""
        try:
            asked_at_s = time.monotonic()
            async for stream in runner:
                with self._recording.turn() if self._recording is not None else contextlib.nullcontext():
                    reply = await read_reply(runner, stream, asked_at_s, self._holds)
                    self._note(reply)
                    step = await self._handle(runner, reply)
                if step is not None:
                    return step
                asked_at_s = time.monotonic()
        finally:
            await runner.close()
        return Ending("failed", "The model asked for tools and named none.", words=self.words)

    def _holds(self, call: BetaToolUseBlock) -> bool:
        """With eager calls: those that may not start before their reply is whole; all, where their number is bound."""
        return self._means.needs_asking(call) or self._settings.limits.actions is not None

    def _note(self, reply: Reply) -> None:
        usage = Usage() if reply.message is None else Usage.of(reply.message.usage)
        self.tally.count_reply(usage, reply.duration_s)
        self.words = reply.text or self.words
        if self._recording is not None:
            record_reply(self._recording, _recorded(reply, usage, self.tally.dollars))
        self._tell(reply_line(reply, self.tally))
        if not self._said_unthreaded and reply.broken is None and not self._conversation.threaded:
            self._said_unthreaded = True
            self._notice("The API keeps no thread here: every request sends the whole conversation.")

    async def _handle(self, runner: BetaAsyncStreamingToolRunner[Any], reply: Reply) -> Step:
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
                return Ending("refused", _refusal_of(reply.message), words=self.words)
            case other:
                return Ending("failed", f"The model stopped for a reason that is not known here: {other}.")

    async def _answered(self, runner: BetaAsyncStreamingToolRunner[Any], reply: Reply, message: BetaMessage) -> Step:
        self._was_cut = self._was_exhausted = False
        ending, response = await self._answering.answer(runner, message)
        if ending is not None:
            return replace(ending, words=self.words)
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
        reached = self.tally.reached(self._settings.limits)
        if reached is None:
            return None
        return Ending("limit reached", f"{reached[0].upper()}{reached[1:]} was reached.", words=self.words)

    def _finished(self, reply: Reply) -> Step:
        if self._means.result is None:
            return Ending("succeeded", "The model says that the task is done.", words=reply.text)
        if self._was_asked_for_result:
            return Ending("failed", "The model ended without handing in the result.", words=self.words)
        self._was_asked_for_result = True
        if (ending := self._at_limit()) is not None:
            return ending
        return Restart(lambda: self._conversation.add({"role": "user", "content": ASK_FOR_RESULT}))

    async def _cut(self, reply: Reply) -> Step:
        room = self._conversation.max_tokens
        if self._was_cut:
            return Ending("failed", f"The model's reply was cut at {room:,} tokens, twice.", words=self.words)
        self._was_cut = True
        return await self._without(
            reply, "was cut for its length", lambda: self._conversation.give_room(room * MORE_ROOM)
        )

    async def _exhausted(self, reply: Reply) -> Step:
        if self._was_exhausted or self._conversation.pictures <= LEAST_PICTURES:
            return Ending("failed", "The conversation has become longer than the model can read.", words=self.words)
        self._was_exhausted = True
        return await self._without(reply, "found no room any more", lambda: self._prune(LEAST_PICTURES))

    async def _asked_again(self, reply: Reply) -> Step:
        """For one that did not come whole."""
        times, self._broken_in_a_row = self._broken_in_a_row, self._broken_in_a_row + 1
        if times >= len(RESEND_AFTER_S):
            return Ending("failed", f"Again and again {reply.broken}.", words=self.words)
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

    def _notice(self, text: str) -> None:
        self._tell(text)
        if self._recording is not None:
            record_notice(self._recording, text)


def _recorded(reply: Reply, usage: Usage, dollars: float | None) -> RecordedReply:
    message = reply.message
    return RecordedReply(
        words=reply.words,
        stop_reason=None if message is None or reply.broken is not None else message.stop_reason,
        usage=usage.as_api(),
        cost_dollars=dollars,
        duration_s=round(reply.duration_s, 6),
    )


def _refusal_of(message: BetaMessage) -> str:
    details = message.stop_details
    said = getattr(details, "explanation", None) if details is not None else None
    return f"The model refused: {said}" if said else "The model refused to go on."
