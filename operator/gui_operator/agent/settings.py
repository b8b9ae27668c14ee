"""What a run needs to know of its job, worked out and checked once, before anything starts: frozen values. Opens
nothing but the files that the job names."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

from gui_operator.agent.conversation.breakpoints import marked_system_prompt
from gui_operator.agent.conversation.conversation import Pruning
from gui_operator.agent.models import ModelFacts, facts_of
from gui_operator.agent.prices import Price, Prices
from gui_operator.jobs.model import Job, Limits
from gui_operator.toolsets import single_computer

MAX_TOKENS = 16_000
"""Of one reply, thinking included."""

CONTEXT_EDITING_BETA = "context-management-2025-06-27"
COMPACTION_BETA = "compact-2026-01-12"
MCP_BETA = "mcp-client-2025-11-20"


class SettingsRefused(ValueError):
    """The job cannot be run as it is. The message says what to do."""


@dataclass(frozen=True, slots=True)
class RunSettings:
    """`threads`: the API is to hold the conversation. `edits` are those of the API's context management."""

    task: str
    model: ModelFacts
    system_prompt: str
    limits: Limits
    price: Price | None = None
    result_schema: Mapping[str, Any] | None = None
    threads: bool = True
    eager: bool = False
    look_after: bool = True
    max_tokens: int = MAX_TOKENS
    pruning: Pruning = field(default_factory=Pruning)
    edits: tuple[Mapping[str, Any], ...] = ()
    betas: tuple[str, ...] = ()
    server_tools: tuple[Mapping[str, Any], ...] = ()
    mcp_servers: tuple[Mapping[str, Any], ...] = ()

    def request_fields(self) -> dict[str, Any]:
        """The fields of every request, but for tools and messages."""
        fields: dict[str, Any] = {
            "model": self.model.name,
            "max_tokens": self.max_tokens,
            "system": marked_system_prompt(self.system_prompt),
        }
        if self.model.thinks_adaptively:
            fields["thinking"] = {"type": "adaptive", "display": "summarized"}
        if self.edits:
            fields["context_management"] = {"edits": [dict(edit) for edit in self.edits]}
        if self.mcp_servers:
            fields["mcp_servers"] = [dict(server) for server in self.mcp_servers]
        if self.betas:
            fields["betas"] = list(self.betas)
        return fields


def own_system_prompt() -> str:
    """What the model is told where the job does not say it otherwise."""
    return resources.files(__package__).joinpath("system_prompt.txt").read_text(encoding="utf-8").strip()


def system_prompt_of(job: Job) -> str:
    """Raises `SettingsRefused`."""
    if job.system_prompt is None:
        return own_system_prompt()
    try:
        text = job.system_prompt.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsRefused(f"system_prompt: {job.system_prompt} cannot be read: {error}") from error
    if not text:
        raise SettingsRefused(f"system_prompt: {job.system_prompt} is empty")
    return text


def _with_secrets(system_prompt: str, names: Sequence[str]) -> str:
    if not names:
        return system_prompt
    return f"{system_prompt}\n\nSecrets that you may use: {', '.join(f'{{{{{name}}}}}' for name in names)}"


def settings_of(job: Job, task: str) -> RunSettings:
    """`task` is the job's with everything put in. Raises `SettingsRefused`, `ModelRefused`, `PricesRefused`."""
    model = facts_of(job.model, job.platform)
    if model.form == "computer_20251124" and job.has_browser:
        raise SettingsRefused(
            f"model: {job.model} takes only the older computer tool on {job.platform}, which is for desktops alone: "
            "set environment to desktop"
        )
    prices = Prices.read(job.prices)
    price = prices.of(job.model)
    if job.limits.dollars is not None and price is None:
        raise SettingsRefused(
            f"limits.dollars: no price of {job.model} is known (prices as of {prices.as_of:%d %B %Y}), so a limit in "
            "dollars cannot be kept. Give prices in a file, or limit tokens instead"
        )
    return RunSettings(
        task=task,
        model=model,
        system_prompt=_with_secrets(system_prompt_of(job), job.secret_names),
        limits=job.limits,
        price=price,
        result_schema=job.result,
        threads=job.history == "server",
        eager=job.eager,
        look_after=job.look_after,
        edits=tuple(_edits_of(job)),
        betas=tuple(_betas_of(job, model)),
        server_tools=tuple(job.tools),
        mcp_servers=tuple(_server_of(server) for server in job.mcp_servers),
    )


def _edits_of(job: Job) -> list[Mapping[str, Any]]:
    edits: list[Mapping[str, Any]] = []
    if job.context_editing:
        edits.append({"type": "clear_tool_uses_20250919"})
    if job.compaction:
        edits.append({"type": "compact_20260112"})
    return edits


def _betas_of(job: Job, model: ModelFacts) -> list[str]:
    betas: list[str] = []
    if model.form == "computer_20251124":
        betas.append(single_computer.BETA)
    if job.context_editing or job.compaction:
        betas.append(CONTEXT_EDITING_BETA)
    if job.compaction:
        betas.append(COMPACTION_BETA)
    if job.mcp_servers:
        betas.append(MCP_BETA)
    return betas


def _server_of(server: Mapping[str, Any]) -> dict[str, Any]:
    """With its token, which the job only says the place of."""
    fields = dict(server)
    variable = fields.pop("authorization_token_env", None)
    if variable is not None:
        token = os.environ.get(variable)
        if not token:
            raise SettingsRefused(
                f"mcp_servers: {variable}, which is to hold the token of {server['name']}, is not set"
            )
        fields["authorization_token"] = token
    return fields
