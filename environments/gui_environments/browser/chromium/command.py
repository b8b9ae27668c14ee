"""Finding a Chromium on this machine, and the command line and profile it is started with. Starts nothing itself."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gui_environments.egress.makers import MAKERS_DOMAIN, MAKERS_HOSTS, NOWHERE, is_nowhere
from gui_environments.errors import EnvironmentUnavailable

SYSTEM_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
"""What Chromium and its kin are called on PATH, in the order they are taken."""

DEBIAN_BINARY = Path("/usr/lib/chromium/chromium")
"""Behind Debian's `chromium`, a shell script that adds switches and extensions of the machine's."""

PASSED_VARIABLES = ("PATH", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ", "LD_LIBRARY_PATH", "XDG_RUNTIME_DIR")
"""What Chromium gets of our environment: no key of the host's."""

SWITCHES = (
    # Out-of-process frames for every site, on small machines too: frames behave the same everywhere.
    "--site-per-process",
    # No service of the browser maker's: reports, pings, hints, lists of related sites.
    "--disable-domain-reliability",
    "--no-pings",
    "--disable-client-side-phishing-detection",
    # Which accounts are signed in and what could be updated Chromium asks whatever it is told; there it finds nobody.
    f"--gaia-url=https://accounts.{NOWHERE}/",
    f"--component-updater=url-source=https://updates.{NOWHERE}/",
    # No bars ("controlled by automated software", "unsupported switch") that push the page down.
    "--test-type",
    "--hide-crash-restore-bubble",
    "--noerrdialogs",
    "--deny-permission-prompts",
    "--disable-notifications",
    "--disable-print-preview",
    # No choosers of devices, of accounts, of what is on the screen.
    "--disable-blink-features=WebUSB,WebHID,Serial,WebBluetooth,EyeDropperAPI,FedCm,GetDisplayMedia",
    # One pixel of the page is one of the picture, whatever the screen.
    "--force-device-scale-factor=1",
)

PREFERENCES = {
    "credentials_enable_service": False,
    "profile": {"password_manager_enabled": False, "password_manager_leak_detection": False},
    "autofill": {"profile_enabled": False, "credit_card_enabled": False},
    "translate": {"enabled": False},
    "browser": {"has_seen_welcome_page": True, "check_default_browser": False},
    "search": {"suggest_enabled": False},
    "safebrowsing": {"enabled": False},
    "net": {"network_prediction_options": 2},  # 2: never preconnect or prefetch
    "alternate_error_pages": {"enabled": False},
    "signin": {"allowed": False},
    "printing": {"enabled": False},
}
"""Bubbles (passwords, addresses, translation) and services off, and no printing."""

LOCAL_STATE = {
    "auth": {"schemes": ""},  # no HTTP authentication: its dialog is the browser's own
}
"""Like the preferences, for what the browser does outside a profile."""

HOW_TO_GET_ONE = (
    "Install one with `apt-get install chromium` or `python -m playwright install chromium`, or say where one is."
)


def find_chromium(path: Path | None, playwright_build: Path) -> Path:
    """`path` when given, else Playwright's own build, else the system's. Raises `EnvironmentUnavailable`."""
    if path is not None:
        found = shutil.which(path)
        if found is None:
            raise EnvironmentUnavailable(f"There is no program {path}. {HOW_TO_GET_ONE}")
        return Path(found)
    if playwright_build.exists():
        return playwright_build
    for name in SYSTEM_NAMES:
        found = shutil.which(name)
        if found is not None:
            return DEBIAN_BINARY if name == "chromium" and DEBIAN_BINARY.exists() else Path(found)
    raise EnvironmentUnavailable(f"No Chromium was found on this machine. {HOW_TO_GET_ONE}")


def resolver_rules(names: Iterable[str]) -> str:
    """The switch that makes every host name but loopback's and `names` (`*.example.com` allowed) unknown, so that
    nothing the browser does by itself leaves the machine. `*` keeps every name but the maker's own services'."""
    names = tuple(names)
    if "*" in names:
        makers = (*sorted(MAKERS_HOSTS), f"*{MAKERS_DOMAIN}", f"*.{NOWHERE}")
        return "--host-resolver-rules=" + ", ".join(f"MAP {host} ~NOTFOUND" for host in makers)
    kept = ["localhost", "*.localhost", "127.0.0.*", "[::1]", *(name for name in names if not is_nowhere(name))]
    return "--host-resolver-rules=" + ", ".join(["MAP * ~NOTFOUND", *(f"EXCLUDE {name}" for name in kept)])


def write_profile(directory: Path, preferences: Mapping[str, Any], local_state: Mapping[str, Any]) -> None:
    """A fresh profile in `directory`, with preferences that keep the browser quiet, and those given, of other names."""
    default = directory / "Default"
    default.mkdir(parents=True)
    (default / "Preferences").write_text(json.dumps(PREFERENCES | dict(preferences)))
    (directory / "Local State").write_text(json.dumps(LOCAL_STATE | dict(local_state)))


def browser_environment(private: Path, given: Mapping[str, str]) -> dict[str, str]:
    """The variables Chromium gets: a few of ours, a home in `private`, and what was `given` (a display)."""
    home = private / "home"
    home.mkdir()
    kept = {name: os.environ[name] for name in PASSED_VARIABLES if name in os.environ}
    return kept | {"HOME": str(home), "TMPDIR": str(private)} | dict(given)


def write_launcher(private: Path, chromium: Path) -> Path:
    """The program for Playwright to start: `launcher.py` with what it must know. Elsewhere than on Linux, Chromium."""
    if sys.platform != "linux":
        return chromium
    script = private / "chromium"
    program = [sys.executable, "-I", "-S", str(Path(__file__).with_name("launcher.py"))]
    command = shlex.join([*program, str(os.getpid()), str(private), str(chromium)])
    script.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
    script.chmod(0o700)
    return script
