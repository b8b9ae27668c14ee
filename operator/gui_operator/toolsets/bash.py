"""The `bash` tool: one command, or a restart, for a shell that stays open. Knows nothing of how a shell runs one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from anthropic.tools import ToolError
from anthropic.types.beta import BetaToolBash20250124Param

from gui_environments.protocols import Shell
from gui_operator.policy import Gate, Secrets
from gui_operator.recording import Recording
from gui_operator.recording.calls import note_failed
from gui_operator.toolsets.fields import refuse_unknown, text_field
from gui_operator.toolsets.function_tool import FunctionTool


@dataclass(frozen=True, slots=True)
class Run:
    command: str


@dataclass(frozen=True, slots=True)
class Restart:
    """End the shell and start a new one."""


class BashTool(FunctionTool[Run | Restart]):
    """`bash_20250124` on a shell. A command's exit status is part of what it answers; only a command that was stopped
    at its time limit, or never begun, is an error."""

    effect = "shell"

    def __init__(
        self, shell: Shell, *, gate: Gate, recording: Recording | None = None, secrets: Secrets | None = None
    ) -> None:
        super().__init__(gate=gate, recording=recording, secrets=secrets)
        self._shell = shell

    def to_dict(self) -> BetaToolBash20250124Param:
        return {"type": "bash_20250124", "name": "bash"}

    def parse(self, call_input: Mapping[str, object]) -> Run | Restart:
        refuse_unknown(call_input, ("command", "restart"), "bash")
        restart = call_input.get("restart")
        if restart is not None and not isinstance(restart, bool):
            raise ToolError("bash takes 'restart' as true or false.")
        command = call_input.get("command")
        if restart is True:
            if command is not None:
                raise ToolError("bash takes a 'command' or 'restart', not both. Restart first, then run the command.")
            return Restart()
        text = text_field(call_input, "command", "bash")
        if not text.strip():
            raise ToolError("bash needs a 'command' that is not empty, or 'restart': true.")
        return Run(text)

    async def perform(self, parsed: Run | Restart) -> str:
        if isinstance(parsed, Restart):
            return await self._shell.restart()
        result = await self._shell.run(parsed.command)
        if result.timed_out:
            note_failed()
            raise ToolError(result.in_words())
        return result.in_words()
