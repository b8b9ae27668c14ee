"""The person is a thread at the other end of a real pseudo-terminal."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from gui_operator.policy import Answer, CallRequest, TerminalApprover
from gui_operator.policy.terminal_approver import question_text
from gui_operator.policy.visible import visible

CALL = CallRequest(None, "bash", "shell", {"command": "rm -r \u202e/tmp\nls", "note": "a\u200bb"})
BOUND_S = 10.0
PROMPT = "a reason: "


class Terminal:
    """A pseudo-terminal: `path` is the side that is asked on, the methods are the person's side."""

    def __init__(self) -> None:
        self._person, self._asked = os.openpty()
        self.path = os.ttyname(self._asked)
        self.shown = ""

    def read_until(self, text: str, *, count: int = 1) -> None:
        while self.shown.count(text) < count:
            ready, _, _ = select.select([self._person], [], [], BOUND_S)
            assert ready, f"{text!r} was never shown; shown: {self.shown!r}"
            self.shown += os.read(self._person, 4096).decode()

    def type(self, text: str) -> None:
        os.write(self._person, text.encode())

    def stop(self) -> None:
        """Ctrl-S: nothing more can be written to it."""
        self.type("\x13")
        self._wait_until(writable=False)

    def go_on(self) -> None:
        """Ctrl-Q. What is typed and not taken in yet is thrown away with the next question."""
        self.type("\x11")
        self._wait_until(writable=True)

    def _wait_until(self, *, writable: bool) -> None:
        end = time.monotonic() + BOUND_S
        while bool(select.select([], [self._asked], [], 0)[1]) is not writable:
            assert time.monotonic() < end
            time.sleep(0.001)

    def close(self) -> None:
        os.close(self._person)
        os.close(self._asked)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    with contextlib.closing(Terminal()) as terminal:
        yield terminal


async def answer_of(terminal: Terminal, *lines: str) -> Answer:
    asking = asyncio.ensure_future(TerminalApprover(terminal.path).ask(CALL))
    for number, line in enumerate(lines, start=1):
        await asyncio.to_thread(terminal.read_until, PROMPT, count=number)
        terminal.type(line)
    return await asyncio.wait_for(asking, BOUND_S)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("y\n", Answer(True)),
        ("YES\n", Answer(True)),
        ("n\n", Answer(False)),
        ("no, use the other folder\n", Answer(False, reason="use the other folder")),
        ("n not now\n", Answer(False, reason="not now")),
        ("a\n", Answer(True, again=True)),
        ("\x1b[?62;22cy\n", Answer(True)),
    ],
)
async def test_the_person_answers_yes_or_no_with_a_reason(terminal: Terminal, line: str, answer: Answer) -> None:
    assert await answer_of(terminal, line) == answer


async def test_anything_else_is_asked_again_and_in_the_end_is_no(terminal: Terminal) -> None:
    assert await answer_of(terminal, "\n", "yes but only once\n", "again but not there\n") == Answer(False)


async def test_what_was_typed_before_the_question_is_no_answer(terminal: Terminal) -> None:
    terminal.type("y\n")
    assert await answer_of(terminal, "n\n") == Answer(False)


async def test_the_call_is_shown_whole_with_what_cannot_be_seen_spelled_out(terminal: Terminal) -> None:
    await answer_of(terminal, "n\n")
    assert "bash (shell)" in terminal.shown
    assert r'command: "rm -r \u{202e}/tmp\nls"' in terminal.shown
    assert r'note: "a\u{200b}b"' in terminal.shown


async def test_a_cancelled_question_ends_at_once_and_the_next_one_can_be_asked(terminal: Terminal) -> None:
    approver = TerminalApprover(terminal.path)
    asking = asyncio.ensure_future(approver.ask(CALL))
    await asyncio.to_thread(terminal.read_until, PROMPT)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(asking, BOUND_S)
    terminal.shown = ""
    again = asyncio.ensure_future(approver.ask(CALL))
    await asyncio.to_thread(terminal.read_until, PROMPT)
    terminal.type("y\n")
    assert await asyncio.wait_for(again, BOUND_S) == Answer(True)


async def test_a_terminal_that_is_stopped_holds_nothing_up(terminal: Terminal) -> None:
    approver = TerminalApprover(terminal.path)
    terminal.stop()
    asking = asyncio.ensure_future(approver.ask(CALL))
    await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(asking, BOUND_S)
    terminal.go_on()
    assert await answer_of(terminal, "y\n") == Answer(True)


def test_without_a_terminal_the_answer_is_no_and_standard_input_is_left_alone() -> None:
    program = (
        "import asyncio, sys\n"
        "from gui_operator.policy import CallRequest, TerminalApprover\n"
        "print(asyncio.run(TerminalApprover().ask(CallRequest(None, 'bash', 'shell', {}))))\n"
        "print(sys.stdin.read())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        input="y\n", capture_output=True, text=True, start_new_session=True, timeout=60, check=True,
    )  # fmt: skip
    assert done.stdout == f"{Answer(False, 'nobody')}\ny\n\n"


@pytest.mark.parametrize(
    "unseen",
    [
        "\u202e",
        "\u200b",
        "\u2066",
        "\x1b",
        "\x07",
        "\ud800",
        "\u3164",
        "\u115f",
        "\ufe0f",
        "\U000e0041",
        "\u00ad",
        "\u00a0",
    ],
)
def test_a_character_that_cannot_be_seen_is_written_as_its_code_point(unseen: str) -> None:
    assert visible(f"a{unseen}b") == f"a\\u{{{ord(unseen):x}}}b"


def test_what_can_be_seen_is_left_as_it_is() -> None:
    text = "Grüße, 世界! مرحبا 😀 ñ a b"
    assert visible(text) == text


def test_a_field_name_cannot_pose_as_another_line() -> None:
    text = question_text(CallRequest(None, "bash", "shell", {"x\n  command": "ls"}))
    assert text.count("\n") == 1
