"""The environment variables that applications are given: a short list of the host's, the display, and nothing else.
No key, no proxy, no session bus, no display of the host's gets through."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping
from pathlib import Path

KEPT = ("HOME", "LOGNAME", "PATH", "SHELL", "TZ", "USER")
LOCALE_KEPT = (
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "LC_MESSAGES",
    "LC_NUMERIC",
    "LC_TIME",
    "LC_MONETARY",
    "LC_PAPER",
)

FALLBACK_LOCALE = "C.UTF-8"

LC_CTYPE_MASK = 1
"""Of glibc and musl."""


def application_variables(host: Mapping[str, str], directory: Path) -> dict[str, str]:
    """What `host` (usually `os.environ`) hands on; temporary and runtime files go below `directory`, which is ours."""
    variables = {name: host[name] for name in KEPT if name in host}
    variables.setdefault("PATH", os.defpath)
    variables |= locale_variables(host)
    return variables | {
        "TMPDIR": str(directory / "tmp"),
        # The host's holds the socket of its session bus, and libraries look there.
        "XDG_RUNTIME_DIR": str(directory / "run"),
        # Neither the host's bus nor one started on the spot by whatever library looks for it first.
        "DBUS_SESSION_BUS_ADDRESS": "disabled:",
        "NO_AT_BRIDGE": "1",
        "XDG_SESSION_TYPE": "x11",
    }


def make_directories(directory: Path) -> None:
    """`directory`, for us only, and the ones in it that `application_variables` names."""
    directory.mkdir(mode=0o700)
    for name in ("tmp", "run"):
        (directory / name).mkdir(mode=0o700)


def locale_variables(host: Mapping[str, str]) -> dict[str, str]:
    """The host's, if they make a UTF-8 locale that is installed; else one that every C library has."""
    kept = {name: host[name] for name in LOCALE_KEPT if host.get(name)}
    name = kept.get("LC_ALL") or kept.get("LC_CTYPE") or kept.get("LANG") or "C"
    codeset = name.partition(".")[2].partition("@")[0].lower().replace("-", "")
    return kept if codeset == "utf8" and locale_is_installed(name) else {"LANG": FALLBACK_LOCALE}


def locale_is_installed(name: str) -> bool:
    # Asked without setting it, which would change the whole process.
    libc = ctypes.CDLL(None)
    libc.newlocale.restype = ctypes.c_void_p
    libc.newlocale.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)
    libc.freelocale.argtypes = (ctypes.c_void_p,)
    locale = libc.newlocale(LC_CTYPE_MASK, name.encode(), None)
    if locale is None:
        return False
    libc.freelocale(locale)
    return True
