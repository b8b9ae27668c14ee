"""`gui-operator report`: makes the report of a run anew from its recording. Changes nothing of the recording."""

from __future__ import annotations

import argparse
from pathlib import Path

from gui_operator.cli import exit_codes
from gui_operator.recording.reading import NotARecording
from gui_operator.report.html import REPORT_NAME, write_report


def describe(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        f"Write {REPORT_NAME} into the folder of a run, in the place of an older one: one page with the task, the "
        "outcome and every turn with its pictures, which needs no network and runs no script. Of a run that goes on, "
        "or was killed, it shows what there is."
    )
    parser.epilog = (
        "examples:\n  gui-operator report runs/first\n\n"
        "exit codes:\n  0  the report is written, and its path printed\n  2  there is no recording, or it cannot be "
        "written there"
    )
    parser.add_argument("run", metavar="RUN", type=Path, help="the folder that --record named")


def run(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    try:
        print(write_report(arguments.run))
    except NotARecording as error:
        parser.error(str(error))
    except OSError as error:
        parser.error(f"{arguments.run / REPORT_NAME} cannot be written: {error.strerror}")
    return exit_codes.OK
