"""`gui-operator show`: prints a run from its recording, as lines to read or as turns to run again. Changes nothing."""

from __future__ import annotations

import argparse
import io
import logging
import os
import sys
from collections.abc import Iterable
from pathlib import Path

from gui_operator.cli import exit_codes
from gui_operator.recording.reading import NotARecording
from gui_operator.report.lines import run_lines
from gui_operator.report.reading import read_run
from gui_operator.report.turn_file import turn_file

log = logging.getLogger(__name__)


def describe(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Print a run: the task, each turn with what the model said and each call with its decision and what came of "
        "it, and the outcome. Of a run that goes on, or was killed, it shows what there is."
    )
    parser.epilog = (
        "examples:\n"
        "  gui-operator show runs/first\n"
        "  gui-operator show runs/first --turns > turns.jsonl\n"
        "  gui-operator exec turns.jsonl --record runs/again\n\n"
        "A page's references (ref_7) mean the same again only while the page and all that was read before are as they "
        "were.\n\n"
        "exit codes:\n  0  it is printed\n  1  with --turns: something cannot be run again as it was, which is said on "
        "standard error\n  2  there is no recording"
    )
    parser.add_argument("run", metavar="RUN", type=Path, help="the folder that --record named")
    parser.add_argument(
        "--turns", action="store_true", help="print the calls as a turn file, which `gui-operator exec` runs again"
    )


def run(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    try:
        recorded = read_run(arguments.run)
    except NotARecording as error:
        parser.error(str(error))
    if not arguments.turns:
        return _print_lines(run_lines(recorded), exit_codes.OK)
    turns = turn_file(recorded)
    for warning in turns.warnings:
        log.warning("%s", warning)
    return _print_lines(turns.lines, exit_codes.FAILED if turns.warnings else exit_codes.OK)


def _print_lines(lines: Iterable[str], exit_code: int) -> int:
    """Who reads may stop at any line, and may not know every character."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        for line in lines:
            print(line)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return exit_code
