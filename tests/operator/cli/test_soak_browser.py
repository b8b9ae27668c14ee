"""Long and broken runs in a browser: whatever was done, and whenever it was stopped, nothing stays."""

from __future__ import annotations

import os
import random
import select
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.tour.pages import KINDS, PAGES, documents
from benchmarks.tour.site import TourSite
from benchmarks.tour.turns import OPTIONAL_MEMBERS, Call, Result, Tour

from gui_environments.processes.proc import Identity, processes_below, read_process

from ..pages import at, words_of
from .sessions import LONGEST_WAIT_S, ExecSession, bash

pytestmark = pytest.mark.long

StartExec = Callable[..., ExecSession]

OPTIONS = ("--environment", "browser", *(word for member in OPTIONAL_MEMBERS for word in ("--enable", member)))

WHAT_IS_DOWN = """new Promise((done) => addEventListener('mousemove', (event) => done([
  event.buttons, event.shiftKey, event.ctrlKey, event.altKey, event.metaKey].map(Number).join('')), { once: true }))"""


@pytest.fixture(scope="module")
def site() -> Iterator[TourSite]:
    site = TourSite(documents())
    yield site
    site.close()


def browser(name: str, **given: Any) -> Call:
    return {"toolset_name": "browser", "name": name, "input": given}


def started(start_exec: StartExec, temporary: Path, *options: str) -> ExecSession:
    """A session whose temporary files are all below `temporary`."""
    temporary.mkdir()
    session = start_exec(*OPTIONS, *options, variables={"TMPDIR": str(temporary)})
    session.read()
    return session


def processes_of(session: ExecSession) -> set[Identity]:
    return {process.identity for process in processes_below(session.process.pid)}


def left_of(processes: set[Identity], temporary: Path) -> list[str]:
    """Those that still live, and all others whose command line or variables name the session's temporary folder."""
    left = []
    for folder in Path("/proc").glob("[0-9]*"):
        process = read_process(int(folder.name))
        if process is None or process.is_zombie:
            continue
        try:
            command = (folder / "cmdline").read_bytes()
            variables = (folder / "environ").read_bytes()
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue
        if process.identity in processes or os.fsencode(temporary) in command + variables:
            left.append(f"{folder.name} {command!r}")
    return left


def wait_for_ends(processes: set[Identity]) -> None:
    for pid, start_ticks in processes:
        try:
            descriptor = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        process = read_process(pid)
        if process is not None and process.start_ticks == start_ticks:
            ready, _, _ = select.select([descriptor], [], [], LONGEST_WAIT_S)
            assert ready, f"process {pid} goes on"
        os.close(descriptor)


@pytest.mark.timeout(400)
def test_a_tour_of_every_kind_of_page_leaves_nothing_held_and_nothing_behind(
    start_exec: StartExec, site: TourSite, tmp_path: Path
) -> None:
    temporary = tmp_path / "temporary"
    session = started(start_exec, temporary, "--record", str(tmp_path / "run"))

    def ask(calls: list[Call]) -> list[Result]:
        results: list[Result] = session.ask(*calls)["results"]
        return results

    tour = Tour(site, ask)
    tour.begin()
    for _ in range(2):
        tour.round(pages=PAGES[: len(KINDS)])
        listening = browser("javascript_exec", text=f"globalThis.down = {WHAT_IS_DOWN}; 0")
        moved = browser("mouse_move", target=at(640, 400)), browser("mouse_move", target=at(650, 410))
        *_, down = ask([listening, *moved, browser("javascript_exec", text="down")])
        assert words_of(down) == "00000"
    (last,) = ask([browser("list_tabs")])
    state = next(block for block in last["content"] if block["type"] == "browser_state")
    assert [tab["tab_id"] for tab in state["tabs"]] == ["tab_1", "tab_2"]
    processes = processes_of(session)
    assert len(processes) > 5
    assert session.end() == 0
    assert left_of(processes, temporary) == []
    assert list(temporary.iterdir()) == []


def much(site: TourSite) -> list[Call]:
    """Calls of many kinds, most of which take a while."""
    return [
        browser("navigate", url=site.url("/list/0", "b")),
        browser("left_mouse_down", target=at(300, 300)),
        browser("mouse_move", target=at(310, 330)),
        browser("left_mouse_up", target=at(310, 330)),
        browser("read_page", filter="all"),
        browser("key", text="Tab", repeat=5),
        browser("hold_key", text="shift+x", duration=1),
        browser("navigate", url=site.url("/frames/3")),
        browser("find", query="the note in a frame"),
        browser("javascript_exec", text="void setTimeout(() => alert(1)), void window.open('/opened'), 1"),
        browser("new_tab"),
        browser("navigate", url=site.url("/download/1")),
        browser("left_click", target=at(40, 70)),
        browser("screenshot"),
        bash("sleep 1000 & sleep 0.2"),
    ]


@pytest.mark.parametrize("seed", range(4))
def test_ctrl_c_at_a_random_moment_leaves_nothing_behind(
    start_exec: StartExec, site: TourSite, tmp_path: Path, seed: int
) -> None:
    temporary = tmp_path / "temporary"
    session = started(start_exec, temporary)
    for _ in range(5):
        session.send(*much(site))
    # The moment is drawn, not waited for: whatever is under way then is what is cut off.
    time.sleep(random.Random(seed).uniform(0, 3))
    processes = processes_of(session)
    assert session.interrupt(signal.SIGINT) == 130
    assert left_of(processes, temporary) == []
    assert list(temporary.iterdir()) == []
    assert "Traceback" not in session.errors


@pytest.mark.parametrize("seed", range(3))
def test_a_worker_that_is_killed_at_a_random_moment_leaves_nothing_behind(
    start_exec: StartExec, site: TourSite, tmp_path: Path, seed: int
) -> None:
    temporary = tmp_path / "temporary"
    session = started(start_exec, temporary)
    for _ in range(5):
        session.send(*much(site))
    time.sleep(random.Random(seed).uniform(0, 3))
    processes = processes_of(session)
    assert len(processes) > 5
    session.process.kill()
    session.process.wait(LONGEST_WAIT_S)
    wait_for_ends(processes)
    deadline = time.monotonic() + LONGEST_WAIT_S
    # What ends last may have started others meanwhile, and what watches removes the files.
    while left_of(processes, temporary) or list(temporary.iterdir()):
        assert time.monotonic() < deadline, (left_of(processes, temporary), list(temporary.rglob("*"))[:9])
