"""`gui-operator doctor`: what is there, what is missing, and the command that mends it. Installs nothing."""

from __future__ import annotations

import argparse
import asyncio
import logging

from gui_operator.cli import exit_codes
from gui_operator.cli.doctor_checks import Finding, look_at_machine

log = logging.getLogger(__name__)

_LONGEST_START_S = 30


def describe(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Say what is there, what is missing, and the command that mends it; then start a desktop for real and take a "
        "picture of it. `scripts/bootstrap` installs everything at once."
    )
    parser.epilog = "exit codes:\n  0  a desktop can run here\n  1  it cannot"


def run(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    findings = []
    for finding in look_at_machine():
        _print_finding(finding)
        findings.append(finding)
    for finding in asyncio.run(_start_desktop()):
        _print_finding(finding)
        findings.append(finding)
    lacking = [finding.name for finding in findings if finding.required and not finding.ok]
    print(f"\nA desktop cannot run here: {', '.join(lacking)}." if lacking else "\nA desktop can run here.")
    return exit_codes.FAILED if lacking else exit_codes.OK


def _print_finding(finding: Finding) -> None:
    mark = "ok     " if finding.ok else "MISSING" if finding.required else "lacking"
    print(f"{mark}  {finding.name}: {finding.found}", flush=True)
    if not finding.ok and finding.mend is not None:
        print(f"           mend: {finding.mend}", flush=True)


async def _start_desktop() -> list[Finding]:
    """A desktop is started for real, and a picture taken of it."""
    try:
        # Only now: where a library is missing the findings above say so.
        from gui_operator.cli.desktop_trial import try_desktop
    except ImportError as error:
        return [Finding("a desktop", ok=False, found=f"not tried: {error}", mend="scripts/bootstrap")]
    try:
        async with asyncio.timeout(_LONGEST_START_S):
            return await try_desktop()
    except TimeoutError:
        return [Finding("a desktop", ok=False, found=f"it did not start within {_LONGEST_START_S} s")]
    except Exception as error:  # whatever it is, it is the finding
        log.debug("starting a desktop failed", exc_info=True)
        return [Finding("a desktop", ok=False, found=str(error) or type(error).__name__)]
