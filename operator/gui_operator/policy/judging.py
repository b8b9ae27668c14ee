"""The call being judged: how to see what it would hit, and, once it is allowed, what it is held to.

It travels in a context variable, since the SDK's pipeline between a toolset's `call` and its member carries nothing of
ours.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from gui_environments.sights import Expectation, Sight

Look = Callable[[str, Any], Awaitable[Sight | None]]
"""From a member's name and its parsed input to what it would hit; None where there is nothing to see."""


@dataclass(slots=True)
class JudgedCall:
    """`expected` is set when somebody was asked about the call and allowed it."""

    look: Look
    expected: Expectation | None = None


_judged: ContextVar[JudgedCall | None] = ContextVar("judged_call", default=None)


def judged_call() -> JudgedCall | None:
    return _judged.get()


@contextlib.contextmanager
def judging(look: Look) -> Iterator[JudgedCall]:
    """Around one call of a toolset."""
    call = JudgedCall(look)
    token = _judged.set(call)
    try:
        yield call
    finally:
        _judged.reset(token)
