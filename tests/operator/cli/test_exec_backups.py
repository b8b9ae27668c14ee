"""Where `gui-operator exec` keeps the editor's copies of old files: outside of what is edited, whatever the folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from .sessions import text_of


def edit(path: str, new: str) -> dict[str, object]:
    given = {"command": "create", "path": path, "file_text": new}
    return {"name": "str_replace_based_edit_tool", "input": given}


@pytest.fixture
def workdir(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "note.txt").write_text("old\n")
    return folder


def change_note(start_exec, *arguments: str, **variables: str) -> str:
    """One session that changes the note; what it says on standard error."""
    session = start_exec(*arguments, variables=variables)
    session.read()
    (result,) = session.ask(edit("note.txt", "new\n"))["results"]
    assert result.get("is_error", False) is False, text_of(result)
    assert session.end() == 0
    return session.errors


def copies_below(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("note.txt") if file.read_text() == "old\n"]


def test_a_recording_holds_them(start_exec, workdir, tmp_path):
    errors = change_note(start_exec, "--workdir", str(workdir), "--record", str(tmp_path / "run"))
    assert len(copies_below(tmp_path / "run/backups")) == 1
    assert errors == ""


def test_a_recording_below_the_workdir_does_not_and_where_they_are_is_said(start_exec, workdir, tmp_path):
    state = tmp_path / "state"
    errors = change_note(
        start_exec, "--workdir", str(workdir), "--record", str(workdir / "runs/mine"), XDG_STATE_HOME=str(state)
    )
    (copy,) = copies_below(state)
    kept_in = copy.parents[1]
    assert f"copies of old files in {kept_in}, since {workdir}/runs/mine/backups is below {workdir}" in errors
    assert copies_below(workdir) == []


def test_a_workdir_that_holds_every_usual_place_has_them_in_a_folder_that_is_said_and_stays(start_exec, workdir):
    errors = change_note(start_exec, "--workdir", str(workdir), XDG_STATE_HOME=str(workdir / ".local/state"))
    kept_in = Path(errors.partition("copies of old files in ")[2].partition(",")[0])
    try:
        assert len(copies_below(kept_in)) == 1
        assert kept_in.stat().st_mode & 0o777 == 0o700
    finally:
        for path in sorted(kept_in.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        kept_in.rmdir()


def test_a_folder_made_for_them_is_gone_when_nothing_was_changed(start_exec, workdir):
    session = start_exec("--workdir", str(workdir), variables={"XDG_STATE_HOME": str(workdir)})
    session.read()
    assert session.end() == 0
    kept_in = Path(session.errors.partition("copies of old files in ")[2].partition(",")[0])
    assert kept_in.name.startswith("gui-operator-backups-")
    assert not kept_in.exists()


def test_where_no_place_is_left_nothing_starts(start_exec):
    session = start_exec("--workdir", "/")
    assert session.end() == 6
    assert "no place outside /" in session.errors
