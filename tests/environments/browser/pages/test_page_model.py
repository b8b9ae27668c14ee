"""The page model's JavaScript is well formed, and keeps to what a page cannot bend."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import playwright
import pytest

from gui_environments.browser.pages import world
from gui_environments.browser.pages.world import SCRIPTS, page_model_source

NODE = Path(playwright.__file__).parent / "driver" / "node"
DIRECTORY = Path(world.__file__).parent / "page_model"


def test_every_script_is_part_of_the_model() -> None:
    assert {path.name for path in DIRECTORY.glob("*.js")} == set(SCRIPTS)


def test_the_model_parses(tmp_path: Path) -> None:
    source = tmp_path / "model.js"
    source.write_text(page_model_source())
    result = subprocess.run([NODE, "--check", source], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("script", [name for name in SCRIPTS if name != "text.js"])
def test_scripts_ask_the_dom_only_in_ways_a_form_or_the_document_cannot_bend(script: str) -> None:
    """What `text.js` has a function for is not asked of a node directly."""
    text = (DIRECTORY / script).read_text()
    unbendable = re.findall(r"getter\(\w+\.prototype, '(\w+)'\)", (DIRECTORY / "text.js").read_text())
    unbendable += re.findall(r"(?:uncurried|asking)\(\w+\.prototype\.(\w+)\)", (DIRECTORY / "text.js").read_text())
    assert len(unbendable) > 20
    holders = "document|element|node|parent|child|at|label|control|host|field"
    bent = re.findall(rf"(?<![\w.])(?:{holders})\.({'|'.join(unbendable)})\b", text)
    assert not bent


@pytest.mark.parametrize("script", SCRIPTS)
def test_scripts_are_short_and_declare_what_they_use_once(script: str) -> None:
    lines = (DIRECTORY / script).read_text().splitlines()
    assert max(len(line) for line in lines) <= 120
    declared = re.findall(r"^(?:const|let|function) (\w+)", "\n".join(lines), flags=re.M)
    everything = page_model_source()
    for name in declared:
        assert len(re.findall(rf"\b{name}\b", everything)) > 1, f"{name} is never used"
