"""The demo as it ships: the script, the turn file and the sample application together."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def run_demo(script: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [script, str(folder)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env=os.environ | {"GUI_OPERATOR_SKIP_PACKAGES": "1"},
    )


def test_the_demo_enters_corrects_saves_and_edits_orders_and_says_where_everything_is(tmp_path):
    folder = tmp_path / "a run"
    done = run_demo(ROOT / "scripts/demo", folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "NOT AS EXPECTED" not in done.stdout
    assert f"recording  {folder}/events.jsonl" in done.stdout
    orders = json.loads((folder / "work/orders.json").read_text(encoding="utf-8"))["orders"]
    assert [(order["number"], order["customer"], order["quantity"], order["price"]) for order in orders] == [
        (1001, "Müller & Söhne GmbH", 12, "7.95"),
        (1002, "Yamada & Co. (株式会社 山田)", 40, "149.90"),
    ]
    assert orders[0]["note"] == 'Engraving: “Ça va?” — "naïve" {or not}, 100 % Ω\nGift-wrap; ring twice.'
    assert orders[1]["note"] == "Deliver to 3F 🚚📦 ☎ שלום"
    shown = [line.partition("picture: ")[2] for line in done.stdout.splitlines() if "picture: " in line]
    assert shown
    assert [path for path in shown if not Path(path).exists()] == []


def test_a_demo_that_does_not_go_as_expected_fails(tmp_path):
    """The same script with a turn file that expects something else."""
    copy = tmp_path / "copy"
    (copy / "scripts").mkdir(parents=True)
    (copy / "examples").mkdir()
    for name in (".venv", "requirements.lock", "pyproject.toml", "scripts/bootstrap"):
        (copy / name).symlink_to(ROOT / name)
    (copy / "scripts/demo").write_bytes((ROOT / "scripts/demo").read_bytes())
    (copy / "scripts/demo").chmod(0o755)
    turn = {
        "calls": [{"name": "bash", "input": {"command": "ls"}}],
        "expect": [{"call": 1, "text": "no such file here"}],
    }
    (copy / "examples/orders.jsonl").write_text(json.dumps(turn))
    done = run_demo(copy / "scripts/demo", tmp_path / "run")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "NOT AS EXPECTED: call 1 (bash) was to say “no such file here”" in done.stdout


@pytest.mark.parametrize("script", ["demo", "check"])
@pytest.mark.parametrize("arguments", [["--help"], ["one", "two"]])
def test_a_script_that_is_called_wrongly_says_what_it_takes_and_does_nothing(script, arguments, tmp_path):
    done = subprocess.run([ROOT / "scripts" / script, *arguments], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    assert f"{script}: takes " in done.stderr
    assert list(tmp_path.iterdir()) == []
