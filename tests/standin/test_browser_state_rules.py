"""The `browser_state` block: all tabs, one active, changes told once, never on an error."""

from __future__ import annotations

from typing import Any

import pytest

from standin.asking import BROWSER, COMPUTER, HELLO, answers, ask, picture, refusal_of, request, result, told
from standin.blocks import Json
from standin.script import member, says, text
from standin.server import StandIn

STARTED = {"type": "download_started", "download_id": "d1", "url": "http://localhost/a"}


def tab(number: int, *, active: bool = False, **fields: str) -> Json:
    entry: Json = {"tab_id": f"t{number}", "title": "Page", "url": "http://localhost/", **fields}
    return {**entry, "active": True} if active else entry


def opened(number: int) -> Json:
    return {"type": "tab_opened", "tab_id": f"t{number}"}


def state(*tabs: Json, changes: list[Json] | None = None) -> Json:
    block: Json = {"type": "browser_state", "tabs": list(tabs)}
    return block if changes is None else {**block, "state_changes": changes}


ONE = state(tab(1, active=True))
TAKEN = {
    "an action without a state": ("left_click", [text("Clicked.")]),
    "an action with a state": ("left_click", [text("Clicked."), ONE]),
    "a list of tabs": ("list_tabs", [state(tab(1), tab(2, active=True))]),
    "no tabs at all": ("close_tab", [state()]),
    "a new tab": ("new_tab", [state(tab(1), tab(2, active=True), changes=[opened(2)])]),
    "a download": ("left_click", [text("Clicked."), state(tab(1, active=True), changes=[STARTED])]),
    "a hundred tabs": ("list_tabs", [state(tab(0, active=True), *map(tab, range(1, 100)))]),
}
REFUSED = {
    "two states": ("left_click", [ONE, ONE], "at most one"),
    "a list of tabs in words": ("list_tabs", [text("One tab.")], "exactly one browser_state"),
    "words beside the tabs": ("switch_tab", [text("Switched."), ONE], "exactly one browser_state"),
    "a picture beside the tabs": ("close_tab", [ONE, picture(8, 8)], "cannot hold an image"),
    "no active tab": ("list_tabs", [state(tab(1), tab(2))], "exactly one tab"),
    "two active tabs": ("list_tabs", [state(tab(1, active=True), tab(2, active=True))], "exactly one tab"),
    "a tab twice": ("list_tabs", [state(tab(1, active=True), tab(1))], "tab_id twice"),
    "too many tabs": ("list_tabs", [state(tab(0, active=True), *map(tab, range(1, 101)))], "limit is 100"),
    "a long title": ("list_tabs", [state(tab(1, active=True, title="x" * 4097))], "limit is 4096"),
    "a control character": ("list_tabs", [state(tab(1, active=True, title="a\nb"))], "control character"),
    "no changes": ("left_click", [state(tab(1, active=True), changes=[])], "or is left out"),
    "too many changes": (
        "left_click",
        [state(tab(1, active=True), changes=[{**STARTED, "download_id": str(n)} for n in range(201)])],
        "1 to 200",
    ),
    "a download twice": ("left_click", [state(tab(1, active=True), changes=[STARTED, STARTED])], "twice"),
    "an opened tab that is not open": ("left_click", [state(tab(1, active=True), changes=[opened(9)])], "tab_opened"),
    "a new tab that is not active": (
        "new_tab",
        [state(tab(1, active=True), tab(2), changes=[opened(2)])],
        "active tab",
    ),
    "a new tab that is not told": ("new_tab", [state(tab(1, active=True))], "must report one tab_opened"),
}


def conversation(stand_in: StandIn, call: Json, answer: Json) -> Json:
    return request(HELLO, told(stand_in, call), answers(answer), tools=[BROWSER, COMPUTER])


@pytest.mark.parametrize(("name", "content"), TAKEN.values(), ids=TAKEN)
def test_a_state_that_meets_the_rules_is_taken(stand_in: StandIn, name: str, content: list[Any]) -> None:
    stand_in.play(says("I see."))
    call = member("browser", name)
    response = ask(stand_in, conversation(stand_in, call, result(call, content)))
    assert response.status_code == 200, response.text


@pytest.mark.parametrize(("name", "content", "words"), REFUSED.values(), ids=REFUSED)
def test_a_state_that_breaks_a_rule_is_refused(stand_in: StandIn, name: str, content: list[Any], words: str) -> None:
    stand_in.expect(refusals=1)
    call = member("browser", name)
    assert words in refusal_of(ask(stand_in, conversation(stand_in, call, result(call, content))))


def test_a_state_on_a_result_of_the_computer_is_refused(stand_in: StandIn) -> None:
    stand_in.expect(refusals=1)
    call = member("computer", "left_click")
    assert "only allowed" in refusal_of(ask(stand_in, conversation(stand_in, call, result(call, [text("Ok."), ONE]))))


def test_a_state_on_an_error_is_refused(stand_in: StandIn) -> None:
    stand_in.expect(refusals=1)
    call = member("browser", "left_click")
    response = ask(stand_in, conversation(stand_in, call, result(call, [text("No."), ONE], error=True)))
    assert "if `is_error` is true" in refusal_of(response)


def test_a_tab_member_that_failed_answers_in_words(stand_in: StandIn) -> None:
    stand_in.play(says("I see."))
    call = member("browser", "switch_tab")
    assert ask(stand_in, conversation(stand_in, call, result(call, "No such tab.", error=True))).status_code == 200
