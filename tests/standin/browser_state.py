"""The rules for the `browser_state` block of a browser member's result."""

from __future__ import annotations

import unicodedata

from standin.blocks import Json, content_blocks
from standin.refusals import Refused

TAB_MEMBERS = frozenset({"new_tab", "list_tabs", "switch_tab", "close_tab"})
MAX_TABS = 100
MAX_CHANGES = 200
MAX_CHARACTERS = 4096


def check_browser_state(call: Json, result: Json, path: str) -> None:
    content = content_blocks(result)
    states = [block for block in content if block["type"] == "browser_state"]
    if states and (call.get("toolset_name") != "browser" or result.get("is_error")):
        raise Refused(f"{path}: browser_state is only allowed on a result of a browser member that is no error")
    if len(states) > 1:
        raise Refused(f"{path}: at most one browser_state block is allowed in a tool_result")
    is_tab_result = call.get("toolset_name") == "browser" and call["name"] in TAB_MEMBERS
    if is_tab_result and not result.get("is_error") and (len(content) != 1 or not states):
        raise Refused(f"{path}: the result of {call['name']} must be exactly one browser_state block")
    for state in states:
        _check_tabs(state["tabs"], path)
        _check_changes(state, path)
        if call["name"] == "new_tab":
            _check_new_tab(state, path)


def _check_tabs(tabs: list[Json], path: str) -> None:
    if len(tabs) > MAX_TABS:
        raise Refused(f"{path}: browser_state.tabs holds {len(tabs)} tabs; the limit is {MAX_TABS}")
    if tabs and sum(tab.get("active") is True for tab in tabs) != 1:
        raise Refused(f"{path}: exactly one tab of browser_state must be active")
    ids = [tab["tab_id"] for tab in tabs]
    if len(set(ids)) != len(ids):
        raise Refused(f"{path}: browser_state.tabs holds a tab_id twice")
    for tab in tabs:
        _check_strings(tab, path)


def _check_changes(state: Json, path: str) -> None:
    changes = state.get("state_changes")
    if changes is None:
        return
    if not changes or len(changes) > MAX_CHANGES:
        raise Refused(f"{path}: state_changes holds 1 to {MAX_CHANGES} changes, or is left out; not {len(changes)}")
    tabs = {tab["tab_id"] for tab in state["tabs"]}
    opened = [change["tab_id"] for change in changes if change["type"] == "tab_opened"]
    downloads = [change["download_id"] for change in changes if "download_id" in change]
    if not set(opened) <= tabs:
        raise Refused(f"{path}: tab_opened names a tab that is not in browser_state.tabs")
    if len(set(opened)) != len(opened) or len(set(downloads)) != len(downloads):
        raise Refused(f"{path}: state_changes reports a tab or a download twice")
    for change in changes:
        _check_strings(change, path)


def _check_new_tab(state: Json, path: str) -> None:
    changes = state.get("state_changes") or []
    opened = [change["tab_id"] for change in changes if change["type"] == "tab_opened"]
    active = [tab["tab_id"] for tab in state["tabs"] if tab.get("active") is True]
    if len(opened) != 1 or opened != active:
        raise Refused(f"{path}: the result of new_tab must report one tab_opened, for the active tab")


def _check_strings(record: Json, path: str) -> None:
    for name, value in record.items():
        if not isinstance(value, str):
            continue
        if len(value) > MAX_CHARACTERS:
            raise Refused(f"{path}: {name} is {len(value)} characters long; the limit is {MAX_CHARACTERS}")
        if any(unicodedata.category(character) == "Cc" for character in value):
            raise Refused(f"{path}: {name} holds a control character")
