"""No secret is in what a tool answers, whoever made it and however it ends, in the recording of it, in what an approver
is asked, or in the messages of the command."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from anthropic import beta_async_tool
from anthropic.tools import ToolError
from anthropic.types.beta import BetaToolUseBlock

from gui_environments.browser.watching.dialog_rules import DialogQuestion
from gui_environments.errors import ActionFailed
from gui_operator.cli.logs import keep_from_messages
from gui_operator.policy import Answer, CallRequest, Gate, Rules, Secret, Secrets, Terminal, TerminalDialogs
from gui_operator.policy.terminal import Question
from gui_operator.recording import Recording
from gui_operator.toolsets import guarded
from gui_operator.turn import Toolbox, run_turn

MakeCall = Callable[..., BetaToolUseBlock]

VALUE = "hunter2 canary"


@pytest.fixture
def secrets() -> Secrets:
    return Secrets([Secret("PASSWORD", VALUE)])


def ending_with(end: Any) -> Any:
    @beta_async_tool
    async def tells(said: str = "") -> Any:
        """Tells."""
        if isinstance(end, Exception):
            raise end
        return end

    return tells


PICTURE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aHVudGVyMiBjYW5hcnk="}}
ENDS = {
    "a text": f"it is {VALUE}",
    "blocks": [{"type": "text", "text": f"it is {VALUE}"}, PICTURE],
    "an error for the model": ToolError(f"it is {VALUE}"),
    "an error of an environment": ActionFailed(f"it is {VALUE}"),
    "any error": KeyError(f"it is {VALUE}"),
}


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS.keys())
async def test_nothing_that_a_tool_answers_holds_a_secret_nor_does_its_recording(
    call: MakeCall, tmp_path: Path, secrets: Secrets, caplog: pytest.LogCaptureFixture, end: object
) -> None:
    with Recording.open(tmp_path, redact=secrets.masking) as recording:
        gate = Gate.allowing_all(on_decision=recording.decided)
        tool = guarded(ending_with(end), gate=gate, recording=recording, secrets=secrets)
        block = call("tells", said=f"the model says {VALUE}")
        (result,) = await run_turn([block], Toolbox.of(tool, recording=recording))
    assert "it is [secret PASSWORD]" in str(result)
    assert VALUE not in str(result)
    events = (tmp_path / "events.jsonl").read_text()
    assert "the model says [secret PASSWORD]" in events
    assert VALUE not in events
    if end == ENDS["blocks"]:
        assert PICTURE in result["content"], "pictures are as they are"


async def test_an_approver_of_ones_own_is_shown_no_secret_and_its_words_show_none(secrets: Secrets) -> None:
    asked: list[CallRequest] = []

    class Person:
        async def ask(self, request: CallRequest) -> Answer:
            asked.append(request)
            return Answer(False)

    gate = Gate(Rules.parse(["ask"], otherwise="allow"), Person(), masking=secrets.masking)
    given = {"command": f"login {VALUE}", "env": {VALUE: [VALUE, 7]}}
    await gate.decide(CallRequest(None, "bash", "shell", given))
    mark = "[secret PASSWORD]"
    assert [request.input for request in asked] == [{"command": f"login {mark}", "env": {mark: [mark, 7]}}]


async def test_a_dialog_that_is_asked_about_is_shown_without_secrets(secrets: Secrets) -> None:
    shown: list[str] = []

    class Screen(Terminal):
        async def ask(self, question: Question[Any]) -> None:
            shown.append(question.text)

    dialogs = TerminalDialogs(Screen(), secrets.masking)
    await dialogs.ask(DialogQuestion("tab_1", f"http://x.test/?p={VALUE}", "prompt", f"is it {VALUE}?", VALUE))
    assert shown
    assert VALUE not in shown[0]
    assert shown[0].count("[secret PASSWORD]") == 3


def test_messages_and_traces_hold_no_secret(secrets: Secrets, monkeypatch: pytest.MonkeyPatch) -> None:
    said = StringIO()
    monkeypatch.setattr(sys, "stderr", said)
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(logging, "raiseExceptions", logging.raiseExceptions)
    monkeypatch.setattr(logging.getLogger(), "handlers", [logging.StreamHandler(said)])
    messages = logging.getLogger("gui_operator.test")
    keep_from_messages(secrets.masking)
    try:
        {}[VALUE]
    except KeyError as error:
        messages.exception("it was %s", VALUE)
        messages.error("not so many words: %s %s", VALUE)  # logging itself would show it then
        sys.excepthook(type(error), error, error.__traceback__)
    assert VALUE not in said.getvalue()
    assert "gui-operator: ERROR: it was [secret PASSWORD]" in said.getvalue()
    assert said.getvalue().count("KeyError: '[secret PASSWORD]'") == 2
