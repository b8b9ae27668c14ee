"""What `exec` can be told about dialogs of pages, read once into rules. Opens nothing."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import dataclass
from typing import get_args

from gui_environments.browser.events import DialogKind
from gui_environments.browser.watching.dialog_rules import ANSWER_S, DialogAction, DialogPolicy

EVERY = "*"
_KINDS: tuple[DialogKind, ...] = get_args(DialogKind)
_ACTIONS: tuple[DialogAction, ...] = get_args(DialogAction)


@dataclass(frozen=True, slots=True)
class DialogOption:
    """`text` is what a prompt is answered with."""

    kind: str
    action: DialogAction
    text: str | None


def describe_dialogs(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--dialog",
        type=_read_dialog_option,
        action="append",
        metavar="KIND=ACTION",
        help=f"what becomes of dialogs of pages: KIND is {', '.join(_KINDS)} or {EVERY} for those not named, ACTION is "
        "dismiss, accept, ask (on /dev/tty) or, for prompt, accept:TEXT to answer TEXT; to dismiss beforeunload is to "
        "stay on the page; may be repeated (default: *=dismiss)",
    )


def dialog_policy(options: Iterable[DialogOption], answer_s: float | None) -> DialogPolicy:
    """Raises `ValueError` for a kind that is said twice. `answer_s` None: as long as dialogs are waited for by
    themselves."""
    said: dict[str, DialogOption] = {}
    for option in options:
        if option.kind in said:
            raise ValueError(f"{option.kind} is said twice")
        said[option.kind] = option
    fitting = {kind: said.get(kind) or said.get(EVERY) for kind in _KINDS}
    chosen = {kind: option for kind, option in fitting.items() if option is not None}
    prompt = chosen.get("prompt")
    return DialogPolicy(
        {kind: option.action for kind, option in chosen.items()},
        prompt_text=None if prompt is None else prompt.text,
        answer_s=ANSWER_S if answer_s is None else answer_s,
    )


def _read_dialog_option(text: str) -> DialogOption:
    kind, equals, action = text.partition("=")
    action, colon, answer = action.partition(":")
    if not equals or kind not in (*_KINDS, EVERY) or action not in _ACTIONS:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not KIND=ACTION: KIND is {', '.join(_KINDS)} or {EVERY}, ACTION {', '.join(_ACTIONS)}"
        )
    if colon and (kind != "prompt" or action != "accept"):
        raise argparse.ArgumentTypeError(f"{text!r}: only prompt=accept takes a text")
    return DialogOption(kind, action, answer if colon else None)
