"""Reads the value of a secret from where it is kept. Shows none: neither in what it returns, as text, nor in an error.
Blocking; runs at start, once."""

from __future__ import annotations

import os
import re
import shlex
import stat
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gui_environments.egress.entries import HostRule
from gui_environments.secrets import WindowRule
from gui_environments.secrets.spelling import SHORTEST
from gui_operator.policy.secret_grammar import SecretError, SecretOption, Source

LARGEST_BYTES = 64 * 1024

COMMAND_S = 60.0
"""How long a command may take: some ask somebody to unlock something."""

_UNTYPEABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Secret:
    name: str
    value: str = field(repr=False)
    hosts: tuple[HostRule, ...] = ()
    windows: tuple[WindowRule, ...] = ()


def read_secret(option: SecretOption, variables: Mapping[str, str] | None = None) -> Secret:
    """Raises `SecretError`."""
    value = _text_of(option, os.environ if variables is None else variables)
    if not value.strip():
        raise SecretError(f"{option.name}: {option.source} is empty")
    if len(value.strip()) < SHORTEST:
        raise SecretError(
            f"{option.name}: what {option.source} holds is shorter than {SHORTEST} characters; it could not be kept "
            "from sight, since it would be found everywhere"
        )
    if _UNTYPEABLE.search(value):
        raise SecretError(f"{option.name}: what {option.source} holds has control characters, which nobody can type")
    return Secret(option.name, value, option.hosts, option.windows)


def _text_of(option: SecretOption, variables: Mapping[str, str]) -> str:
    match option.source:
        case Source("env", variable):
            if variable not in variables:
                raise SecretError(f"{option.name}: the environment variable {variable} is not set")
            return variables[variable]
        case Source("file", path):
            return _decoded(option, _bytes_of_file(option, Path(path)))
        case Source(_, command):
            return _decoded(option, _output_of(option, command))


def _bytes_of_file(option: SecretOption, path: Path) -> bytes:
    try:
        # Not blocking: a pipe that nobody writes to would hold the start up for ever.
        fd = os.open(path.expanduser(), os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                raise SecretError(f"{option.name}: {path} is no file")
            return os.read(fd, LARGEST_BYTES + 1)
        finally:
            os.close(fd)
    except OSError as error:
        raise SecretError(f"{option.name}: {path} cannot be read: {error.strerror}") from None


def _output_of(option: SecretOption, command: str) -> bytes:
    """Standard output of a command that is run without a shell."""
    try:
        words = shlex.split(command)
    except ValueError:
        raise SecretError(f"{option.name}: the quotes in the command do not match") from None
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=COMMAND_S, check=False)
    except OSError as error:
        raise SecretError(f"{option.name}: {words[0]} cannot be started: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise SecretError(f"{option.name}: {words[0]} was not done within {COMMAND_S:.0f} s") from None
    if done.returncode:
        raise SecretError(
            f"{option.name}: {words[0]} ended with status {done.returncode}; run the command by hand to see why"
        )
    return done.stdout


def _decoded(option: SecretOption, data: bytes) -> str:
    """Without the line break at the end, which editors and commands put there."""
    if len(data) > LARGEST_BYTES:
        raise SecretError(f"{option.name}: {option.source} holds more than {LARGEST_BYTES // 1024} KiB")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise SecretError(f"{option.name}: what {option.source} holds is not UTF-8") from None
    return text.removesuffix("\n").removesuffix("\r")
