"""Dialogs are answered, whatever opens them, and what was asked and answered is noted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest

from environments.browser.conftest import wait_for_script, wait_until
from environments.browser.site import Site
from gui_environments.browser import Browser, ReadRequest
from gui_environments.browser.actions import ClickTarget, SetField
from gui_environments.browser.events import DialogAnswered, DialogKind
from gui_environments.browser.tabs.clock import Clock
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.watching.dialog_rules import DialogAction, DialogPolicy, DialogQuestion, DialogReply
from gui_environments.errors import ActionFailed

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(autouse=True)
def policy(browser: Browser) -> Iterator[None]:
    before = browser.watchers.dialogs.policy
    yield
    browser.watchers.dialogs.policy = before


def answered(browser: Browser) -> list[DialogAnswered]:
    return [event for event in browser.take_events() if isinstance(event, DialogAnswered)]


async def test_every_kind_is_dismissed_and_noted(browser: Browser, tab: Tab, site: Site) -> None:
    browser.take_events()
    await tab.page.goto(
        site.put("/dialogs", "<script>alert('one'); said = [confirm('two'), prompt('three', 'suggested')]</script>")
    )
    assert await tab.page.evaluate("said") == [False, None]
    assert answered(browser) == [
        DialogAnswered(tab.tab_id, "alert", "one", accepted=False),
        DialogAnswered(tab.tab_id, "confirm", "two", accepted=False),
        DialogAnswered(tab.tab_id, "prompt", "three", accepted=False),
    ]


async def test_a_policy_accepts_and_answers(browser: Browser, tab: Tab, site: Site) -> None:
    browser.watchers.dialogs.policy = DialogPolicy({"confirm": "accept", "prompt": "accept"}, prompt_text="Ada")
    browser.take_events()
    await tab.page.goto(site.put("/dialogs", "<script>said = [confirm('sure?'), prompt('name?', 'x')]</script>"))
    assert await tab.page.evaluate("said") == [True, "Ada"]
    assert answered(browser)[1] == DialogAnswered(tab.tab_id, "prompt", "name?", accepted=True, text="Ada")


async def test_an_accepted_prompt_without_a_text_keeps_the_suggestion(browser: Browser, tab: Tab, site: Site) -> None:
    browser.watchers.dialogs.policy = DialogPolicy({"prompt": "accept"})
    await tab.page.goto(site.put("/dialogs", "<script>said = prompt('name?', 'suggested')</script>"))
    assert await tab.page.evaluate("said") == "suggested"


async def test_dialogs_of_timers_and_of_frames_of_other_sites_hold_nothing_up(
    browser: Browser, tab: Tab, site: Site
) -> None:
    site.put("/inner", "<script>setTimeout(() => { alert('from a frame'); parent.postMessage('past', '*') })</script>")
    browser.take_events()
    await tab.page.goto(
        site.put(
            "/outer",
            "<script>onmessage = () => framed = true;"
            "setTimeout(() => { alert('from a timer'); timed = true })</script><iframe src='{b}/inner'></iframe>",
        )
    )
    await wait_for_script(tab, "window.framed && window.timed")
    assert {event.message for event in answered(browser)} == {"from a frame", "from a timer"}
    assert (await browser.capture(tab_id=tab.tab_id)).data


async def test_a_page_that_asks_again_and_again_ends_no_call(browser: Browser, tab: Tab, site: Site) -> None:
    await browser.navigate(site.put("/nag", "<script>count = 0; while (count < 60) { alert(count); count++ }</script>"))
    assert await tab.page.evaluate("count") == 60


async def test_a_page_that_does_not_want_to_be_left_is_stayed_on(browser: Browser, tab: Tab, site: Site) -> None:
    page = site.put("/unsaved", "<input><script>onbeforeunload = (event) => event.preventDefault()</script>")
    other = site.put("/other", "<p>other")
    await browser.navigate(page)
    await tab.page.click("input")  # without a gesture the browser does not ask
    browser.take_events()
    for address in (other, "reload"):
        with pytest.raises(ActionFailed, match=r"asked whether to leave.*still shown"):
            await browser.navigate(address)
        assert [(event.kind, event.accepted) for event in answered(browser)] == [("beforeunload", False)]
        assert tab.page.url == page
    browser.watchers.dialogs.policy = DialogPolicy({"beforeunload": "accept"})
    assert (await browser.navigate(other)).url == other


async def test_closing_a_tab_does_not_ask(browser: Browser, tab: Tab, site: Site) -> None:
    await browser.navigate(site.put("/unsaved", "<input><script>onbeforeunload = (e) => e.preventDefault()</script>"))
    await tab.page.click("input")
    await browser.tabs.close(tab)
    assert tab.closed


async def test_a_dialog_in_a_popup_is_noted_with_its_tab(browser: Browser, tab: Tab, site: Site) -> None:
    site.put("/talking", "<script>alert('hello from the popup'); said = true</script>")
    await browser.navigate(site.put("/opener", "<a href='/talking' target=_blank>open</a>"))
    browser.take_events()
    await tab.page.click("a")
    await wait_until(lambda: browser.tabs.active is not tab)
    popup = browser.tabs.tab(None)
    await wait_for_script(popup, "window.said")
    assert [(event.tab_id, event.message) for event in answered(browser)] == [(popup.tab_id, "hello from the popup")]


class Person:
    """Answers dialogs when they are told to."""

    def __init__(self, *replies: DialogReply | Exception | None) -> None:
        self._replies = list(replies)
        self.asked: list[DialogQuestion] = []
        self.thinking = asyncio.Event()
        self.cancelled = False

    async def ask(self, question: DialogQuestion) -> DialogReply:
        self.asked.append(question)
        self.thinking.set()
        reply = self._replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        if reply is None:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.cancelled = True
                raise
        assert isinstance(reply, DialogReply)
        return reply


EVERY_KIND: dict[DialogKind, DialogAction] = {
    "alert": "ask", "confirm": "ask", "prompt": "ask", "beforeunload": "ask",
}  # fmt: skip


@pytest.fixture
def ask(browser: Browser) -> Iterator[Callable[..., Person]]:
    """Have a person asked about every kind of dialog."""

    def ask(*replies: DialogReply | Exception | None, answer_s: float = 60.0) -> Person:
        person = Person(*replies)
        browser.watchers.dialogs.policy = DialogPolicy(EVERY_KIND, answer_s=answer_s)
        browser.watchers.dialogs.ask = person.ask
        return person

    yield ask
    browser.watchers.dialogs.ask = None


Ask = Callable[..., Person]


async def test_somebody_is_asked_and_answers_each_kind(browser: Browser, tab: Tab, site: Site, ask: Ask) -> None:
    person = ask(DialogReply(True), DialogReply(False), DialogReply(True, "Ada"), DialogReply(True))
    browser.take_events()
    script = "said = [alert('one'), confirm('two'), prompt('3', 'x'), prompt('4', 'y')]"
    page = site.put("/dialogs", f"<script>{script}</script>")
    navigated = await browser.navigate(page)
    assert navigated.notes == ()
    assert await tab.page.evaluate("said") == [None, False, "Ada", "y"]
    assert person.asked[2] == DialogQuestion(tab.tab_id, page, "prompt", "3", "x")
    assert [(event.accepted, event.text, event.by) for event in answered(browser)] == [
        (True, None, "person"), (False, None, "person"), (True, "Ada", "person"), (True, "y", "person"),
    ]  # fmt: skip


class Thinking:
    """Answers yes once it is let."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.may_answer = asyncio.Event()

    async def ask(self, question: DialogQuestion) -> DialogReply:
        self.asked.set()
        await self.may_answer.wait()
        return DialogReply(True)


async def test_calls_wait_for_the_answer(browser: Browser, tab: Tab, site: Site) -> None:
    page = "<script>loaded = confirm('load?')</script><button>Go</button><input type=checkbox><p id=said></p>"
    page += "<script>for (const each of document.querySelectorAll('button, input')) each.onclick = () =>"
    page += " said.textContent += confirm('sure?')</script>"
    browser.watchers.dialogs.policy = DialogPolicy(EVERY_KIND)

    async def answered_late(call: Coroutine[Any, Any, Any]) -> Any:
        person = Thinking()
        browser.watchers.dialogs.ask = person.ask
        calling = asyncio.ensure_future(call)
        await asyncio.wait_for(person.asked.wait(), 20)
        assert tab.clock.is_stopped
        assert not calling.done()
        person.may_answer.set()
        return await calling

    assert (await answered_late(browser.navigate(site.put("/slow", page)))).notes == ()
    assert await answered_late(browser.run_script("loaded && confirm('script?')")) == "true"
    reading = await browser.read_page(ReadRequest("all"))
    button, box = [str(line.reference) for line in reading.lines if line.role in ("button", "checkbox")]
    await answered_late(browser.perform(ClickTarget(button)))
    await answered_late(browser.perform(SetField(box, True)))
    assert await browser.run_script("said.textContent") == "truetrue"
    browser.watchers.dialogs.ask = None


async def test_bounds_stand_still_while_somebody_is_asked() -> None:
    clock = Clock()
    outlasted: list[str] = []

    async def outlast() -> None:
        async with clock.timeout(0.02):
            with clock.stopped():
                await asyncio.sleep(0.1)  # longer than the bound
                async with clock.timeout(0.0):
                    await asyncio.sleep(0.05)
                outlasted.append("both")
            await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        await outlast()
    assert outlasted == ["both"]
    assert (clock.stops, clock.is_stopped) == (1, False)


async def test_a_question_from_a_timer_holds_the_next_call_up_until_it_is_answered(
    browser: Browser, tab: Tab, site: Site, ask: Ask
) -> None:
    person = ask(None, answer_s=1.0)
    browser.take_events()
    await browser.navigate(site.put("/timer", "<p>text<script>setTimeout(() => alert('later'), 50)</script>"))
    await asyncio.wait_for(person.thinking.wait(), 20)
    assert "text" in (await browser.read_page(ReadRequest())).text
    assert [(event.accepted, event.by) for event in answered(browser)] == [(False, "late")]
    assert person.cancelled


async def test_an_asking_that_fails_or_that_nobody_can_answer_dismisses(
    browser: Browser, tab: Tab, site: Site, ask: Ask
) -> None:
    page = site.put("/dialogs", "<script>said = confirm('sure?')</script>")
    ask(RuntimeError("lost"))
    browser.take_events()
    await browser.navigate(page)
    ask("yes")
    await browser.navigate(page)
    browser.watchers.dialogs.ask = None
    await browser.navigate(page)
    assert [(event.accepted, event.by) for event in answered(browser)] == [
        (False, "fault"), (False, "fault"), (False, "nobody"),
    ]  # fmt: skip


async def test_a_page_that_goes_on_and_on_is_not_asked_about_for_ever(
    browser: Browser, tab: Tab, site: Site, ask: Ask
) -> None:
    person = ask(*[DialogReply(True)] * 30)
    browser.take_events()
    await browser.navigate(site.put("/nag", "<script>yes = 0; for (let n = 0; n < 30; n++) yes += confirm(n)</script>"))
    assert await tab.page.evaluate("yes") == len(person.asked) == 10
    assert answered(browser)[-1].by == "limit"


async def test_leaving_is_asked_about_and_done_or_not(browser: Browser, tab: Tab, site: Site, ask: Ask) -> None:
    page = site.put("/unsaved", "<input><script>onbeforeunload = (event) => event.preventDefault()</script>")
    other = site.put("/other", "<p>other")
    ask(DialogReply(False), DialogReply(True))
    await browser.navigate(page)
    await tab.page.click("input")
    with pytest.raises(ActionFailed, match="asked whether to leave"):
        await browser.navigate(other)
    assert (await browser.navigate(other)).url == other


async def test_a_click_that_would_leave_waits_for_the_answer(browser: Browser, tab: Tab, site: Site, ask: Ask) -> None:
    leaving = "<input><a href='/other'>away</a><script>onbeforeunload = (event) => event.preventDefault()</script>"
    page, other = site.put("/unsaved", leaving), site.put("/other", "<p>other")
    person = ask(DialogReply(False), DialogReply(True))
    await browser.navigate(page)
    await tab.page.click("input")
    (link,) = [line.reference for line in (await browser.read_page(ReadRequest())).lines if line.role == "link"]
    browser.take_events()
    await browser.perform(ClickTarget(str(link)))
    assert tab.page.url == page
    assert [(event.accepted, event.by) for event in answered(browser)] == [(False, "person")]
    await browser.perform(ClickTarget(str(link)))
    assert tab.page.url == other
    assert [question.kind for question in person.asked] == ["beforeunload", "beforeunload"]


async def test_a_tab_that_closes_takes_its_question_along(browser: Browser, tab: Tab, site: Site, ask: Ask) -> None:
    person = ask(None)
    await browser.navigate(site.put("/timer", "<script>setTimeout(() => alert('later'), 50)</script>"))
    await asyncio.wait_for(person.thinking.wait(), 20)
    await tab.page.close()
    await wait_until(lambda: person.cancelled)


async def test_frames_of_other_sites_are_asked_about_with_their_tab(
    browser: Browser, tab: Tab, site: Site, ask: Ask
) -> None:
    site.put("/inner", "<script>parent.postMessage(confirm('from a frame'), '*')</script>")
    person = ask(DialogReply(True))
    page = site.put("/outer", "<script>onmessage = (e) => framed = e.data</script><iframe src='{b}/inner'></iframe>")
    await browser.navigate(page)
    await wait_for_script(tab, "window.framed === true")
    assert [(question.tab_id, question.address) for question in person.asked] == [(tab.tab_id, page)]
