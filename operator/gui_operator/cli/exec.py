"""`gui-operator exec`: the worker without a model. Turns come in as lines, results go out as lines, one by one.

It is a conversation: a turn is answered before the next line has to be there.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from contextlib import nullcontext
from typing import Any

from gui_environments.errors import EnvironmentUnavailable
from gui_operator.cli import exit_codes
from gui_operator.cli.exec_options import ExecOptions, describe_exec, read_options
from gui_operator.cli.expectations import unmet_expectations
from gui_operator.cli.interruption import Interruption
from gui_operator.cli.known import Known
from gui_operator.cli.lines import OverlongLine
from gui_operator.cli.logs import keep_from_messages
from gui_operator.cli.streams import LineInput, LineOutput, StreamBroken, open_input, take_standard_output
from gui_operator.cli.turn_lines import InvalidLine, TurnLine, UnfilledLine, read_turn_line
from gui_operator.cli.worker import Worker, open_worker
from gui_operator.policy import Secrets
from gui_operator.recording import Recording, RecordingExists, RecordingFailed
from gui_operator.turn import run_turn

log = logging.getLogger(__name__)

describe = describe_exec


def run(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    options = read_options(arguments, parser)
    secrets = Secrets(options.secrets)
    keep_from_messages(secrets.masking)
    try:
        # Both stay open until the process ends: a thread may still be waiting at one of them then.
        turns = open_input(options.source)
        results = take_standard_output()
    except OSError as error:
        parser.error(f"{error.filename or 'the standard streams'}: {error.strerror}")
    try:
        recording = None
        if options.record is not None:
            recording = Recording.open(options.record, redact=secrets.masking)
    except (RecordingExists, RecordingFailed) as error:
        parser.error(f"--record: {error}")
    try:
        with recording or nullcontext():
            output = LineOutput(results, secrets.masking)
            return asyncio.run(_serve(options, LineInput(turns), output, recording, secrets))
    except RecordingFailed as error:
        log.error("%s", error)  # noqa: TRY400  # a sentence for a person
        return exit_codes.FAILED


async def _serve(
    options: ExecOptions, turns: LineInput, results: LineOutput, recording: Recording | None, secrets: Secrets
) -> int:
    """Open everything, hold the conversation, close everything; returns the exit code."""
    if options.approvals.preset:
        sys.stderr.write(f"gui-operator: approvals: {options.approvals.rules}\n")
    with Interruption() as interruption:
        try:
            async with open_worker(options, recording, secrets) as worker:
                try:
                    return await _converse(worker, turns, results, stop_on_error=options.stop_on_error)
                finally:
                    interruption.ignore_from_now()
        except EnvironmentUnavailable as error:
            log.error("%s", error)  # noqa: TRY400  # a sentence for a person
            return exit_codes.ENVIRONMENT_UNAVAILABLE
        except StreamBroken as error:
            log.warning("%s", error)
            return exit_codes.FAILED
        except asyncio.CancelledError:
            if interruption.exit_code is None:
                raise
            return interruption.exit_code


async def _converse(worker: Worker, turns: LineInput, results: LineOutput, *, stop_on_error: bool) -> int:
    exit_code = exit_codes.OK
    number = 0
    known = Known(worker.values)
    await results.write_line(_first_line(worker))
    while (line := await turns.read_line()) is not None:
        number += 1
        try:
            turn = _read(line, known)
        except InvalidLine as error:
            log.warning("line %d was refused: %s", number, error)
            await results.write_line({"error": str(error)})
            if stop_on_error:
                return exit_codes.FAILED
            if isinstance(error, UnfilledLine):
                exit_code = exit_codes.FAILED
            continue
        if turn is None:
            continue
        answers = await run_turn(turn.calls, worker.toolbox)
        known.learn(turn.calls, answers)
        kept, missed = known.keep(turn.keeps, answers)
        unmet = [*unmet_expectations(turn.expectations, turn.calls, answers), *missed]
        await results.write_line({"results": answers, "unmet": unmet, **({"kept": kept} if turn.keeps else {})})
        for sentence in unmet:
            log.warning("line %d, not as expected: %s", number, sentence)
        if worker.toolbox.environment_died is not None:
            log.error("%s", worker.toolbox.environment_died)
            return exit_codes.ENVIRONMENT_UNAVAILABLE
        if unmet:
            exit_code = exit_codes.FAILED
        if stop_on_error and any(answer.get("is_error") for answer in answers):
            return exit_codes.FAILED
    return exit_code


def _first_line(worker: Worker) -> dict[str, Any]:
    values = {"values": dict(worker.values)} if worker.values else {}
    return {"environment": worker.environment, **values, "tools": worker.toolbox.params()}


def _read(line: bytes | OverlongLine, known: Known) -> TurnLine | None:
    """The turn of a line; None for a blank one. Raises `InvalidLine`."""
    if isinstance(line, OverlongLine):
        raise InvalidLine(f"the line is longer than {line.limit_bytes // 2**20} MiB")
    return read_turn_line(line, known) if line.strip() else None
