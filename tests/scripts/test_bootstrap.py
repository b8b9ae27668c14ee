"""`scripts/bootstrap` on machines that lack things. What would change this machine, or fetch from the network, is
stood in for by small programs that note what they were asked; the script itself is the one that ships."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = ("bash", "sh", "env", "dirname", "cat", "cksum", "mktemp", "rm", "mv", "head", "tail", "mkdir", "chmod")

PYTHON = """\
#!/bin/sh
# Answers the look for venv and tkinter; makes an environment whose pip fails while there is a file `broken`.
[ "$1" = -c ] && exit 0
echo "python $*" >>"$NOTES"
mkdir -p .venv/bin
printf '#!/bin/sh\\nexit 0\\n' >.venv/bin/python
printf '#!/bin/sh\\necho "pip $*" >>"$NOTES"; [ ! -e broken ]\\n' >.venv/bin/pip
chmod +x .venv/bin/python .venv/bin/pip
"""


class Machine:
    """A checkout, and a PATH that holds only what a test puts there."""

    def __init__(self, folder: Path) -> None:
        self.checkout = folder / "checkout"
        self.programs = folder / "programs"
        self.notes = folder / "notes"
        (self.checkout / "scripts").mkdir(parents=True)
        self.programs.mkdir()
        for name in ("requirements.lock", "pyproject.toml", "scripts/bootstrap"):
            (self.checkout / name).write_bytes((ROOT / name).read_bytes())
        for name in TOOLS:
            found = shutil.which(name)
            assert found is not None
            (self.programs / name).symlink_to(found)

    def have(self, program: str, script: str) -> None:
        path = self.programs / program
        path.unlink(missing_ok=True)
        path.write_text(script if script.startswith("#!") else f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def bootstrap(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "scripts/bootstrap", *arguments],
            cwd=self.checkout,
            env={"PATH": str(self.programs), "NOTES": str(self.notes)} | variables,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )

    def noted(self, start: str) -> list[str]:
        lines = self.notes.read_text().splitlines() if self.notes.exists() else []
        return [line for line in lines if line.startswith(start)]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """One with a working Python and apt-get, where xterm is missing."""
    machine = Machine(tmp_path)
    machine.have("python3", PYTHON)
    machine.have("id", "echo 0")
    # Says of all packages it is asked for, except one, that they are installed.
    machine.have(
        "dpkg-query",
        'shift 2; for name in "$@"; do [ "$name" = xterm ] || printf "installed:%s " "$name"; done; exit 1',
    )
    machine.have("apt-get", 'echo "apt-get $*" >>"$NOTES"; echo chatter')
    return machine


def test_only_what_is_missing_is_installed_and_quietly(machine: Machine) -> None:
    done = machine.bootstrap("--test")
    assert done.returncode == 0, done.stderr
    assert [line.rpartition("--no-install-recommends ")[2] for line in machine.noted("apt-get")][1:] == ["xterm"]
    assert "chatter" not in done.stdout + done.stderr


def test_why_apt_failed_is_shown(machine: Machine) -> None:
    machine.have("apt-get", 'case "$*" in *install*) echo "E: the disk is full"; exit 100;; esac')
    done = machine.bootstrap()
    assert done.returncode == 1
    assert "E: the disk is full" in done.stderr
    assert machine.noted("python") == []


def test_a_source_that_cannot_be_reached_is_not_the_end_when_the_packages_come_all_the_same(machine: Machine) -> None:
    machine.have("apt-get", 'echo "apt-get $*" >>"$NOTES"; case "$*" in *update*) exit 100;; esac')
    assert machine.bootstrap().returncode == 0


def test_a_user_without_sudo_is_told_what_to_ask_for_and_one_with_it_is_not_stopped(machine: Machine) -> None:
    machine.have("id", "echo 1000")
    done = machine.bootstrap()
    assert done.returncode == 1
    assert "As root: apt-get install xterm" in done.stderr
    assert machine.noted("apt-get") == []
    machine.have("sudo", 'echo "sudo $*" >>"$NOTES"; exec "$@"')
    assert machine.bootstrap().returncode == 0
    assert len(machine.noted("sudo")) == len(machine.noted("apt-get")) == 2


def test_without_apt_it_says_what_is_needed_and_goes_on_when_told_that_it_is_there(machine: Machine) -> None:
    (machine.programs / "apt-get").unlink()
    done = machine.bootstrap()
    assert done.returncode == 1
    assert "xvfb" in done.stderr
    assert "GUI_OPERATOR_SKIP_PACKAGES=1" in done.stderr
    assert machine.bootstrap(GUI_OPERATOR_SKIP_PACKAGES="1").returncode == 0


def test_a_python_that_lacks_venv_or_tkinter_is_not_used(machine: Machine) -> None:
    for name in ("python3", "python3.11", "python3.12", "python3.13", "python3.14"):
        machine.have(name, "exit 1")
    # This machine's own is found by its full path; where that will do, it is used.
    script = machine.checkout / "scripts/bootstrap"
    script.write_text(script.read_text().replace("/usr/bin/python3 ", "/usr/bin/no-python3 "))
    done = machine.bootstrap()
    assert done.returncode == 1
    assert "python3-venv and python3-tk" in done.stderr
    assert not (machine.checkout / ".venv").exists()


ANEW = "python -m venv --clear .venv"


def add_to_lock(machine: Machine) -> None:
    with (machine.checkout / "requirements.lock").open("a") as lock:
        lock.write("# another\n")


def test_a_whole_install_is_left_alone(machine: Machine) -> None:
    assert machine.bootstrap().returncode == 0
    machine.notes.unlink()
    assert machine.bootstrap().returncode == 0
    assert machine.noted("python") + machine.noted("pip") == []


def test_a_whole_install_follows_the_lock_where_it_is(machine: Machine) -> None:
    assert machine.bootstrap().returncode == 0
    add_to_lock(machine)
    machine.notes.unlink()
    assert machine.bootstrap().returncode == 0
    assert machine.noted("python") == []
    assert len(machine.noted("pip")) == 2


def test_a_moved_install_is_made_anew(machine: Machine, tmp_path: Path) -> None:
    assert machine.bootstrap().returncode == 0
    machine.checkout = machine.checkout.rename(tmp_path / "moved")
    assert machine.bootstrap().returncode == 0
    assert machine.noted("python") == [ANEW] * 2


def test_an_install_that_was_broken_off_is_made_anew(machine: Machine) -> None:
    assert machine.bootstrap().returncode == 0
    add_to_lock(machine)
    (machine.checkout / "broken").touch()
    assert machine.bootstrap().returncode != 0
    # Back to the lock that was whole before: what is there by now is of neither.
    (machine.checkout / "requirements.lock").write_bytes((ROOT / "requirements.lock").read_bytes())
    (machine.checkout / "broken").unlink()
    assert machine.bootstrap().returncode == 0
    assert machine.noted("python") == [ANEW] * 2


def test_what_it_does_not_take_is_said(machine: Machine) -> None:
    done = machine.bootstrap("--tests")
    assert done.returncode == 2
    assert "--test or nothing" in done.stderr
