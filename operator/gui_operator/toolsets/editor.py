"""The text editor tool: one view or one change of a file below a root. Knows nothing of files; the environment does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from anthropic.tools import ToolError
from anthropic.types.beta import BetaToolTextEditor20250728Param

from gui_environments.protocols import FileEdits
from gui_operator.policy import Gate, Secrets
from gui_operator.recording import Recording
from gui_operator.toolsets.fields import refuse_unknown, text_field, whole_number_field
from gui_operator.toolsets.function_tool import FunctionTool


@dataclass(frozen=True, slots=True)
class View:
    path: str
    lines: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Create:
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Replace:
    path: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Insert:
    path: str
    line: int
    text: str


Edit = View | Create | Replace | Insert

_FIELDS: Mapping[str, tuple[str, ...]] = {
    "view": ("command", "path", "view_range"),
    "create": ("command", "path", "file_text"),
    "str_replace": ("command", "path", "old_str", "new_str"),
    "insert": ("command", "path", "insert_line", "insert_text"),
}


class EditorTool(FunctionTool[Edit]):
    """`text_editor_20250728` on files."""

    effect = "file"

    def __init__(
        self, files: FileEdits, *, gate: Gate, recording: Recording | None = None, secrets: Secrets | None = None
    ) -> None:
        super().__init__(gate=gate, recording=recording, secrets=secrets)
        self._files = files

    def to_dict(self) -> BetaToolTextEditor20250728Param:
        param: BetaToolTextEditor20250728Param = {
            "type": "text_editor_20250728",
            "name": "str_replace_based_edit_tool",
        }
        if self._files.max_characters is not None:
            param["max_characters"] = self._files.max_characters
        return param

    def parse(self, call_input: Mapping[str, object]) -> Edit:
        command = text_field(call_input, "command", "The editor")
        if command not in _FIELDS:
            raise ToolError(f"The editor has no command {command!r}; it has {', '.join(_FIELDS)}.")
        refuse_unknown(call_input, _FIELDS[command], command)
        path = text_field(call_input, "path", command)
        if not path:
            raise ToolError(f"{command} needs a 'path' that is not empty.")
        match command:
            case "view":
                return View(path, _line_range(call_input))
            case "create":
                return Create(path, text_field(call_input, "file_text", command))
            case "str_replace":
                # Without a new text the old one is deleted, as the tool's documentation has it.
                new = "" if call_input.get("new_str") is None else text_field(call_input, "new_str", command)
                return Replace(path, text_field(call_input, "old_str", command), new)
            case _:
                line = whole_number_field(call_input, "insert_line", command)
                return Insert(path, line, text_field(call_input, "insert_text", command))

    async def perform(self, parsed: Edit) -> str:
        match parsed:
            case View(path, lines):
                return await self._files.view(path, lines)
            case Create(path, text):
                return await self._files.create(path, text)
            case Replace(path, old, new):
                return await self._files.replace(path, old, new)
            case Insert(path, line, text):
                return await self._files.insert(path, line, text)


def _line_range(call_input: Mapping[str, object]) -> tuple[int, int] | None:
    value = call_input.get("view_range")
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 2 or not all(type(number) is int for number in value):
        raise ToolError("view takes 'view_range' as two whole numbers: the first line, and the last one or -1.")
    first, last = value
    return first, last
