"""The flags of `run`: each says where in a job its value goes. What a value may be, the job says."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from gui_operator.jobs import JobDraft, JobError

Kind = Literal["text", "texts", "number", "path", "paths", "switch", "named", "json file"]
"""`named`: NAME=VALUE, each a place of its own below the flag's."""


@dataclass(frozen=True, slots=True)
class Flag:
    """`place` is the job's field; `off`: the switch turns it off."""

    name: str
    place: str
    kind: Kind
    metavar: str
    help: str
    off: bool = False


OF_THE_RUN = (
    Flag("--environment", "environment", "text", "NAME", "desktop, browser or both (default: desktop)"),
    Flag("--start", "start", "text", "ADDRESS", "what the browser shows first"),
    Flag("--input", "inputs", "named", "NAME=TEXT", "a text that ${NAME} in the task stands for; may be repeated"),
    Flag("--result", "result", "json file", "FILE", "a JSON Schema of what the run is to bring back"),
    Flag(
        "--approve",
        "approve",
        "named",
        "RULE",
        "NAME=allow|deny|ask, all, none or ask, above the preset: what reads, "
        "points, types and goes to listed hosts runs, all else asks; may be repeated",
    ),
    Flag("--ask-within", "ask_seconds", "number", "SECONDS", "how long a person may take for an answer"),
    Flag("--memory", "memory", "path", "DIR", "give the model the memory tool, on this folder"),
    Flag("--eager", "eager", "switch", "", "start calls while the reply still comes in"),
    Flag("--no-look", "look_after", "switch", "", "add no screenshot to a turn that acted and did not look", off=True),
)

OF_THE_MODEL = (
    Flag("--model", "model", "text", "NAME", "the model"),
    Flag("--platform", "platform", "text", "NAME", "anthropic, bedrock, google-cloud or foundry (default: anthropic)"),
    Flag("--base-url", "base_url", "text", "URL", "another address of the API"),
    Flag(
        "--history",
        "history",
        "text",
        "server|local",
        "whether the API keeps the conversation, or each request brings it (default: server)",
    ),
    Flag(
        "--system-prompt",
        "system_prompt",
        "path",
        "FILE",
        "words to take the place of the system prompt; see --show-prompt",
    ),
    Flag("--max-turns", "limits.turns", "number", "N", "end after so many replies (default: 100)"),
    Flag("--max-seconds", "limits.seconds", "number", "S", "end after so long (default: 3600)"),
    Flag("--max-tokens", "limits.tokens", "number", "N", "end after so many tokens, sent and received"),
    Flag("--max-dollars", "limits.dollars", "number", "D", "end when so much is spent; needs a price of the model"),
    Flag("--max-actions", "limits.actions", "number", "N", "end before more calls than this"),
    Flag("--prices", "prices", "path", "FILE", "a table of prices in the place of the one that ships"),
)

OF_THE_ENVIRONMENT = (
    Flag("--allow", "allow", "texts", "HOST", "a host that may be reached, as for exec; may be repeated"),
    Flag("--allow-any-host", "allow_any_host", "switch", "", "every public host may be reached"),
    Flag("--allow-resources", "allow_resources", "texts", "HOST", "a host for parts of pages; may be repeated"),
    Flag("--subresources", "subresources", "text", "listed|public", "where parts of pages may come from"),
    Flag(
        "--dialog", "dialogs", "named", "KIND=ACTION", "what becomes of dialogs of pages, as for exec; may be repeated"
    ),
    Flag(
        "--secret",
        "secrets",
        "texts",
        "NAME[=SOURCE@PLACE]",
        "a secret, as for exec; a name alone is an environment variable's, for the hosts of --allow; may be repeated",
    ),
    Flag("--upload-root", "uploads", "paths", "DIR", "files below this folder may be uploaded; may be repeated"),
    Flag("--document-dir", "documents", "path", "DIR", "where files to be uploaded are found by their document ids"),
    Flag("--download-dir", "downloads", "path", "DIR", "where downloads go"),
    Flag(
        "--max-upload",
        "max_upload",
        "named",
        "LIMIT",
        "give pages no more: SIZE for one file, total=SIZE, files=N, as for exec; may be repeated",
    ),
    Flag("--max-download", "max_download", "named", "LIMIT", "download no more, likewise; may be repeated"),
    Flag("--workdir", "workdir", "path", "DIR", "where bash starts and below which the editor works"),
    Flag("--storage-state", "storage_state", "path", "FILE", "start signed in"),
    Flag("--enable", "enable", "texts", "MEMBER", "switch a member of the browser on; may be repeated"),
    Flag("--disable", "disable", "texts", "MEMBER", "switch one off; may be repeated"),
    Flag("--screen", "screen", "text", "WIDTHxHEIGHT", "size of the desktop"),
    Flag("--viewport", "viewport", "text", "WIDTHxHEIGHT", "size of what a page shows"),
    Flag("--app", "apps", "texts", "COMMAND", "start this program on the desktop; may be repeated"),
    Flag("--display", "display", "text", ":N|own", "a display that is there already"),
    Flag("--chromium", "chromium", "path", "PATH", "use this Chromium (default: the one found)"),
    Flag("--headed", "headed", "switch", "", "show the browser's window where it is alone"),
    Flag("--settle", "settle_seconds", "number", "SECONDS", "wait for a quiet screen or page at most this long"),
    Flag(
        "--service",
        "services",
        "named",
        "NAME=COMMAND",
        "start this program beside the environment; ${NAME} stands for the address it prints; may be repeated",
    ),
)

GROUPS = (("the run", OF_THE_RUN), ("the model", OF_THE_MODEL), ("the environment", OF_THE_ENVIRONMENT))


def describe_flags(parser: argparse.ArgumentParser) -> None:
    for title, flags in GROUPS:
        group = parser.add_argument_group(title)
        for flag in flags:
            if flag.kind == "switch":
                group.add_argument(flag.name, dest=flag.place, action="store_true", default=None, help=flag.help)
                continue
            many = flag.kind in ("texts", "paths", "named")
            group.add_argument(
                flag.name,
                dest=flag.place,
                action="append" if many else "store",
                type=_number if flag.kind == "number" else str,
                metavar=flag.metavar,
                help=flag.help.replace("%", "%%"),
            )


def draft_of(arguments: argparse.Namespace) -> JobDraft:
    """The job of a file or of words, with the flags above it. Raises `JobError`."""
    source = str(arguments.job)
    draft = JobDraft.read(Path(source)) if is_file(source) else JobDraft().overridden("TASK", "task", source)
    for _, flags in GROUPS:
        for flag in flags:
            given = getattr(arguments, flag.place)
            if given is not None:
                for place, value in _placed(flag, given):
                    draft = draft.overridden(flag.name, place, value)
    return draft


def is_file(source: str) -> bool:
    """Whether a word on the command line names a job's file, and is no task."""
    return source.endswith((".yaml", ".yml")) or ("\n" not in source and len(source) < 256 and Path(source).is_file())


def _placed(flag: Flag, given: Any) -> Iterator[tuple[str, object]]:
    match flag.kind:
        case "switch":
            yield flag.place, not flag.off
        case "path":
            yield flag.place, str(Path(given).absolute())
        case "paths":
            yield flag.place, [str(Path(path).absolute()) for path in given]
        case "json file":
            yield flag.place, _json_of(flag, Path(given))
        case "named":
            yield from (_named(flag, each) for each in given)
        case _:
            yield flag.place, given


def _named(flag: Flag, text: str) -> tuple[str, object]:
    name, equals, value = text.partition("=")
    if not equals and flag.place in ("approve", "dialogs", "max_upload", "max_download"):
        return flag.place, text
    if not equals or not name:
        raise JobError([f"{flag.name}: {text!r} is not {flag.metavar}"])
    return f"{flag.place}.{name}", value


def _json_of(flag: Flag, path: Path) -> object:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise JobError([f"{flag.name}: {path}: {error.strerror}"]) from None
    except ValueError as error:
        raise JobError([f"{flag.name}: {path} is not JSON: {error}"]) from None


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None
