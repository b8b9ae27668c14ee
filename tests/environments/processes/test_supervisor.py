"""The supervisor is a small program, and whatever is done to it, its tree ends and says so."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.environments.shell.processes import is_running, pid_in, until

from gui_environments.errors import EnvironmentDied
from gui_environments.processes.proc import parent_of
from gui_environments.processes.tree import ProcessTree

ENVIRONMENT = {"PATH": os.environ["PATH"]}

DAEMON = ["sh", "-c", "(setsid sh -c 'echo $$ >daemon; exec sleep 1000' &); exec sleep 1000"]
"""A process, and one that is neither its child nor in its session."""


def supervisor_of(pid: int) -> int:
    parent = parent_of(pid)
    assert parent is not None
    return parent


@pytest.mark.parametrize("module", ["gui_environments.processes.supervisor", "gui_environments.shell.keeper"])
def test_what_starts_with_every_environment_imports_little(module: str) -> None:
    script = f"import sys; sys.path.append(sys.argv[1]); import {module}; print(*sys.modules)"
    root = str(Path(__file__).parents[3] / "environments")
    command = [sys.executable, "-I", "-S", "-c", script, root]
    loaded = set(subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout.split())
    assert module in loaded
    assert not loaded & {"asyncio", "dataclasses", "pathlib", "shutil", "subprocess", "site"}


async def test_a_killed_supervisor_leaves_no_daemon(tmp_path: Path) -> None:
    async with ProcessTree.open() as tree:
        process = await tree.start(DAEMON, environment=ENVIRONMENT, workdir=tmp_path)
        daemon = await pid_in(tmp_path / "daemon")
        os.kill(supervisor_of(process.pid), signal.SIGKILL)
        assert await process.wait() == -signal.SIGKILL
        assert not is_running(daemon)
        with pytest.raises(EnvironmentDied):
            await tree.start(["true"], environment=ENVIRONMENT)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
async def test_a_supervisor_told_to_leave_ends_its_tree_first_and_tells_how(
    number: signal.Signals, tmp_path: Path
) -> None:
    async with ProcessTree.open(grace_s=20) as tree:
        process = await tree.start(DAEMON, environment=ENVIRONMENT, workdir=tmp_path)
        daemon = await pid_in(tmp_path / "daemon")
        os.kill(supervisor_of(process.pid), number)
        assert await process.wait() == -signal.SIGTERM
        await until(lambda: not is_running(daemon))


async def test_a_stopped_supervisor_is_not_waited_for_and_ends_its_tree_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with ProcessTree.open() as tree:
        process = await tree.start(["sleep", "1000"], environment=ENVIRONMENT)
        os.kill(supervisor_of(process.pid), signal.SIGSTOP)
        monkeypatch.setattr("gui_environments.processes.tree.START_LIMIT_S", 0.2)  # ten seconds say no more
        with pytest.raises(EnvironmentDied, match="does not answer"):
            await tree.start(["true"], environment=ENVIRONMENT)
    assert process.returncode == -signal.SIGTERM


async def test_a_process_ignores_no_signal_although_we_were_started_in_the_background_by_a_shell() -> None:
    script = """
import asyncio, os
from pathlib import Path
from gui_environments.processes.tree import ProcessTree

async def main():
    async with ProcessTree.open() as tree:
        process = await tree.start(["sleep", "1000"], environment={"PATH": os.environ["PATH"]})
        print(Path(f"/proc/{process.pid}/status").read_text())

asyncio.run(main())
"""
    ignoring = 'trap \'\' INT QUIT; exec "$0" -c "$1"'
    owner = await asyncio.create_subprocess_exec("sh", "-c", ignoring, sys.executable, script, stdout=subprocess.PIPE)
    said, _ = await owner.communicate()
    assert b"SigIgn:\t0000000000000000" in said


async def test_an_end_before_the_question_is_known_after_it() -> None:
    async with ProcessTree.open() as tree:
        process = await tree.start(["sleep", "1000"], environment=ENVIRONMENT)
        os.kill(process.pid, signal.SIGKILL)
        await until(lambda: not is_running(process.pid))
        await tree.tell_ends()
        assert process.returncode == -signal.SIGKILL


async def test_a_cancelled_wait_does_not_end_the_waits_of_others() -> None:
    async with ProcessTree.open() as tree:
        process = await tree.start(["sleep", "1000"], environment=ENVIRONMENT)
        waiting, cancelled = asyncio.create_task(process.wait()), asyncio.create_task(process.wait())
        await asyncio.sleep(0)
        cancelled.cancel()
        with pytest.raises(asyncio.CancelledError):
            await cancelled
        os.kill(process.pid, signal.SIGKILL)
        assert await waiting == -signal.SIGKILL
