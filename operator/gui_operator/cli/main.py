"""`gui-operator`: finds the command and hands it the rest. A command's module is loaded only when it is asked for, so
that `doctor` still speaks where a library that another command needs is missing."""

from __future__ import annotations

import argparse
import gc
import importlib
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from typing import Protocol

from gui_operator.cli import exit_codes
from gui_operator.cli.logs import set_up_logging

COMMANDS = {
    "run": "carry out a task with Claude",
    "exec": "carry out turns written as JSON Lines, without a model",
    "show": "print a run from its recording, or its calls as turns for exec",
    "report": "write the report of a run, one page of HTML, from its recording",
    "doctor": "say what is there, what is missing, and the command that mends it",
    "policy": "say which addresses the rules for hosts allow, and by which rule",
}


class Command(Protocol):
    """What the module of a command offers."""

    def describe(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's description and arguments."""
        ...

    def run(self, arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
        """Do it; returns the exit code. `parser.error` is for arguments that cannot be meant (exit code 2)."""
        ...


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _main_parser()
    chosen = parser.parse_args(arguments)
    if sys.platform == "win32" and chosen.command in ("exec", "run"):
        parser.error(
            f"{chosen.command} needs Linux or macOS. In Python on Windows, gui_environments.desktop.open_own_screen() "
            "gives a desktop for ComputerToolset"
        )
    with _ended_at_once_by_interrupt(), _no_garbage_collected():
        # A module is a `Command` by its two functions.
        command: Command = importlib.import_module(f"gui_operator.cli.{chosen.command}")
    command_parser = argparse.ArgumentParser(
        prog=f"gui-operator {chosen.command}", formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    _add_verbosity(command_parser)
    command.describe(command_parser)
    command_arguments = command_parser.parse_args(chosen.arguments)
    set_up_logging(chosen.verbosity + command_arguments.verbosity)
    try:
        return command.run(command_arguments, command_parser)
    except KeyboardInterrupt:
        return exit_codes.INTERRUPTED_BASE + signal.SIGINT


@contextmanager
def _ended_at_once_by_interrupt() -> Iterator[None]:
    """While modules are loaded, which takes a second, there is nothing to clean up; and an exception raised there may
    be lost in the import system, so that the command would go on."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def _no_garbage_collected() -> Iterator[None]:
    """While modules are loaded: all of it stays until the end, and going through it again and again in search of
    garbage is a sixth of the time that loading takes."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()


def _main_parser() -> argparse.ArgumentParser:
    width = max(map(len, COMMANDS))
    listed = "\n".join(f"  {name:{width}}  {summary}" for name, summary in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="gui-operator",
        description="A worker that drives desktops and browsers for Claude's computer and browser toolsets.",
        epilog=f"commands:\n{listed}\n\n`gui-operator COMMAND --help` says what a command takes.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"gui-operator {version('gui-operator')}")
    _add_verbosity(parser)
    parser.add_argument("command", metavar="COMMAND", choices=COMMANDS, help="see below")
    parser.add_argument("arguments", metavar="...", nargs=argparse.REMAINDER, help="the command's own arguments")
    return parser


def _add_verbosity(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-v", dest="verbosity", action="count", default=0, help="say more on standard error; -vv for everything"
    )


if __name__ == "__main__":
    sys.exit(main())
