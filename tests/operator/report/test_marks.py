from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gui_operator.report.marks import Marks, marks_of, scenes_of
from gui_operator.report.run import RecordedCall, RecordedPicture


def call(number: int, title: str, picture: str = "", tab: str | None = None, **given: Any) -> RecordedCall:
    toolset, _, name = title.rpartition(".")
    pictures = (RecordedPicture(picture, "image/png"),) if picture else ()
    return RecordedCall(number, toolset or None, name, given, tab=tab, shown_tab=tab, pictures=pictures)


@pytest.mark.parametrize(
    ("given", "marks"),
    [
        ({"coordinate": [3, 4]}, Marks(((3, 4),))),
        ({"coordinate": [0, 0], "text": "ctrl"}, Marks(((0, 0),))),
        ({"start_coordinate": [1, 2], "coordinate": [3, 4]}, Marks(((1, 2), (3, 4)))),
        ({"target": {"type": "coordinate", "x": 5, "y": 6}}, Marks(((5, 6),))),
        (
            {"target": {"type": "coordinate", "x": 5, "y": 6}, "from": {"type": "coordinate", "x": 1, "y": 2}},
            Marks(((1, 2), (5, 6))),
        ),
        ({"region": [1, 2, 3, 4]}, Marks((), (1, 2, 3, 4))),
        ({"target": {"type": "ref", "ref": "ref_1"}}, Marks()),
        ({"coordinate": ["1", 2]}, Marks()),
        ({"coordinate": [True, 2]}, Marks()),
        ({"coordinate": [1]}, Marks()),
        ({"coordinate": "1,2"}, Marks()),
        ({"target": {"type": "coordinate", "x": 5}}, Marks()),
        ({"region": [1, 2, 3]}, Marks()),
        ({"text": "a"}, Marks()),
    ],
)
def test_the_points_of_a_call_are_those_that_it_names(given: dict[str, Any], marks: Marks) -> None:
    assert marks_of(call(1, "computer.any", **given)) == marks


def test_a_call_that_names_an_element_pointed_to_where_it_was_found() -> None:
    named = call(1, "browser.left_click", target={"type": "ref", "ref": "ref_1"})
    assert marks_of(replace(named, pointed_at=(7, 8))) == Marks(((7, 8),))
    given = call(1, "browser.left_click", target={"type": "coordinate", "x": 5, "y": 6})
    assert marks_of(replace(given, pointed_at=(7, 8))) == Marks(((5, 6),))


def test_a_call_is_seen_in_the_last_whole_picture_of_what_it_acts_on() -> None:
    calls = [
        call(1, "computer.left_click", coordinate=[1, 1]),
        call(2, "computer.screenshot", "desktop-1"),
        call(3, "browser.screenshot", "tab-1", tab="tab_1"),
        call(4, "computer.zoom", "zoomed", region=[0, 0, 9, 9]),
        call(5, "computer.left_click", coordinate=[1, 1]),
        call(6, "browser.left_click", tab="tab_2"),
        call(7, "browser.left_click", "after", tab="tab_1"),
        call(8, "browser.left_click", tab="tab_1"),
        call(9, "bash", command="ls"),
    ]
    scenes = {number: (scene.picture.path, scene.taken_by) for number, scene in scenes_of(calls).items()}
    assert scenes == {
        4: ("desktop-1", 2),
        5: ("desktop-1", 2),
        7: ("tab-1", 3),
        8: ("after", 7),
    }
