"""The environment variables that programs of an environment get from the host: a short list, so that no key, no proxy,
no session bus and no display of the host's gets through, and a locale with Unicode whatever the host's is.

This is about what is handed down; it does not stop a process of the same user from reading files, or the environment of
the user's other processes. Only another user or a container does.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping

KEPT = ("HOME", "LOGNAME", "PATH", "SHELL", "TZ", "USER")
LOCALE_KEPT = (
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_MESSAGES",
    "LC_NUMERIC",
    "LC_TIME",
    "LC_MONETARY",
    "LC_PAPER",
)

FALLBACK_LOCALE = "C.UTF-8"
FALLBACK_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

LC_CTYPE_MASK = 1
"""Of glibc and musl."""


def host_variables(host: Mapping[str, str]) -> dict[str, str]:
    """What `host` (usually `os.environ`) hands on."""
    kept = {name: host[name] for name in KEPT if name in host}
    return {"PATH": FALLBACK_PATH} | kept | locale_variables(host)


def locale_variables(host: Mapping[str, str]) -> dict[str, str]:
    """The host's, if they make a UTF-8 locale that is installed; else one that every C library has."""
    kept = {name: host[name] for name in LOCALE_KEPT if host.get(name)}
    name = kept.get("LC_ALL") or kept.get("LC_CTYPE") or kept.get("LANG") or "C"
    return kept if is_utf8(name) and locale_is_installed(name) else {"LANG": FALLBACK_LOCALE}


def is_utf8(locale: str) -> bool:
    """By its name: `de_DE.UTF-8`, `C.utf8`."""
    return locale.partition(".")[2].partition("@")[0].lower().replace("-", "") == "utf8"


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
