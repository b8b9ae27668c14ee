"""`gui-operator doctor` on this machine, and on one that lacks things."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

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
