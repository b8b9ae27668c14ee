"""`--approve` on a real terminal: it asks there, never on the input that carries the calls, and a yes is for what was
shown and nothing else."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from PIL import Image

from contract.events import EventLog
from environments.browser.site import Site
from environments.desktop.own_windows import OwnWindows
from gui_environments.desktop import Desktop

from ..pages import at, by_ref, reference_of, words_of
from .sessions import LONGEST_WAIT_S, ExecSession, bash, computer, text_of
from .terminals import AskedSession, facts_of

StartExec = Callable[..., ExecSession]
StartAsked = Callable[..., AskedSession]


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()


def browser(name: str, **given: Any) -> dict[str, Any]:
    return {"toolset_name": "browser", "name": name, "input": given}


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + LONGEST_WAIT_S
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("answer", "is_error", "words"), [("y", False, "ran"), ("n not on a Sunday", True, "not on a Sunday")]
)
def test_a_person_at_the_terminal_decides_while_the_calls_come_on_standard_input(
    start_asked: StartAsked, answer: str, is_error: bool, words: str
) -> None:
    session = start_asked("--environment", "browser", "--approve", "bash=ask")
    session.read()
    # Lines that look like an answer are waiting on standard input; they are turns, and bad ones.
    session.send(bash("echo ran"))
    session.send_line(b"n")
    question = session.next_question()
    assert "bash (shell)" in question
    assert facts_of(question)["command"] == '"echo ran"'
    result = session.answer(answer)
    assert result.get("is_error", False) is is_error
    assert words in text_of(result)
    assert set(session.read()) == {"error"}
    assert session.end() == 0


def test_without_a_terminal_and_without_an_answer_in_time_the_answer_is_no(
    start_exec: StartExec, start_asked: StartAsked
) -> None:
    session = start_exec("--environment", "browser", "--approve", "ask")
    session.read()
    assert "nobody to ask" in session.bash("echo ran")
    assert session.end() == 0
    asked = start_asked("--environment", "browser", "--approve", "ask", "--ask-within", "0.2")
    asked.read()
    (result,) = asked.ask(bash("echo ran"))["results"]
    assert "no answer came in time" in text_of(result)
    assert asked.end() == 0


@pytest.mark.long
def test_in_the_background_of_its_terminal_it_asks_nobody_and_goes_on(tmp_path: Path) -> None:
    session = AskedSession(tmp_path, "--environment", "browser", "--approve", "ask", background=True)
    session.read()
    assert "nobody to ask" in session.bash("echo ran")
    assert session.end() == 0
    session.close()


@pytest.mark.long
def test_the_preset_is_said_at_start_and_asks_about_commands_only(start_asked: StartAsked, site: Site) -> None:
    session = start_asked("--environment", "browser", "--approve", "preset", "--allow", f"127.0.0.1:{site.port}")
    session.read()
    assert "read=allow" in session.errors
    assert "navigation=allow" in session.errors
    assert "shell=ask" in session.errors
    site.put("/calm", "<title>Calm</title>")
    (shown,) = session.ask(browser("navigate", url=site.url("/calm")))["results"]
    assert not shown.get("is_error")
    assert not session.has_asked()
    assert "bash" in session.question(bash("echo ran"))
    assert "ran" in text_of(session.answer("y"))
    assert session.end() == 0


@pytest.mark.long
def test_on_the_desktop_the_window_is_shown_and_the_click_goes_there(start_asked: StartAsked, tmp_path: Path) -> None:
    log = EventLog(tmp_path / "events.jsonl")
    run = tmp_path / "run"
    session = start_asked("--approve", "pointer=ask", "--record", str(run), "--app", " ".join(log.command))
    session.read()
    wait_until(lambda: log.read("ready") != [])
    question = session.question(computer("left_click", coordinate=[120, 220]))
    facts = facts_of(question)
    assert (facts["window"], facts["application"]) == ("events", "Tk")
    with Image.open(BytesIO(Path(facts["picture"]).read_bytes())) as image:
        assert (255, 0, 0) in dict(map(reversed, image.convert("RGB").getcolors(image.width * image.height) or []))
    assert not session.answer("y").get("is_error")
    wait_until(lambda: [(event["x"], event["y"]) for event in log.read("release")] == [(120, 220)])
    assert not Path(facts["picture"]).exists()
    assert "not run" in text_of((session.question(computer("mouse_move", coordinate=[1, 1])), session.answer("n"))[1])
    assert session.end() == 0
    decided = [event for event in events_of(run) if event["event"] == "call_decided"]
    assert [(event["allowed"], event["by"], event["rule"]) for event in decided] == [
        (True, "person", "pointer=ask"),
        (False, "person", "pointer=ask"),
    ]


def events_of(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "events.jsonl").read_text().splitlines()]


def own_windows(first: dict[str, Any]) -> OwnWindows:
    described = first["environment"]["desktop"]
    display = SimpleNamespace(display=described["display"], xauthority=Path(described["xauthority"]))
    return OwnWindows(cast("Desktop", display))


@pytest.mark.long
def test_a_window_that_takes_the_place_while_the_person_thinks_gets_no_click(
    start_asked: StartAsked, tmp_path: Path
) -> None:
    session = start_asked("--approve", "pointer=ask", "--record", str(tmp_path / "run"))
    windows = own_windows(session.read())
    windows.open("Draft", (100, 100), (200, 100))
    assert facts_of(session.question(computer("left_click", coordinate=[150, 130])))["window"] == "Draft"
    windows.open("Draft", (100, 100), (200, 100))  # the same to the eye
    assert "changed while it was asked about" in text_of(session.answer("y"))
    assert windows.take() == []
    windows.close()
    assert session.end() == 0
    assert [event["by"] for event in events_of(tmp_path / "run") if event["event"] == "call_decided"] == ["environment"]


@pytest.mark.long
def test_keys_are_for_the_window_that_was_shown(start_asked: StartAsked) -> None:
    session = start_asked("--approve", "keyboard=ask")
    windows = own_windows(session.read())
    first = windows.open("First", (100, 100), (200, 100), managed=True)
    second = windows.open("Second", (400, 100), (200, 100), managed=True)
    windows.focus(first)
    assert facts_of(session.question(computer("type", text="ab")))["window"] == "First"
    windows.focus(second)
    assert session.answer("y")["is_error"]
    assert windows.take() == []
    assert facts_of(session.question(computer("type", text="ab")))["window"] == "Second"
    assert not session.answer("y").get("is_error")
    assert windows.wait_for(2) == [("key", second.id)] * 2
    windows.close()
    assert session.end() == 0


HOSTILE = """<title>x</title><style>body { margin: 0 } button { position: absolute; left: 0; top: 0; width: 200px;
height: 80px }</style><button id=pay onclick="fetch('/pressed/' + pay.textContent)">Pay 5</button>
<script>document.title = '\\u202eliT\\x1b]0;owned\\x07\\x1b[2J\\u200b';
pay.setAttribute('aria-label', 'Pay\\x1b[31m 5\\u202e');
async function watch() {
  const { words } = await (await fetch('/words')).json();
  if (!words) return setTimeout(watch, 20);
  pay.removeAttribute('aria-label');
  pay.textContent = words;
  fetch('/changed');
}
watch()</script>"""


@pytest.mark.long
def test_a_pages_words_cannot_act_on_the_terminal_and_a_page_that_changes_gets_no_press(
    start_asked: StartAsked, site: Site
) -> None:
    site.pages["/words"] = "{}"
    page = site.put("/hostile", HOSTILE)
    session = start_asked("--environment", "browser", "--approve", "pointer=ask")
    session.read()
    session.ask(browser("navigate", url=page))
    question = session.question(browser("left_click", target=at(100, 40)))
    assert "\x1b" not in question
    assert "\u202e" not in question
    facts = facts_of(question)
    assert facts["page"] == page
    assert facts["title"].startswith("\\u{202e}liT")
    assert "button" in facts["element"]
    assert "\\u{202e}" in facts["element"] or "Pay" in facts["element"]
    site.pages["/words"] = '{"words": "Pay 5000"}'
    wait_until(lambda: "/changed" in site.requests)
    refused = session.answer("y")
    assert "changed while it was asked about" in words_of(refused)
    assert not [path for path in site.requests if path.startswith("/pressed")]
    session.question(browser("left_click", target=at(100, 40)))
    assert not session.answer("y").get("is_error")
    wait_until(lambda: "/pressed/Pay%205000" in site.requests)
    assert session.end() == 0


@pytest.mark.long
def test_a_yes_for_again_holds_for_this_call_on_this_page_and_no_other(start_asked: StartAsked, site: Site) -> None:
    page = site.put("/counter", "<title>Counter</title><button onclick='this.value++'>Count</button><input id=i>")
    session = start_asked("--environment", "browser", "--approve", "pointer=ask")
    session.read()
    _, read = session.ask(browser("navigate", url=page), browser("read_page"))["results"]
    press = browser("left_click", target=by_ref(reference_of(words_of(read), "Count")))
    assert 'button "Count"' in session.question(press)
    assert not session.answer("a").get("is_error")
    (again,) = session.ask(press)["results"]
    assert not again.get("is_error")
    assert not session.has_asked()
    session.question({**press, "input": {**press["input"], "modifiers": "shift"}})
    assert session.answer("n")["is_error"]
    _, read = session.ask(browser("navigate", url="reload"), browser("read_page"))["results"]
    session.question(browser("left_click", target=by_ref(reference_of(words_of(read), "Count"))))
    assert session.answer("n")["is_error"]
    assert session.end() == 0


@pytest.mark.long
def test_what_is_refused_anyway_is_not_asked_about(start_asked: StartAsked, site: Site) -> None:
    page = site.put("/covered", "<button>Below</button><div style='position:fixed;inset:0;background:#ccc'>Cover</div>")
    session = start_asked("--environment", "browser", "--approve", "ask", "--approve", "read=allow", "--approve",
                          "navigation=allow")  # fmt: skip
    session.read()
    _, read = session.ask(browser("navigate", url=page), browser("read_page", filter="all"))["results"]
    (covered,) = session.ask(browser("left_click", target=by_ref(reference_of(words_of(read), "Below"))))["results"]
    assert "covered by" in words_of(covered)
    (outside,) = session.ask(browser("left_click", target=at(5000, 1)))["results"]
    assert "outside the screenshot" in words_of(outside)
    assert not session.has_asked()
    assert session.end() == 0


@pytest.mark.long
def test_every_kind_of_call_is_asked_about_with_what_it_is_for_and_then_carried_out(
    start_asked: StartAsked, site: Site
) -> None:
    page = site.put("/order", "<title>Order</title><input aria-label=Name autofocus>")
    session = start_asked("--environment", "browser", "--approve", "ask", "--enable", "javascript_exec")
    session.read()
    for call, label, words in (
        (browser("navigate", url=page), "url", page),
        (browser("type", text="ab"), "element", 'textbox "Name"'),
        (browser("screenshot"), "title", "Order"),
        (browser("javascript_exec", text="1 + 1"), "text", '"1 + 1"'),
        (browser("navigate", url="reload"), "page", "/order"),
        (browser("new_tab"), None, ""),
        (browser("close_tab", tab_id="tab_1"), "tab", "tab_1"),
    ):
        question = session.question(call)
        assert f"browser.{call['name']}" in question
        assert label is None or words in facts_of(question)[label]
        result = session.answer("y")
        assert not result.get("is_error"), words_of(result)
    assert session.end() == 0


@pytest.mark.long
def test_pictures_of_questions_are_gone_with_the_session(start_asked: StartAsked, tmp_path: Path) -> None:
    session = start_asked("--approve", "ask", variables={"TMPDIR": str(tmp_path)})
    session.read()
    facts = facts_of(session.question(computer("left_click", coordinate=[10, 10])))
    assert Path(facts["picture"]).is_file()
    session.process.kill()
    session.process.wait(LONGEST_WAIT_S)
    wait_until(lambda: not Path(facts["picture"]).exists())
