"""The demo as it ships: the script, the turn files and the samples together, one part at a time."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.timeout(300)


def run_demo(script: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [script, *map(str, arguments)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env=os.environ | {"GUI_OPERATOR_SKIP_PACKAGES": "1"},
    )


def run_part(part: str, folder: Path) -> str:
    """What it printed, when all went as the turn file expects; every picture that it names is there."""
    done = run_demo(ROOT / "scripts/demo", "--environment", part, folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "NOT AS EXPECTED" not in done.stdout
    assert [line for line in done.stdout.splitlines() if line.startswith("== ")] == [f"== {part}"]
    assert f"{part}: recording {folder}/{part}/recording/events.jsonl" in done.stdout
    shown = [line.partition("picture: ")[2] for line in done.stdout.splitlines() if "picture: " in line]
    assert shown
    assert [path for path in shown if not Path(path).exists()] == []
    assert (folder / part / "recording/events.jsonl").stat().st_size
    return done.stdout


def orders_in(folder: Path) -> list[dict[str, object]]:
    orders: list[dict[str, object]] = json.loads((folder / "work/orders.json").read_text(encoding="utf-8"))["orders"]
    return orders


def test_the_desktop_part_enters_corrects_saves_and_edits_orders(tmp_path):
    folder = tmp_path / "a run"
    run_part("desktop", folder)
    orders = orders_in(folder / "desktop")
    assert [(order["number"], order["customer"], order["quantity"], order["price"]) for order in orders] == [
        (1001, "Müller & Söhne GmbH", 12, "7.95"),
        (1002, "Yamada & Co. (株式会社 山田)", 40, "149.90"),
    ]
    assert orders[0]["note"] == 'Engraving: “Ça va?” — "naïve" {or not}, 100 % Ω\nGift-wrap; ring twice.'
    assert orders[1]["note"] == "Deliver to 3F 🚚📦 ☎ שלום"


@pytest.mark.long
def test_the_browser_part_fills_and_sends_a_long_form_and_downloads_the_confirmation(tmp_path):
    folder = tmp_path / "a run"
    printed = run_part("browser", folder)
    (received,) = (folder / "browser/received").iterdir()
    application = json.loads((received / "application.json").read_text(encoding="utf-8"))
    assert f"kept    number: {received.name}" in printed
    assert application["company"] == "Müller & Söhne GmbH"
    assert application["country"] == "AT"
    assert application["account"]["iban"] == "DE89370400440532013000"
    assert (received / "licence").read_bytes() == (folder / "browser/work/licence.txt").read_bytes()
    (confirmation,) = (folder / "browser/downloads").iterdir()
    assert confirmation.name == f"confirmation-{received.name}.txt"
    assert confirmation.read_text(encoding="utf-8").startswith(f"Customer number: {received.name}\n")
    assert len(re.findall("ok      form_input ", printed.partition("turn 3")[0])) == 20
    assert 'A confirm dialog "Throw away everything you have entered?" was dismissed.' in printed


def test_the_part_with_both_carries_the_number_that_the_web_page_gave_into_the_order_program(tmp_path):
    folder = tmp_path / "a run"
    run_part("both", folder)
    (received,) = (folder / "both/received").iterdir()
    (order,) = orders_in(folder / "both")
    assert order["customer"] == "Ó Briain & Daughters"
    assert order["note"] == f"Customer number {received.name}"


@pytest.mark.long
def test_a_demo_of_which_a_part_does_not_go_as_expected_fails_after_all_parts(tmp_path):
    """The same script with turn files of which one expects something else."""
    copy = tmp_path / "copy"
    (copy / "scripts").mkdir(parents=True)
    (copy / "examples").mkdir()
    for name in (".venv", "requirements.lock", "pyproject.toml", "scripts/bootstrap"):
        (copy / name).symlink_to(ROOT / name)
    (copy / "scripts/demo").write_bytes((ROOT / "scripts/demo").read_bytes())
    (copy / "scripts/demo").chmod(0o755)
    call = {"name": "bash", "input": {"command": "echo here"}}
    for name, said in (("orders", "not here"), ("accounts", "here"), ("account-to-order", "here")):
        turn = {"calls": [call], "expect": [{"call": 1, "text": said}]}
        (copy / f"examples/{name}.jsonl").write_text(json.dumps(turn))
    done = run_demo(copy / "scripts/demo", tmp_path / "run")
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stdout.count("NOT AS EXPECTED") == 1
    assert "NOT AS EXPECTED: call 1 (bash) was to say “not here”" in done.stdout
    assert re.findall("^== (.*)$", done.stdout, re.MULTILINE) == ["desktop", "browser", "both"]


@pytest.mark.parametrize(
    ("script", "arguments"),
    [
        ("demo", ["--help"]),
        ("demo", ["one", "two"]),
        ("demo", ["--environment"]),
        ("demo", ["--environment", "web"]),
        ("demo", ["--environment", "both", "one", "two"]),
        ("check", ["--help"]),
        ("check", ["one", "two"]),
    ],
)
def test_a_script_that_is_called_wrongly_says_what_it_takes_and_does_nothing(script, arguments, tmp_path):
    done = subprocess.run([ROOT / "scripts" / script, *arguments], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    assert f"{script}: takes " in done.stderr
    assert list(tmp_path.iterdir()) == []
