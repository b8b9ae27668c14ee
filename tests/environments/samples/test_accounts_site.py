"""The shop's server over real HTTP: its command line, what it serves, what it takes and where it keeps it."""

from __future__ import annotations

import http.client
import json
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from gui_environments.samples.accounts.site import AccountsSite

from .applying import VALID, multipart

LICENCE = bytes(range(256))


@pytest.fixture
def site(tmp_path: Path) -> Iterator[AccountsSite]:
    with AccountsSite(tmp_path / "received") as site:
        serving = threading.Thread(target=site.serve)
        serving.start()
        yield site
        site.stop()
        serving.join()


def ask(
    site: AccountsSite, method: str, path: str, body: bytes = b"", kind: str = ""
) -> tuple[http.client.HTTPResponse, str]:
    connection = http.client.HTTPConnection("127.0.0.1", site.port)
    try:
        connection.request(method, path, body, {"Content-Type": kind} if kind else {})
        answer = connection.getresponse()
        return answer, answer.read().decode()
    finally:
        connection.close()


def token(site: AccountsSite, iban: str = "DE89370400440532013000") -> dict[str, str]:
    sent = json.dumps({"holder": "Ada", "iban": iban, "mandate": False}).encode()
    answer, text = ask(site, "POST", "/payment/tokens", sent, "application/json")
    assert answer.status == 200
    told: dict[str, str] = json.loads(text)
    return told


def send(site: AccountsSite, **changed: list[str]) -> tuple[http.client.HTTPResponse, str]:
    texts = {**VALID, "payment_token": [token(site)["token"]], **changed}
    kind, body = multipart(texts, {"licence": ("Müllers licence.bin", LICENCE)})
    return ask(site, "POST", "/applications", body, kind)


def test_what_is_sent_is_kept_whole_under_a_new_number_and_shown_escaped(site: AccountsSite, tmp_path: Path) -> None:
    answer, _ = send(site)
    assert answer.status == 303
    where = answer.headers["Location"]
    number = where.rpartition("/")[2]
    assert re.fullmatch(r"K-\d{5}", number)
    folder = tmp_path / "received" / number
    assert (folder / "licence").read_bytes() == LICENCE
    kept = json.loads((folder / "application.json").read_text(encoding="utf-8"))
    assert kept["number"] == number
    assert kept["contact"] == "Ada <b>Lovelace</b>"
    assert kept["catalogues"] == ["pens", "filing"]
    assert kept["account"] == {"holder": "Ada", "iban": "DE89370400440532013000", "mandate": False}
    assert kept["licence"] == {"name": "Müllers licence.bin", "bytes": 256}
    assert "long enough!" not in (folder / "application.json").read_text(encoding="utf-8")
    page, text = ask(site, "GET", where)
    assert page.status == 200
    assert "Ada &lt;b&gt;Lovelace&lt;/b&gt;" in text
    assert "<b>" not in text
    assert "long enough!" not in text
    assert "3704" not in text
    file, confirmation = ask(site, "GET", f"{where}/confirmation")
    assert file.headers["Content-Disposition"] == f'attachment; filename="confirmation-{number}.txt"'
    assert confirmation.startswith(f"Customer number: {number}\nCompany name: Ada & Co\n")


def test_two_applications_have_two_numbers(site: AccountsSite, tmp_path: Path) -> None:
    first, second = (send(site)[0].headers["Location"] for _ in range(2))
    assert first != second
    assert len(list((tmp_path / "received").iterdir())) == 2


def test_what_is_wrong_is_refused_field_by_field_and_not_kept(site: AccountsSite, tmp_path: Path) -> None:
    answer, text = send(site, employees=["none"], email=["<script>"])
    assert answer.status == 422
    assert "employees: It is a whole number from 1 to 5000." in text
    assert "email: It is an address such as name@example.com." in text
    answer, text = send(site, payment_token=["guessed"])
    assert answer.status == 422
    assert "payment: It is missing." in text
    answer, _ = ask(site, "POST", "/applications", b"company=Ada", "application/x-www-form-urlencoded")
    assert answer.status == 400
    assert not (tmp_path / "received").exists()


def test_an_account_that_is_wrong_gets_no_token(site: AccountsSite) -> None:
    assert token(site, "DE1") == {"problem": "The IBAN is not right."}
    for body in (b"{", b"[]", b"[" * 100_000):
        _, text = ask(site, "POST", "/payment/tokens", body)
        assert list(json.loads(text)) == ["problem"]


@pytest.mark.parametrize(
    "path",
    [
        *("/applications", "/applications/", "/applications/K-12345", "/applications/K-12345/confirmation"),
        *("/site.py", "/../site.py", "/style.css/../../site.py", "/%2e%2e/site.py", "/application.html"),
    ],
)
def test_nothing_else_is_served(site: AccountsSite, path: str) -> None:
    assert ask(site, "GET", path)[0].status == 404


def test_every_address_that_a_page_names_is_there(site: AccountsSite) -> None:
    pages = ["/", "/payment", "/terms", send(site)[0].headers["Location"]]
    for page in pages:
        answer, text = ask(site, "GET", page)
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
        for address in re.findall(r'(?:src|href)="(/[^"]*)"', text):
            assert ask(site, "GET", address)[0].status == 200, address
    assert f'src="http://localhost:{site.port}/payment"' in ask(site, "GET", "/")[1]


def test_a_body_that_is_too_large_or_of_no_known_length_is_refused_unread(site: AccountsSite) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", site.port)
    for length in ("999999999", "-1", "²", "9" * 5000):
        connection.putrequest("POST", "/applications")
        connection.putheader("Content-Length", length.encode())
        connection.endheaders()
        assert connection.getresponse().status == 413
        connection.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_command_says_its_address_once_it_can_be_opened_and_ends_when_told(
    tmp_path: Path, number: signal.Signals
) -> None:
    command = [sys.executable, "-m", "gui_environments.samples.accounts", "--folder", str(tmp_path / "received")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\n", process.stdout.readline())
        assert match
        for _ in range(20):  # who leaves without reading the answer breaks nothing
            with socket.create_connection(("127.0.0.1", int(match[1]))) as leaving:
                leaving.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                leaving.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        # Taken at once, though it may not be answered yet.
        connection = http.client.HTTPConnection("127.0.0.1", int(match[1]))
        connection.request("GET", "/")
        assert connection.getresponse().status == 200
        connection.close()
        process.send_signal(number)
        assert process.stderr.read() == ""
    assert process.returncode == 0
