"""A session starts nothing that nobody needs, and keeps what Playwright asks of Chromium."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

import pytest

from gui_environments.browser import Browser
from gui_environments.browser.cdp import CdpSession
from gui_environments.browser.chromium.launcher import with_joined_lists
from gui_environments.browser.chromium.sparing import DRIVER, NODE, NODE_VARIABLE
from gui_environments.processes.proc import descendants
from loopback import LOOPBACK_RULES


@pytest.fixture(autouse=True)
def others() -> frozenset[int]:
    """What this process had started before the test: another browser, maybe."""
    return frozenset(descendants(os.getpid()))


def command_lines(others: frozenset[int]) -> list[str]:
    """Of the processes that the test has started."""
    lines = []
    for pid in set(descendants(os.getpid())) - others:
        with suppress(OSError):  # it has just ended
            lines.append(Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " "))
    return lines


async def test_the_browser_loads_no_page_of_its_own_and_starts_no_process_for_the_network(
    others: frozenset[int],
) -> None:
    async with Browser.open(rules=LOOPBACK_RULES) as browser:
        assert browser.context.browser is not None
        session = CdpSession(await browser.context.browser.new_browser_cdp_session())
        everything = await session.send("Target.getTargets", filter=[{}])
        assert [one["url"] for one in everything["targetInfos"] if one["type"] not in ("page", "tab")] == []
        assert not any("NetworkService" in line for line in command_lines(others) if "--type=utility" in line)


async def test_what_playwright_switches_off_and_on_stays_so(others: frozenset[int]) -> None:
    async with Browser.open(arguments=["--disable-features=OneOfOurOwn"], rules=LOOPBACK_RULES):
        (browser,) = [
            line
            for line in command_lines(others)
            if "remote-debugging-pipe" in line and not re.search("launcher.py|--type=", line)
        ]
        lists = [word for word in browser.split() if word.startswith(("--disable-features=", "--enable-features="))]
        assert len(lists) == 2
        assert {"HttpsUpgrades", "WebUIOmniboxPopup", "OneOfOurOwn"} <= set(lists[0].partition("=")[2].split(","))
        assert {"CDPScreenshotNewSurface", "NetworkServiceInProcess2"} <= set(lists[1].partition("=")[2].split(","))


def test_lists_are_joined_in_their_order_and_nothing_else_is_touched() -> None:
    given = ["chromium", "--a", "--disable-features=A,B", "--enable-features=C", "--disable-features=D", "about:blank"]
    assert with_joined_lists(given) == [
        "chromium",
        "--disable-features=A,B,D",
        "--enable-features=C",
        "--a",
        "about:blank",
    ]
    assert with_joined_lists(["chromium", "--a"]) == ["chromium", "--a"]


async def test_the_driver_is_told_to_be_small_and_the_environment_is_left_as_it_was(others: frozenset[int]) -> None:
    async with Browser.open(rules=LOOPBACK_RULES):
        assert NODE_VARIABLE not in os.environ
        (driver,) = [line for line in command_lines(others) if "run-driver" in line]
        assert driver.startswith(f"{NODE} --optimize-for-size ")


async def test_a_node_of_the_users_own_choice_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = tmp_path / "node"
    chosen.write_text(f'#!/bin/sh\necho started > {tmp_path}/told\nexec {NODE} "$@"\n')
    chosen.chmod(0o700)
    monkeypatch.setenv(NODE_VARIABLE, str(chosen))
    async with Browser.open(rules=LOOPBACK_RULES):
        assert (tmp_path / "told").read_text() == "started\n"
        assert os.environ[NODE_VARIABLE] == str(chosen)
    assert os.access(DRIVER, os.X_OK)
