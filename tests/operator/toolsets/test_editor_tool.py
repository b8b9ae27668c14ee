from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from anthropic.tools import ToolError

from gui_environments.shell import FileEditor
from gui_operator.policy import Gate, Rules
from gui_operator.recording import Recording
from gui_operator.recording.reading import read_events
from gui_operator.toolsets import EditorTool


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "a.txt").write_text("one\ntwo\nthree\n")
    return tmp_path / "root"


@pytest.fixture
def files(root: Path, tmp_path: Path) -> FileEditor:
    return FileEditor(root, backups=tmp_path / "backups")


@pytest.fixture
def editor(files: FileEditor) -> EditorTool:
    return EditorTool(files, gate=Gate.allowing_all())


def test_it_is_declared_as_the_api_knows_it(root: Path, tmp_path: Path, editor: EditorTool) -> None:
    declared = {"type": "text_editor_20250728", "name": "str_replace_based_edit_tool"}
    assert editor.to_dict() == declared
    cut = FileEditor(root, backups=tmp_path / "backups", max_characters=5000)
    assert EditorTool(cut, gate=Gate.allowing_all()).to_dict() == {**declared, "max_characters": 5000}


async def test_view_shows_the_lines_asked_for(editor: EditorTool) -> None:
    whole = str(await editor.call({"command": "view", "path": "a.txt"}))
    assert [word in whole for word in ("one", "two", "three")] == [True, True, True]
    for asked, shown in (([2, 2], [False, True, False]), ([2, -1], [False, True, True])):
        part = str(await editor.call({"command": "view", "path": "a.txt", "view_range": asked}))
        assert [word in part for word in ("one", "two", "three")] == shown


async def test_each_command_changes_the_file_it_names(editor: EditorTool, root: Path) -> None:
    await editor.call({"command": "create", "path": str(root / "new" / "b.txt"), "file_text": "x\n"})
    assert (root / "new" / "b.txt").read_text() == "x\n"
    await editor.call({"command": "str_replace", "path": "a.txt", "old_str": "two", "new_str": "2"})
    await editor.call({"command": "insert", "path": "a.txt", "insert_line": 0, "insert_text": "zero\n"})
    assert (root / "a.txt").read_text() == "zero\none\n2\nthree\n"


async def test_a_replacement_that_is_left_out_deletes(editor: EditorTool, root: Path) -> None:
    await editor.call({"command": "str_replace", "path": "a.txt", "old_str": "two\n"})
    assert (root / "a.txt").read_text() == "one\nthree\n"


async def test_what_the_files_refuse_is_an_error_in_their_words(editor: EditorTool) -> None:
    with pytest.raises(ToolError, match="2"):
        await editor.call({"command": "str_replace", "path": "a.txt", "old_str": "e\n", "new_str": ""})
    with pytest.raises(ToolError):
        await editor.call({"command": "view", "path": "/etc/passwd"})


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"command": None}, "needs 'command', a text; none came"),
        ({"command": "undo_edit"}, "has no command 'undo_edit'; it has view, create, str_replace, insert"),
        ({"path": None}, "needs 'path'"),
        ({"path": ""}, "not empty"),
        ({"path": ["a.txt"]}, "what came is a list"),
        ({"old_str": None}, "needs 'old_str'"),
        ({"new_str": 5}, "needs 'new_str', a text; what came is a number"),
        ({"file_text": "x"}, "str_replace has no field 'file_text'; it takes command, path, old_str, new_str"),
        ({"command": "create"}, "create has no field 'new_str', 'old_str'; it takes command, path, file_text"),
        ({"command": "create", "old_str": None, "new_str": None}, "create needs 'file_text'"),
    ],
)
async def test_input_that_is_not_as_declared_is_refused_and_nothing_is_changed(
    editor: EditorTool, root: Path, changed: dict[str, Any], text: str
) -> None:
    call_input = {"command": "str_replace", "path": "a.txt", "old_str": "two", "new_str": "2", **changed}
    with pytest.raises(ToolError, match=text):
        await editor.call(call_input)
    assert (root / "a.txt").read_text() == "one\ntwo\nthree\n"


@pytest.mark.parametrize("lines", ["1-2", [1], [1, 2, 3], ["1", "2"], [True, 2], [1.0, 2], {"from": 1}])
async def test_a_range_that_is_not_two_whole_numbers_is_refused(editor: EditorTool, lines: Any) -> None:
    with pytest.raises(ToolError, match="two whole numbers"):
        await editor.call({"command": "view", "path": "a.txt", "view_range": lines})


@pytest.mark.parametrize("line", [None, "1", True, 1.5])
async def test_a_line_that_is_no_whole_number_is_refused(editor: EditorTool, line: Any) -> None:
    with pytest.raises(ToolError, match="needs 'insert_line', a whole number"):
        await editor.call({"command": "insert", "path": "a.txt", "insert_line": line, "insert_text": "x"})


async def test_an_edit_that_is_not_permitted_changes_nothing_and_is_recorded_as_refused(
    files: FileEditor, root: Path, tmp_path: Path
) -> None:
    with Recording.open(tmp_path / "run") as recording:
        gate = Gate(Rules.parse(["file=deny"], otherwise="allow"), on_decision=recording.decided)
        with pytest.raises(ToolError, match="rules do not permit"):
            await EditorTool(files, gate=gate, recording=recording).call(
                {"command": "create", "path": "a.txt", "file_text": ""}
            )
    assert (root / "a.txt").read_text() == "one\ntwo\nthree\n"
    (finished,) = [event for event in read_events(tmp_path / "run") if event["event"] == "call_finished"]
    assert finished["outcome"] == "refused"
