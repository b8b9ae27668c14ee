from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from anthropic.tools import ToolError

from gui_environments.shell.bash import Bash
from gui_operator.policy import Gate, Rules
from gui_operator.recording import Recording
from gui_operator.recording.reading import read_events
from gui_operator.toolsets import BashTool


@pytest.fixture
def bash(shell: Bash) -> BashTool:
    return BashTool(shell, gate=Gate.allowing_all())


def test_it_is_declared_as_the_api_knows_it(bash: BashTool) -> None:
    assert bash.to_dict() == {"type": "bash_20250124", "name": "bash"}
    assert bash.name == "bash"


async def test_a_command_answers_with_what_it_printed(bash: BashTool) -> None:
    assert await bash.call({"command": "echo out; echo err >&2"}) == "out\nerr"


async def test_the_shell_stays_open_between_calls_until_it_is_restarted(bash: BashTool, tmp_path: Path) -> None:
    await bash.call({"command": "kept=4711"})
    assert await bash.call({"command": "echo $kept", "restart": False}) == "4711"
    answer = str(await bash.call({"restart": True}))
    assert answer.startswith("The shell was restarted and every process it had started was ended. ")
    assert f"The working directory is {tmp_path}/workdir again" in answer
    assert "4711" not in str(await bash.call({"command": "echo [$kept]"}))


async def test_an_exit_status_is_an_answer_and_no_error(bash: BashTool) -> None:
    answer = str(await bash.call({"command": "echo before; (exit 3)"}))
    assert answer == "before\n[Exit status 3.]"


async def test_an_answer_is_never_empty(bash: BashTool) -> None:
    assert str(await bash.call({"command": "true"})).strip()


async def test_a_command_stopped_at_its_time_limit_is_an_error_that_keeps_what_was_printed(tmp_path: Path) -> None:
    async with Bash.open(tmp_path, time_limit_s=0.5) as shell:
        bash = BashTool(shell, gate=Gate.allowing_all())
        with pytest.raises(ToolError, match=r"(?s)begun.*0\.5 s"):
            await bash.call({"command": "echo begun; sleep 1000"})
        assert await bash.call({"command": "echo next"}) == "next"


@pytest.mark.parametrize(
    ("call_input", "text"),
    [
        ({}, "needs 'command', a text; none came"),
        ({"command": 5}, "what came is a number"),
        ({"command": ["ls"]}, "what came is a list"),
        ({"command": True}, "what came is true or false"),
        ({"command": ""}, "not empty"),
        ({"command": " \n"}, "not empty"),
        ({"command": "touch ran", "restart": True}, "not both"),
        ({"command": "touch ran", "restart": "yes"}, "true or false"),
        ({"command": "touch ran", "restart": 1}, "true or false"),
        ({"command": "touch ran", "timeout": 5}, "no field 'timeout'; it takes command, restart"),
        ("touch ran", "an object with named fields"),
    ],
)
async def test_input_that_is_not_as_declared_is_refused_and_nothing_is_run(
    bash: BashTool, tmp_path: Path, call_input: Any, text: str
) -> None:
    with pytest.raises(ToolError, match=text):
        await bash.call(call_input)
    assert not (tmp_path / "workdir" / "ran").exists()


async def test_a_command_that_is_not_permitted_does_not_run(shell: Bash, tmp_path: Path) -> None:
    bash = BashTool(shell, gate=Gate(Rules.parse(["shell=ask"], otherwise="allow")))
    with pytest.raises(ToolError, match="there is nobody to ask"):
        await bash.call({"command": "touch ran"})
    assert not (tmp_path / "workdir" / "ran").exists()


async def test_a_command_is_in_the_recording_before_it_runs(shell: Bash, tmp_path: Path) -> None:
    with Recording.open(tmp_path / "run") as recording:
        bash = BashTool(shell, gate=Gate.allowing_all(on_decision=recording.decided), recording=recording)
        seen = await bash.call({"command": f"cat {tmp_path}/run/events.jsonl"})
    assert '"call_started"' in str(seen)
    assert "cat " in str(seen)
    kinds = [event["event"] for event in read_events(tmp_path / "run")]
    assert kinds[1:-1] == ["call_started", "call_decided", "call_finished"]
