"""`exec --environment browser` and `both`: the real command, a real Chromium, pages on loopback."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from environments.browser.site import Site
from gui_operator.cli.main import main

from ..pages import at, by_ref, put_pages, reference_of, state_of, words_of
from .sessions import LONGEST_WAIT_S, ExecSession, bash, computer

StartExec = Callable[..., ExecSession]


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    site = Site()
    put_pages(site)
    yield site
    site.close()


PAINTED = """
new Promise((done) => new PerformanceObserver(done).observe({type: 'paint', buffered: true}))
    .then(() => new Promise(requestAnimationFrame)).then(() => new Promise(requestAnimationFrame)).then(() => """
"""Of input that comes before a page is first painted Chromium makes nothing."""


def browser(name: str, **given: Any) -> dict[str, Any]:
    return {"toolset_name": "browser", "name": name, "input": given}


def one(answer: Mapping[str, Any]) -> dict[str, Any]:
    (result,) = answer["results"]
    return dict(result)


def members_off(first_line: Mapping[str, Any]) -> set[str]:
    (entry,) = [tool for tool in first_line["tools"] if tool["type"] == "browser_toolset_20260801"]
    return {name for name, config in entry.get("configs", {}).items() if config.get("enabled") is False}


def test_a_form_is_filled_and_a_link_followed_in_a_conversation(start_exec: StartExec, site: Site) -> None:
    session = start_exec("--environment", "browser", "--settle", "20")
    first = session.read()
    assert set(first["environment"]) == {"browser"}
    assert first["environment"]["browser"]["viewport"] == [1280, 800]
    assert first["environment"]["browser"]["version"].split(".")[0].isdigit()
    assert [tool.get("name", tool["type"]) for tool in first["tools"]] == [
        "browser_toolset_20260801",
        "bash",
        "str_replace_based_edit_tool",
    ]
    assert members_off(first) == set()
    shown, read = session.ask(browser("navigate", url=site.url("/form")), browser("read_page", filter="all"))["results"]
    assert "Order form (HTTP 200)" in words_of(shown)
    reading = words_of(read)
    filled = session.ask(
        browser("form_input", target=by_ref(reference_of(reading, "Name")), value="Ada"),
        browser("form_input", target=by_ref(reference_of(reading, "Colour")), value="blue"),
        browser("left_click", target=by_ref(reference_of(reading, "Save"))),
        browser("read_page"),
        expect=[{"call": 4, "text": "saved Ada"}],
    )
    assert filled["unmet"] == []
    followed = one(session.ask(browser("left_click", target=by_ref(reference_of(reading, "Next")))))
    assert f"The page is now {site.url('/next')}" in words_of(followed)
    assert state_of(followed)["tabs"] == [
        {"tab_id": "tab_1", "title": "Next page", "url": site.url("/next"), "active": True}
    ]
    assert session.end() == 0


def test_after_a_failed_call_the_later_ones_of_the_browser_are_not_executed(start_exec: StartExec, site: Site) -> None:
    session = start_exec("--environment", "browser")
    session.read()
    answer = session.ask(
        browser("left_click", target=by_ref("ref_9")),
        browser("navigate", url=site.url("/form")),
        bash("echo still here"),
    )
    failed, halted, ran = answer["results"]
    assert failed["is_error"]
    assert words_of(halted) == "Not executed: an earlier action in this turn failed."
    assert words_of(ran).strip() == "still here"
    assert session.end() == 0


def test_only_allowed_hosts_are_navigated_to(start_exec: StartExec, site: Site) -> None:
    session = start_exec("--environment", "browser", hosts=(f"127.0.0.1:{site.port}",))
    session.read()
    assert not one(session.ask(browser("navigate", url=site.url("/form")))).get("is_error")
    for other in (site.url("/form", "b"), site.url("/form", "c"), f"http://127.0.0.1:{site.port + 1}/"):
        site.requests.clear()
        refused = one(session.ask(browser("navigate", url=other)))
        assert refused["is_error"]
        assert "not allowed" in words_of(refused)
        assert "/form" not in site.requests  # the first page may still ask for its icon
    assert session.end() == 0


def test_members_are_switched_on_and_off(start_exec: StartExec, site: Site) -> None:
    session = start_exec("--environment", "browser", "--enable", "javascript_exec", "--disable", "left_click_drag")
    assert members_off(session.read()) == {"left_click_drag"}
    assert words_of(one(session.ask(browser("javascript_exec", text="6 * 7")))) == "42"
    off = one(session.ask(browser("left_click_drag", **{"from": at(1, 1), "target": at(2, 2)})))
    assert off["is_error"]
    assert session.end() == 0


def test_a_storage_state_starts_signed_in_and_is_left_as_it_was(
    start_exec: StartExec, site: Site, tmp_path: Path
) -> None:
    state = {
        "cookies": [
            {
                "name": "session", "value": "signed-in", "domain": "127.0.0.1", "path": "/",
                "expires": -1, "httpOnly": False, "secure": False, "sameSite": "Lax",
            }
        ],
        "origins": [],
    }  # fmt: skip
    file = tmp_path / "state.json"
    file.write_text(json.dumps(state))
    session = start_exec("--environment", "browser", "--storage-state", str(file), "--enable", "javascript_exec")
    session.read()
    session.ask(browser("navigate", url=site.url("/form")))
    assert words_of(one(session.ask(browser("javascript_exec", text="document.cookie")))) == "session=signed-in"
    assert session.end() == 0
    assert json.loads(file.read_text()) == state


def test_a_storage_state_that_is_none_is_an_error_at_start(start_exec: StartExec, tmp_path: Path) -> None:
    file = tmp_path / "state.json"
    file.write_text("[]")
    session = start_exec("--environment", "browser", "--storage-state", str(file))
    assert session.end() == 6
    assert "storage state" in session.errors


def test_the_recording_holds_what_the_model_was_told(start_exec: StartExec, site: Site, tmp_path: Path) -> None:
    session = start_exec("--environment", "browser", "--record", str(tmp_path / "run"))
    session.read()
    answer = session.ask(
        browser("navigate", url=site.url("/form")), browser("screenshot"), browser("left_click", target=at(50, 20))
    )
    assert session.end() == 0
    events = [json.loads(line) for line in (tmp_path / "run" / "events.jsonl").read_text().splitlines()]
    text = json.dumps(events, ensure_ascii=False)
    assert "Order form (HTTP 200)" in text
    assert "browser_state" in text
    assert len(list((tmp_path / "run" / "images").iterdir())) == 1
    assert len(answer["results"]) == 3


def test_with_both_the_window_is_on_the_desktop_and_each_sees_the_others_doing(
    start_exec: StartExec, site: Site
) -> None:
    session = start_exec("--environment", "both", "--viewport", "800x600", "--enable", "javascript_exec")
    first = session.read()
    assert first["environment"]["browser"]["viewport"] == [800, 600]
    assert first["environment"]["desktop"]["screen"] == [960, 700]
    session.ask(browser("navigate", url=site.url("/form")))
    where = words_of(
        one(
            session.ask(
                browser(
                    "javascript_exec",
                    text=PAINTED
                    + "[screenX + (outerWidth - innerWidth) / 2, screenY + outerHeight - innerHeight].join())",
                )
            )
        )
    )
    left, top = (round(float(part)) for part in where.split(","))
    clicked = one(session.ask(computer("left_click", coordinate=[left + 50, top + 20])))
    assert not clicked.get("is_error"), words_of(clicked)
    # The screen is quiet until the browser gets to the click, which may be a while.
    said = ""
    while said in ("", "(empty)"):
        said = words_of(one(session.ask(browser("javascript_exec", text="said.textContent")))).strip()
    assert said == "first"
    assert session.end() == 0


def test_a_screen_that_the_window_does_not_fit_on_is_an_error_at_start(start_exec: StartExec) -> None:
    session = start_exec("--environment", "both", "--viewport", "800x600", "--screen", "800x600")
    assert session.end() == 6
    assert "too small" in session.errors


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--viewport", "800x600"], "--viewport is for --environment browser or both"),
        (["--headed"], "--headed is for --environment browser or both"),
        (["--environment", "browser", "--screen", "800x600"], "--screen is for --environment desktop or both"),
        (["--environment", "browser", "--app", "xterm"], "--app is for --environment desktop or both"),
        (["--environment", "both", "--display", "own"], "needs an X display"),
        (["--environment", "browser", "--enable", "javascript"], "javascript_exec"),
        (["--environment", "browser", "--enable", "key", "--disable", "key"], "both enabled and disabled"),
        (["--allow", "http://example.com/"], "'http://example.com/' cannot be listed: a path cannot be listed"),
        (["--allow", "*"], "--allow-any-host"),
        (["--allow", "intranet.test=0.0.0.0/0"], "is wider than /8"),
        (["--allow-resources", "cdn.test:0"], "its port is not a number from 1 to 65535"),
        (["--subresources", "any"], "choose from"),
        (["--environment", "browser", "--download-dir", "/nowhere"], "/nowhere is not a folder"),
        (["--environment", "browser", "--upload-root", "/tmp", "--download-dir", "/tmp"], "--download-dir"),
        (["--environment", "browser", "--viewport", "0x600"], "is not a size"),
    ],
)
def test_options_that_cannot_be_meant_are_refused_before_anything_starts(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["exec", "-", *arguments])
    assert ended.value.code == 2
    said = capsys.readouterr()
    assert words in said.err
    assert said.out == ""


def test_without_a_display_headed_says_so(start_exec: StartExec) -> None:
    session = start_exec("--environment", "browser", "--headed", variables={"DISPLAY": ""})
    assert session.end() == 6
    assert "DISPLAY" in session.errors


def test_a_chromium_that_is_not_there_is_an_error_that_says_how_to_get_one(start_exec: StartExec) -> None:
    session = start_exec("--environment", "browser", "--chromium", "/nowhere/chromium")
    assert session.end() == 6
    assert "apt-get install chromium" in session.errors


@pytest.mark.parametrize("busy", [False, True], ids=["idle", "in a call"])
def test_ctrl_c_ends_the_browser_too_and_leaves_nothing(
    start_exec: StartExec, site: Site, tmp_path: Path, busy: bool
) -> None:
    session = start_exec("--environment", "browser", variables={"TMPDIR": str(tmp_path)})
    session.read()
    session.ask(browser("navigate", url=site.url("/form")))
    if busy:
        session.send(bash("echo > begun"), browser("wait", duration=30))
        begun = session_folder(tmp_path) / "begun"
        while not begun.exists():
            assert session.process.poll() is None
    # As a terminal does: every process of the group gets it.
    os.killpg(session.process.pid, signal.SIGINT)
    assert session.process.wait(LONGEST_WAIT_S) == 130
    assert "Traceback" not in session.errors
    assert [path for path in tmp_path.iterdir() if not path.name.startswith("errors-")] == []


def session_folder(tmp: Path) -> Path:
    """Where bash works."""
    (folder,) = tmp.glob("gui-operator-*/work-*")
    return folder
