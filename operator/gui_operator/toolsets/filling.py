"""From an action with `{{NAME}}` in its text to the one with the secret that this stands for. Does nothing else: where
it may go is for the environment to say."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from gui_environments.actions import TypeFilled, TypeText
from gui_environments.browser.actions import SetField
from gui_operator.policy.secrets import Secrets


@asynccontextmanager
async def filled_in(action: Any, secrets: Secrets | None) -> AsyncIterator[Any]:
    """Around the action: the one to carry out. It may wait for a one-time code. Raises `ActionRefused`."""
    if not secrets:
        yield action
        return
    filled = await _filled(action, secrets)
    if filled is action:
        yield action
        return
    with secrets.being_filled():
        yield filled


async def _filled(action: Any, secrets: Secrets) -> Any:
    match action:
        case TypeText(text):
            pieces = await secrets.filled(text)
            return action if pieces is None else TypeFilled(pieces)
        case SetField(reference, str(text)):
            pieces = await secrets.filled(text)
            return action if pieces is None else SetField(reference, pieces)
    return action
