"""A run's own work a turn: all but the model, which here answers at once, and the environment, which here stands still.
Beside it the same turns by the SDK's runner alone. Also the bytes that a turn sends, by threads and as whole
histories."""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from anthropic import AsyncAnthropic

from benchmarks.measuring import Row
from gui_environments.actions import Action
from gui_environments.desktop import Desktop
from gui_environments.geometry import ScreenPoint, ScreenRegion, Size
from gui_environments.pictures import Picture, PictureFormat
from gui_environments.sights import ScreenExpectation, Sight
from gui_operator.agent.conversation.conversation import Pruning
from gui_operator.agent.means import means_of
from gui_operator.agent.models import facts_of
from gui_operator.agent.run import Run
from gui_operator.agent.settings import RunSettings, own_system_prompt
from gui_operator.agent.tally import Tally
from gui_operator.jobs import Limits
from gui_operator.policy import Gate, Rules, Terminal
from gui_operator.recording import Recording
from gui_operator.toolsets import ComputerToolset
from gui_operator.turn import Toolbox

TURNS = 60
MODEL = "claude-opus-5-5"
TASK = "Click where there is something to click."

OWN_MS = 10.0
"""What a turn may cost beside the model and the environment."""


class StillDesktop:
    """A desktop on which nothing happens and no time passes: what is measured is all around it."""

    def __init__(self, picture: Picture) -> None:
        self.screen = picture.size
        self._picture = picture

    async def look(self, action: Action | None = None) -> Sight:
        raise NotImplementedError("nobody is asked about anything here")

    async def perform(
        self, action: Action, *, settle_s: float = 1.0, expected: ScreenExpectation | None = None
    ) -> None:
        return

    async def pointer_position(self) -> ScreenPoint:
        return ScreenPoint(0, 0)

    async def capture(
        self, region: ScreenRegion | None = None, *, fit: Size | None = None, picture_format: PictureFormat = "png"
    ) -> Picture:
        return self._picture


async def measure_agent(runs: int) -> Sequence[Row]:
    async with Desktop.open((1280, 800), apps=[["xterm", "-geometry", "120x40"]]) as desktop:
        still = StillDesktop(await desktop.capture())
    runs = max(1, runs // 5)  # of so many turns each
    async with _host() as url, AsyncAnthropic(base_url=url, api_key="none") as client:
        floors = {threads: await _median(_plainly, client, still, threads, runs) for threads in (True, False)}
        ours = {threads: await _median(_own_run, client, still, threads, runs) for threads in (True, False)}
    rows = []
    for threads, name in ((True, "a thread"), (False, "whole histories")):
        own_ms, sent_kib = ours[threads]
        floor_ms, floor_kib = floors[threads]
        goal = f"{OWN_MS:.0f} ms"
        rows.append(Row(f"a turn of a click and a screenshot, {name}", own_ms, floor=floor_ms, limit=OWN_MS, goal=goal))
        rows.append(Row(f"sent a turn, {TURNS} turns, {name}", sent_kib, "KiB", floor=floor_kib))
    return rows


async def _median(
    work: Any, client: AsyncAnthropic, still: StillDesktop, threads: bool, runs: int
) -> tuple[float, float]:
    """Milliseconds and KiB a turn; the first run does not count."""
    taken = [await work(client, still, threads) for _ in range(runs + 1)][1:]
    return statistics.median(each[0] for each in taken), taken[0][1]


async def _own_run(client: AsyncAnthropic, still: StillDesktop, threads: bool) -> tuple[float, float]:
    policy = Rules.parse(["preset"], otherwise="ask")
    with tempfile.TemporaryDirectory() as folder, Recording.open(Path(folder) / "run") as recording:
        gate = Gate(policy, on_decision=recording.decided)
        toolbox = Toolbox.of(ComputerToolset(still, confirm=gate.confirm, recording=recording), recording=recording)
        settings = RunSettings(
            task=TASK,
            model=facts_of(MODEL),
            system_prompt=own_system_prompt(),
            limits=Limits(),
            threads=threads,
            pruning=Pruning(at_prompt_tokens=sys.maxsize),  # the host says bytes in the place of tokens
        )
        means = means_of(settings, toolbox, policy, Terminal(), answer_s=1)
        tally = Tally(None)
        start = time.perf_counter()
        ending = await Run(settings, means, client, tally=tally, tell=lambda line: None).to_its_end()
        took_ms = (time.perf_counter() - start) * 1000
    assert ending.status == "succeeded", ending.reason
    return took_ms / tally.turns, tally.usage.input_tokens / tally.turns / 1024


async def _plainly(client: AsyncAnthropic, still: StillDesktop, threads: bool) -> tuple[float, float]:
    """Neither recorded nor judged nor pruned."""
    computer = ComputerToolset(still, confirm=lambda call: True)
    options: dict[str, Any] = {} if threads else {"thread": False}
    runner = client.beta.messages.tool_runner(
        model=MODEL,
        max_tokens=16_000,
        system=own_system_prompt(),
        tools=[computer],
        messages=[{"role": "user", "content": TASK}],
        stream=True,
        **options,
    )
    turns = sent = 0
    start = time.perf_counter()
    async for stream in runner:
        message = await stream.get_final_message()
        turns += 1
        sent += message.usage.input_tokens
    return (time.perf_counter() - start) * 1000 / turns, sent / turns / 1024


@asynccontextmanager
async def _host() -> AsyncIterator[str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "benchmarks.agent_host",
        str(TURNS),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield f"http://127.0.0.1:{int(await process.stdout.readline())}"
    finally:
        process.stdin.close()
        await process.wait()
