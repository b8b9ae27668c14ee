"""`gui-operator doctor` on this machine, and on one that lacks things."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .sessions import COMMAND


def doctor(path: str | None = None) -> subprocess.CompletedProcess[str]:
    variables = os.environ | ({"PATH": path} if path is not None else {})
    return subprocess.run([*COMMAND, "doctor"], capture_output=True, text=True, env=variables, stdin=subprocess.DEVNULL)


def test_where_everything_is_there_a_desktop_is_really_started():
    done = doctor()
    assert done.returncode == 0, done.stdout
    assert "a picture of 640x480 pixels taken" in done.stdout
    assert "X extension XTEST: there" in done.stdout
    assert "MISSING" not in done.stdout
    assert done.stdout.endswith("A desktop can run here.\n")


def path_without(folder: Path, *missing: str) -> str:
    """A PATH with the programs that the doctor looks for, except some."""
    for program in ("Xvfb", "openbox", "xkbcomp", "bash", "sh", "xterm", "fc-list"):
        if program not in missing:
            (folder / program).symlink_to(shutil.which(program))
    return str(folder)


def test_what_a_desktop_needs_and_is_missing_is_named_with_the_command_that_mends_it(tmp_path):
    done = doctor(path_without(tmp_path, "Xvfb", "openbox"))
    assert done.returncode == 1
    assert "MISSING  Xvfb: missing: no desktop of our own\n           mend: apt-get install xvfb\n" in done.stdout
    assert "MISSING  openbox" in done.stdout
    assert "MISSING  a desktop:" in done.stdout
    assert "Traceback" not in done.stderr


def test_what_a_desktop_can_do_without_is_named_too_and_does_not_count(tmp_path):
    done = doctor(path_without(tmp_path, "xterm"))
    assert done.returncode == 0, done.stdout
    assert "lacking  xterm: missing: no terminal window\n           mend: apt-get install xterm\n" in done.stdout


def test_a_missing_library_is_named_though_other_commands_cannot_even_load(tmp_path):
    # A package of this name that cannot be imported stands in for one that is broken or not there.
    (tmp_path / "anthropic.py").write_text("raise ImportError('no such library')\n")
    (tmp_path / "Xlib.py").write_text("raise ImportError('no such library')\n")
    done = subprocess.run(
        [*COMMAND, "doctor"], capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(tmp_path)}
    )
    assert done.returncode == 1
    assert "MISSING  a desktop: not tried: no such library" in done.stdout
    assert "Traceback" not in done.stderr


def doctor_elsewhere(system: str, *hidden: str) -> subprocess.CompletedProcess[str]:
    """The doctor on this machine, told that it is another system, without some packages."""
    program = (
        "import importlib.util, sys\n"
        "from gui_operator.cli.main import main\n"
        "import gui_operator.cli.doctor\n"
        f"find, hidden = importlib.util.find_spec, {hidden!r}\n"
        "importlib.util.find_spec = lambda name: None if name in hidden else find(name)\n"
        f"sys.platform = {system!r}\n"
        "sys.exit(main(['doctor']))\n"
    )
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, stdin=subprocess.DEVNULL)


@pytest.mark.parametrize(
    ("system", "way"), [("darwin", "`gui-operator exec --display own`, or"), ("win32", "be driven: gui_environments")]
)
def test_on_systems_without_x_it_says_what_the_own_screen_needs_and_that_nothing_was_tried(system, way):
    done = doctor_elsewhere(system)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ok       Python package pyautogui: " in done.stdout
    assert "Xvfb: " not in done.stdout
    assert way in done.stdout
    assert "Not tried here" in done.stdout


def test_on_systems_without_x_a_missing_package_is_named_with_the_command_that_mends_it():
    done = doctor_elsewhere("darwin", "pyautogui")
    assert done.returncode == 1
    assert f"mend: {sys.executable} -m pip install pyautogui\n" in done.stdout
    assert done.stdout.endswith("A desktop cannot run here: Python package pyautogui.\n")


def test_a_chromium_that_is_a_snap_does_not_count_and_another_one_is_offered(tmp_path):
    chromium = tmp_path / "chromium"
    chromium.write_text('#!/bin/sh\nexec /snap/bin/chromium "$@"\n')
    chromium.chmod(0o755)
    variables = os.environ | {"PATH": path_without(tmp_path), "PLAYWRIGHT_BROWSERS_PATH": "/nowhere"}
    done = subprocess.run([*COMMAND, "doctor"], capture_output=True, text=True, env=variables)
    assert f"lacking  Chromium: {chromium} is a snap" in done.stdout
    assert f"mend: {sys.executable} -m playwright install --with-deps chromium" in done.stdout
