"""Requests that come again by themselves are told from those that an action made, by what was seen before."""

from __future__ import annotations

import pytest

from gui_environments.browser.tabs.recurring import Recurrence, likeness

POLL = "GET http://a.test/poll?"


def polled(times: list[float], acting: bool = False) -> Recurrence:
    recurrence = Recurrence()
    for at in times:
        recurrence.begin(POLL, at, acting=acting)
    return recurrence


def test_a_request_that_came_at_a_pace_before_comes_by_itself_again() -> None:
    recurrence = polled([0, 1, 2, 3])
    assert all(recurrence.begin(POLL, at, acting=True) for at in (4, 5.2, 6))


def test_what_is_asked_for_between_two_polls_is_somebody_elses() -> None:
    recurrence = polled([0, 1, 2, 3])
    assert not recurrence.begin(POLL, 3.2, acting=True)
    assert recurrence.begin(POLL, 4, acting=True)


def test_the_longer_a_page_has_polled_the_later_it_may_be() -> None:
    assert not polled([n / 10 for n in range(4)]).begin(POLL, 1.5, acting=True)
    assert polled([n / 10 for n in range(40)]).begin(POLL, 3.9 + 1.5, acting=True)


def test_what_was_told_late_and_at_once_is_still_a_pace() -> None:
    recurrence = polled([0, 0.1, 0.2, 0.3, 0.8, 0.8, 0.8, 0.8])
    assert recurrence.begin(POLL, 0.8, acting=True)


def test_a_page_that_stopped_and_began_again_is_seen_anew() -> None:
    recurrence = polled([0, 0.1, 0.2, 0.3, 9, 9.1])
    assert not recurrence.begin(POLL, 9.2, acting=True)


def test_what_actions_asked_for_is_no_pace() -> None:
    recurrence = polled([0, 1, 2, 3, 4, 5], acting=True)
    assert not recurrence.begin(POLL, 6, acting=True)


@pytest.mark.parametrize(
    ("times", "then"),
    [([0, 1, 2], 3), ([0, 0.001, 0.002, 0.003], 0.01), ([0, 0.1, 0.2, 0.3], 4)],
    ids=["too few", "a burst", "long ago"],
)
def test_what_is_no_pace_yet_or_no_more_is_an_actions(times: list[float], then: float) -> None:
    assert not polled(times).begin(POLL, then, acting=True)


def test_other_requests_are_not_taken_for_the_poll() -> None:
    assert not polled([0, 1, 2, 3]).begin("GET http://a.test/save?", 4, acting=True)


def test_a_long_poll_begins_again_at_once_after_its_answer() -> None:
    recurrence = polled([0])
    recurrence.answer(POLL, 0, 25)
    assert recurrence.begin(POLL, 25.01, acting=True)
    assert not polled([0]).begin(POLL, 25.01, acting=True)


def test_a_short_request_is_no_long_poll_and_one_that_comes_later_is_not_its_next() -> None:
    recurrence = polled([0])
    recurrence.answer(POLL, 0, 0.3)
    assert not recurrence.begin(POLL, 0.31, acting=True)
    recurrence.answer(POLL, 0.31, 5)
    assert not recurrence.begin(POLL, 8, acting=True)


def test_what_a_page_writes_at_length_is_remembered_in_part() -> None:
    alike = likeness("POST", "http://a.test/p?q=" + "a" * 1_000_000, b"b" * 1_000_000)
    assert len(alike) < 10_000


def test_a_page_that_asks_for_ever_new_things_is_remembered_in_part() -> None:
    recurrence = polled([0, 1, 2, 3])
    for number in range(1_000):
        recurrence.begin(f"GET http://a.test/{number}", 3.5, acting=False)
    assert not recurrence.begin(POLL, 4, acting=True)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("GET", "http://a.test/p?t=1764531712&w=news", None), ("GET", "http://a.test/p?t=1764531812&w=news", None)),
        (
            ("GET", "http://a.test/p?transport=polling&t=OabX", None),
            ("GET", "http://a.test/p?transport=polling&t=PcdY", None),
        ),
        (
            ("POST", "http://a.test/rpc", b'{"at": 1764531712, "do": "poll"}'),
            ("POST", "http://a.test/rpc", b'{"at": 1764531812, "do": "poll"}'),
        ),
        (("GET", "http://a.test/p?t=9f8a7b6c", None), ("GET", "http://a.test/p?t=1d2e3f4a", None)),
        (("POST", "http://a.test/rpc", b"\xff\x00"), ("POST", "http://a.test/rpc", b"\xff\x00")),
    ],
)
def test_times_and_tokens_do_not_tell_requests_apart(
    one: tuple[str, str, bytes | None], other: tuple[str, str, bytes | None]
) -> None:
    assert likeness(*one) == likeness(*other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("GET", "http://a.test/p?do=poll", None), ("GET", "http://a.test/p?do=load", None)),
        (("GET", "http://a.test/p?page=1", None), ("GET", "http://a.test/p?page=2", None)),
        (("POST", "http://a.test/rpc", b'{"page": 1}'), ("POST", "http://a.test/rpc", b'{"page": 2}')),
        (("GET", "http://a.test/item/1", None), ("GET", "http://a.test/item/2", None)),
        (("GET", "http://a.test/p", None), ("POST", "http://a.test/p", None)),
        (("GET", "http://a.test/p", None), ("GET", "http://b.test/p", None)),
        (("POST", "http://a.test/rpc", b'{"do": "poll"}'), ("POST", "http://a.test/rpc", b'{"do": "save"}')),
    ],
)
def test_words_numbers_methods_and_places_tell_requests_apart(
    one: tuple[str, str, bytes | None], other: tuple[str, str, bytes | None]
) -> None:
    assert likeness(*one) != likeness(*other)
