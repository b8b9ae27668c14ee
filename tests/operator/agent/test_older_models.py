"""Models that take only the one computer tool of November 2025: the same executor behind it, on a desktop."""

from __future__ import annotations

from typing import Any

import pytest

from gui_operator.agent.models import facts_of
from gui_operator.agent.settings import SettingsRefused, settings_of
from gui_operator.jobs import JobDraft
from gui_operator.toolsets.single_computer import BETA, NOT_EXECUTED
from standin.blocks import Json, content_blocks
from standin.script import calls, function, says

from .conftest import Player
from .scripts import note

OLDER: dict[str, Any] = {"facts": facts_of("claude-opus-4-7"), "betas": (BETA,)}


def act(action: str, **fields: Any) -> Json:
    return function("computer", action=action, **fields)


def kinds(result: Json) -> list[str]:
    return [block["type"] for block in content_blocks(result)]


@pytest.mark.parametrize("eager", [False, True])
async def test_each_action_is_carried_out_and_recorded_as_the_toolset_s_member(at_desktop: Player, eager: bool) -> None:
    at_desktop.stand_in.play(
        calls(
            act("left_click", coordinate=[10, 20]),
            act("cursor_position"),
            act("screenshot"),
            act("zoom", region=[0, 0, 64, 40]),
        ),
        says("Done."),
    )
    played = await at_desktop.play(**OLDER, eager=eager)
    assert played.ending.status == "succeeded"
    declared = at_desktop.stand_in.requests[0].conversation.tools[0]
    assert declared == {
        "type": "computer_20251124",
        "name": "computer",
        "display_width_px": 640,
        "display_height_px": 400,
        "enable_zoom": True,
    }
    results = at_desktop.stand_in.requests[1].results
    assert [kinds(result) for result in results] == [["text"], ["text"], ["image"], ["image"]]
    assert "X=10,Y=20" in str(results[1]["content"])
    started = played.events_of("call_started")
    assert [(event["toolset"], event["name"]) for event in started] == [
        ("computer", name) for name in ("left_click", "cursor_position", "screenshot", "zoom")
    ]
    assert [event["id"] for event in started] == [result["tool_use_id"] for result in results]


async def test_after_a_failure_the_rest_of_the_turn_is_not_acted_on(at_desktop: Player) -> None:
    at_desktop.stand_in.play(
        calls(act("left_click", coordinate=[9999, 1]), act("mouse_move", coordinate=[5, 5]), note("one")),
        calls(act("mouse_move", coordinate=[7, 7]), act("cursor_position")),
        says("Done."),
    )
    await at_desktop.play(**OLDER)
    first, second = at_desktop.stand_in.requests[1].results, at_desktop.stand_in.requests[2].results
    assert [bool(result.get("is_error")) for result in first] == [True, True, False]
    assert NOT_EXECUTED in str(first[1]["content"])
    assert "X=7,Y=7" in str(second[1]["content"])


async def test_what_is_no_action_is_refused(at_desktop: Player) -> None:
    at_desktop.stand_in.play(calls(act("fly")), calls(function("computer", coordinate=[1, 1])), says("Done."))
    await at_desktop.play(**OLDER)
    for request in at_desktop.stand_in.requests[1:]:
        assert request.results[0]["is_error"] is True


async def test_the_rules_of_the_members_count(at_desktop: Player) -> None:
    at_desktop.rules = ["computer.left_click=deny"]
    at_desktop.stand_in.play(calls(act("left_click", coordinate=[1, 1])), says("Done."))
    await at_desktop.play(**OLDER)
    assert "rules do not permit it" in str(at_desktop.stand_in.requests[1].results[0]["content"])


async def test_a_turn_that_acts_and_does_not_look_is_given_a_screenshot_here_too(at_desktop: Player) -> None:
    at_desktop.stand_in.play(calls(act("mouse_move", coordinate=[1, 1])), says("Done."))
    await at_desktop.play(**OLDER)
    assert kinds(at_desktop.stand_in.requests[1].results[0]) == ["text", "image"]


def test_a_job_for_a_browser_is_refused_for_such_a_model() -> None:
    draft = JobDraft({"task": "Look.", "environment": "browser", "model": "claude-opus-4-7"})
    with pytest.raises(SettingsRefused, match="for desktops alone"):
        settings_of(draft.job(), "Look.")
    settings = settings_of(JobDraft({"task": "Look.", "model": "claude-opus-4-7"}).job(), "Look.")
    assert settings.betas == (BETA,)
    assert "thinking" not in settings.request_fields()
