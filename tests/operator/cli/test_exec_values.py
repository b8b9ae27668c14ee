"""Values that turns use by name, and services started beside the environment: the real command."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from .sessions import COMMAND, LONGEST_WAIT_S, ExecSession, bash, text_of

StartExec = Callable[..., ExecSession]

WEB_SERVER = [sys.executable, "-m", "http.server", "0", "--bind", "127.0.0.1"]
"""Says its address as most do, in the middle of a sentence."""


def service(name: str, *command: str) -> str:
    return f"--service={name}={shlex.join(command)}"


def fetch(address: str) -> bytes:
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(address) as answer:
        content: bytes = answer.read()
        return content


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def echo_value(session: ExecSession, text: str) -> str:
    (result,) = session.ask(bash({"$text": text}))["results"]  # type: ignore[arg-type]  # filled in by the command
    return text_of(result).strip()


def test_a_value_is_used_by_its_name(start_exec: StartExec) -> None:
    session = start_exec("--environment", "desktop", "--value", "who=Ada = Lovelace", "--value", "empty=")
    assert session.read()["values"] == {"who": "Ada = Lovelace", "empty": ""}
    assert echo_value(session, "echo '${who}${empty}'") == "Ada = Lovelace"
    assert session.end() == 0


def test_what_one_line_keeps_the_next_one_uses_and_a_line_that_uses_nothing_known_is_refused(
    start_exec: StartExec,
) -> None:
    session = start_exec()
    assert "values" not in session.read()
    session.send_line(
        json.dumps(
            {
                "calls": [bash("echo Order 4711 taken")],
                "keep": [{"call": 1, "as": "order", "pattern": r"Order (\d+)"}],
            }
        ).encode()
    )
    answer = session.read()
    assert answer["kept"] == {"order": "4711"}
    assert answer["unmet"] == []
    assert echo_value(session, "echo ${order}-1") == "4711-1"
    session.send_line(json.dumps({"calls": [bash("echo Order"), bash({"$text": "touch ${other}"})]}).encode())  # type: ignore[arg-type]
    assert session.read() == {"error": "call 2: there is no value 'other' yet; known are order"}
    assert session.end() == 1


def test_what_cannot_be_kept_is_not_as_expected(start_exec: StartExec) -> None:
    session = start_exec("--value", "order=46")
    session.read()
    session.send_line(
        json.dumps(
            {"calls": [bash("echo none")], "keep": [{"call": 1, "as": "order", "pattern": r"Order (\d+)"}]}
        ).encode()
    )
    answer = session.read()
    assert answer["kept"] == {}
    assert answer["unmet"] == [r"call 1 has nothing to keep as order: its result does not match Order (\d+)"]
    assert session.end() == 1


def test_a_service_is_ready_under_its_address_and_ends_with_the_session(start_exec: StartExec, tmp_path: Path) -> None:
    (tmp_path / "page.txt").write_text("served")
    session = start_exec(service("site", *WEB_SERVER, "--directory", str(tmp_path)))
    address = session.read()["values"]["site"]
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)
    assert fetch(f"{address}page.txt") == b"served"
    assert session.end() == 0
    with pytest.raises(OSError, match="refused"):
        fetch(address)


def test_a_killed_command_leaves_no_service_behind(start_exec: StartExec, tmp_path: Path) -> None:
    beacon = tmp_path / "beacon"
    os.mkfifo(beacon)
    code = f"import time; f = open({str(beacon)!r}, 'w'); print('http://x/', flush=True); time.sleep(1000)"
    session = start_exec(service("site", *python(code)))
    # Open for as long as the service runs.
    with beacon.open() as held:
        session.read()
        session.process.kill()
        session.process.wait(LONGEST_WAIT_S)
        assert held.read() == ""


def test_what_a_service_goes_on_to_print_never_holds_it_up(start_exec: StartExec) -> None:
    code = "\n".join(
        [
            "import http.server, sys",
            "class Talker(http.server.BaseHTTPRequestHandler):",
            "    def do_GET(self):",
            "        sys.stdout.write('x' * 3_000_000)",
            "        sys.stdout.flush()",
            "        self.send_response(204)",
            "        self.end_headers()",
            "server = http.server.HTTPServer(('127.0.0.1', 0), Talker)",
            "print(f'\\x1b[32mready:\\x1b[0m http://127.0.0.1:\\x1b[1m{server.server_port}\\x1b[22m/start.')",
            "server.serve_forever()",
        ]
    )
    session = start_exec(service("talker", *python(code)))
    address = session.read()["values"]["talker"]
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/start", address)
    assert fetch(address) == b""
    assert session.end() == 0


def test_services_get_no_key_and_no_display_of_the_hosts(start_exec: StartExec) -> None:
    code = "import os; print('http://x/' + ','.join(sorted({'HIDDEN_KEY', 'DISPLAY', 'PATH'} & os.environ.keys())))"
    session = start_exec(service("site", *python(code)), variables={"HIDDEN_KEY": "k", "DISPLAY": ":77"})
    assert session.read()["values"]["site"] == "http://x/PATH"
    assert session.end() == 0


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (python("import sys; print('no luck'); sys.exit(3)"), "ended with status 3 before it said an address"),
        (python("import sys; print('no luck'); sys.exit(3)"), "no luck"),
        (["no-such-program-here"], "cannot be started: No such file or directory"),
    ],
)
def test_a_service_that_does_not_come_up_is_an_error_at_start(
    start_exec: StartExec, command: list[str], words: str
) -> None:
    session = start_exec(service("site", *command))
    assert session.end() == 6
    assert words in session.errors


def test_an_address_that_was_said_counts_even_when_the_service_ends_at_once(start_exec: StartExec) -> None:
    """As one that goes into the background does."""
    session = start_exec(service("site", *python("print('at https://[::1]:8443/a')")))
    assert session.read()["values"]["site"] == "https://[::1]:8443/a"
    assert session.end() == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--value", "x"], "is not NAME=TEXT"),
        (["--value", "1x=a"], "a name of letters, digits and _"),
        (["--service", "x="], "names no program"),
        (["--service", "x='"], "cannot be split into words"),
        (["--value", "x=1", "--service", "x=true"], "the value x is given twice"),
        (["--value", "x=1", "--value", "x=1"], "the value x is given twice"),
    ],
)
def test_a_value_that_cannot_be_meant_is_refused_at_once(arguments: list[str], words: str) -> None:
    done = subprocess.run([*COMMAND, "exec", "-", *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 2
    assert words in done.stderr
