"""`gui-operator run`: one task, carried out with Claude. Reads the job, opens what it needs, runs it, closes
everything, and says how it ended."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from anthropic.tools import BetaAsyncLocalFilesystemMemoryTool

from gui_environments.errors import EnvironmentUnavailable
from gui_operator.agent.clients import ClientRefused, open_client
from gui_operator.agent.endings import Ending
from gui_operator.agent.means import means_of
from gui_operator.agent.models import ModelRefused
from gui_operator.agent.prices import PricesRefused
from gui_operator.agent.run import Run
from gui_operator.agent.settings import RunSettings, SettingsRefused, own_system_prompt, settings_of
from gui_operator.agent.starting import go_to_start
from gui_operator.agent.tally import Tally
from gui_operator.cli.exec_options import ExecOptions
from gui_operator.cli.interruption import Interruption
from gui_operator.cli.job_worker import worker_options
from gui_operator.cli.logs import keep_from_messages
from gui_operator.cli.run_flags import describe_flags, draft_of
from gui_operator.cli.run_folder import close_folder, open_recording, outcome_of
from gui_operator.cli.worker import Worker, open_worker
from gui_operator.jobs import Job, JobError
from gui_operator.policy import Gate, RulesWithSecrets, Secrets
from gui_operator.policy.secret_grammar import SecretError
from gui_operator.recording import Recording, RecordingExists, RecordingFailed
from gui_operator.recording.run_events import record_notice, record_run_started
from gui_operator.toolsets import ComputerToolset, guarded
from gui_operator.toolsets.single_computer import SingleComputerTool
from gui_operator.turn import Toolbox

log = logging.getLogger(__name__)

DESCRIPTION = """\
Carry out one task with Claude: in words, or as a job file. A flag counts above the file.

The first line of output names the folder of the run: its recording, result.json and report.html. The last one is the
result, as JSON where the job has a schema for it, else in the model's words. What happens meanwhile is said on standard
error."""

EPILOG = r"""examples:
  gui-operator run "Which orders are open?" --environment browser --start https://shop.example.com/ \
      --allow shop.example.com
  gui-operator run invoice.yaml --input invoice.number=A-18 --max-dollars 1
  gui-operator run --check invoice.yaml

exit codes:
  0    the task was carried out
  1    it was not, or the run failed
  2    the command or the job cannot be meant
  3    a limit was reached
  4    the model refused
  5    a person was needed, and there was none
  6    the desktop, the browser or a service could not start, or one of the first two died
  130  interrupted by Ctrl-C; 143 by SIGTERM"""


@dataclass(frozen=True, slots=True)
class Prepared:
    """All that is known before anything starts."""

    job: Job
    settings: RunSettings
    options: ExecOptions
    secrets: Secrets


def describe(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = DESCRIPTION, EPILOG
    # With every flag in it, it would hide what is wrong.
    parser.usage = "gui-operator run [options] TASK|JOB.yaml"
    parser.add_argument("job", metavar="TASK|JOB.yaml", nargs="?", help="what is to be done")
    parser.add_argument("--check", action="store_true", help="say whether the job can be run, and start nothing")
    parser.add_argument("--show-prompt", action="store_true", help="print the system prompt, and start nothing")
    parser.add_argument(
        "--record",
        type=Path,
        metavar="DIR",
        help="the folder of the run, which holds none yet (default: a new one in runs/)",
    )
    describe_flags(parser)


def run(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    if arguments.job is None:
        if not arguments.show_prompt:
            parser.error("say what is to be done, in words or with a job's file")
        print(own_system_prompt())
        return 0
    try:
        prepared = _prepared(arguments)
        if arguments.show_prompt:
            print(prepared.settings.system_prompt)
            return 0
        if arguments.check:
            print("This job can be run.")
            return 0
        keep_from_messages(prepared.secrets.masking)
        open_client(prepared.job.platform, prepared.job.base_url)
        recording = open_recording(arguments.record, prepared.secrets.masking)
    except (JobError, SettingsRefused, ModelRefused, PricesRefused, SecretError, ClientRefused) as error:
        parser.error(str(error))
    except (RecordingExists, RecordingFailed) as error:
        parser.error(f"--record: {error}")
    print(recording.directory, flush=True)
    return asyncio.run(_carried_out(prepared, recording))


def _prepared(arguments: argparse.Namespace) -> Prepared:
    job = draft_of(arguments).job()
    settings = settings_of(job, job.task)
    options = worker_options(job)
    return Prepared(job, settings, options, Secrets(options.secrets))


async def _carried_out(prepared: Prepared, recording: Recording) -> int:
    started_at = datetime.now(UTC)
    masking = prepared.secrets.masking
    tell = _teller(masking)
    tell(f"approvals: {prepared.options.approvals.rules}")
    tally = Tally(prepared.settings.price)
    with Interruption() as interruption:
        try:
            with recording:
                ending = await _ending(prepared, recording, tally, tell, interruption)
        except RecordingFailed as error:
            ending = Ending("failed", str(error))
        except Exception as error:  # whatever it is, the run is to leave its result
            log.exception("unexpected error")
            ending = Ending("failed", f"Something went wrong that should not ({type(error).__name__}).")
        except asyncio.CancelledError:
            if interruption.exit_code is None:
                raise
            ending = Ending("interrupted", "The run was interrupted.")
        interruption.ignore_from_now()
    exit_code = interruption.exit_code if ending.status == "interrupted" else ending.exit_code
    outcome = outcome_of(prepared.job, ending, tally, started_at, exit_code or ending.exit_code)
    tell(f"{ending.status}: {ending.reason}")
    try:
        close_folder(recording.directory, outcome, masking)
    except OSError as error:
        log.error("the result cannot be written: %s", error)  # noqa: TRY400  # a sentence for a person
        return ending.exit_code or 1
    schema = prepared.settings.result_schema
    print(masking(json.dumps(ending.result, ensure_ascii=False) if schema is not None else ending.words), flush=True)
    return outcome.exit_code


async def _ending(
    prepared: Prepared, recording: Recording, tally: Tally, tell: Callable[[str], None], interruption: Interruption
) -> Ending:
    """Open everything, run, close everything."""
    job = prepared.job
    try:
        async with (
            open_worker(prepared.options, recording, prepared.secrets) as worker,
            open_client(job.platform, job.base_url) as client,
        ):
            try:
                task = job.task_text(worker.values)
                record_run_started(recording, task=task, model=job.model, job=job.public())
                start = job.start_address(worker.values)
                if start is not None:
                    await go_to_start(start, worker.toolbox)
                settings = replace(prepared.settings, task=task)
                policy = RulesWithSecrets(prepared.options.approvals.rules, prepared.secrets)
                toolbox = _toolbox(prepared, worker, recording)
                means = means_of(
                    settings, toolbox, policy, worker.terminal, answer_s=prepared.options.approvals.answer_s
                )
                ending = await Run(settings, means, client, tally=tally, tell=tell).to_its_end()
            finally:
                # From here on a signal no longer shortens what is left: closing.
                interruption.ignore_from_now()
    except EnvironmentUnavailable as error:
        ending = Ending("environment died", str(error))
    record_notice(recording, f"{ending.status}: {ending.reason}")
    return ending


def _toolbox(prepared: Prepared, worker: Worker, recording: Recording) -> Toolbox:
    """The worker's, in the form that the model takes, with the memory tool where the job names a folder for it."""
    toolsets, memory = list(worker.toolbox.toolsets.values()), prepared.job.memory
    tools: list[Any] = list(worker.toolbox.tools.values())
    if prepared.settings.model.form == "computer_20251124":
        tools += [SingleComputerTool(toolset) for toolset in toolsets if isinstance(toolset, ComputerToolset)]
        toolsets = []
    if memory is not None:
        memory.mkdir(parents=True, exist_ok=True)
        # It writes below the folder that was named for it, and nowhere else: nobody is asked about it.
        gate = Gate.allowing_all(on_decision=recording.decided)
        tool = BetaAsyncLocalFilesystemMemoryTool(base_path=str(memory))
        tools.append(guarded(tool, gate=gate, effect="file", recording=recording, secrets=prepared.secrets))
    return Toolbox.of(*toolsets, *tools, recording=recording)


def _teller(masking: Callable[[str], str]) -> Callable[[str], None]:
    def tell(line: str) -> None:
        sys.stderr.write(masking(f"gui-operator: {line}\n"))
        sys.stderr.flush()

    return tell
