"""A run from Python: a task, tools that are open already, and a client of the SDK."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from anthropic import AsyncAnthropic
from anthropic.lib.tools import BetaAsyncRunnableToolset

from gui_operator.agent.endings import Ending
from gui_operator.agent.means import means_of
from gui_operator.agent.models import facts_of
from gui_operator.agent.prices import Prices
from gui_operator.agent.run import Run
from gui_operator.agent.settings import RunSettings, SettingsRefused, own_system_prompt
from gui_operator.agent.tally import Tally
from gui_operator.jobs.model import Limits, Platform
from gui_operator.policy import Rules, Terminal
from gui_operator.policy.gate import ANSWER_S, Policy
from gui_operator.recording import Recording
from gui_operator.toolsets.function_tool import AsyncTool
from gui_operator.turn import Toolbox


async def run_task(
    task: str,
    tools: Sequence[BetaAsyncRunnableToolset | AsyncTool],
    *,
    client: AsyncAnthropic,
    model: str,
    platform: Platform = "anthropic",
    policy: Policy | None = None,
    result_schema: Mapping[str, Any] | None = None,
    limits: Limits | None = None,
    prices: Prices | None = None,
    recording: Recording | None = None,
    terminal: Terminal | None = None,
    tell: Callable[[str], None] = lambda line: None,
    system_prompt: str | None = None,
    threads: bool = True,
    eager: bool = False,
    look_after: bool = True,
) -> Ending:
    """Carry out a task in words. `tools` judge and record their calls themselves; `policy` is the one of their gate, by
    which it is known which calls would ask: without it none. `terminal` is where the model's questions go.

    Raises `ModelRefused`, `SettingsRefused`, and `RecordingFailed`. Cancelling it ends the call in flight.
    """
    price = (prices or Prices.read()).of(model)
    bounds = limits or Limits()
    if bounds.dollars is not None and price is None:
        raise SettingsRefused(f"no price of {model} is known, so a limit in dollars cannot be kept; give prices")
    settings = RunSettings(
        task=task,
        model=facts_of(model, platform),
        system_prompt=system_prompt or own_system_prompt(),
        limits=bounds,
        price=price,
        result_schema=result_schema,
        threads=threads,
        eager=eager,
        look_after=look_after,
    )
    toolbox = Toolbox.of(*tools, recording=recording)
    judge = policy or Rules((), otherwise="allow")
    means = means_of(settings, toolbox, judge, terminal or Terminal(), answer_s=ANSWER_S)
    return await Run(settings, means, client, tally=Tally(price), tell=tell).to_its_end()
