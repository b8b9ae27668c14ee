"""The turns of the tour: two a page, the first to come and look, the second to use what was seen. Every call is one
that is carried out. Drawn at random, but the same on every round, so that one round can be held against another."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from benchmarks.tour.pages import PAGES, Page
from benchmarks.tour.site import TourSite

Call = dict[str, Any]
Result = Mapping[str, Any]
Ask = Callable[[list[Call]], list[Result]]
"""One turn: its calls, and their results in order."""

OPTIONAL_MEMBERS = ("javascript_exec", "read_console", "read_network")
"""Those that the turns use and that are off unless enabled."""

APP_TAB = "tab_1"
"""Stays on the one document that is never left."""


class TourFailed(Exception):
    """A call of the tour was refused; its text says which and why."""


class Tour:
    """Goes around the pages of `site`. The application stays in `APP_TAB`; all other pages share a second tab."""

    def __init__(self, site: TourSite, ask: Ask) -> None:
        self._site = site
        self._ask = ask
        self._tab = ""

    def begin(self) -> None:
        """Open both tabs. A turn of its own."""
        results = self._turn([_call("navigate", url=self._site.url("/app")), _call("new_tab")])
        self._tab = next(tab["tab_id"] for tab in _state(results[-1])["tabs"] if tab["active"])

    def round(self, after_turn: Callable[[], None] = lambda: None, pages: Sequence[Page] = PAGES) -> None:
        """Every page once."""
        for page in pages:
            reading = self._come(page)
            after_turn()
            self._use(page, reading)
            after_turn()

    def _come(self, page: Page) -> str:
        if page.kind == "app":
            (reading, *_) = self._turn([_call("read_page", tab_id=APP_TAB)])
            view = _reference(_text(reading), f"View {page.number}")
            results = self._turn(
                [
                    _call("left_click", tab_id=APP_TAB, target=view),
                    _call("read_page", tab_id=APP_TAB, filter="all"),
                ]
            )
            return _text(results[-1])
        results = self._turn(
            [
                _call("switch_tab", tab_id=self._tab),
                _call("navigate", url=self._site.url(page.path, "abc"[page.number % 3])),
                _call("read_page", filter="all"),
            ]
        )
        return _text(results[-1])

    def _use(self, page: Page, reading: str) -> None:
        rng = random.Random(f"{page.kind} {page.number}")
        results = self._turn([*_USES[page.kind](reading, page), *_anything(rng)])
        state = _state(results[-1])
        opened = [tab["tab_id"] for tab in state["tabs"] if tab["tab_id"] not in (APP_TAB, self._tab)]
        if opened:
            self._turn(
                [*(_call("close_tab", tab_id=tab_id) for tab_id in opened), _call("switch_tab", tab_id=self._tab)]
            )

    def _turn(self, calls: list[Call]) -> list[Result]:
        results = self._ask(calls)
        for call, result in zip(calls, results, strict=True):
            if result.get("is_error"):
                raise TourFailed(f"{call['name']} {call['input']}: {_text(result)}")
        return results


def _call(name: str, **fields: Any) -> Call:
    return {"toolset_name": "browser", "name": name, "input": fields}


def _at(x: int, y: int) -> dict[str, Any]:
    return {"type": "coordinate", "x": x, "y": y}


def _reference(reading: str, name: str) -> dict[str, Any]:
    match = re.search(rf'"{re.escape(name)}[^"\n]*" \[(ref_\d+)\]', reading)
    if match is None:
        raise TourFailed(f"nothing is called {name!r} in:\n{reading[:2000]}")
    return {"type": "ref", "ref": match[1]}


def _state(result: Result) -> Mapping[str, Any]:
    return next(block for block in result["content"] if block["type"] == "browser_state")


def _text(result: Result) -> str:
    content = result["content"]
    if isinstance(content, str):
        return content
    return "\n".join(block["text"] for block in content if block["type"] == "text")


def _anything(rng: random.Random) -> list[Call]:
    """What can be done on any page, and the last call one whose result tells the tabs."""
    x, y = rng.randrange(700, 1200), rng.randrange(400, 780)
    choices: list[list[Call]] = [
        [_call("screenshot")],
        [_call("zoom", region=[0, 0, 300 + rng.randrange(300), 200])],
        [_call("find", query=rng.choice(["button to send", "the heading", "a link", "field for text"]))],
        [_call("get_page_text")],
        [_call("scroll", target=_at(x, y), scroll_direction=rng.choice(["down", "up"]), scroll_amount=2)],
        [_call("mouse_move", target=_at(x, y)), _call("hover", target=_at(x - 50, y))],
        [_call("left_mouse_down", target=_at(x, y)), _call("left_mouse_up", target=_at(x + 5, y))],
        [_call("left_click_drag", **{"from": _at(x, y), "target": _at(x + 60, y - 40)})],
        [_call("key", text="Tab", repeat=2), _call("hold_key", text="shift", duration=0.02)],
        [_call("javascript_exec", text="document.querySelectorAll('*').length")],
        [_call("read_network"), _call("read_console")],
    ]
    return [call for calls in rng.sample(choices, 3) for call in calls] + [_call("wait", duration=0)]


def _use_form(reading: str, _: Page) -> list[Call]:
    first = _reference(reading, "Field 0")
    return [
        _call("left_click", target=first),
        _call("type", text="Grüße, some words"),
        _call("form_input", target=_reference(reading, "Field 1"), value="Ada"),
        _call("form_input", target=_reference(reading, "Size"), value="large"),
        _call("form_input", target=_reference(reading, "Day"), value="2026-03-04"),
        _call("form_input", target=_reference(reading, "Agreed"), value=True),
        _call("left_click", target=_reference(reading, "Send")),
    ]


def _use_table(reading: str, page: Page) -> list[Call]:
    link = _reference(reading, f"Open {20 + page.number}")
    return [_call("scroll_to", target=link), _call("left_click", target=link), _call("read_page")]


def _use_frames(reading: str, _: Page) -> list[Call]:
    return [
        _call("left_click", target=_reference(reading, "Framed")),
        _call("form_input", target=_reference(reading, "Note"), value="in a frame"),
        _call("read_page", filter="interactive"),
    ]


def _use_app(reading: str, page: Page) -> list[Call]:
    field = _reference(reading, f"Value {page.number}")
    return [
        _call("switch_tab", tab_id=APP_TAB),
        _call("left_click", target=_reference(reading, f"Do {page.number}")),
        _call("form_input", target=field, value="other"),
        _call("find", query=f"the button Do {page.number}"),
        _call("screenshot"),
    ]


def _use_shadow(reading: str, page: Page) -> list[Call]:
    return [
        _call("double_click", target=_reference(reading, f"Part {page.number}")),
        _call("form_input", target=_reference(reading, "Inside 2"), value="x"),
        _call("triple_click", target=_reference(reading, "Inside 2")),
    ]


def _use_dialogs(reading: str, _: Page) -> list[Call]:
    return [_call("left_click", target=_reference(reading, name)) for name in ("Tell", "Ask", "Want")]


def _use_popup(reading: str, _: Page) -> list[Call]:
    return [
        _call("left_click", target=_reference(reading, "New page")),
        _call("screenshot"),
        _call("list_tabs"),
    ]


def _use_download(reading: str, _: Page) -> list[Call]:
    return [_call("left_click", target=_reference(reading, name)) for name in ("Report", "Made")]


def _use_canvas(reading: str, page: Page) -> list[Call]:
    return [
        _call("left_click_drag", **{"from": _at(60, 100), "target": _at(400, 200 + page.number)}),
        _call("right_click", target=_at(300, 300)),
        _call("key", text="Escape"),
        _call("read_network"),
    ]


def _use_list(reading: str, page: Page) -> list[Call]:
    return [
        _call("find", query=f"take item {100 + page.number}"),
        _call("scroll_to", target=_reference(reading, f"Take {50 + page.number}")),
        _call("middle_click", target=_at(900, 500)),
        _call("navigate", url="reload"),
        _call("navigate", url="back"),
    ]


_USES: dict[str, Callable[[str, Page], list[Call]]] = {
    "form": _use_form,
    "table": _use_table,
    "frames": _use_frames,
    "app": _use_app,
    "shadow": _use_shadow,
    "dialogs": _use_dialogs,
    "popup": _use_popup,
    "download": _use_download,
    "canvas": _use_canvas,
    "list": _use_list,
}
