"""Files through the real command: where they may come from and go to, how much of them, and under which names. Several
promises share a session, since each costs a start."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from environments.browser.odd_site import OddSite
from gui_operator.cli.main import main

from ..pages import by_ref, reference_of, state_of, words_of
from .sessions import COMMAND, LONGEST_WAIT_S, ExecSession, bash

StartExec = Callable[..., ExecSession]

OUTSIDE = "is not in a directory that files may be uploaded from"

PAGE = """<title>Files</title><label>One <input type=file onchange="tell(this)"></label>
<label>Many <input type=file multiple onchange="tell(this)"></label>
<button onclick="asks.click()">Choose</button><input id=asks type=file style="display: none" onchange="tell(this)">
<a href=/one>Report</a> <a href=/endless>Endless</a> <a href=/half>Half</a> <a href=/large>Large</a>
<p id=said></p><script>async function tell(field) {
  said.textContent = 'got';
  for (const file of field.files) said.textContent += ` [${file.name}: ${(await file.text()).slice(0, 20)}]`;
}</script>"""


@pytest.fixture
def site() -> Iterator[OddSite]:
    site = OddSite()
    site.page("/files", PAGE)
    yield site
    site.close()


def browser(name: str, **given: Any) -> dict[str, Any]:
    return {"toolset_name": "browser", "name": name, "input": given}


def one(session: ExecSession, call: Mapping[str, Any]) -> dict[str, Any]:
    (result,) = session.ask(call)["results"]
    return dict(result)


class Page:
    """The page of files in a session, and what it says of them."""

    def __init__(self, session: ExecSession, site: OddSite) -> None:
        self.session = session
        session.read()
        _, read = session.ask(browser("navigate", url=site.url("/files")), browser("read_page"))["results"]
        self._reading = words_of(read)

    def ref(self, name: str) -> dict[str, Any]:
        return by_ref(reference_of(self._reading, name))

    def give(self, field: str, *paths: str | Path, documents: tuple[str, ...] = ()) -> dict[str, Any]:
        given = {"paths": list(map(str, paths))} if paths else {}
        given |= {"document_ids": list(documents)} if documents else {}
        return one(self.session, browser("file_upload", target=self.ref(field), **given))

    def press(self, name: str) -> str:
        return words_of(one(self.session, browser("left_click", target=self.ref(name))))

    def comes_to_say(self, words: str) -> None:
        while words not in words_of(one(self.session, browser("get_page_text"))):
            assert self.session.process.poll() is None

    def refuses(self, words: str, field: str, *paths: str | Path, documents: tuple[str, ...] = ()) -> None:
        result = self.give(field, *paths, documents=documents)
        assert result["is_error"], words_of(result)
        assert words in words_of(result)


def test_files_come_from_below_the_roots_by_whatever_path_and_no_more_than_the_limits_say(
    start_exec: StartExec, site: OddSite, tmp_path: Path
) -> None:
    for folder in ("up/below", "more", "documents/file_2"):
        (tmp_path / folder).mkdir(parents=True)
    up, more, documents = tmp_path / "up", tmp_path / "more", tmp_path / "documents"
    (tmp_path / "secret").write_text("secret")
    (up / "plan.txt").write_text("the plan")
    (up / "below/deep.txt").write_text("deep")
    (more / "plan.txt").write_text("another plan")
    (more / "only.txt").write_text("only here")
    (documents / "file_2/letter.txt").write_text("a letter")
    (up / "out").symlink_to(tmp_path / "secret")
    (up / "away").symlink_to("..")
    os.mkfifo(up / "pipe")
    (up / "large").write_bytes(b"x" * 2001)
    (up / "most").write_bytes(b"x" * 2000)
    session = start_exec(
        "--environment", "browser", "--enable", "file_upload", "--upload-root", str(up), "--upload-root", str(more),
        "--document-dir", str(documents), "--max-upload", "2kB", "--max-upload", "total=2.5kB",
        "--max-upload", "files=9",
    )  # fmt: skip
    page = Page(session, site)
    # Relative ones are below a root; one that several have is not guessed at.
    page.give("Many", "below/deep.txt", "only.txt", up / "plan.txt", "below/../below/deep.txt")
    page.comes_to_say("got [deep.txt: deep] [only.txt: only here] [plan.txt: the plan] [deep.txt: deep]")
    page.refuses(f"several directories: {up / 'plan.txt'}, {more / 'plan.txt'}.", "One", "plan.txt")
    for path in ("../secret", "below/../../secret", "out", "away/secret", "/etc/hostname", "/proc/self/environ"):
        page.refuses(OUTSIDE, "One", path)
    for path in ("pipe", "below"):
        page.refuses("is not a plain file", "One", path)
    page.refuses("No such file", "One", up / "missing")
    # Documents are named by their ids.
    page.give("One", documents=("file_2",))
    page.comes_to_say("got [letter.txt: a letter]")
    page.refuses("No document 'file_9' was put ready", "One", documents=("file_9",))
    page.refuses("No document '../secret' was put ready", "One", documents=("../secret",))
    # What asks for files by a click is answered by the same rules.
    assert "No window opened; the next file_upload answers it" in page.press("Choose")
    page.refuses(OUTSIDE, "Choose", "out")
    page.give("Choose", "only.txt")
    page.comes_to_say("got [only.txt: only here]")
    # The limits: of one file, of all together, and of how many.
    page.refuses("large is too large: 2 kB is the most for one file", "One", "large")
    page.refuses("too large: pages may be given 2.5 kB in a session", "Many", "most", "most")
    page.give("One", "most")
    page.comes_to_say("got [most:")
    page.refuses("9 files in a session; 2 more can be, and 3 were named", "Many", *["only.txt"] * 3)
    # The editor and bash are not bound by the roots.
    assert "secret" in words_of(one(session, bash(f"cat {tmp_path / 'secret'}")))
    assert session.end() == 0


def test_a_root_that_is_exchanged_after_the_start_leads_nowhere_else(
    start_exec: StartExec, site: OddSite, tmp_path: Path
) -> None:
    up, elsewhere = tmp_path / "up", tmp_path / "elsewhere"
    for folder, text in ((up, "mine"), (elsewhere, "secret")):
        folder.mkdir()
        (folder / "notes.txt").write_text(text)
    (elsewhere / "keys.txt").write_text("keys")
    session = start_exec("--environment", "browser", "--enable", "file_upload", "--upload-root", str(up))
    page = Page(session, site)
    moved = f"mv {up} {tmp_path / 'moved'} && ln -s {elsewhere} {up}"
    assert not one(session, bash(moved)).get("is_error")
    page.refuses("No such file", "One", up / "keys.txt")
    page.give("One", up / "notes.txt")
    page.comes_to_say("got [notes.txt: mine]")
    assert session.end() == 0


def endless(handler: BaseHTTPRequestHandler, over: threading.Event) -> None:
    """Says nothing of a size, sends more than is allowed, and does not end by itself."""
    handler.send_response(200)
    handler.send_header("Content-Disposition", "attachment; filename=endless.bin")
    handler.send_header("Connection", "close")
    handler.end_headers()
    handler.close_connection = True
    handler.wfile.write(b"x" * 2_000_000)
    over.wait()


def half(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Disposition", "attachment; filename=half.bin")
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    handler.wfile.write(b"x" * 1000)
    handler.close_connection = True


def test_downloads_are_named_safely_kept_whole_never_over_another_and_stopped_at_the_limits(
    start_exec: StartExec, site: OddSite, tmp_path: Path
) -> None:
    down = tmp_path / "down"
    down.mkdir()
    (down / "_con.tar.gz").write_text("was there")
    site.on("/one", lambda handler: sent(handler, "attachment; filename=con.tar.gz", b"whole"))
    site.on("/large", lambda handler: sent(handler, "attachment; filename=large.bin", b"x" * 1_000_001))
    site.on("/endless", lambda handler: endless(handler, site.ended))
    site.on("/half", half)
    run = tmp_path / "run"
    session = start_exec(
        "--environment", "browser", "--download-dir", str(down), "--record", str(run), "--max-download", "1MB",
        "--max-download", "files=5",
    )  # fmt: skip
    page = Page(session, site)

    def comes_to_tell(press: str) -> dict[str, Any]:
        """What is told in the end of the download that a link begins."""
        result = one(session, browser("left_click", target=page.ref(press)))
        while True:
            for change in state_of(result)["state_changes"]:
                if change["type"] in ("download_completed", "download_failed"):
                    return {**change, "words": words_of(result)}
            result = one(session, browser("wait", duration=0.05))

    told = comes_to_tell("Report")
    assert told["path"] == str(down / "_con.tar (1).gz")
    assert told["size_bytes"] == 5
    assert '"_con.tar (1).gz" was downloaded (5 bytes)' in told["words"]
    too_large = "It is larger than the 1 MB that a download may be, so it was stopped."
    for link, file, error in (
        ("Large", "large.bin", too_large),
        ("Endless", "endless.bin", too_large),
        ("Half", "half.bin", "broken off"),
    ):
        told = comes_to_tell(link)
        assert told["type"] == "download_failed"
        assert error in told["error"]
        assert f'The download of "{file}" failed: ' in told["words"]
    assert comes_to_tell("Report")["path"] == str(down / "_con.tar (2).gz")
    told = comes_to_tell("Report")
    assert told["error"] == "A session may download 5 files; this one would be more, so it was stopped."
    assert {path.name: path.read_text() for path in down.iterdir()} == {
        "_con.tar.gz": "was there", "_con.tar (1).gz": "whole", "_con.tar (2).gz": "whole"
    }  # fmt: skip
    assert session.end() == 0
    recorded = (run / "events.jsonl").read_text()
    assert json.dumps(too_large)[1:-1] in recorded


def sent(handler: BaseHTTPRequestHandler, disposition: str, body: bytes) -> None:
    handler.send_response(200)
    handler.send_header("Content-Disposition", disposition)
    handler.send_header("Content-Type", "application/octet-stream")
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--upload-root", "up", "--download-dir", "up"], "--download-dir ({}/up) lies in --upload-root ({}/up)"),
        (["--upload-root", "up", "--download-dir", "up/in"], "--download-dir ({}/up/in) lies in --upload-root"),
        (["--upload-root", "up/in", "--download-dir", "up"], "--upload-root ({}/up/in) lies in --download-dir"),
        (["--upload-root", "up/in", "--download-dir", "link"], "--upload-root ({}/up/in) lies in --download-dir"),
        (["--upload-root", "up", "--upload-root", "up/in"], "--upload-root ({}/up/in) lies in --upload-root"),
        (["--upload-root", "up", "--document-dir", "up/in"], "--document-dir ({}/up/in) lies in --upload-root"),
        (["--upload-root", "up", "--record", "up/run"], "--record (up/run) lies in --upload-root"),
        (["--download-dir", "up/in", "--record", "up"], "--download-dir ({}/up/in) lies in --record (up)"),
        (["--upload-root", "."], "the folder for temporary files, where sessions keep theirs, ({}/tmp) lies in"),
        (["--download-dir", "tmp"], "the folder for temporary files, where sessions keep theirs, ({}/tmp) lies in"),
        (["--upload-root", "up", "--storage-state", "up/state"], "--storage-state (up/state) lies in --upload-root"),
        (
            ["--upload-root", "up", "--secret", "PIN=file:up/in/pin@localhost"],
            "the file of the secret PIN (up/in/pin) lies in --upload-root",
        ),
        (["--upload-root", "up/missing"], "--upload-root: up/missing is not a folder"),
        (["--document-dir", "file"], "--document-dir: file is not a folder"),
        (["--max-upload", "20"], "'20' is not a size such as 20MB"),
        (["--max-upload", "20mb"], "is not a size such as 20MB"),
        (["--max-upload", "0B"], "is not a size such as 20MB"),
        (["--max-upload", "1e3MB"], "is not a size such as 20MB"),
        (["--max-upload", "files=0"], "is not SIZE, total=SIZE or files=N"),
        (["--max-upload", "each=2MB"], "is not SIZE, total=SIZE or files=N"),
        (["--max-upload", "2MB", "--max-upload", "3MB"], "--max-upload: the limit of one file is said twice"),
        (["--max-download", "total=2"], "'2' is not a size such as 20MB"),
    ],
)
def test_options_of_files_that_cannot_be_meant_are_refused_before_anything_starts(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("up/in", "tmp"):
        Path(folder).mkdir(parents=True)
    Path("up/in/pin").write_text("4711")
    Path("link").symlink_to("up")
    Path("file").touch()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path.parent / "elsewhere"))
    with pytest.raises(SystemExit) as ended:
        main(["exec", "-", "--environment", "browser", *arguments])
    assert ended.value.code == 2
    assert words.replace("{}", str(tmp_path)) in capsys.readouterr().err


def test_limits_without_a_browser_are_refused_by_the_command() -> None:
    ended = subprocess.run(
        [*COMMAND, "exec", "-", "--max-upload", "20MB"],
        stdin=subprocess.DEVNULL, capture_output=True, timeout=LONGEST_WAIT_S,
    )  # fmt: skip
    assert ended.returncode == 2
    assert "--max-upload is for --environment browser or both" in ended.stderr.decode()
