"""The life of one browser: Chromium started with a fresh profile, ended with everything it started and wrote."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from weakref import WeakSet

from playwright.async_api import BrowserContext, Error

from gui_environments.browser.actions import PageAction
from gui_environments.browser.cdp import CdpSession, SessionGone
from gui_environments.browser.developer_tools import keep_developer_tools_closed
from gui_environments.browser.dialog_rules import AskAboutDialog
from gui_environments.browser.ending import end_launcher, finish, tell_launcher_to_end
from gui_environments.browser.events import BrowserEvent, EventLog
from gui_environments.browser.expecting import require_unchanged
from gui_environments.browser.finding import find
from gui_environments.browser.launching import Launch, launch_chromium, make_private_directory
from gui_environments.browser.looking import look
from gui_environments.browser.navigation import COMMIT_S, NavigationRules, navigate
from gui_environments.browser.page_text import page_text
from gui_environments.browser.performing import perform
from gui_environments.browser.reading import read_page
from gui_environments.browser.references import ReferenceBook, ResolvedElement
from gui_environments.browser.rules import BrowserRules
from gui_environments.browser.scripts import run_script
from gui_environments.browser.sparing import small_driver
from gui_environments.browser.storage import load_storage_state
from gui_environments.browser.surfaces import watch_surfaces
from gui_environments.browser.tabs import Tab, Tabs
from gui_environments.browser.values import Navigated, Outcome, PageReading, PageRegion, ReadRequest, TabState
from gui_environments.browser.watching import Watchers
from gui_environments.browser.window import fit_window
from gui_environments.browser.world import DocumentGone
from gui_environments.egress.proxy import ProxyAddress
from gui_environments.egress.switches import chromium_switches
from gui_environments.errors import ActionFailed, ActionRefused, EnvironmentDied, EnvironmentUnavailable
from gui_environments.geometry import Size
from gui_environments.pictures import Picture, PictureFormat
from gui_environments.sights import PageExpectation, Sight

log = logging.getLogger(__name__)

CLOSE_S = 5.0
"""How long Chromium may take to close in order before it is ended."""

ANSWER_S = 20.0
"""How long a living browser may take to answer what concerns no page."""

NO_RULES = BrowserRules()

DOWNLOAD_S = 3.0
"""How long to wait for a download that an address turned out to be, so that it is told as completed."""

DIED = "The browser has ended, or the connection to it was lost."


class Browser:
    """A running browser: implements `BrowserEnvironment`. Made by `Browser.open`."""

    def __init__(
        self,
        context: BrowserContext,
        session: CdpSession,
        viewport: Size,
        rules: BrowserRules,
        private: Path,
        *,
        headless: bool,
        ask: AskAboutDialog | None = None,
    ) -> None:
        assert context.browser is not None
        self.context = context
        self.viewport = viewport
        self.rules = rules
        self.version = context.browser.version
        self.events = EventLog()
        self.tabs = Tabs(context, self.events)
        self.references = ReferenceBook()
        self.watchers = Watchers.of(context, self.tabs, self.events, viewport, rules, private / "uploads", ask)
        self._navigation_rules = NavigationRules(rules.allowed_hosts, COMMIT_S + rules.dialogs.longest_wait_s)
        self._session = session
        self._headless = headless
        self._fitted: WeakSet[Tab] = WeakSet()
        self._died = asyncio.Event()
        context.on("close", lambda _: self._died.set())

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        viewport: tuple[int, int] | Size = (1280, 800),
        *,
        headless: bool = True,
        chromium: Path | None = None,
        rules: BrowserRules = NO_RULES,
        storage_state: Path | None = None,
        reachable_names: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        arguments: Sequence[str] = (),
        proxy: ProxyAddress | None = None,
        ask: AskAboutDialog | None = None,
    ) -> AsyncIterator[Browser]:
        """Start Chromium: `chromium` when given, else Playwright's own build, else the system's.

        Of host names it knows loopback's and `reachable_names` (`*.example.com` or `*` allowed) only. `storage_state`
        is a file in Playwright's format to start signed in from. `environment` is added to the little that it gets: on
        a screen (not `headless`), its display. A `proxy` is its only way out, to loopback too, and every name is for
        the proxy to know: `reachable_names` does not count then. `ask` is who the rules ask about dialogs. On leaving,
        every process and file of it is gone, and just so when this process is killed. Raises `EnvironmentUnavailable`.
        """
        size = viewport if isinstance(viewport, Size) else Size(*viewport)
        private = make_private_directory()
        if proxy is not None:
            # Of two switches of one name the last counts.
            arguments = [*chromium_switches(proxy), *arguments]
        launch = Launch(
            size, headless, chromium, reachable_names, environment or {}, arguments, private, rules.allowed_hosts
        )
        try:
            async with small_driver() as playwright:
                context = await launch_chromium(playwright, launch)
                try:
                    assert context.browser is not None
                    session = CdpSession(await context.browser.new_browser_cdp_session())
                    browser = cls(context, session, size, rules, private, headless=headless, ask=ask)
                    await watch_surfaces(context, browser.tabs, browser.events)
                    if not headless:
                        await keep_developer_tools_closed(session, browser.events)
                    if storage_state is not None:
                        await load_storage_state(context, storage_state)
                    await browser._fit(browser.tabs.tab(None))
                    # Also when only the connection is lost: a browser that nobody watches is ended.
                    context.on("close", lambda _: tell_launcher_to_end(private))
                    try:
                        yield browser
                    finally:
                        await finish(browser.watchers.close())
                finally:
                    await finish(_close(context))
        finally:
            await finish(end_launcher(private))

    @property
    def died(self) -> bool:
        """Whether the browser, or the connection to it, is gone."""
        return self._died.is_set()

    async def read_page(self, request: ReadRequest, tab_id: str | None = None) -> PageReading:
        """Read the tab of that id, the active one for None. Raises `ActionRefused`, `EnvironmentDied`."""
        async with self._told_apart():
            return await read_page(await self._tab(tab_id), self.references, request)

    async def find(self, query: str, tab_id: str | None = None) -> PageReading:
        """The elements that fit a description best, the best first."""
        async with self._told_apart():
            return await find(await self._tab(tab_id), self.references, query)

    async def page_text(self, tab_id: str | None = None) -> str:
        """What the page shows as text, main content first."""
        async with self._told_apart():
            return await page_text(await self._tab(tab_id))

    async def resolve(self, reference: str, tab_id: str | None = None) -> ResolvedElement:
        """The element of a reference in a tab, like `read_page`."""
        async with self._told_apart():
            return await self.references.resolve(self.tabs.tab(tab_id), reference)

    async def look(self, subject: PageAction | str | None = None, tab_id: str | None = None) -> Sight:
        async with self._told_apart():
            tab = await self._tab(tab_id)
            title = next((state.title for state in await self.tab_states() if state.tab_id == tab.tab_id), "")
            return await look(tab, self.references, self.watchers.camera, self.viewport, subject, title)

    async def require_unchanged(self, expected: PageExpectation, tab_id: str | None = None) -> None:
        async with self._told_apart():
            await require_unchanged(self.tabs.tab(tab_id), self.references, expected)

    async def perform(
        self,
        action: PageAction,
        tab_id: str | None = None,
        *,
        settle_s: float = 3.0,
        expected: PageExpectation | None = None,
    ) -> Outcome:
        async with self._told_apart():
            tab = await self._tab(tab_id)
            outcome = await perform(tab, self.references, self.events, self.viewport, action, settle_s, expected)
            if tab.closed:
                await self._require_life()  # by the action, or with everything else
            await self.watchers.landings.wait()
            await self.watchers.downloads.wait(settle_s)
            return outcome

    async def navigate(self, address: str, tab_id: str | None = None) -> Navigated:
        async with self._told_apart():
            tab = await self._tab(tab_id)
            navigated = await navigate(tab, address, self.watchers.dialogs, self.events, self._navigation_rules)
            await self.watchers.downloads.wait(DOWNLOAD_S)
            return navigated

    async def capture(
        self,
        region: PageRegion | None = None,
        *,
        fit: Size | None = None,
        picture_format: PictureFormat = "png",
        tab_id: str | None = None,
    ) -> Picture:
        async with self._told_apart():
            return await self.watchers.camera.capture(await self._tab(tab_id), region, fit, picture_format)

    async def upload_files(
        self,
        reference: str,
        paths: Sequence[Path],
        tab_id: str | None = None,
        *,
        expected: PageExpectation | None = None,
    ) -> Outcome:
        async with self._told_apart():
            tab = self.tabs.tab(tab_id)
            await tab.clock.running()
            element = await self.references.resolve(tab, reference)
            if expected is not None:
                await require_unchanged(tab, self.references, expected)
            return await self.watchers.uploads.upload(tab, element, paths)

    async def run_script(self, text: str, tab_id: str | None = None, *, expected: PageExpectation | None = None) -> str:
        async with self._told_apart():
            tab = self.tabs.tab(tab_id)
            await tab.clock.running()
            if expected is not None:
                await require_unchanged(tab, self.references, expected)
            return await run_script(tab, text)

    async def read_console(self, tab_id: str | None = None) -> str:
        async with self._told_apart():
            return self.watchers.console.read(tab_id)

    async def read_network(self, tab_id: str | None = None) -> str:
        async with self._told_apart():
            return self.watchers.network.read(tab_id)

    async def _tab(self, tab_id: str | None) -> Tab:
        """The tab of that id, the active one for None, with the viewport that every tab has, and no dialog that
        somebody is asked about."""
        await self.watchers.landings.wait()
        tab = self.tabs.tab(tab_id)
        tab.require_usable()
        await tab.clock.running()
        try:
            await self._fit(tab)
        except EnvironmentUnavailable as error:
            raise ActionFailed(f"{tab.tab_id} is a window of another size. {error}") from error
        return tab

    async def _fit(self, tab: Tab) -> None:
        """On a screen a page may open windows of any size."""
        if self._headless or tab in self._fitted:
            return
        await fit_window(self._session, tab, self.viewport)
        self._fitted.add(tab)

    @asynccontextmanager
    async def _told_apart(self) -> AsyncIterator[None]:
        """When the browser ends, its tabs close first; what fails for that reason is the browser's death."""
        try:
            yield
        except (ActionRefused, ActionFailed) as error:
            await self._require_life(error)
            raise
        except DocumentGone as error:
            raise ActionFailed("The page navigated meanwhile. Look at what it shows now.") from error
        except (Error, SessionGone) as error:
            await self._require_life(error)
            raise ActionFailed("The tab closed, or does not answer. List the tabs to see what is open.") from error

    async def _require_life(self, error: Exception | None = None) -> None:
        try:
            async with asyncio.timeout(ANSWER_S):
                await self._session.send("Browser.getVersion")
        except (SessionGone, TimeoutError):
            raise EnvironmentDied(DIED) from error

    async def tab_states(self) -> tuple[TabState, ...]:
        """Every open tab, without asking the pages themselves: it works on a page that hangs, has crashed or shows a
        dialog. Raises `EnvironmentDied`."""
        target_ids: dict[Tab, str] = {}
        for tab in self.tabs.all:
            with suppress(SessionGone):  # it closed while we asked
                target_ids[tab] = await tab.target_id()
        try:
            targets = await self._session.send("Target.getTargets")
        except SessionGone as error:
            raise EnvironmentDied(DIED) from error
        titles = {target["targetId"]: target["title"] for target in targets["targetInfos"]}
        # Nothing is waited for from here on, so that the answer and the events taken next tell of one moment.
        return tuple(
            TabState(
                tab.tab_id, titles.get(target_ids.get(tab, ""), ""), tab.page.url, tab is self.tabs.active, tab.crashed
            )
            for tab in self.tabs.all
        )

    async def open_tab(self) -> TabState:
        """A new tab, blank and active."""
        async with self._told_apart():
            return await self._state_of(await self.tabs.open())

    async def switch_tab(self, tab_id: str) -> TabState:
        async with self._told_apart():
            tab = self.tabs.tab(tab_id)
            await self.tabs.activate(tab)
            return await self._state_of(tab)

    async def close_tab(self, tab_id: str) -> None:
        """Without asking its page. On a screen, where the browser ends with its last window, a blank tab takes the
        place of the last."""
        async with self._told_apart():
            tab = self.tabs.tab(tab_id)
            if not self._headless and self.tabs.all == (tab,):
                await self.tabs.open()
            await self.tabs.close(tab)

    def take_events(self) -> tuple[BrowserEvent, ...]:
        """What happened since this was last asked."""
        return self.events.take()

    async def _state_of(self, tab: Tab) -> TabState:
        found = [state for state in await self.tab_states() if state.tab_id == tab.tab_id]
        if not found:
            raise ActionRefused(f"{tab.tab_id} has been closed. List the tabs and use an open one.")
        return found[0]


async def _close(context: BrowserContext) -> None:
    try:
        await asyncio.wait_for(context.close(), CLOSE_S)
    except (Error, TimeoutError) as error:
        log.debug("Chromium did not close in order: %s", error)
