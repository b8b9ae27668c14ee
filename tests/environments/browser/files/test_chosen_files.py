"""Files for pages are opened once, below roots that were opened when the session began, held to limits, and copied from
what was opened. On a real file system, without a browser."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from gui_environments.browser.actions import GiveFiles
from gui_environments.browser.files.chosen_files import FILE_LIMIT, ChosenFiles
from gui_environments.browser.files.copying import TooLarge, copy_bounded
from gui_environments.browser.files.limits import FileLimits, size_words
from gui_environments.browser.files.places import overlap
from gui_environments.errors import ActionRefused, EnvironmentUnavailable

LIMITS = FileLimits(file_bytes=100, total_bytes=250, files=5)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    root.mkdir()
    (root / "plain").write_text("plain")
    (root / "below").mkdir()
    (root / "below/deep").write_text("deep")
    (tmp_path / "secret").write_text("secret")
    return root


@pytest.fixture
def other(tmp_path: Path) -> Path:
    other = tmp_path / "other"
    other.mkdir()
    (other / "plain").write_text("another")
    (other / "only").write_text("only here")
    return other


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    (folder / "file_2").mkdir(parents=True)
    (folder / "file_1").write_text("the first")
    (folder / "file_2/report.pdf").write_text("a report")
    (folder / "file_3").mkdir()
    (folder / "file_4").symlink_to(tmp_path / "secret")
    return folder


@pytest.fixture
def chosen(tmp_path: Path, root: Path, other: Path, documents: Path) -> Iterator[ChosenFiles]:
    files = ChosenFiles([root, other], tmp_path / "staging", document_dir=documents, limits=LIMITS)
    files.open()
    yield files
    files.close()


def given(*paths: str | Path, documents: Sequence[str] = ()) -> GiveFiles:
    return GiveFiles("ref_1", tuple(map(str, paths)), tuple(documents))


def contents(copies: Sequence[Path]) -> list[tuple[str, str]]:
    return [(copy.name, copy.read_text()) for copy in copies]


def test_a_file_is_copied_under_the_name_that_was_given(chosen: ChosenFiles, root: Path) -> None:
    (root / "link").symlink_to(root / "plain")
    (root / "near").symlink_to("below/deep")
    copies = chosen.stage(given("only", root / "plain", "below/deep", "below/../link", "near"))
    assert contents(copies) == [
        ("only", "only here"), ("plain", "plain"), ("deep", "deep"), ("link", "plain"), ("near", "deep")
    ]  # fmt: skip


def test_a_relative_path_that_several_roots_have_is_refused_with_the_candidates(
    chosen: ChosenFiles, root: Path, other: Path
) -> None:
    with pytest.raises(ActionRefused, match="several directories") as refused:
        chosen.stage(given("plain"))
    assert f"{root / 'plain'}, {other / 'plain'}." in str(refused.value)


OUTSIDE = "not in a directory that files may be uploaded from"


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("../secret", OUTSIDE),
        ("/etc/passwd", OUTSIDE),
        ("/proc/self/environ", OUTSIDE),
        ("out", OUTSIDE),
        ("up/secret", OUTSIDE),
        ("up/root/plain", OUTSIDE),
        ("below/../../secret", OUTSIDE),
        ("proc/environ", OUTSIDE),
        ("zero", OUTSIDE),
        ("chain", OUTSIDE),
        ("ring", "circle of symbolic links"),
        ("pipe", "not a plain file"),
        ("socket", "not a plain file"),
        ("below", "not a plain file"),
        (".", "not a plain file"),
        ("missing", "No such file"),
        ("below/missing/deep", "does not exist"),
        ("plain/deep", "not a directory"),
        ("plain\0", "character that no path can"),
        ("plain\udcff", "character that no path can"),
        ("x" * 5000, "longer than any file's"),
    ],
)
def test_whatever_leads_out_or_is_no_plain_file_is_refused_and_leaves_nothing(
    tmp_path: Path, root: Path, path: str, words: str
) -> None:
    (root / "out").symlink_to(tmp_path / "secret")
    (root / "up").symlink_to("..")
    (root / "proc").symlink_to("/proc/self")
    (root / "zero").symlink_to("/dev/zero")
    (root / "chain").symlink_to(root / "out")
    (root / "ring").symlink_to(root / "ring")
    os.mkfifo(root / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(root / "socket"))
    files = ChosenFiles([root], tmp_path / "staging")
    files.open()
    for attempt in (files.look, files.stage):
        with pytest.raises(ActionRefused, match=words):
            attempt(given(root / "plain", path))
    assert not list((tmp_path / "staging").glob("*"))
    files.close()


def test_what_comes_to_be_at_the_roots_path_later_is_not_the_root(
    chosen: ChosenFiles, root: Path, other: Path, tmp_path: Path
) -> None:
    root.rename(tmp_path / "moved")
    root.symlink_to(tmp_path)
    with pytest.raises(ActionRefused, match="No such file"):
        chosen.stage(given(root / "secret"))
    assert contents(chosen.stage(given("below/deep"))) == [("deep", "deep")]


def test_a_link_that_changes_sides_all_the_time_never_leads_out(root: Path, tmp_path: Path) -> None:
    swapped = root / "swapped"
    swapped.symlink_to("plain")
    over = threading.Event()

    def swap() -> None:
        while not over.is_set():
            for target in (tmp_path / "secret", Path("plain")):
                (root / "new").symlink_to(target)
                (root / "new").rename(swapped)

    swapping = threading.Thread(target=swap)
    files = ChosenFiles([root], tmp_path / "staging")
    files.open()
    swapping.start()
    try:
        kept: list[str] = []
        for _ in range(300):
            try:
                (copy,) = files.stage(given("swapped"))
            except ActionRefused:
                continue
            kept.append(copy.read_text())
            files.drop([copy])
    finally:
        over.set()
        swapping.join()
        files.close()
    assert set(kept) <= {"plain"}


def test_what_was_seen_is_what_is_given_or_nothing(chosen: ChosenFiles, root: Path) -> None:
    (fact,) = chosen.look(given("below/deep"))
    words, seen = fact
    assert words == f"{root / 'below/deep'}, 4 bytes"
    assert contents(chosen.stage(given("below/deep"), [seen])) == [("deep", "deep")]
    for spoil in (
        lambda: (root / "below/deep").write_text("peed"),
        lambda: ((root / "new").write_text("deep"), (root / "new").rename(root / "below/deep")),
    ):
        ((_, seen),) = chosen.look(given("below/deep"))
        spoil()
        with pytest.raises(ActionRefused, match="not the file any more that was approved"):
            chosen.stage(given("below/deep"), [seen])
    with pytest.raises(ActionRefused, match="not the file any more"):
        chosen.stage(given("only"), [])


def test_sizes_and_counts_are_held_to_over_the_whole_session(chosen: ChosenFiles, root: Path, other: Path) -> None:
    (root / "large").write_bytes(b"x" * 101)
    (root / "most").write_bytes(b"x" * 100)
    for attempt in (chosen.look, chosen.stage):
        with pytest.raises(ActionRefused, match="large is too large: 100 bytes is the most for one file"):
            attempt(given("large"))
        with pytest.raises(ActionRefused, match="250 bytes in a session"):
            attempt(given("most", "most", "most"))
    chosen.stage(given("most", "most"))
    with pytest.raises(ActionRefused, match="250 bytes in a session"):
        chosen.stage(given("most"))
    chosen.drop(chosen.stage(given("below/deep")))  # what a page did not take counts for nothing
    with pytest.raises(ActionRefused, match=f"{FILE_LIMIT + 1} files were named; {FILE_LIMIT} is the most"):
        chosen.stage(given(*["below/deep"] * (FILE_LIMIT + 1)))
    chosen.stage(given("below/deep"))
    with pytest.raises(ActionRefused, match="5 files in a session; 2 more can be, and 3 were named"):
        chosen.stage(given(*["below/deep"] * 3))


def test_a_file_that_is_made_up_as_it_is_read_is_held_to_the_limit_too(tmp_path: Path) -> None:
    files = ChosenFiles([Path("/proc/self")], tmp_path / "staging", limits=FileLimits(10, 10, 10))
    files.open()
    assert files.look(given("/proc/self/status"))
    with pytest.raises(ActionRefused, match="it grew while it was read"):
        files.stage(given("status"))
    assert not list((tmp_path / "staging").glob("*"))
    files.close()


def test_documents_are_found_by_their_ids_and_by_nothing_else(chosen: ChosenFiles) -> None:
    assert contents(chosen.stage(given(documents=["file_1", "file_2"]))) == [
        ("file_1", "the first"), ("report.pdf", "a report")
    ]  # fmt: skip
    for unknown in ("file_9", "file_4", "../secret", ".", "", "file_2/report.pdf", "a\0", "x" * 200):
        with pytest.raises(ActionRefused, match=r"No document .* was put ready"):
            chosen.stage(given(documents=[unknown]))
    with pytest.raises(ActionRefused, match="is not one file"):
        chosen.stage(given(documents=["file_3"]))


def test_without_roots_and_documents_nothing_may_be_given(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a")
    files = ChosenFiles([], tmp_path / "staging")
    files.open()
    with pytest.raises(ActionRefused, match="no directory to upload from"):
        files.stage(given(tmp_path / "a"))
    with pytest.raises(ActionRefused, match="No document"):
        files.stage(given(documents=["file_1"]))
    with pytest.raises(ActionRefused, match="No file was named"):
        files.stage(given())
    with pytest.raises(EnvironmentUnavailable, match="cannot be opened"):
        ChosenFiles([tmp_path / "a"], tmp_path / "staging").open()


def test_a_large_file_is_copied_whole_and_stopped_at_the_bound(tmp_path: Path) -> None:
    data = os.urandom(3_000_001)
    (tmp_path / "from").write_bytes(data)
    for limit, fits in ((len(data), True), (len(data) - 1, False)):
        with (tmp_path / "from").open("rb") as source, (tmp_path / "to").open("wb") as target:
            if fits:
                assert copy_bounded(source.fileno(), target.fileno(), limit) == len(data)
                assert (tmp_path / "to").read_bytes() == data
            else:
                with pytest.raises(TooLarge):
                    copy_bounded(source.fileno(), target.fileno(), limit)


@pytest.mark.parametrize(
    ("size", "words"),
    [(0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (20_000_000, "20 MB"), (1_500_000_000, "1.5 GB")],
)
def test_sizes_are_said_in_round_words(size: int, words: str) -> None:
    assert size_words(size) == words


def test_folders_that_lie_in_each_other_are_found_however_they_are_named(tmp_path: Path) -> None:
    for name in ("a/b", "c"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "a")
    a, b, c, link = tmp_path / "a", tmp_path / "a/b", tmp_path / "c", tmp_path / "link"
    assert overlap([("first", a), ("second", c)]) is None
    assert overlap([("first", a), ("second", c), ("third", a / "not/there")]) is not None
    for inner, outer in ((b, a), (b, link), (link / "b/../b", a), (a / "new", link)):
        sentence = f"inner ({inner}) lies in outer ({outer})"
        assert overlap([("outer", outer), ("inner", inner)]) == sentence
        assert overlap([("inner", inner), ("outer", outer)]) == sentence
    for same in (a, link, b / ".."):
        assert overlap([("one", a), ("other", same)]) is not None
    assert overlap([("first", tmp_path / "ab"), ("second", tmp_path / "a")]) is None
