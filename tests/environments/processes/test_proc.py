"""Processes are read as they are, and a signal or a kill reaches those that were meant and no other."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.environments.shell.processes import is_running, pid_in, until

from gui_environments.processes.killing import kill_all
from gui_environments.processes.proc import (
    Process,
    descendants,
    holding,
    marked_processes,
    parent_of,
    processes_below,
    read_process,
    signal_process,
)

BREEDING = "while :; do sleep 1000 & sleep 0.001; done"


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sleep", "1000"]) as process:
        yield process
        process.kill()


def read(pid: int) -> Process:
    process = read_process(pid)
    assert process is not None
    return process


def test_a_process_is_read_whatever_its_name_holds(tmp_path: Path) -> None:
    program = tmp_path / ") Z 1 (x"
    program.symlink_to("/bin/sleep")
    with subprocess.Popen([program, "1000"], start_new_session=True) as process:
        found = read(process.pid)
        process.kill()
    assert (found.parent, found.session, found.is_zombie) == (os.getpid(), process.pid, False)


async def test_a_zombie_is_no_living_process(sleeper: subprocess.Popen[bytes]) -> None:
    sleeper.send_signal(signal.SIGKILL)
    await until(lambda: read(sleeper.pid).is_zombie)
    assert parent_of(sleeper.pid) is None
    assert sleeper.pid not in descendants(os.getpid())
    sleeper.wait()
    assert read_process(sleeper.pid) is None


async def test_descendants_come_after_their_parents_and_what_is_spared_is_left_out_with_all_below_it() -> None:
    shell = await asyncio.create_subprocess_exec("sh", "-c", "sh -c 'sleep 1000 & wait' & wait")
    try:
        await until(lambda: len(descendants(shell.pid)) == 2)
        inner, sleep = processes_below(shell.pid)
        assert (inner.parent, sleep.parent) == (shell.pid, inner.pid)
        assert processes_below(shell.pid, sparing={inner.identity}) == []
        assert processes_below(shell.pid, sparing={sleep.identity}) == [inner]
    finally:
        kill_all(lambda: processes_below(shell.pid))
        await shell.wait()


def test_a_signal_meant_for_an_earlier_process_of_that_pid_is_not_sent(sleeper: subprocess.Popen[bytes]) -> None:
    found = read(sleeper.pid)
    earlier = found._replace(start_ticks=found.start_ticks - 1)
    signal_process(earlier, signal.SIGKILL)
    with holding(earlier) as handle:
        assert handle is None
    signal_process(found, signal.SIGTERM)
    # Had SIGKILL been sent, it would have come first.
    assert sleeper.wait() == -signal.SIGTERM


def test_without_descriptors_of_processes_the_meant_one_alone_is_signalled_all_the_same(
    sleeper: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(pid: int) -> int:
        raise PermissionError(f"as some containers do, of {pid}")

    monkeypatch.setattr(os, "pidfd_open", refuse)
    found = read(sleeper.pid)
    signal_process(found._replace(start_ticks=found.start_ticks - 1), signal.SIGKILL)
    signal_process(found, signal.SIGTERM)
    assert sleeper.wait() == -signal.SIGTERM


def test_what_appears_while_others_are_being_stopped_is_killed_too() -> None:
    first, second = (subprocess.Popen(["sleep", "1000"]) for _ in range(2))
    looks = iter([[first], [first, second]])

    def look() -> list[Process]:
        return [read(process.pid) for process in next(looks, [first, second])]

    kill_all(look)
    assert (first.wait(), second.poll()) == (-signal.SIGKILL, -signal.SIGKILL)


def test_a_tree_that_grows_while_it_is_killed_is_killed_whole() -> None:
    # Below a process of its own, so that nothing is orphaned to somebody else while it is looked for.
    script = f"""
import os, subprocess, sys
from gui_environments.processes.killing import kill_all
from gui_environments.processes.prctl import PR_SET_CHILD_SUBREAPER, prctl
from gui_environments.processes.proc import descendants, processes_below
prctl(PR_SET_CHILD_SUBREAPER, 1)
subprocess.Popen(["sh", "-c", {BREEDING!r}])
while len(descendants(os.getpid())) < 20:
    pass
kill_all(lambda: processes_below(os.getpid()))
print(descendants(os.getpid()), flush=True)
os._exit(0)
"""
    done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, check=True, text=True)
    assert done.stdout == "[]\n"


async def test_a_mark_in_the_environment_and_a_session_both_find_a_process(tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "MARKED": "by this test"}
    script = "setsid sh -c 'echo $$ >away; exec sleep 1000' & exec env -i sleep 1000"
    process = await asyncio.create_subprocess_exec(
        *("sh", "-c", script), env=environment, cwd=tmp_path, start_new_session=True
    )

    def found() -> list[Process]:
        return marked_processes(b"MARKED=by this test", {process.pid})

    try:
        away = await pid_in(tmp_path / "away")
        assert {one.pid for one in found()} == {process.pid, away}
    finally:
        kill_all(found)
        await process.wait()
    assert not is_running(away)
