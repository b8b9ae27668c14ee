"""What the worker needs of a machine, looked at one by one. Changes nothing, and needs no library that it checks."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

_OLDEST_PYTHON = (3, 11)
# What Chromium and the pictures of a large screen want of /dev/shm.
_SHARED_MEMORY_MIB = 64
_LONGEST_FONT_LOOK_S = 20
_LONGEST_SCRIPT_BYTES = 4096
_ALL_IN_ONE = "scripts/bootstrap"

# Distribution and the module it brings. `required` ones are needed by the desktop.
_PACKAGES = (
    ("anthropic", "anthropic"),
    ("pillow", "PIL"),
    ("python-xlib", "Xlib"),
    ("mss", "mss"),
    ("tree-sitter", "tree_sitter"),
    ("tree-sitter-bash", "tree_sitter_bash"),
    ("playwright", "playwright"),
)
_OWN_SCREEN_PACKAGES = (*_PACKAGES[:4], ("pyautogui", "pyautogui"))
_CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at. `mend` is the command that mends it, where there is one; without a `required` thing no
    desktop runs, without another something is missing that `found` names."""

    name: str
    ok: bool
    found: str
    mend: str | None = None
    required: bool = True


def look_at_machine() -> Iterable[Finding]:
    """What a desktop of our own needs: every finding but that of a real start, as each is made."""
    checks: tuple[Callable[[], Iterable[Finding]], ...] = (
        _look_at_python,
        _look_at_packages,
        _look_at_programs,
        _look_at_chromium,
        _look_at_fonts,
        _look_at_folders,
    )
    for check in checks:
        yield from check()


def look_for_own_screen() -> Iterable[Finding]:
    """What the machine's own screen needs, where there is no X."""
    yield _find_python("install a later one")
    for distribution, module in _OWN_SCREEN_PACKAGES:
        yield _find_package(distribution, module, f"{sys.executable} -m pip install {distribution}")


def _find_python(mend: str) -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    return Finding("Python", sys.version_info >= _OLDEST_PYTHON, version, mend)


def _find_package(distribution: str, module: str, mend: str) -> Finding:
    there = importlib.util.find_spec(module) is not None
    found = importlib.metadata.version(distribution) if there else "not installed"
    return Finding(f"Python package {distribution}", there, found, mend, required=distribution != "playwright")


def _look_at_python() -> Iterable[Finding]:
    yield _find_python("apt-get install python3")
    has_tk = importlib.util.find_spec("_tkinter") is not None
    found = "there" if has_tk else "missing: the sample application of the demo does not start"
    yield Finding("tkinter", has_tk, found, "apt-get install python3-tk", required=False)


def _look_at_packages() -> Iterable[Finding]:
    for distribution, module in _PACKAGES:
        yield _find_package(distribution, module, _ALL_IN_ONE)


def _look_at_programs() -> Iterable[Finding]:
    programs = (
        ("Xvfb", "xvfb", True, "no desktop of our own"),
        ("openbox", "openbox", True, "no window manager"),
        ("xkbcomp", "x11-xkb-utils", True, "Xvfb has no keyboard"),
        ("bash", "bash", True, "no shell"),
        ("xterm", "xterm", False, "no terminal window"),
    )
    for program, package, required, lack in programs:
        path = shutil.which(program)
        yield Finding(program, path is not None, path or f"missing: {lack}", f"apt-get install {package}", required)
    keymaps = Path("/usr/share/X11/xkb/rules/evdev")
    there = keymaps.is_file()
    found = str(keymaps.parent.parent) if there else "missing: Xvfb has no keyboard"
    yield Finding("keyboard layouts", there, found, "apt-get install xkb-data")


def _look_at_chromium() -> Iterable[Finding]:
    systems_own = [path for path in map(shutil.which, _CHROMIUMS) if path]
    paths = _playwright_builds() + [path for path in systems_own if not _is_snap(Path(path))]
    if paths:
        found = paths[0]
    elif systems_own:
        found = f"{systems_own[0]} is a snap, which does not start without systemd and sees no files of ours"
    else:
        found = "missing: no browser"
    # Ubuntu has no other Chromium than that snap.
    playwrights = f"{sys.executable} -m playwright install --with-deps chromium"
    mend = playwrights if systems_own or _is_ubuntu() else "apt-get install chromium"
    yield Finding("Chromium", bool(paths), found, mend, required=False)


def _is_ubuntu() -> bool:
    try:
        return platform.freedesktop_os_release().get("ID") == "ubuntu"
    except OSError:
        return False


def _is_snap(program: Path) -> bool:
    """The snap's own launcher, or the script that Ubuntu has in its place."""
    if program.is_relative_to("/snap") or program.resolve().name == "snap":
        return True
    with program.open("rb") as file:
        return b"/snap/bin/" in file.read(_LONGEST_SCRIPT_BYTES)


def _playwright_builds() -> list[str]:
    folder = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH", Path.home() / ".cache/ms-playwright"))
    return sorted(map(str, folder.glob("chromium-*/chrome-linux*/chrome")))


def _look_at_fonts() -> Iterable[Finding]:
    if shutil.which("fc-list") is None:
        yield Finding("fonts", ok=False, found="fc-list is missing", mend="apt-get install fontconfig", required=False)
        return
    kinds = (
        ("font", ":family=DejaVu Sans", "fonts-dejavu-core", "text is hard to read"),
        ("font with CJK", ":lang=zh-cn", "fonts-noto-cjk", "Chinese, Japanese and Korean show as boxes"),
        ("font with emoji", ":charset=1f680", "fonts-noto-color-emoji", "emoji show as boxes"),
    )
    for name, pattern, package, lack in kinds:
        listed = subprocess.run(
            ["fc-list", pattern, "family"], capture_output=True, text=True, timeout=_LONGEST_FONT_LOOK_S, check=False
        )
        families = sorted(filter(None, listed.stdout.splitlines()))
        found = families[0] if families else f"missing: {lack}"
        yield Finding(name, bool(families), found, f"apt-get install {package}", required=False)


def _look_at_folders() -> Iterable[Finding]:
    sockets = Path("/tmp/.X11-unix")  # noqa: S108  # the X servers' own fixed place
    place = sockets if sockets.exists() else sockets.parent
    usable = os.access(place, os.W_OK | os.X_OK)
    found = f"{place} can be written" if usable else f"{place} cannot be written: an X server has no socket"
    yield Finding("X sockets", usable, found, f"sudo install -d -m 1777 {sockets}")
    memory = Path("/dev/shm")  # noqa: S108  # where shared memory is
    free_mib = shutil.disk_usage(memory).free // 2**20 if memory.is_dir() else 0
    enough = free_mib >= _SHARED_MEMORY_MIB and os.access(memory, os.W_OK)
    found = f"{free_mib} MiB free in {memory}"
    mend = "mount -o remount,size=256m /dev/shm (in a container: --shm-size=256m)"
    yield Finding("shared memory", enough, found, mend, required=False)
