"""The lines of script that a shell is fed: one to begin with, and two around each command.

The shell reads them from a pipe as its script; a command's text never stands among them. It lies in a file of its own
that the shell sources, so no quote, here-document, comment or backslash in it reaches past its end. The line that
reports is not read before the command is over, so nothing that a command prints, inherits or is given holds the token
in it. (A command that goes and reads the shell's script through /proc takes that line away from the shell; it is then
stopped at its time limit, or reports what it likes of itself. It runs as the shell's user, who can do worse.)

Sourcing at the top level keeps what `declare`, `cd`, `set --`, `shopt` and functions did, and lets one `return` in a
trap give up the rest of a command at any depth. Names are quoted with a backslash against aliases and called through
`builtin` or `command` against functions (`builtin exec` would not keep what it redirects).
"""

from __future__ import annotations

SHELL = ("/bin/bash", "--noprofile", "--norc")

CANNOT_REPORT = 97
"""The shell's exit status when it could not open the pipe it reports to."""

# Runs before the next command of the text when ABORT_SIGNAL has come: it leaves the innermost function or sourced file,
# and sets a trap that runs before every command that would follow further out and leaves there too. When only the
# script itself is left (`BASH_SOURCE` has one entry then), that trap takes itself away. A trap on RETURN has to go: it
# would be left and entered for ever. Sending the signal anew from here instead makes bash 5.2 crash.
_LEAVE_EACH = r"if (( \${#BASH_SOURCE[@]} > 1 )); then builtin return 143; else builtin trap - DEBUG; fi"
_LEAVE = f'builtin trap - RETURN; builtin trap "{_LEAVE_EACH}" DEBUG; builtin return 143'
_GIVE_UP = f"(( ${{#BASH_SOURCE[@]}} > 1 )) && {{ {_LEAVE}; }}"


def opening_line(report_path: str, token: str) -> str:
    """Makes the shell ready and has it say so."""
    return rf"BASH_ARGV0=bash; \builtin trap '{_GIVE_UP}' RTMAX; {_report_line(report_path, token)}"


def command_lines(command_path: str, output_path: str, report_path: str, token: str) -> str:
    """Source the file at `command_path` with its output going to `output_path`, then report its exit status."""
    redirect = rf"\command exec </dev/null >|{output_path} 2>&1 || \builtin exit {CANNOT_REPORT}"
    return f"{redirect}; \\builtin . {command_path}\n{_report_line(report_path, token)}"


def _report_line(report_path: str, token: str) -> str:
    # In a group, so that `set -x` traces it to nowhere. Afterwards the shell holds no end of the command's output.
    report = r"\builtin printf '%d %s\n' "
    return (
        rf"""{{ {report}"$?" {token} >|{report_path}; }} 2>/dev/null || \builtin exit {CANNOT_REPORT}; """
        "\\command exec </dev/null >/dev/null 2>&1\n"
    )
