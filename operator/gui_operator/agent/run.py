"""One run with Claude, from the task to how it ends: the SDK's runner asks, each reply is read and recorded, and what
it means for the run is decided (`deciding`). Opens no environment, and writes no file but through the recording."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

from anthropic import AnthropicError, AsyncAnthropic
from anthropic.lib.tools import BetaAsyncStreamingToolRunner
from anthropic.types.beta import BetaToolUseBlock

from gui_operator.agent.conversation.breakpoints import Breakpoints
from gui_operator.agent.conversation.conversation import Conversation
from gui_operator.agent.deciding import Deciding, Restart
from gui_operator.agent.endings import Ending
from gui_operator.agent.means import Means
from gui_operator.agent.progress import reply_line
from gui_operator.agent.replies import Reply, read_reply
from gui_operator.agent.settings import RunSettings
from gui_operator.agent.tally import Tally
from gui_operator.agent.troubles import in_words
from gui_operator.agent.usage import Usage
from gui_operator.recording import RecordingFailed
from gui_operator.recording.run_events import Reply as RecordedReply
from gui_operator.recording.run_events import record_notice, record_reply

log = logging.getLogger(__name__)


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
        self._deciding = Deciding(settings, means, self._conversation, tally, self._notice)
        self._said_unthreaded = not settings.threads

    async def to_its_end(self) -> Ending:
        """Raises `RecordingFailed`, and `CancelledError` once the call in flight has ended and let go of everything."""
        seconds = self._settings.limits.seconds
        try:
            async with asyncio.timeout(seconds) as clock:
                ending = await self._converse()
        except TimeoutError:
            if not clock.expired():
                raise
            ending = Ending("limit reached", f"The limit of {seconds:g} seconds was reached.")
        except RecordingFailed:
            raise
        except AnthropicError as error:
            log.debug("the run failed", exc_info=True)
            ending = Ending("failed", in_words(error))
        return replace(ending, words=self._deciding.words)

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
                    step = await self._deciding.step_after(runner, reply)
                if step is not None:
                    return step
                asked_at_s = time.monotonic()
        finally:
            await runner.close()
        return Ending("failed", "The model asked for tools and named none.")

    def _holds(self, call: BetaToolUseBlock) -> bool:
        """With eager calls: those that may not start before their reply is whole; all, where their number is bound."""
        return self._means.needs_asking(call) or self._settings.limits.actions is not None

    def _note(self, reply: Reply) -> None:
        usage = Usage() if reply.message is None else Usage.of(reply.message.usage)
        self.tally.count_reply(usage, reply.duration_s)
        if self._recording is not None:
            record_reply(self._recording, _recorded(reply, usage, self.tally.dollars))
        self._tell(reply_line(reply, self.tally))
        self._say_if_unthreaded(reply)

    def _say_if_unthreaded(self, reply: Reply) -> None:
        # A reply that broke off or was refused leaves no thread behind, wherever it came from.
        is_held = reply.message is not None and reply.broken is None and reply.message.stop_reason != "refusal"
        if is_held and not self._said_unthreaded and not self._conversation.threaded:
            self._said_unthreaded = True
            self._notice("The API keeps no thread here: every request sends the whole conversation.")

    def _notice(self, text: str) -> None:
        self._tell(text)
        if self._recording is not None:
            record_notice(self._recording, text)


def _recorded(reply: Reply, usage: Usage, dollars: float | None) -> RecordedReply:
    message = reply.message
    return RecordedReply(
        words=reply.words,
        stop_reason=None if message is None or reply.broken is not None else message.stop_reason,
        usage=asdict(usage),
        cost_dollars=dollars,
        duration_s=round(reply.duration_s, 6),
    )
