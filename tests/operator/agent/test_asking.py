"""Questions to a person while a run goes on: the person is a thread at the other end of a real pseudo-terminal."""

from __future__ import annotations

import asyncio
import os
import select
from collections.abc import Iterator

import pytest

from standin.script import CutReply, calls, function, says

from .conftest import Played, Player
from .scripts import note

BOUND_S = 60.0
PROMPT = "when it is done: "


class Person:
    """`path` is the side that is asked on."""

    def __init__(self) -> None:
        self._own, self._asked = os.openpty()
        self.path = os.ttyname(self._asked)
        self.shown = ""

    def answer(self, text: str) -> None:
        """Wait for the question, then type."""
        while PROMPT not in self.shown:
            ready, _, _ = select.select([self._own], [], [], BOUND_S)
            assert ready, f"nothing was asked; shown: {self.shown!r}"
            self.shown += os.read(self._own, 4096).decode()
        os.write(self._own, text.encode())

    def close(self) -> None:
        os.close(self._own)
        os.close(self._asked)


@pytest.fixture
def person() -> Iterator[Person]:
    person = Person()
    yield person
    person.close()


async def play_with(player: Player, person: Person, answer: str) -> Played:
    player.terminal = person.path
    played, _ = await asyncio.gather(player.play(), asyncio.to_thread(person.answer, answer))
    return played


async def test_a_person_is_asked_and_the_run_goes_on_from_what_is_there_then(
    at_desktop: Player, person: Person
) -> None:
    at_desktop.stand_in.play(calls(function("ask_person", question="Which code\u202e?")), says("Done."))
    played = await play_with(at_desktop, person, "4711\n")
    assert played.ending.status == "succeeded"
    assert "Which code" in person.shown
    assert "\u202e" not in person.shown
    (result,) = at_desktop.stand_in.requests[1].results
    assert [block["type"] for block in result["content"]] == ["text", "text", "image"]
    assert result["content"][0]["text"] == "The person answered: 4711"


async def test_a_person_may_only_say_that_it_is_done(player: Player, person: Person) -> None:
    player.stand_in.play(calls(function("ask_person", question="Log in, please.")), says("Done."))
    await play_with(player, person, "\n")
    (result,) = player.stand_in.requests[1].results
    assert result["content"][0]["text"] == "The person says that it is done."


async def test_calls_that_need_asking_do_not_begin_before_their_reply_is_whole(player: Player) -> None:
    player.rules = ["bash=ask"]
    player.stand_in.allow_pruning()
    player.stand_in.play(CutReply(calls(note("one"), note("two")), 12), calls(note("three")), says("Done."))
    played = await player.play(eager=True)
    assert played.ending.status == "succeeded"
    assert [event["input"]["command"] for event in played.events_of("call_started")] == ["echo three >> ran"]
    assert player.ran() == []  # nobody was there to say yes
