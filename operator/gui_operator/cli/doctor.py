"""`gui-operator doctor`: what is there, what is missing, and the command that mends it. Installs nothing, and leaves
the machine's own screen alone."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from collections.abc import Iterable

from gui_operator.cli import exit_codes
from gui_operator.cli.doctor_checks import Finding, look_at_machine, look_for_own_screen

log = logging.getLogger(__name__)

_LONGEST_START_S = 30

_WITHOUT_X = ("darwin", "win32")
"""Systems, as `sys.platform` has them, for which there is no Xvfb."""

_OWN_SCREEN_UNTRIED = """
There is no Xvfb for this system, so no desktop of our own. The machine's own screen could be driven: {how}.
Not tried here, since that would move your pointer; it was never tried on this kind of system by those who wrote it. On
macOS, the program that runs it needs permission for Accessibility and Screen Recording."""


def describe(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Say what is there, what is missing, and the command that mends it; then start a desktop for real and take a\n"
        "picture of it. `scripts/bootstrap` installs everything at once. On systems without X, say what driving the\n"
        "machine's own screen needs, and try nothing."
    )
    parser.epilog = "exit codes:\n  0  a desktop can run here (without X: what is needed is there)\n  1  it cannot"


def run(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    if sys.platform in _WITHOUT_X:
        return _conclude(_print_each(look_for_own_screen()), _OWN_SCREEN_UNTRIED.format(how=_how_to_drive_it()))
    findings = _print_each(look_at_machine())
    findings += _print_each(asyncio.run(_start_desktop()))
    return _conclude(findings, "\nA desktop can run here.")


def _how_to_drive_it() -> str:
    in_python = "gui_environments.desktop.open_own_screen() in Python"
    return in_python if sys.platform == "win32" else f"`gui-operator exec --display own`, or {in_python}"


def _print_each(findings: Iterable[Finding]) -> list[Finding]:
    """Each as soon as it is made."""
    printed = []
    for finding in findings:
        _print_finding(finding)
        printed.append(finding)
    return printed


def _conclude(findings: Iterable[Finding], when_nothing_lacks: str) -> int:
    lacking = [finding.name for finding in findings if finding.required and not finding.ok]
    print(f"\nA desktop cannot run here: {', '.join(lacking)}." if lacking else when_nothing_lacks)
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
