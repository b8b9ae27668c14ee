"""Going to an address, back, forward, or loading again: judged first, done when the document can be used.

What is judged here is the address as the browser reads it, and the address where the navigation ends. The hops of a
redirect in between are judged by `interception`, as are the requests of pages.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Literal

from playwright.async_api import Error, Response

from gui_environments.browser.cdp import CdpError, SessionGone
from gui_environments.browser.chromium.starting import MOVES, go, go_to
from gui_environments.browser.navigating.navigation_ends import (
    Ended,
    NavigationWatch,
    explain_error,
    require_answer_of_host,
    shown_address,
)
from gui_environments.browser.navigating.refusals import Refusals, RefusedPage
from gui_environments.browser.navigating.unsticking import break_off_endless_script
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.values import Navigated
from gui_environments.browser.watching.dialogs import Dialogs
from gui_environments.egress.addresses import address_of, parse_address
from gui_environments.egress.proxy import ProxyAddress
from gui_environments.egress.rules import NO_HOST, HostRules
from gui_environments.errors import ActionFailed, ActionRefused

COMMIT_S = 30.0
"""How long a server may take to begin with the document."""

PARSED_S = 10.0
"""How long the document may then take until all of its markup is there and its scripts have run."""

LOADED_S = 3.0
"""How long to wait for its pictures and styles as well: a page that lacks some can be used."""

BLANK = "about:blank"


@dataclass(frozen=True, slots=True)
class NavigationRules:
    """Times are limits. `proxy` is the browser's way out, when it has one."""

    hosts: HostRules = NO_HOST
    commit_s: float = COMMIT_S
    proxy: ProxyAddress | None = None


async def navigate(
    tab: Tab, text: str, dialogs: Dialogs, refusals: Refusals, rules: NavigationRules = NavigationRules()
) -> Navigated:
    """Go where `text` says: an address, `back`, `forward` or `reload`. Raises `ActionRefused` when the tab was left
    as it was, `ActionFailed` with what it shows now."""
    tab.require_usable()
    limit_s = rules.commit_s
    word = text.strip().lower()
    move = MOVES.get(word)
    if move is not None:
        if move == "reload":
            _require_landing_allowed(tab.page.url, rules)
        else:
            await _require_entry(tab, move, rules)
        return await _go(tab, lambda: go(tab, move, limit_s), dialogs, refusals, rules)
    address = parse_address(text)
    rules.hosts.require_document(address)
    href = address.href
    return await _go(tab, lambda: go_to(tab, href, limit_s), dialogs, refusals, rules, asked_for=href)


async def _require_entry(tab: Tab, way: Literal["back", "forward"], rules: NavigationRules) -> None:
    """Refuse when there is nothing in that direction, or what is there is not allowed."""
    try:
        history = await (await tab.frames.page_session()).send("Page.getNavigationHistory")
    except (CdpError, SessionGone) as error:
        tab.require_usable()
        raise ActionRefused(f"{tab.tab_id} does not tell its history now. Go to an address instead.") from error
    at = history["currentIndex"] + (-1 if way == "back" else 1)
    if not 0 <= at < len(history["entries"]):
        direction = "to go back to" if way == "back" else "to go forward to"
        raise ActionRefused(f"There is no page {direction} in {tab.tab_id}.")
    _require_landing_allowed(history["entries"][at]["url"], rules)


def _require_landing_allowed(url: str, rules: NavigationRules) -> None:
    if url == BLANK:
        return
    address = address_of(url)
    if address is None:
        raise ActionRefused("Only http and https pages are opened here, and that one is of another kind.")
    rules.hosts.require_document(address)


async def _go(
    tab: Tab,
    start: Callable[[], Coroutine[Any, Any, Response | None]],
    dialogs: Dialogs,
    refusals: Refusals,
    rules: NavigationRules,
    asked_for: str | None = None,
) -> Navigated:
    before = tab.page.url
    target_id = await tab.target_id()
    refusals.forget(target_id)
    await break_off_endless_script(tab)
    with dialogs.stays_noticed(tab) as stayed, NavigationWatch(tab) as watch:
        going = asyncio.ensure_future(start())
        staying = asyncio.ensure_future(stayed.wait())
        try:
            await asyncio.wait({going, staying}, return_when=asyncio.FIRST_COMPLETED)
            if not stayed.is_set() and _is_overtaken(going, watch):
                going = asyncio.ensure_future(start())
                await asyncio.wait({going, staying}, return_when=asyncio.FIRST_COMPLETED)
            if stayed.is_set():
                raise ActionFailed(
                    "The page asked whether to leave it, and the answer here is to stay: it is still shown."
                )
            ended = Ended(going.result() or watch.last_response)
        except Error as error:
            _require_not_refused(tab, refusals.page(target_id))
            ended = await explain_error(tab, error, watch, before, asked_for, rules.proxy)
        finally:
            for task in (going, staying):
                task.cancel()
            await asyncio.gather(going, staying, return_exceptions=True)
    if rules.proxy is not None:
        await require_answer_of_host(ended)
    late = () if ended.stayed else await _wait_until_usable(tab)
    _require_landed_where_allowed(tab, refusals.page(target_id), rules)
    return await _describe(tab, ended, late, asked_for)


def _is_overtaken(going: asyncio.Future[Response | None], watch: NavigationWatch) -> bool:
    """Whether the end of the navigation before came only now and took this one's place: its error page, or its being
    broken off, which is told of this one before a server has answered it."""
    error = going.exception() if going.done() else None
    if not isinstance(error, Error):
        return False
    broken_off = "ERR_ABORTED" in error.message and not watch.responses
    return broken_off or 'by another navigation to "chrome-error:' in error.message


async def _wait_until_usable(tab: Tab) -> tuple[str, ...]:
    """Sentences on what is still missing when the limits were reached."""
    while True:
        stops = tab.clock.stops
        try:
            await tab.page.wait_for_load_state("domcontentloaded", timeout=PARSED_S * 1000)
        except Error as error:
            if tab.crashed or tab.closed:
                raise ActionFailed(f"The page in {tab.tab_id} crashed or closed while it was loading.") from error
            await tab.clock.running()
            if tab.clock.stops != stops:
                continue  # somebody was asked about a dialog meanwhile
            return ("The page is still loading.",)
        break
    try:
        await tab.page.wait_for_load_state("load", timeout=LOADED_S * 1000)
    except Error:
        return ("The page can be used; some of its pictures, styles or frames are still loading.",)
    return ()


def _require_landed_where_allowed(tab: Tab, refused: RefusedPage | None, rules: NavigationRules) -> None:
    """A redirect, or a script of the page, may have led elsewhere."""
    address = address_of(tab.page.url)
    if address is None:
        _require_not_refused(tab, refused)
    elif not rules.hosts.judge(address, "document").allowed:  # it is left at this moment
        raise ActionFailed(f"The address led to {address.host_and_port}, which is not allowed here.")


def _require_not_refused(tab: Tab, refused: RefusedPage | None) -> None:
    if refused is not None:
        place = "was closed" if tab.closed else "shows nothing of it"
        raise ActionFailed(f"{refused.sentence} The tab {place}.")


async def _describe(tab: Tab, ended: Ended, late: tuple[str, ...], asked_for: str | None) -> Navigated:
    url = tab.page.url
    status = None if ended.response is None else ended.response.status
    notes = (*ended.notes, *late)
    if status is not None and status >= HTTPStatus.BAD_REQUEST:
        notes = (f"The server answered with {_status_words(status)}.", *notes)
    if asked_for is not None and url != asked_for and not ended.stayed:
        notes = (f"This led on to {shown_address(url)}.", *notes)
    title = ""
    try:
        async with asyncio.timeout(1.0):
            target = await (await tab.frames.page_session()).send("Target.getTargetInfo")
            title = target["targetInfo"]["title"]
    except (CdpError, SessionGone, TimeoutError):
        tab.require_usable()
    return Navigated(url, title, status, notes)


def _status_words(status: int) -> str:
    try:
        return f"status {status} ({HTTPStatus(status).phrase})"
    except ValueError:
        return f"status {status}"
