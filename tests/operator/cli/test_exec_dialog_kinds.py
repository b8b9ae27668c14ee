"""Dialogs of every kind, wherever they come from, through the real command: dismissed, accepted, answered or asked
about, and never a hang. Several promises share a session, since each costs a start."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from environments.browser.site import Site

from ..pages import by_ref, reference_of, words_of
from .sessions import ExecSession
from .terminals import AskedSession, facts_of

StartExec = Callable[..., ExecSession]

PAGE = """<title>Talker</title><script>alert('At once')</script><p id=said>said</p>
<script>function tell(answer) { said.textContent += ' ' + String(answer) }
onmessage = ({ data }) => tell(data)</script>
<button onclick="tell(alert('Saved'))">Alert</button>
<button onclick="tell(confirm('Delete all 12?'))">Confirm</button>
<button onclick="tell(prompt('Your name?', 'nobody'))">Prompt</button>
<button onclick="setTimeout(() => tell(confirm('Still there?')), 1)">Timer</button>
<input aria-label=Unsaved oninput="onbeforeunload = (event) => event.preventDefault()">
<iframe src="{b}/inside"></iframe>"""

INSIDE = """<button onclick="parent.postMessage(confirm('From the frame?'), '*')">Inside</button>
<script>addEventListener('mouseover', () => parent.postMessage('reached', '*'), { once: true });
parent.postMessage(prompt('Whose frame?', 'mine'), '*'); onunload = () => alert('Good-bye')</script>"""


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    site.put("/talker", PAGE)
    site.put("/inside", INSIDE)
    site.put("/next", "<title>Next</title><p>next")
    yield site
    site.close()


def browser(name: str, **given: Any) -> dict[str, Any]:
    return {"toolset_name": "browser", "name": name, "input": given}


class Talker:
    """The page in a session, its buttons, and all that was told of dialogs."""

    def __init__(self, session: ExecSession, site: Site) -> None:
        self.session = session
        self._site = site
        self.told = ""
        self._reading = ""
        session.read()

    def show(self) -> None:
        self.do(browser("navigate", url=self._site.url("/talker")))

    def do(self, call: dict[str, Any]) -> str:
        words = words_of(self.session.ask(call)["results"][0])
        self.told += f"\n{words}"
        return words

    def press(self, name: str) -> dict[str, Any]:
        while f'"{name}"' not in self._reading:  # the frame may still be loading
            self._reading = self.do(browser("read_page"))
        return browser("left_click", target=by_ref(reference_of(self._reading, name)))

    def reach_the_frame(self) -> None:
        """Until the mouse arrives there: a frame of another site may not have been drawn yet."""
        while "reached" not in self.do(browser("get_page_text")):
            for name in ("Alert", "Inside"):
                self.do({**self.press(name), "name": "hover"})

    def fill(self) -> dict[str, Any]:
        return browser("form_input", target=by_ref(reference_of(self._reading, "Unsaved")), value="x")

    def leave(self) -> dict[str, Any]:
        return browser("navigate", url=self._site.url("/next"))

    def comes_to_say(self, words: str) -> None:
        while words not in (said := self.do(browser("get_page_text"))):
            assert self.session.process.poll() is None, said

    def comes_to_tell(self, *words: str) -> None:
        """In the results so far, or in later ones."""
        while not all(word in self.told for word in words):
            assert self.session.process.poll() is None, self.told
            self.do(browser("list_tabs"))


def test_dialogs_of_load_click_timer_frame_and_leaving_are_dismissed_and_told(
    start_exec: StartExec, site: Site
) -> None:
    talker = Talker(start_exec("--environment", "browser"), site)
    talker.show()
    talker.comes_to_say("said null")  # the frame's prompt
    said = "said null"
    for name, answer in (("Alert", "undefined"), ("Confirm", "false"), ("Prompt", "null"), ("Timer", "false")):
        talker.do(talker.press(name))
        talker.comes_to_say(said := f"{said} {answer}")
    talker.reach_the_frame()
    talker.do(talker.press("Inside"))
    talker.comes_to_say(f"{said} reached false")
    talker.do(talker.fill())
    assert "asked whether to leave" in talker.do(talker.leave())
    asked = ("At once", "Whose frame?", "Saved", "Delete all 12?", "Your name?", "Still there?", "From the frame?")
    talker.comes_to_tell(*asked)
    assert "accepted" not in talker.told
    assert talker.session.end() == 0


def test_rules_by_kind_accept_answer_and_dismiss_and_the_answer_is_told(start_exec: StartExec, site: Site) -> None:
    rules = ("*=accept", "prompt=accept:Ada L.", "alert=dismiss")
    options = [word for rule in rules for word in ("--dialog", rule)]
    talker = Talker(start_exec("--environment", "browser", *options), site)
    talker.show()
    talker.comes_to_say(said := "said Ada L.")
    for name, answer in (("Alert", "undefined"), ("Confirm", "true"), ("Prompt", "Ada L."), ("Timer", "true")):
        talker.do(talker.press(name))
        talker.comes_to_say(said := f"{said} {answer}")
    talker.reach_the_frame()
    talker.do(talker.press("Inside"))
    talker.comes_to_say(f"{said} reached true")
    talker.do(talker.fill())
    assert "(beforeunload) was accepted" in talker.do(talker.leave())
    assert "next" in talker.do(browser("get_page_text"))
    talker.comes_to_tell(
        'A dialog of the page (prompt) "Whose frame?" was answered "Ada L.".',
        'A dialog of the page (confirm) "Delete all 12?" was accepted.',
        'A dialog of the page (confirm) "Still there?" was accepted.',
        'A dialog of the page (confirm) "From the frame?" was accepted.',
    )
    assert '"Saved" was accepted' not in talker.told
    assert talker.session.end() == 0


def test_a_person_is_asked_about_each_and_the_call_waits_for_the_answer(site: Site, tmp_path: Path) -> None:
    session = AskedSession(tmp_path, "--environment", "browser", "--dialog", "*=ask", "--dialog", "alert=dismiss",
                           "--dialog", "prompt=accept")  # fmt: skip
    try:
        talker = Talker(session, site)
        talker.show()
        talker.comes_to_say("said mine")  # what the frame's prompt suggested
        session.send(talker.press("Confirm"))
        facts = facts_of(session.next_question(b"[d]ismiss: "))
        assert (facts["page"], facts["confirm"]) == (site.url("/talker"), "Delete all 12?")
        assert '"Delete all 12?" was accepted by the person who was asked.' in words_of(session.answer("a"))
        talker.reach_the_frame()
        session.send(talker.press("Inside"))
        assert facts_of(session.next_question(b"[d]ismiss: "))["confirm"] == "From the frame?"
        dismissed = words_of(session.answer("d"))
        assert "was dismissed because the person who was asked wanted it so" in dismissed
        talker.comes_to_say("said mine true reached false")
        talker.do(talker.fill())
        session.send(talker.leave())
        assert "A page shows a dialog" in session.next_question(b" and stay: ")
        assert session.answer("d")["is_error"]
        session.send(talker.leave())
        session.next_question(b" and stay: ")
        assert not session.answer("a").get("is_error")
        assert session.end() == 0
    finally:
        session.close()
