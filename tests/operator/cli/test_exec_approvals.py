"""Approvals through the real command: which rule counts, who is asked, what is shown, what a yes is for, and what is
written down of it. Several promises share a session, since each costs a start."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from PIL import Image

from environments.browser.site import Site
from environments.desktop.own_windows import OwnWindows
from gui_environments.desktop import Desktop

from ..pages import at, by_ref, reference_of, words_of
from .sessions import LONGEST_WAIT_S, ExecSession, bash, computer
from .terminals import AskedSession, facts_of

StartExec = Callable[..., ExecSession]
StartAsked = Callable[..., AskedSession]

NOBODY = "It needs a person's approval, and there is nobody to ask"
RULES = "This session's rules do not permit it"
CHANGED = "changed while it was asked about"

PAGE = """<title>x</title><style>body { margin: 0 } button { position: absolute; left: 0; top: 0; width: 200px;
height: 80px } label { position: absolute; top: 200px }</style><button id=pay onclick="paid += 1; tell()">Pay 5</button>
<p id=said style="position: absolute; top: 100px"></p>
<label>Letter <input type=file onchange="this.files[0].text().then((text) => { said.textContent = text })"></label>
<script>let paid = 0; const tell = () => { said.textContent = `paid ${paid}` };
document.title = 'Shop\\u202e\\x1b[2J\\u200b';
async function watch() {
  const { words } = await (await fetch('/words')).json();
  if (!words) return setTimeout(watch, 20);
  pay.textContent = words;
  fetch('/changed');
}
watch()</script>"""


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    site.put("/shop", PAGE)
    site.pages["/words"] = "{}"
    yield site
    site.close()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "up"
    root.mkdir()
    (root / "letter.txt").write_text("as written")
    return root


def browser(name: str, **given: Any) -> dict[str, Any]:
    return {"toolset_name": "browser", "name": name, "input": given}


def editor(command: str, path: str, **given: Any) -> dict[str, Any]:
    return {"name": "str_replace_based_edit_tool", "input": {"command": command, "path": path, **given}}


def one(session: ExecSession, call: Mapping[str, Any]) -> dict[str, Any]:
    (result,) = session.ask(call)["results"]
    return dict(result)


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + LONGEST_WAIT_S
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def decisions_of(run: Path) -> list[tuple[bool, str, str]]:
    events = [json.loads(line) for line in (run / "events.jsonl").read_text().splitlines()]
    return [(event["allowed"], event["by"], event["rule"]) for event in events if event["event"] == "call_decided"]


def test_the_nearest_rule_counts_and_deny_wins_ties_for_every_tool(start_exec: StartExec, tmp_path: Path) -> None:
    rules = ["none", "read=allow", "pointer=deny", "left_click=allow", "computer=allow", "key=deny",
             "browser.key=allow", "bash=allow", "bash=deny", "file=ask",
             "str_replace_based_edit_tool=allow"]  # fmt: skip
    run = tmp_path / "run"
    approve = [word for rule in rules for word in ("--approve", rule)]
    session = start_exec("--environment", "browser", "--record", str(run), *approve)
    session.read()
    expected = [
        (browser("screenshot"), "read=allow"),  # a kind of effect, before all
        (browser("left_click", target=at(9, 9)), "left_click=allow"),  # a member, before its kind
        (browser("right_click", target=at(9, 9)), "pointer=deny"),  # a kind, before all
        (browser("key", text="a"), "browser.key=allow"),  # a toolset's member, before a member of any
        (browser("type", text="a"), "*=deny"),  # all, since the rules for the computer are not for it
        (bash("echo ran"), "bash=deny"),  # deny, among two that are equally near
        (editor("create", "new.txt", file_text="x"), "str_replace_based_edit_tool=allow"),  # a tool, before its kind
    ]
    for call, rule in expected:
        result = one(session, call)
        assert result.get("is_error", False) is rule.endswith("deny"), words_of(result)
        assert (RULES in words_of(result)) is rule.endswith("deny")
    assert session.end() == 0
    assert decisions_of(run) == [(rule.endswith("allow"), "rule", rule) for _, rule in expected]


def test_the_preset_is_said_at_start_and_what_it_asks_about_is_refused_where_nobody_is_there(
    start_exec: StartExec, site: Site, root: Path, tmp_path: Path
) -> None:
    run, work = tmp_path / "run", tmp_path / "work"
    work.mkdir()
    session = start_exec(
        "--environment", "browser", "--approve", "preset", "--enable", "file_upload", "--enable", "javascript_exec",
        "--upload-root", str(root), "--workdir", str(work), "--record", str(run),
    )  # fmt: skip
    session.read()
    for rule in ("read=allow", "pointer=allow", "keyboard=allow", "navigation=allow", "script=ask", "file=ask",
                 "shell=ask"):  # fmt: skip
        assert rule in session.errors
    _, read = session.ask(browser("navigate", url=site.url("/shop")), browser("read_page"))["results"]
    letter = by_ref(reference_of(words_of(read), "Letter"))
    for allowed in (browser("left_click", target=at(100, 40)), browser("key", text="Tab"), browser("screenshot")):
        result = one(session, allowed)
        assert not result.get("is_error"), words_of(result)
    for asked in (
        browser("javascript_exec", text="pay.click()"),
        browser("file_upload", target=letter, paths=["letter.txt"]),
        bash("touch made-by-bash"),
        editor("create", "made-by-editor", file_text="x"),
    ):
        result = one(session, asked)
        assert result["is_error"]
        assert NOBODY in words_of(result)
    assert "paid 1" in words_of(one(session, browser("get_page_text")))
    assert list(work.iterdir()) == []
    assert session.end() == 0
    assert [decision for decision in decisions_of(run) if not decision[0]] == [
        (False, "nobody", "script=ask"), (False, "nobody", "file=ask"), (False, "nobody", "shell=ask"),
        (False, "nobody", "file=ask"),
    ]  # fmt: skip


def test_a_person_sees_call_page_element_and_spot_and_the_answer_is_for_that(
    start_asked: StartAsked, site: Site, root: Path, tmp_path: Path
) -> None:
    run, work = tmp_path / "run", tmp_path / "work"
    work.mkdir()
    session = start_asked(
        "--environment", "browser", "--approve", "preset", "--approve", "pointer=ask", "--enable", "file_upload",
        "--upload-root", str(root), "--workdir", str(work), "--record", str(run), sixels=True,
    )  # fmt: skip
    session.read()
    page = site.url("/shop")
    _, read = session.ask(browser("navigate", url=page), browser("read_page"))["results"]
    assert not session.has_asked()
    press = browser("left_click", target=by_ref(reference_of(words_of(read), "Pay 5")))

    # The call, the page, the element and the spot; no, with a reason for the model.
    question = session.question(press)
    facts = facts_of(question)
    assert "browser.left_click (pointer)" in question
    assert (facts["page"], facts["tab"], facts["element"]) == (page, "tab_1", 'button "Pay 5"')
    assert facts["title"].startswith("Shop\\u{202e}")
    assert facts["title"].endswith("[2J\\u{200b}")
    assert "\x1bPq" in question  # sixels
    assert "\x1b[2J" not in question
    refused = session.answer("n not before noon")
    assert refused["is_error"]
    assert "The person who was asked said no: not before noon." in words_of(refused)

    # Yes to this very call on this very page from now on, and to no other.
    session.question(press)
    assert not session.answer("a").get("is_error")
    assert not one(session, press).get("is_error")
    assert not session.has_asked()
    assert "paid 2" in words_of(one(session, browser("get_page_text")))

    # What was shown is not there any more.
    session.question(browser("left_click", target=at(100, 40)))
    site.pages["/words"] = '{"words": "Pay 5000"}'
    wait_until(lambda: "/changed" in site.requests)
    assert CHANGED in words_of(session.answer("y"))
    assert "Pay 5000" in session.question(press)  # nor does the yes from before hold
    assert session.answer("n")["is_error"]
    assert "paid 2" in words_of(one(session, browser("get_page_text")))

    # Commands and edits pass the same gate.
    assert facts_of(session.question(bash("echo ran\u202e")))["command"] == '"echo ran\\u{202e}"'
    assert "ran" in words_of(session.answer("y"))
    assert facts_of(session.question(editor("create", "new.txt", file_text="x")))["path"] == '"new.txt"'
    assert session.answer("n")["is_error"]
    assert list(work.iterdir()) == []

    # A file is shown as what it is, and has to be that very one when it is given.
    give = browser("file_upload", target=by_ref(reference_of(words_of(read), "Letter")), paths=["letter.txt"])
    assert facts_of(session.question(give))["file"] == f"{root / 'letter.txt'}, 10 bytes"
    (root / "other.txt").write_text("another!!!")
    (root / "other.txt").rename(root / "letter.txt")
    assert CHANGED in words_of(session.answer("y"))
    session.question(give)
    assert not session.answer("y").get("is_error")
    session.send(browser("get_page_text"))
    while "another!!!" not in words_of(session.read()["results"][0]):
        session.send(browser("get_page_text"))
    assert session.end() == 0
    assert [decision for decision in decisions_of(run) if decision[1] != "rule"] == [
        (False, "person", "pointer=ask"), (True, "person", "pointer=ask"), (True, "remembered", "pointer=ask"),
        (False, "environment", "pointer=ask"), (False, "person", "pointer=ask"), (True, "person", "shell=ask"),
        (False, "person", "file=ask"), (False, "environment", "file=ask"), (True, "person", "file=ask"),
    ]  # fmt: skip


def test_on_the_desktop_a_yes_is_for_that_window_and_those_pixels(start_asked: StartAsked, tmp_path: Path) -> None:
    run = tmp_path / "run"
    session = start_asked("--approve", "pointer=ask", "--record", str(run))
    described = session.read()["environment"]["desktop"]
    display = SimpleNamespace(display=described["display"], xauthority=Path(described["xauthority"]))
    windows = OwnWindows(cast("Desktop", display))
    try:
        first = windows.open("Draft", (100, 100), (200, 100))
        press = computer("left_click", coordinate=[150, 130])
        facts = facts_of(session.question(press))
        assert (facts["window"], facts["application"]) == ("Draft", "Draft")
        with Image.open(BytesIO(Path(facts["picture"]).read_bytes())) as image:
            colours = image.convert("RGB").getcolors(image.width * image.height) or []
        assert {(255, 0, 0), (0x40, 0x60, 0xA0)} <= {colour for _, colour in colours}  # the ring, and the window
        windows.paint(first, 0xA06040)
        assert CHANGED in words_of(session.answer("y"))
        assert not Path(facts["picture"]).exists()
        session.question(press)
        second = windows.open("Draft", (100, 100), (200, 100), 0xA06040)  # the same to the eye
        assert CHANGED in words_of(session.answer("y"))
        assert windows.take() == []
        session.question(press)
        assert not session.answer("y").get("is_error")
        assert windows.wait_for(1) == [("button", second.id)]
    finally:
        windows.close()
    assert session.end() == 0
    assert decisions_of(run) == [
        (False, "environment", "pointer=ask"), (False, "environment", "pointer=ask"), (True, "person", "pointer=ask")
    ]  # fmt: skip
