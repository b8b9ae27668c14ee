"""Downloads are put into the very folder that was opened first, whole, under a name that was free. On a real file
system, without a browser."""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from environments.browser.conftest import PATIENCE_S
from gui_environments.browser.files.copying import TooLarge
from gui_environments.browser.files.download_folder import DownloadFolder, FolderExchanged

LIMIT_BYTES = 1_000_000


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[DownloadFolder]:
    folder = DownloadFolder(tmp_path / "made" / "when needed")
    yield folder
    folder.close()


@pytest.fixture
def came(tmp_path: Path) -> Path:
    came = tmp_path / "came"
    came.write_text("what came")
    return came


def names(folder: DownloadFolder) -> list[str]:
    return sorted(path.name for path in folder.path.iterdir())


def test_a_file_is_called_part_until_it_is_whole(folder: DownloadFolder, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    placed: list[tuple[Path, int]] = []
    placing = threading.Thread(target=lambda: placed.append(folder.place(pipe, "a.bin", LIMIT_BYTES)))
    placing.start()
    with pipe.open("wb", buffering=0) as writer:
        writer.write(b"half")
        part = folder.path / "a.bin.part"
        end = time.monotonic() + PATIENCE_S
        while not part.exists() or part.read_bytes() != b"half":
            assert time.monotonic() < end
        assert names(folder) == ["a.bin.part"]
        writer.write(b", whole")
    placing.join()
    assert placed == [(folder.path / "a.bin", 11)]
    assert names(folder) == ["a.bin"]
    assert (folder.path / "a.bin").read_bytes() == b"half, whole"


def test_what_is_there_is_never_written_over(folder: DownloadFolder, came: Path) -> None:
    folder.path.mkdir(parents=True)
    (folder.path / "a.txt").write_text("was there")
    (folder.path / "a.txt.part").write_text("another's")
    (folder.path / "a (1).txt").symlink_to("nowhere")
    assert folder.place(came, "a.txt", LIMIT_BYTES)[0].name == "a (2).txt"
    assert folder.place(came, "a.txt", LIMIT_BYTES)[0].name == "a (3).txt"
    assert names(folder) == ["a (1).txt", "a (2).txt", "a (3).txt", "a.txt", "a.txt.part"]
    assert (folder.path / "a.txt").read_text() == "was there"
    assert (folder.path / "a.txt.part").read_text() == "another's"


def test_more_than_was_allowed_leaves_nothing(folder: DownloadFolder, came: Path) -> None:
    with pytest.raises(TooLarge):
        folder.place(came, "a.txt", 8)
    with pytest.raises(FileNotFoundError):
        folder.place(came.parent / "missing", "a.txt", 8)
    assert names(folder) == []


@pytest.mark.parametrize("is_there", [True, False])
def test_another_folder_at_the_same_path_gets_nothing(
    folder: DownloadFolder, came: Path, tmp_path: Path, is_there: bool
) -> None:
    if is_there:
        folder.path.mkdir(parents=True)
    folder.open()
    folder.place(came, "first.txt", LIMIT_BYTES)
    folder.path.rename(tmp_path / "moved")
    for exchange in (lambda: None, lambda: folder.path.symlink_to(tmp_path)):
        exchange()
        with pytest.raises(FolderExchanged, match="exchanged for another"):
            folder.place(came, "second.txt", LIMIT_BYTES)
    assert [path.name for path in (tmp_path / "moved").iterdir()] == ["first.txt"]
    assert not (tmp_path / "second.txt").exists()


def test_a_file_system_without_links_keeps_the_same_promises(
    folder: DownloadFolder, came: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))  # what Linux says of a link on FAT

    monkeypatch.setattr(os, "link", refuse)
    assert [folder.place(came, "a.txt", LIMIT_BYTES)[0].name for _ in range(3)] == ["a.txt", "a (1).txt", "a (2).txt"]
    assert [(folder.path / name).read_text() for name in names(folder)] == ["what came"] * 3
