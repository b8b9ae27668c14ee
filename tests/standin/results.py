"""The rules for one turn's results: every call answered once, in order, in the form its call asks for, and halting
told truthfully."""

from __future__ import annotations

from collections.abc import Set

from standin.blocks import Json, content_blocks, text_of
from standin.browser_state import TAB_MEMBERS, check_browser_state
from standin.refusals import Refused

HALT_TEXTS = {
    "browser": "Not executed: an earlier action in this turn failed.",
    "computer": "Not executed: an earlier computer action in this turn failed.",
}
_PICTURE_MEMBERS = frozenset({"screenshot", "zoom"})


def check_answers(calls: list[Json], message: Json, families: Set[str], path: str) -> None:
    """`message` is the user's that follows the assistant's `calls`; `families` are the toolsets the request has."""
    blocks = content_blocks(message)
    results = [block for block in blocks if block["type"] == "tool_result"]
    expected = [call["id"] for call in calls]
    given = [result["tool_use_id"] for result in results]
    for tool_use_id in given:
        if tool_use_id not in expected:
            raise Refused(f"{path}: unexpected `tool_use_id` found in `tool_result` blocks: {tool_use_id}")
        if given.count(tool_use_id) > 1:
            raise Refused(f"{path}: each `tool_use` block must have a single result. Found multiple for {tool_use_id}")
    if missing := [tool_use_id for tool_use_id in expected if tool_use_id not in given]:
        raise Refused(f"{path}: `tool_use` ids were found without `tool_result` blocks: {', '.join(missing)}")
    if given != expected:
        raise Refused(f"{path}: `tool_result` blocks must be in the order of their calls: {', '.join(expected)}")
    if results and blocks[: len(results)] != results:
        raise Refused(f"{path}: `tool_result` blocks must come before other content")
    for index, (call, result) in enumerate(zip(calls, results, strict=True)):
        _check_result(call, result, f"{path}.content.{index}")
    _check_halting(calls, results, families, path)


def _check_result(call: Json, result: Json, path: str) -> None:
    family = call.get("toolset_name")
    if result.get("toolset_name") != family:
        wanted = f"must be '{family}'" if family else "is not allowed: the call is of no toolset"
        raise Refused(f"{path}.toolset_name {wanted}; got {result.get('toolset_name')!r}")
    content = content_blocks(result)
    if result.get("is_error"):
        if any(block["type"] != "text" for block in content):
            raise Refused(f"{path}: all content must be type `text` if `is_error` is true")
        if not text_of(result):
            raise Refused(f"{path}: content cannot be empty if `is_error` is true")
    elif family and call["name"] in _PICTURE_MEMBERS and not _holds_picture(content):
        raise Refused(f"{path}: the result of {call['name']} must hold an image")
    if family == "browser" and call["name"] in TAB_MEMBERS and _holds_picture(content):
        raise Refused(f"{path}: the result of {call['name']} cannot hold an image")
    if any(block["type"] == "text" and not block["text"] for block in content):
        raise Refused(f"{path}: text content blocks must be non-empty")
    check_browser_state(call, result, path)


def _holds_picture(content: list[Json]) -> bool:
    return any(block["type"] == "image" for block in content)


def _check_halting(calls: list[Json], results: list[Json], families: Set[str], path: str) -> None:
    failed: set[str] = set()
    for index, (call, result) in enumerate(zip(calls, results, strict=True)):
        family = call.get("toolset_name")
        halt_text = HALT_TEXTS.get(family or "")
        text = text_of(result)
        if family in failed and not result.get("is_error"):
            raise Refused(f"{path}.content.{index}: an earlier {family} call failed, so this one must not have run")
        if family in failed and text != halt_text:
            raise Refused(f"{path}.content.{index}: the result of a call that was not executed must be {halt_text!r}")
        if family not in failed and halt_text is not None and text == halt_text:
            raise Refused(f"{path}.content.{index}: no earlier {family} call of this turn failed")
        if result.get("is_error"):
            # A call named like a toolset is a malformed call of it, and halts it as well.
            failed |= {family or call["name"]} & families
