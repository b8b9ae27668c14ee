"""The editor on real files: what it reads, what it changes, and what it leaves alone."""

from __future__ import annotations

import asyncio
import os
import socket
import stat
from pathlib import Path

import pytest

from gui_environments.errors import ActionRefused, EnvironmentUnavailable
from gui_environments.shell import FileEditor


@pytest.fixture
def root(tmp_path: Path) -> Path:
    directory = tmp_path / "root"
    directory.mkdir()
    return directory


@pytest.fixture
def backups(tmp_path: Path) -> Path:
    return tmp_path / "backups"


@pytest.fixture
def editor(root: Path, backups: Path) -> FileEditor:
    return FileEditor(root, backups=backups)


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    file = tmp_path / "outside.txt"
    file.write_text("keep me\n")
    return file


def kept(backups: Path) -> list[bytes]:
    return [file.read_bytes() for file in sorted(backups.rglob("*")) if file.is_file()]


async def test_a_view_numbers_lines(editor: FileEditor, root: Path) -> None:
    (root / "a.txt").write_bytes(b"one\r\n\ttwo\r\n\r\nlast")
    assert await editor.view("a.txt") == "     1\tone\n     2\t\ttwo\n     3\t\n     4\tlast"
    assert await editor.view(str(root / "a.txt"), (2, 3)) == "     2\t\ttwo\n     3\t"
    assert await editor.view("a.txt", (4, -1)) == "     4\tlast"


async def test_an_empty_file_is_said_to_be_empty(editor: FileEditor, root: Path) -> None:
    (root / "a.txt").touch()
    assert await editor.view("a.txt") == "(The file is empty.)"


@pytest.mark.parametrize("lines", [(0, 1), (1, 3), (2, 1), (3, 3), (3, -1), (-1, -1), (1, -2)])
async def test_a_view_range_outside_the_file_is_refused(editor: FileEditor, root: Path, lines: tuple[int, int]) -> None:
    (root / "a.txt").write_text("one\ntwo\n")
    with pytest.raises(ActionRefused, match="it has 2 lines"):
        await editor.view("a.txt", lines)


async def test_a_long_view_is_cut_with_a_note_of_how_to_go_on(root: Path, backups: Path) -> None:
    (root / "a.txt").write_text("".join(f"line {number}\n" for number in range(1, 1001)))
    shown = await FileEditor(root, backups=backups, max_characters=100).view("a.txt")
    text, _, note = shown.rpartition("\n")
    assert len(text) == 100
    assert note.startswith("[Cut after 100 characters, in line 8 of 1000.")
    assert "[8, 108]" in note


async def test_a_view_is_bounded_also_when_no_bound_was_given(editor: FileEditor, root: Path) -> None:
    (root / "a.txt").write_text("x" * 10_000_000)
    assert len(await editor.view("a.txt")) < 110_000


async def test_a_directory_is_shown_two_levels_deep_without_hidden_names(editor: FileEditor, root: Path) -> None:
    (root / "a/b/c").mkdir(parents=True)
    (root / "a/b/c/deep.txt").touch()
    (root / "a/.hidden").touch()
    (root / ".git").mkdir()
    (root / "z.txt").touch()
    (root / "link").symlink_to("/etc")
    shown = (await editor.view(str(root))).splitlines()
    assert shown[1:] == ["a/", "a/b/", "link", "z.txt"]
    assert (await editor.view("a")).splitlines()[1:] == ["b/", "b/c/"]
    with pytest.raises(ActionRefused, match="without view_range"):
        await editor.view("a", (1, 2))


async def test_create_makes_a_file_and_its_directories(editor: FileEditor, root: Path, backups: Path) -> None:
    said = await editor.create("new/deep/a.txt", "one\r\ntwo")
    assert (root / "new/deep/a.txt").read_bytes() == b"one\r\ntwo"
    assert "2 lines" in said
    assert kept(backups) == []


async def test_a_new_file_gets_the_usual_mode(editor: FileEditor, root: Path) -> None:
    mask = os.umask(0o027)
    try:
        await editor.create("a.txt", "x")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((root / "a.txt").stat().st_mode) == 0o640


async def test_create_over_a_file_keeps_the_old_bytes_aside(editor: FileEditor, root: Path, backups: Path) -> None:
    (root / "a.txt").write_bytes(b"old \xff bytes")
    said = await editor.create("a.txt", "new\n")
    assert (root / "a.txt").read_text() == "new\n"
    assert kept(backups) == [b"old \xff bytes"]
    assert "written over" in said


async def test_every_change_keeps_the_old_bytes_under_the_files_path(
    editor: FileEditor, root: Path, backups: Path
) -> None:
    (root / "d").mkdir()
    (root / "d/a.txt").write_text("1\n")
    await editor.replace("d/a.txt", "1", "2")
    await editor.insert("d/a.txt", 1, "3")
    assert kept(backups) == [b"1\n", b"2\n"]
    assert (backups / "000002/d/a.txt").read_text() == "2\n"
    assert stat.S_IMODE((backups / "000002/d/a.txt").stat().st_mode) == 0o600


async def test_a_change_is_shown_with_its_surroundings(editor: FileEditor, root: Path) -> None:
    (root / "a.txt").write_text("".join(f"{number}\n" for number in range(1, 21)))
    said = await editor.replace("a.txt", "10\n", "ten\n10b\n")
    assert said.splitlines()[1:] == [
        f"{n:6d}\t{t}" for n, t in zip(range(7, 15), ["7", "8", "9", "ten", "10b", "11", "12", "13"], strict=True)
    ]


@pytest.mark.parametrize("mode", [0o600, 0o755, 0o664, 0o4750])
async def test_a_change_keeps_the_mode(editor: FileEditor, root: Path, mode: int) -> None:
    (root / "a.sh").write_text("a\n")
    (root / "a.sh").chmod(mode)
    await editor.replace("a.sh", "a", "b")
    assert stat.S_IMODE((root / "a.sh").stat().st_mode) == mode


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
async def test_a_change_keeps_the_owner(editor: FileEditor, root: Path) -> None:
    (root / "a.txt").write_text("a\n")
    os.chown(root / "a.txt", 1234, 4321)
    await editor.replace("a.txt", "a", "b")
    status = (root / "a.txt").stat()
    assert (status.st_uid, status.st_gid) == (1234, 4321)


async def test_a_change_through_a_link_inside_keeps_the_link(editor: FileEditor, root: Path) -> None:
    (root / "d").mkdir()
    (root / "d/real.txt").write_text("a\n")
    (root / "relative").symlink_to("d/../d/real.txt")
    (root / "absolute").symlink_to(root / "relative")
    await editor.replace("absolute", "a", "b")
    assert (root / "d/real.txt").read_text() == "b\n"
    assert (root / "absolute").is_symlink()
    assert (root / "relative").is_symlink()


async def test_a_hard_link_elsewhere_keeps_the_old_text_and_the_result_says_so(
    editor: FileEditor, root: Path, outside: Path
) -> None:
    (root / "a.txt").hardlink_to(outside)
    said = await editor.replace("a.txt", "keep", "changed")
    assert outside.read_text() == "keep me\n"
    assert "hard link" in said


OUTSIDE_PATHS = [
    "../outside.txt",
    "/etc/hostname",
    "a/../../outside.txt",
    "/",
    "..",
    "link",
    "dirlink/outside.txt",
    "up/outside.txt",
]


@pytest.mark.parametrize("path", OUTSIDE_PATHS)
async def test_a_path_that_leads_out_of_the_root_is_refused(
    editor: FileEditor, root: Path, outside: Path, backups: Path, path: str
) -> None:
    (root / "a").mkdir()
    (root / "link").symlink_to(outside)
    (root / "dirlink").symlink_to(outside.parent)
    (root / "up").symlink_to("a/../..")
    for call in (
        editor.view(path),
        editor.create(path, "x"),
        editor.replace(path, "keep", "x"),
        editor.insert(path, 0, "x"),
    ):
        with pytest.raises(ActionRefused, match="is outside"):
            await call
    assert outside.read_text() == "keep me\n"
    assert kept(backups) == []


@pytest.mark.parametrize("path", ["new/deep/../../../x", f"new/deep/{'x' * 300}", f"new/{'x' * 300}/x", "new/deep/"])
async def test_a_refused_path_makes_no_directory(editor: FileEditor, root: Path, path: str) -> None:
    with pytest.raises(ActionRefused):
        await editor.create(path, "x")
    assert list(root.iterdir()) == []


async def test_a_path_that_ends_in_a_slash_names_a_directory(editor: FileEditor, root: Path) -> None:
    (root / "a.txt").write_text("one\n")
    (root / "directory").mkdir()
    assert "nothing" in await editor.view("directory/")
    for call in (editor.view("a.txt/"), editor.create("a.txt/", "x"), editor.create("b.txt/", "x")):
        with pytest.raises(ActionRefused, match="ends in /"):
            await call
    assert (root / "a.txt").read_text() == "one\n"
    assert not (root / "b.txt").exists()


async def test_a_name_as_long_as_names_can_be_is_one_like_any_other(editor: FileEditor, root: Path) -> None:
    for name in ("n" * 255, "名" * 85):
        await editor.create(name, "one\n")
        await editor.replace(name, "one", "two")
        assert (root / name).read_text() == "two\n"


async def test_the_root_may_be_given_through_a_link(root: Path, tmp_path: Path, backups: Path) -> None:
    (tmp_path / "named").symlink_to(root)
    (root / "a.txt").write_text("a\n")
    editor = FileEditor(tmp_path / "named", backups=backups)
    await editor.replace(str(tmp_path / "named/a.txt"), "a", "b")
    await editor.replace(str(root / "a.txt"), "b", "c")
    assert (root / "a.txt").read_text() == "c\n"


async def test_a_directory_swapped_for_a_link_at_any_moment_never_leads_out(
    editor: FileEditor, root: Path, tmp_path: Path
) -> None:
    """One process swaps a directory with a link to the outside while the editor changes a file below that name."""
    (tmp_path / "away").mkdir()
    (tmp_path / "away/a.txt").write_text("1\n")
    (root / "d").mkdir()
    (root / "d/a.txt").write_text("1\n")
    (root / "spare").symlink_to(tmp_path / "away")
    stop = asyncio.Event()

    async def swap() -> None:
        while not stop.is_set():
            await asyncio.to_thread(_exchange, root / "d", root / "spare", root / "third")

    swapping = asyncio.create_task(swap())
    changed = 0
    try:
        for number in range(60):
            try:
                await editor.insert("d/a.txt", 0, f"{number}")
                changed += 1
            except ActionRefused:
                continue
    finally:
        stop.set()
        await swapping
    assert changed > 0
    assert (tmp_path / "away/a.txt").read_text() == "1\n"
    assert [file.name for file in (tmp_path / "away").iterdir()] == ["a.txt"]


def _exchange(one: Path, other: Path, third: Path) -> None:
    one.rename(third)
    other.rename(one)
    third.rename(other)


async def test_what_is_no_regular_file_is_refused(
    editor: FileEditor, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(root / "fifo")
    (root / "dir").mkdir()
    listener = socket.socket(socket.AF_UNIX)
    monkeypatch.chdir(root)  # a socket's path must be short
    listener.bind("socket")
    listener.close()
    for name in ("fifo", "socket"):
        for call in (editor.view(name), editor.create(name, "x"), editor.replace(name, "a", "b")):
            with pytest.raises(ActionRefused, match="not a regular file"):
                await call
    for call in (editor.create("dir", "x"), editor.replace("dir", "a", "b"), editor.insert("dir", 0, "b")):
        with pytest.raises(ActionRefused, match="is a directory"):
            await call


async def test_a_missing_file_is_refused_except_by_create(editor: FileEditor) -> None:
    for call in (editor.view("no.txt"), editor.replace("no.txt", "a", "b"), editor.insert("d/no.txt", 0, "b")):
        with pytest.raises(ActionRefused, match="does not exist"):
            await call


@pytest.mark.parametrize("data", [b"caf\xe9\n", b"a\0b", "café".encode("utf-16")])
async def test_a_file_that_cannot_be_decoded_is_left_as_it_is(
    editor: FileEditor, root: Path, backups: Path, data: bytes
) -> None:
    (root / "a").write_bytes(data)
    for call in (editor.view("a"), editor.replace("a", "a", "b"), editor.insert("a", 0, "b")):
        with pytest.raises(ActionRefused, match="left as it is"):
            await call
    assert (root / "a").read_bytes() == data
    assert kept(backups) == []


@pytest.mark.parametrize("text", ["\ud800", "a\0b"])
async def test_a_text_that_no_file_could_hold_is_refused(editor: FileEditor, root: Path, text: str) -> None:
    (root / "a").write_text("a\n")
    for call in (editor.create("b", text), editor.replace("a", "a", text), editor.insert("a", 0, text)):
        with pytest.raises(ActionRefused, match="Nothing was changed"):
            await call
    assert [file.name for file in root.iterdir()] == ["a"]
    assert (root / "a").read_text() == "a\n"


@pytest.mark.parametrize("path", ["a\0b", "\ud800", "~/x", "a" * 300, "loop/x", "file/x"])
async def test_a_path_that_cannot_be_is_refused(editor: FileEditor, root: Path, path: str) -> None:
    (root / "loop").symlink_to("loop")
    (root / "file").touch()
    with pytest.raises(ActionRefused):
        await editor.create(path, "x")


async def test_a_huge_file_is_refused_with_what_to_use(editor: FileEditor, root: Path) -> None:
    with (root / "huge").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(ActionRefused, match="sed"):
        await editor.view("huge")


async def test_a_change_leaves_no_other_file(editor: FileEditor, root: Path) -> None:
    (root / "a.txt").write_text("a\n")
    await editor.replace("a.txt", "a", "b")
    with pytest.raises(ActionRefused):
        await editor.replace("a.txt", "a", "b")
    assert [file.name for file in root.iterdir()] == ["a.txt"]


async def test_a_copy_that_cannot_be_put_aside_prevents_the_change(
    editor: FileEditor, root: Path, backups: Path
) -> None:
    backups.write_text("a file in the way")
    (root / "a.txt").write_text("a\n")
    with pytest.raises(ActionRefused, match="nothing was changed"):
        await editor.replace("a.txt", "a", "b")
    assert (root / "a.txt").read_text() == "a\n"


async def test_copies_inside_the_root_are_refused(root: Path) -> None:
    editor = FileEditor(root, backups=root / "backups")
    with pytest.raises(EnvironmentUnavailable, match="outside"):
        await editor.create("a.txt", "x")


async def test_a_cancelled_change_is_made_whole_or_not_at_all(editor: FileEditor, root: Path) -> None:
    (root / "a.txt").write_text("a" * 100_000)
    for text in ("b" * 100_000, "c" * 100_000):
        change = asyncio.create_task(editor.create("a.txt", text))
        await asyncio.to_thread(lambda: None)
        change.cancel()
        with pytest.raises(asyncio.CancelledError):
            await change
        assert len(set((root / "a.txt").read_text())) == 1
        assert [file.name for file in root.iterdir()] == ["a.txt"]
