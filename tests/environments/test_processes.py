"""Processes of an environment end with it, in every way an environment can end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gui_environments.processes.proc import descendants, parent_of
from gui_environments.processes.tree import ProcessTree

ENVIRONMENT = {"PATH": os.environ["PATH"]}

STUBBORN = ["bash", "-c", "trap '' TERM HUP INT; while :; do read -rt 1 <> <(:); done"]

ESCAPING = ["sh", "-c", "setsid sleep 1000 & (setsid sleep 1001 &) ; echo started; wait"]
"""A child in another session, a daemon whose parent is gone, and the shell that waits."""


@pytest.fixture
async def tree() -> AsyncIterator[ProcessTree]:
    async with ProcessTree.open(grace_s=0.3) as tree:
        yield tree


async def until(condition, within_s: float = 10.0) -> None:
    async with asyncio.timeout(within_s):
        while not condition():  # noqa: ASYNC110 - nothing announces what is waited for
            await asyncio.sleep(0.01)


def command_of(pid: int) -> list[str]:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text().split("\0")[:-1]
    return []


def has_escaped(pids: list[int]) -> bool:
    """Whether `ESCAPING` has started all it starts."""
    commands = [command_of(pid) for pid in pids]
    return ["sleep", "1000"] in commands and ["sleep", "1001"] in commands


def text_of(path: Path) -> str:
    return path.read_text()


def open_files_of(pid: int) -> list[str]:
    return sorted(fd.name for fd in Path(f"/proc/{pid}/fd").iterdir())


def is_alive(pid: int) -> bool:
    return parent_of(pid) is not None


async def test_a_process_gets_the_arguments_the_environment_and_the_streams_it_was_given(tree: ProcessTree) -> None:
    read_fd, write_fd = os.pipe()
    process = await tree.start(
        ["sh", "-c", 'env; echo "$1"; pwd', "sh", "$(x) *"],
        environment=ENVIRONMENT | {"GIVEN": "ä"},
        workdir=Path("/usr"),
        stdout=write_fd,
    )
    os.close(write_fd)
    assert await process.wait() == 0
    lines = os.read(read_fd, 1 << 16).decode().splitlines()
    os.close(read_fd)
    assert "GIVEN=ä" in lines
    assert "$(x) *" in lines
    assert "/usr" in lines
    assert not [line for line in lines if line.startswith("HOME=")]


async def test_the_exit_status_and_the_signal_of_a_process_are_told(tree: ProcessTree) -> None:
    assert await (await tree.start(["sh", "-c", "exit 7"], environment=ENVIRONMENT)).wait() == 7
    assert await (await tree.start(["sh", "-c", "kill -9 $$"], environment=ENVIRONMENT)).wait() == -signal.SIGKILL


async def test_a_program_or_a_directory_that_is_not_there_is_named(tree: ProcessTree) -> None:
    with pytest.raises(FileNotFoundError) as failure:
        await tree.start(["no-such-program"], environment=ENVIRONMENT)
    assert failure.value.filename == "no-such-program"
    with pytest.raises(FileNotFoundError) as failure:
        await tree.start(["true"], environment=ENVIRONMENT, workdir=Path("/no/such/place"))
    assert failure.value.filename == "/no/such/place"
    assert tree.members() == []


async def test_a_process_takes_part_in_no_signal_or_descriptor_of_ours(tree: ProcessTree) -> None:
    ours = os.open(os.devnull, os.O_RDONLY)
    os.set_inheritable(ours, True)
    process = await tree.start(["sleep", "1000"], environment=ENVIRONMENT)
    os.close(ours)
    assert open_files_of(process.pid) == ["0", "1", "2"]
    assert os.getsid(process.pid) == process.pid
    status = text_of(Path(f"/proc/{process.pid}/status"))
    assert "SigIgn:\t0000000000000000" in status
    assert "SigBlk:\t0000000000000000" in status


async def test_closing_ends_daemons_and_processes_that_ignore_the_polite_signal() -> None:
    async with ProcessTree.open(grace_s=0.2) as tree:
        await tree.start(ESCAPING, environment=ENVIRONMENT)
        stubborn = await tree.start(STUBBORN, environment=ENVIRONMENT)
        await until(lambda: has_escaped(tree.members()))
        members = tree.members()
    assert stubborn.returncode == -signal.SIGKILL
    assert not any(is_alive(pid) for pid in members)


async def test_a_stopped_process_is_ended_too() -> None:
    async with ProcessTree.open(grace_s=5) as tree:
        process = await tree.start(["sleep", "1000"], environment=ENVIRONMENT)
        os.kill(process.pid, signal.SIGSTOP)
    assert process.returncode == -signal.SIGTERM


async def test_what_is_ended_last_outlives_the_others(tmp_path: Path) -> None:
    log = tmp_path / "log"

    def says(word: str) -> list[str]:
        return [
            "sh",
            "-c",
            f'trap "echo {word} >> $0; exit" TERM; : > $0.{word}; while :; do sleep 0.01; done',
            str(log),
        ]

    async with ProcessTree.open() as tree:
        await tree.start(says("last"), environment=ENVIRONMENT, ended_last=True)
        await tree.start(says("first"), environment=ENVIRONMENT)
        await until(lambda: Path(f"{log}.first").exists() and Path(f"{log}.last").exists())
    assert log.read_text().split() == ["first", "last"]


async def test_the_members_are_all_that_descends_from_what_was_started(tree: ProcessTree) -> None:
    first = await tree.start(["sleep", "1002"], environment=ENVIRONMENT)
    await tree.start(ESCAPING, environment=ENVIRONMENT)
    await until(lambda: has_escaped(tree.members()) and len(tree.members()) == 4)
    assert first.pid in tree.members()
    assert os.getpid() not in tree.members()


async def test_a_file_is_removed_after_its_process_and_one_that_took_its_name_is_not(
    tree: ProcessTree, tmp_path: Path
) -> None:
    kept, removed = tmp_path / "kept", tmp_path / "removed"
    process = await tree.start(["sleep", "1000"], environment=ENVIRONMENT)
    for file in (kept, removed):
        file.write_text("of the process")
        await tree.remove_after(process, file)
    (tmp_path / "other").write_text("of somebody else")
    (tmp_path / "other").rename(kept)
    os.kill(process.pid, signal.SIGKILL)
    await process.wait()
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


async def test_a_start_whose_caller_was_cancelled_leaves_no_process_behind(tree: ProcessTree) -> None:
    starting = asyncio.ensure_future(tree.start(["sleep", "1000"], environment=ENVIRONMENT))
    await asyncio.sleep(0)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    # Requests are answered in order, so the cancelled one has been dealt with when this one has.
    process = await tree.start(["sleep", "1000"], environment=ENVIRONMENT)
    await until(lambda: tree.members() == [process.pid])


OWNER = """
import asyncio, os, sys
from pathlib import Path
from gui_environments.processes.tree import ProcessTree

async def main():
    async with ProcessTree.open(grace_s=0.2) as tree:
        await tree.remove_at_end(Path(sys.argv[1]))
        await tree.start(sys.argv[2:], environment={"PATH": os.environ["PATH"]})
        await asyncio.Event().wait()

asyncio.run(main())
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
async def test_killing_the_owner_in_any_way_ends_its_processes_and_removes_its_files(
    number: signal.Signals, tmp_path: Path
) -> None:
    directory = tmp_path / "private"
    (directory / "deep").mkdir(parents=True)
    owner = await asyncio.create_subprocess_exec(
        sys.executable, "-c", OWNER, str(directory), *ESCAPING, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        await until(lambda: has_escaped(descendants(owner.pid)))
        members = descendants(owner.pid)
    finally:
        owner.send_signal(number)
        await owner.wait()
    await until(lambda: not any(is_alive(pid) for pid in members))
    await until(lambda: not directory.exists())


async def test_killing_the_supervisor_ends_what_it_started_and_is_told() -> None:
    async with ProcessTree.open() as tree:
        process = await tree.start(["sleep", "1000"], environment=ENVIRONMENT)
        parent = parent_of(process.pid)
        assert parent is not None
        os.kill(parent, signal.SIGKILL)
        assert await process.wait() == -signal.SIGKILL
        await until(lambda: not is_alive(process.pid))
