"""Who speaks when, assistant turns as they were sent, and one true result a call."""

from __future__ import annotations

from typing import Any

import pytest

from standin.asking import BASH, BROWSER, COMPUTER, HELLO, answers, ask, picture, refusal_of, request, result, told
from standin.blocks import Json
from standin.results import HALT_TEXTS
from standin.script import function, member, says, text, thinking
from standin.server import StandIn

TOOLS = [COMPUTER, BROWSER, BASH]
HALT = HALT_TEXTS["computer"]


def refused(stand_in: StandIn, *messages: Json) -> str:
    stand_in.expect(refusals=1)
    return refusal_of(ask(stand_in, request(*messages, tools=TOOLS)))


def accepted(stand_in: StandIn, *messages: Json) -> None:
    stand_in.play(says("Go on."))
    response = ask(stand_in, request(*messages, tools=TOOLS))
    assert response.status_code == 200, response.text


def clicks(count: int) -> list[Json]:
    return [member("computer", "left_click", coordinate=[number, 0]) for number in range(count)]


def test_calls_of_several_tools_answered_in_order_are_taken(stand_in: StandIn) -> None:
    click, shot, command = clicks(1)[0], member("computer", "screenshot"), function("bash", command="ls")
    turn = told(stand_in, thinking("Well."), text("Look."), click, shot, command)
    results = answers(result(click), result(shot, [picture(64, 64)]), result(command), text("And now?"))
    accepted(stand_in, HELLO, turn, results)


def test_an_unanswered_call_is_refused(stand_in: StandIn) -> None:
    first, second = clicks(2)
    message = refused(stand_in, HELLO, told(stand_in, first, second), answers(result(first)))
    assert second["id"] in message
    assert "without `tool_result`" in message


def test_a_system_message_between_calls_and_results_is_refused(stand_in: StandIn) -> None:
    [call] = clicks(1)
    note = {"role": "system", "content": "Hurry."}
    message = refused(stand_in, HELLO, told(stand_in, call), note, answers(result(call)))
    assert "without `tool_result`" in message


def test_a_call_left_at_the_end_is_refused(stand_in: StandIn) -> None:
    assert "must end with a user message" in refused(stand_in, HELLO, told(stand_in, *clicks(1)))


def test_a_result_for_an_unknown_call_is_refused(stand_in: StandIn) -> None:
    stranger = function("bash", command="ls")
    assert "unexpected `tool_use_id`" in refused(
        stand_in, HELLO, told(stand_in, text("Hi.")), answers(result(stranger))
    )


def test_two_results_for_one_call_are_refused(stand_in: StandIn) -> None:
    [call] = clicks(1)
    message = refused(stand_in, HELLO, told(stand_in, call), answers(result(call), result(call)))
    assert "must have a single result" in message


def test_results_out_of_order_are_refused(stand_in: StandIn) -> None:
    first, second = clicks(2)
    message = refused(stand_in, HELLO, told(stand_in, first, second), answers(result(second), result(first)))
    assert "in the order" in message


def test_words_before_results_are_refused(stand_in: StandIn) -> None:
    [call] = clicks(1)
    message = refused(stand_in, HELLO, told(stand_in, call), answers(text("So:"), result(call)))
    assert "before other content" in message


@pytest.mark.parametrize("name", [None, "browser"])
def test_a_members_result_without_its_toolset_name_is_refused(stand_in: StandIn, name: str | None) -> None:
    [call] = clicks(1)
    answer = {**result(call), "toolset_name": name}
    assert "toolset_name must be 'computer'" in refused(stand_in, HELLO, told(stand_in, call), answers(answer))


def test_a_toolset_name_on_the_result_of_another_tool_is_refused(stand_in: StandIn) -> None:
    call = function("bash", command="ls")
    answer = {**result(call), "toolset_name": "computer"}
    assert "is not allowed" in refused(stand_in, HELLO, told(stand_in, call), answers(answer))


@pytest.mark.parametrize(
    "content",
    ["", [], [picture(8, 8)], [text("No."), picture(8, 8)]],
    ids=["empty", "nothing", "a picture", "words and a picture"],
)
def test_an_error_that_is_not_words_is_refused(stand_in: StandIn, content: Any) -> None:
    [call] = clicks(1)
    message = refused(stand_in, HELLO, told(stand_in, call), answers(result(call, content, error=True)))
    assert "if `is_error` is true" in message


def test_an_empty_text_in_a_result_is_refused(stand_in: StandIn) -> None:
    [call] = clicks(1)
    message = refused(stand_in, HELLO, told(stand_in, call), answers(result(call, [text("Done."), text("")])))
    assert "must be non-empty" in message


@pytest.mark.parametrize("name", ["screenshot", "zoom"])
def test_a_screenshot_without_a_picture_is_refused(stand_in: StandIn, name: str) -> None:
    call = member("computer", name)
    message = refused(stand_in, HELLO, told(stand_in, call), answers(result(call, "Here.")))
    assert "must hold an image" in message


def test_a_screenshot_that_failed_needs_no_picture(stand_in: StandIn) -> None:
    call = member("computer", "screenshot")
    accepted(stand_in, HELLO, told(stand_in, call), answers(result(call, "The display is gone.", error=True)))


def test_calls_after_a_failure_that_say_so_are_taken(stand_in: StandIn) -> None:
    first, second = clicks(2)
    command, page = function("bash", command="ls"), member("browser", "left_click")
    results = [result(first, "No.", error=True), result(command), result(second, HALT, error=True), result(page)]
    accepted(stand_in, HELLO, told(stand_in, first, command, second, page), answers(*results))


@pytest.mark.parametrize("words", ["Skipped.", HALT_TEXTS["browser"], HALT + " "])
def test_another_halt_text_is_refused(stand_in: StandIn, words: str) -> None:
    first, second = clicks(2)
    results = answers(result(first, "No.", error=True), result(second, words, error=True))
    assert "must be 'Not executed" in refused(stand_in, HELLO, told(stand_in, first, second), results)


def test_a_call_that_ran_after_a_failure_is_refused(stand_in: StandIn) -> None:
    first, second = clicks(2)
    results = answers(result(first, "No.", error=True), result(second))
    assert "must not have run" in refused(stand_in, HELLO, told(stand_in, first, second), results)


def test_a_halt_without_a_failure_is_refused(stand_in: StandIn) -> None:
    [call] = clicks(1)
    message = refused(stand_in, HELLO, told(stand_in, call), answers(result(call, HALT, error=True)))
    assert "no earlier computer call" in message


def test_a_malformed_call_of_a_toolset_halts_it(stand_in: StandIn) -> None:
    malformed, [click] = function("computer", action="left_click"), clicks(1)
    results = answers(result(malformed, "No.", error=True), result(click))
    assert "must not have run" in refused(stand_in, HELLO, told(stand_in, malformed, click), results)


@pytest.mark.parametrize(
    "change", [{"input": {"coordinate": [1, 0]}}, {"name": "right_click"}, {"id": "toolu_x"}], ids=str
)
def test_a_changed_call_is_refused(stand_in: StandIn, change: Json) -> None:
    [call] = clicks(1)
    told(stand_in, call)
    changed = {**call, **change}
    message = refused(stand_in, HELLO, {"role": "assistant", "content": [changed]}, answers(result(changed)))
    assert "not one that was sent" in message


def test_an_assistant_turn_without_its_thinking_is_refused(stand_in: StandIn) -> None:
    thought, words = thinking("Well."), text("Hi.")
    told(stand_in, thought, words)
    message = refused(stand_in, HELLO, {"role": "assistant", "content": [words]}, HELLO)
    assert "was changed" in message


def test_assistant_turns_that_changed_places_are_refused(stand_in: StandIn) -> None:
    first, second = told(stand_in, text("One.")), told(stand_in, text("Two."))
    assert "messages.3" in refused(stand_in, HELLO, second, HELLO, first, HELLO)


def test_an_old_turn_may_be_left_out(stand_in: StandIn) -> None:
    told(stand_in, text("One."))
    accepted(stand_in, HELLO, told(stand_in, text("Two.")), HELLO)


def test_a_breakpoint_does_not_change_an_assistant_turn(stand_in: StandIn) -> None:
    words = text("Hi.")
    told(stand_in, words)
    marked = {**words, "cache_control": {"type": "ephemeral"}, "citations": None}
    accepted(stand_in, HELLO, {"role": "assistant", "content": [marked]}, HELLO)


def test_the_beginning_of_a_reply_that_was_cut_may_come_back(stand_in: StandIn) -> None:
    told(stand_in, text("A long story."), *clicks(1), cut=True)
    accepted(stand_in, HELLO, {"role": "assistant", "content": [text("A long")]}, HELLO)


def test_the_beginning_of_a_whole_reply_may_not_come_back(stand_in: StandIn) -> None:
    told(stand_in, text("A long story."))
    assert "was changed" in refused(stand_in, HELLO, {"role": "assistant", "content": [text("A long")]}, HELLO)


def test_two_user_messages_in_a_row_are_refused(stand_in: StandIn) -> None:
    assert "roles must alternate" in refused(stand_in, HELLO, HELLO)


def test_a_conversation_that_begins_with_the_assistant_is_refused(stand_in: StandIn) -> None:
    assert "first message" in refused(stand_in, told(stand_in, text("Hi.")), HELLO)


def test_no_messages_are_refused(stand_in: StandIn) -> None:
    assert "at least one message" in refused(stand_in)


def test_a_paused_turn_comes_back_unchanged_and_goes_on(stand_in: StandIn) -> None:
    paused = told(stand_in, text("Searching."), paused=True)
    accepted(stand_in, HELLO, paused)
    accepted(stand_in, HELLO, paused, told(stand_in, text("Found it.")), HELLO)


def test_words_instead_of_going_on_with_a_paused_turn_are_refused(stand_in: StandIn) -> None:
    paused = told(stand_in, text("Searching."), paused=True)
    assert "must be continued first" in refused(stand_in, HELLO, paused, HELLO)


@pytest.mark.parametrize("content", ["", [], [text("")]], ids=str)
def test_an_empty_user_message_is_refused(stand_in: StandIn, content: Any) -> None:
    assert "non-empty" in refused(stand_in, {"role": "user", "content": content})


def test_a_call_in_a_user_message_is_refused(stand_in: StandIn) -> None:
    assert "only allowed in assistant" in refused(stand_in, answers(*clicks(1)))


def test_a_role_that_does_not_exist_is_refused(stand_in: StandIn) -> None:
    assert "messages.0: Input tag 'robot'" in refused(stand_in, {"role": "robot", "content": "Hi"})
