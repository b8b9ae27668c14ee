"""Runs with a scripted model: the stand-in over HTTP, the SDK, our run, and a real shell or a real desktop."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from anthropic import AsyncAnthropic

from gui_environments.desktop import Desktop
from gui_environments.shell import Bash
from gui_operator.agent.endings import Ending
from gui_operator.agent.means import means_of
from gui_operator.agent.models import ModelFacts, facts_of
from gui_operator.agent.run import Run
from gui_operator.agent.settings import RunSettings
from gui_operator.agent.tally import Tally
from gui_operator.jobs.model import Limits
from gui_operator.policy import Gate, Rules, Terminal
from gui_operator.recording import Recording
from gui_operator.recording.reading import read_events
from gui_operator.toolsets import BashTool, ComputerToolset
from gui_operator.toolsets.single_computer import SingleComputerTool
from gui_operator.turn import Toolbox
from standin.server import StandIn

MODEL = "claude-opus-5-5"
NO_TERMINAL = "/nowhere/tty"


@dataclass
class Played:
    """A run that has ended."""

    ending: Ending
    run: Run
    told: list[str] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)

    def events_of(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event["event"] == kind]


@dataclass
class Player:
    """Plays what the stand-in's script says. `folder` is where its shell works."""

    stand_in: StandIn
    folder: Path
    bash: Bash
    desktop: Desktop | None = None
    rules: Sequence[str] = ()
    terminal: str = NO_TERMINAL
    told: list[str] = field(default_factory=list)

    def ran(self) -> list[str]:
        """What the commands of `note` left, in order."""
        path = self.folder / "ran"
        return path.read_text(encoding="utf-8").split() if path.exists() else []

    async def play(
        self,
        *,
        facts: ModelFacts | None = None,
        limits: dict[str, Any] | None = None,
        max_retries: int = 2,
        recording: Recording | None = None,
        **settings: Any,
    ) -> Played:
        own = recording or Recording.open(self.folder.with_name("recording"))
        with own:
            async with AsyncAnthropic(base_url=self.stand_in.url, api_key="test", max_retries=max_retries) as client:
                run = self.run_with(client, own, facts=facts, limits=limits, **settings)
                ending = await run.to_its_end()
        return Played(ending, run, self.told, list(read_events(own.directory)))

    def run_with(
        self,
        client: AsyncAnthropic,
        recording: Recording,
        *,
        facts: ModelFacts | None = None,
        limits: dict[str, Any] | None = None,
        **settings: Any,
    ) -> Run:
        chosen = RunSettings(
            **{
                "task": "Do what is to be done.",
                "model": facts or facts_of(MODEL),
                "system_prompt": "Be truthful.",
                "limits": Limits(**(limits or {})),
                **settings,
            }
        )
        policy = Rules.parse(self.rules, otherwise="allow")
        older = chosen.model.form == "computer_20251124"
        toolbox = Toolbox.of(*self._tools(policy, recording, older=older), recording=recording)
        means = means_of(chosen, toolbox, policy, Terminal(self.terminal), answer_s=30)
        return Run(chosen, means, client, tally=Tally(chosen.price), tell=self.told.append)

    def _tools(self, policy: Rules, recording: Recording, *, older: bool) -> Iterable[Any]:
        gate = Gate(policy, on_decision=recording.decided)
        if self.desktop is not None:
            computer = ComputerToolset(self.desktop, confirm=gate.confirm, settle_s=0, recording=recording)
            yield SingleComputerTool(computer) if older else computer
        yield BashTool(self.bash, gate=gate, recording=recording)


@pytest.fixture
async def player(stand_in: StandIn, tmp_path: Path) -> AsyncIterator[Player]:
    """With a shell alone."""
    folder = tmp_path / "work"
    folder.mkdir()
    async with Bash.open(folder) as bash:
        yield Player(stand_in, folder, bash)


@pytest.fixture
async def at_desktop(player: Player) -> AsyncIterator[Player]:
    """With an empty desktop too."""
    async with Desktop.open((640, 400)) as desktop:
        player.desktop = desktop
        yield player
