"""The kind of effect of each toolset member and of the tools that come with the product. A table and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gui_operator.policy.requests import Effect


def _members(**names_by_effect: str) -> Mapping[str, Effect]:
    table: dict[str, Effect] = {}
    for effect, names in names_by_effect.items():
        for name in names.split():
            table[name] = effect  # type: ignore[assignment] # the keywords below are effects; a test holds them to it
    return MappingProxyType(table)


MEMBER_EFFECTS: Mapping[str, Mapping[str, Effect]] = MappingProxyType(
    {
        "computer": _members(
            read="screenshot zoom cursor_position wait",
            pointer="left_click right_click middle_click double_click triple_click left_click_drag mouse_move "
            "left_mouse_down left_mouse_up scroll",
            keyboard="type key hold_key",
        ),
        "browser": _members(
            read="screenshot zoom wait read_page find get_page_text list_tabs read_console read_network",
            pointer="left_click right_click middle_click double_click triple_click hover left_click_drag "
            "left_mouse_down left_mouse_up mouse_move scroll scroll_to",
            keyboard="type key hold_key form_input",
            navigation="navigate new_tab switch_tab close_tab",
            script="javascript_exec",
            file="file_upload",
        ),
    }
)
"""Effects by toolset and member. A member that is not here counts as `script`, the widest effect in a toolset."""

TOOL_EFFECTS: Mapping[str, Effect] = MappingProxyType({"bash": "shell", "str_replace_based_edit_tool": "file"})


def member_effect(toolset: str, member: str) -> Effect:
    return MEMBER_EFFECTS.get(toolset, {}).get(member, "script")
