"""Running a script that somebody gave, in the page's own world: bounded in time, its value bounded text.

Unlike the page model, it shares that world with the page: it sees what the page's scripts see, and what they changed.
"""

from __future__ import annotations

import asyncio
from functools import cache
from pathlib import Path
from typing import Any

from gui_environments.browser.cdp import CdpError, CdpSession, SessionGone
from gui_environments.browser.tabs.tab import Tab
from gui_environments.errors import ActionFailed, ActionRefused

SCRIPT_S = 10.0
"""How long a script may run, and what it waits for may take."""

VALUE_LIMIT = 30_000
"""Characters of a value that are shown."""

SCRIPT_LIMIT = 200_000
"""Characters of a script."""

ERROR_LIMIT = 1_500

GROUP = "script"
"""The remote objects that a script's value needs while it is shown."""

LEFT = ("context was destroyed", "Cannot find context", "navigated or closed", "Promise was collected")
"""What Chromium says when the page went away under the script."""


async def run_script(tab: Tab, text: str, limit_s: float = SCRIPT_S) -> str:
    """The value of the last expression; a promise is waited for. Raises `ActionRefused`, `ActionFailed`."""
    tab.require_usable()
    if len(text) > SCRIPT_LIMIT:
        raise ActionRefused(f"The script has {len(text):,} characters; {SCRIPT_LIMIT:,} is the most.")
    try:
        session = await tab.frames.page_session()
        try:
            async with tab.clock.timeout(limit_s):
                return await _evaluate(session, text)
        except TimeoutError:
            await _terminate(session)
            tab.require_usable()
            raise ActionFailed(
                f"The script was not done after {limit_s:g} s and was stopped; what it did until then stays done."
            ) from None
        finally:
            await _release(session)
    except SessionGone as error:
        tab.require_usable()
        raise ActionFailed(f"{tab.tab_id} closed while the script ran.") from error
    except CdpError as error:
        tab.require_usable()
        if any(words in str(error) for words in LEFT):
            raise ActionFailed("The page was left while the script ran, and with it the script's value.") from error
        raise ActionFailed(f"The script could not be run: {error}.") from error


async def _evaluate(session: CdpSession, text: str) -> str:
    answer = await session.send(
        "Runtime.evaluate",
        expression=text,
        objectGroup=GROUP,
        replMode=True,  # `await` works, and `const` twice
        awaitPromise=True,
        userGesture=True,
        includeCommandLineAPI=False,
    )
    value = _value(answer)
    if value.get("subtype") == "promise":
        value = _value(await session.send("Runtime.awaitPromise", promiseObjectId=value["objectId"]))
    if "objectId" not in value or value["type"] == "symbol":
        return _show_primitive(value)
    shown = await session.send(
        "Runtime.callFunctionOn",
        functionDeclaration=_show_value_source(),
        objectId=value["objectId"],
        arguments=[{"value": VALUE_LIMIT}],
        returnByValue=True,
        objectGroup=GROUP,
    )
    text, length = _value(shown)["value"]
    return _bounded(str(text), int(length))


def _value(answer: dict[str, Any]) -> dict[str, Any]:
    """What the script gave; what it threw is an `ActionFailed`."""
    if "exceptionDetails" not in answer:
        result: dict[str, Any] = answer["result"]
        return result
    details = answer["exceptionDetails"]
    thrown = details.get("exception", {})
    words = thrown.get("description") or (str(thrown["value"]) if "value" in thrown else details["text"])
    if "Illegal return statement" in words:
        words = "SyntaxError: Illegal return statement (no `return` is needed: the last expression is the value)"
    raise ActionFailed(f"The script threw: {words[:ERROR_LIMIT]}")


def _show_primitive(value: dict[str, Any]) -> str:
    if "unserializableValue" in value:  # NaN, -0, 12n
        return str(value["unserializableValue"])
    if value["type"] == "undefined":
        return "undefined"
    primitive = value.get("value")
    if isinstance(primitive, str):
        return _bounded(primitive[:VALUE_LIMIT], len(primitive))
    if primitive is None:
        return "null" if value.get("subtype") == "null" else str(value.get("description", "undefined"))
    return str(primitive).lower() if isinstance(primitive, bool) else str(value.get("description", primitive))


def _bounded(text: str, length: int) -> str:
    return text if length <= len(text) else f"{text}\n(cut: the value has {length:,} characters)"


async def _terminate(session: CdpSession) -> None:
    """Stop the script if it is in a loop; the page's own scripts go on."""
    try:
        async with asyncio.timeout(1.0):
            await session.send("Runtime.terminateExecution")
    except (CdpError, SessionGone, TimeoutError):
        return  # nothing is running, or the page is gone


async def _release(session: CdpSession) -> None:
    try:
        async with asyncio.timeout(1.0):
            await session.send("Runtime.releaseObjectGroup", objectGroup=GROUP)
    except (CdpError, SessionGone, TimeoutError):
        return  # the page is gone, and its objects with it


@cache
def _show_value_source() -> str:
    source = Path(__file__).with_name("show_value.js").read_text(encoding="utf-8")
    return "\n".join(line for line in source.splitlines() if not line.startswith("//"))
