"""What `exec` can be told, read once into a frozen value. Opens nothing."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from gui_environments.egress.rules import HostRules
from gui_environments.geometry import Size
from gui_operator.cli.approval_options import ApprovalOptions, describe_approvals, read_approvals
from gui_operator.cli.browser_options import (
    WINDOW_ROOM,
    BrowserOptions,
    describe_browser,
    read_browser_options,
)
from gui_operator.cli.host_options import GRAMMAR, describe_hosts, read_hosts
from gui_operator.cli.secret_options import describe_secrets, read_secrets
from gui_operator.cli.sizes import read_size
from gui_operator.cli.value_options import ValueOptions, describe_values, read_value_options
from gui_operator.cli.words import read_words
from gui_operator.policy import Secret

DEFAULT_SCREEN = Size(1280, 800)
OWN_SCREEN = "own"
"""What `--display` calls the machine's own screen."""
_LONGEST_SETTLE_S = 60.0

DESCRIPTION = """\
Carry out turns of tool calls on a desktop, in a browser, or on both, without a model.

Input is JSON Lines, one assistant turn a line, up to 16 MiB each. `id` and `expect` may be left out, and so may `note`,
which is for people:

  {"calls": [{"id": "t1", "toolset_name": "computer", "name": "left_click", "input": {"coordinate": [10, 20]}},
             {"name": "bash", "input": {"command": "cat saved.txt"}}],
   "expect": [{"call": 1, "error": false}, {"call": 2, "text": "4711"}], "note": "Look into the file."}

The first line of output describes the environment and holds the `tools` that a client of the Messages API would send.
Then comes one line a turn, as soon as the turn is done: {"results": [...], "unmet": [...]}, where `results` are the
`tool_result` blocks and `unmet` says which expectations were not met. A line that is not a valid turn is answered with
{"error": "..."}, nothing of it runs, and the session goes on. Nothing else is printed there; messages go to standard
error, with the number of the line.

A call of a toolset's member has `toolset_name`; `bash` and `str_replace_based_edit_tool` have none. The README says
what each takes. In `expect`, `error` is whether the result is to be an error, which a command's exit status does not
make it (it stands in the text), and `text` is what the result is to contain.

What is known only when the turn runs, a line leaves open. In an input, an object in the place of a text is filled in:

  {"$ref": "button \\"Save\\""}      the reference of what the last read_page or find of an earlier line listed so
  {"$text": "Order ${number}"}       a text with values in it: from --value, from --service, or kept by an earlier line

  {"calls": [{"toolset_name": "browser", "name": "get_page_text", "input": {}}],
   "keep": [{"call": 1, "as": "number", "pattern": "Order number (\\\\d+)"}]}

`keep` gives a part of a result a name: what the pattern (a regular expression of Python's) has in its first group. The
answer to the line has it under `kept`, and what does not match counts as unmet. A line with something that cannot be
filled in is refused whole."""

EPILOG = f"""\
examples:
  gui-operator exec turns.jsonl --app "xterm -e vi" --record runs/first
  some-program | gui-operator exec - --screen 1920x1080 --approve all --approve bash=deny
  gui-operator exec turns.jsonl --environment browser --allow example.com --enable javascript_exec
  gui-operator exec turns.jsonl --environment browser --service shop="npm start" --allow localhost:3000
  gui-operator exec turns.jsonl --environment browser --allow example.com --enable file_upload --upload-root letters \
      --max-upload 20MB --max-upload files=3 --download-dir reports --max-download total=1GB
  some-program | gui-operator exec - --environment both --allow example.com --approve preset --approve left_click=ask \
      --dialog confirm=ask --dialog prompt=accept:Ada

{GRAMMAR}

copies of files, put aside before the editor changes them:
  with --record in DIR/backups, else with --workdir in ~/.local/state/gui-operator/backups; where that is below the
  workdir, in another place, which is said at start; with neither they are gone with the files in the end

exit codes:
  0    the input came to its end, and every expectation was met; without an expectation a failed call is no failure,
       and a line that is not a turn is one only with --stop-on-error
  1    an expectation was not met, something could not be kept or filled in, --stop-on-error stopped, the recording
       broke off, or nobody read the results
  2    the command cannot be meant
  6    the desktop, the browser or a service could not start, or one of the first two died
  130  interrupted by Ctrl-C; 143 by SIGTERM"""


@dataclass(frozen=True, slots=True)
class ExecOptions:
    """`display` None means a desktop of our own, `OWN_SCREEN` the machine's; `workdir` None a fresh folder that is
    removed in the end. `us_keyboard`: the machine's own keyboard is said to be US. `settle_s` None: as long as each
    toolset waits by itself. `browser` None: there is none; `desktop`: whether there is one."""

    source: str
    desktop: bool
    browser: BrowserOptions | None
    screen: Size
    display: str | None
    us_keyboard: bool
    apps: tuple[tuple[str, ...], ...]
    workdir: Path | None
    record: Path | None
    model: str | None
    settle_s: float | None
    stop_on_error: bool
    approvals: ApprovalOptions
    hosts: HostRules
    values: ValueOptions
    secrets: tuple[Secret, ...]


def describe_exec(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = DESCRIPTION, EPILOG
    parser.add_argument("source", metavar="FILE|-", help="where the turns are; - is standard input")
    parser.add_argument(
        "--environment",
        choices=("desktop", "browser", "both"),
        default="desktop",
        help="what the calls act on; both is a desktop with the browser's window on it (default: desktop)",
    )
    parser.add_argument(
        "--screen",
        type=read_size,
        metavar="WIDTHxHEIGHT",
        help=f"size of the desktop in pixels (default: {DEFAULT_SCREEN}; with both, large enough for the window)",
    )
    parser.add_argument(
        "--display",
        type=_read_display,
        metavar=f":N|{OWN_SCREEN}",
        help=f"use this X display, which stays, instead of a desktop of our own; or, with {OWN_SCREEN!r}, this "
        "machine's own screen, pointer and keyboard through pyautogui, for systems without X: it can do less, and says "
        "what at start",
    )
    parser.add_argument(
        "--us-keyboard",
        action="store_true",
        help=f"with --display {OWN_SCREEN} on macOS: the layout is US, without which no text is typed there",
    )
    parser.add_argument(
        "--app",
        dest="apps",
        type=read_words,
        action="append",
        default=[],
        metavar="COMMAND",
        help="start this program on the desktop, in the current folder, not in that of --workdir; split into words "
        "like a shell line, but run by none; may be repeated",
    )
    parser.add_argument(
        "--workdir",
        type=Path,
        metavar="DIR",
        help="where bash starts and below which the editor works (default: a fresh folder, removed in the end)",
    )
    parser.add_argument(
        "--record",
        type=Path,
        metavar="DIR",
        help="write the recording into this folder, which is made, and holds no recording yet",
    )
    parser.add_argument(
        "--model",
        metavar="NAME",
        help="size screenshots for this model; for a name of no known family as for older ones (default: for models of "
        "the high image tier)",
    )
    parser.add_argument(
        "--settle",
        dest="settle_s",
        type=_read_settle,
        metavar="SECONDS",
        help="after an input, wait for a quiet screen or page at most this long; 0 does not wait (default: 1 for the "
        "screen, 3 for a page)",
    )
    parser.add_argument(
        "--stop-on-error",
        action="store_true",
        help="end with 1 after the first turn with a failed call, or at a line that is not a turn",
    )
    describe_approvals(parser)
    describe_values(parser)
    describe_secrets(parser)
    describe_hosts(parser)
    describe_browser(parser)


def read_options(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> ExecOptions:
    _require_a_desktop_for_its_options(arguments, parser)
    if arguments.display is not None and arguments.screen is not None:
        parser.error("--screen cannot be chosen with --display: that display has its size")
    if arguments.display == OWN_SCREEN and arguments.apps:
        parser.error(f"--app cannot be used with --display {OWN_SCREEN}: start the program there yourself")
    if arguments.us_keyboard and arguments.display != OWN_SCREEN:
        parser.error(f"--us-keyboard is for --display {OWN_SCREEN}: elsewhere the layout is read")
    if arguments.workdir is not None and not arguments.workdir.is_dir():
        parser.error(f"--workdir: {arguments.workdir} is not a folder")
    browser = read_browser_options(arguments, parser)
    hosts = read_hosts(arguments, parser)
    return ExecOptions(
        source=arguments.source,
        desktop=arguments.environment != "browser",
        browser=browser,
        screen=arguments.screen or _default_screen(browser),
        display=arguments.display,
        us_keyboard=arguments.us_keyboard,
        apps=tuple(arguments.apps),
        workdir=arguments.workdir.resolve() if arguments.workdir is not None else None,
        record=arguments.record,
        model=arguments.model,
        settle_s=arguments.settle_s,
        stop_on_error=arguments.stop_on_error,
        approvals=read_approvals(arguments, hosts, parser),
        hosts=hosts,
        values=read_value_options(arguments, parser),
        secrets=read_secrets(arguments, parser),
    )


def _require_a_desktop_for_its_options(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    if arguments.environment == "browser":
        given = {"--screen": arguments.screen, "--display": arguments.display, "--app": arguments.apps}
        for name, value in given.items():
            if value:
                parser.error(f"{name} is for --environment desktop or both")
    if arguments.environment == "both" and arguments.display == OWN_SCREEN:
        parser.error(f"--environment both needs an X display, not --display {OWN_SCREEN}")


def _default_screen(browser: BrowserOptions | None) -> Size:
    if browser is None:
        return DEFAULT_SCREEN
    return Size(browser.viewport.width_px + WINDOW_ROOM.width_px, browser.viewport.height_px + WINDOW_ROOM.height_px)


def _read_display(text: str) -> str:
    if text != OWN_SCREEN and ":" not in text:
        near = f"; did you mean :{text}?" if text.isdecimal() else ""
        raise argparse.ArgumentTypeError(f"{text!r} is no display such as :1, and not {OWN_SCREEN!r}{near}")
    return text


def _read_settle(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= _LONGEST_SETTLE_S:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from 0 to {_LONGEST_SETTLE_S:.0f}")
    return seconds
