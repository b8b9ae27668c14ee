"""A browser as whoever uses it sees it: each call goes to the tab it is about, and what it fails of is told apart. The
steps themselves are the work of the modules around this one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from gui_environments.browser.acting.expecting import require_unchanged
from gui_environments.browser.acting.looking import Subject, look
from gui_environments.browser.acting.performing import perform
from gui_environments.browser.acting.scripts import run_script
from gui_environments.browser.actions import GiveFiles, PageAction
from gui_environments.browser.chromium.developer_tools import keep_developer_tools_closed
from gui_environments.browser.chromium.ending import finish, tell_launcher_to_end
from gui_environments.browser.chromium.launching import Launch, make_private_directory
from gui_environments.browser.chromium.running import RunningChromium, running_chromium
from gui_environments.browser.chromium.storage import load_storage_state
from gui_environments.browser.chromium.window import Windows
from gui_environments.browser.events import BrowserEvent, EventLog
from gui_environments.browser.finding.elements import find
from gui_environments.browser.life import Life
from gui_environments.browser.navigating.interception import Interception, intercept
from gui_environments.browser.navigating.navigation import COMMIT_S, NavigationRules, navigate
from gui_environments.browser.pages.page_text import page_text
from gui_environments.browser.pages.reading import read_page
from gui_environments.browser.pages.references import ReferenceBook, ResolvedElement
from gui_environments.browser.rules import BrowserRules
from gui_environments.browser.tabs.crashes import watch_crashes
from gui_environments.browser.tabs.listing import list_tab, list_tabs
from gui_environments.browser.tabs.tab import Tab, Tabs
from gui_environments.browser.values import Navigated, Outcome, PageReading, PageRegion, ReadRequest, TabState
from gui_environments.browser.watching.dialog_rules import AskAboutDialog
from gui_environments.browser.watching.surfaces import watch_surfaces
from gui_environments.browser.watching.watchers import Watchers
from gui_environments.egress.proxy import ProxyAddress
from gui_environments.errors import ActionFailed, EnvironmentUnavailable
from gui_environments.geometry import Size
from gui_environments.pictures import Picture, PictureFormat
from gui_environments.sights import PageExpectation, Sight

NO_RULES = BrowserRules()

DOWNLOAD_S = 3.0
"""How long to wait for a download that an address turned out to be, so that it is told as completed."""


class Browser:
    """A running browser: implements `BrowserEnvironment`. Made by `Browser.open`."""

    def __init__(
        self,
        chromium: RunningChromium,
        launch: Launch,
        rules: BrowserRules,
        ask: AskAboutDialog | None = None,
    ) -> None:
        self.context = chromium.context
        self.viewport = launch.viewport
        self.rules = rules
        self.version = chromium.version
        self.events = EventLog()
        self.tabs = Tabs(self.context, self.events)
        self.references = ReferenceBook()
        self.watchers = Watchers.of(
            self.context, self.tabs, self.events, self.viewport, rules, launch.private / "uploads", ask
        )
        self.interception: Interception | None = None
        """Of its requests, from before its first page on."""
        self._navigation_rules = NavigationRules(rules.hosts, COMMIT_S + rules.dialogs.longest_wait_s, launch.proxy)
        self._session = chromium.session
        self._life = Life(self.context, chromium.session)
        self._windows = None if launch.headless else Windows(chromium.session, launch.viewport)

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
        environment: Mapping[str, str] | None = None,
        arguments: Sequence[str] = (),
        proxy: ProxyAddress | None = None,
        ask: AskAboutDialog | None = None,
    ) -> AsyncIterator[Browser]:
        """Start Chromium: `chromium` when given, else Playwright's own build, else the system's.

        Of host names it knows loopback's and those of its rules only. `storage_state` is a file in Playwright's format
        to start signed in from. `environment` is added to the little that it gets: on a screen (not `headless`), its
        display. A `proxy` is its only way out, to loopback too, and every name is for the proxy to know. `ask` is who
        the rules ask about dialogs. On leaving, every process and file of it is gone, and just so when this process is
        killed. Raises `EnvironmentUnavailable`.
        """
        launch = Launch(
            viewport if isinstance(viewport, Size) else Size(*viewport),
            headless,
            chromium,
            environment or {},
            arguments,
            make_private_directory(),
            rules.hosts,
            proxy,
        )
        async with running_chromium(launch) as running:
            browser = cls(running, launch, rules, ask)
            try:
                await browser._make_ready(storage_state, launch)
                yield browser
            finally:
                await finish(browser.watchers.close())

    async def _make_ready(self, storage_state: Path | None, launch: Launch) -> None:
        """Before its first page. Raises `EnvironmentUnavailable`."""
        self.rules.require_places_apart(launch.private)
        await self.watchers.begin(self._session, launch.arriving)
        self.interception = await intercept(
            self.context,
            self.rules.hosts,
            self.tabs,
            self.watchers.refusals,
            end=lambda: tell_launcher_to_end(launch.private),
        )
        await watch_surfaces(self.context, self.tabs, self.events)
        await watch_crashes(self.context, self.tabs, self.events)
        if self._windows is not None:
            await keep_developer_tools_closed(self._session, self.events)
        if storage_state is not None:
            await load_storage_state(self.context, storage_state)
        if self._windows is not None:
            await self._windows.fit(self.tabs.tab(None))

    @property
    def died(self) -> bool:
        """Whether the browser, or the connection to it, is gone."""
        return self._life.over

    async def read_page(self, request: ReadRequest, tab_id: str | None = None) -> PageReading:
        """Read the tab of that id, the active one for None. Raises `ActionRefused`, `EnvironmentDied`."""
        async with self._life.told_apart():
            return await read_page(await self._tab(tab_id), self.references, request)

    async def find(self, query: str, tab_id: str | None = None) -> PageReading:
        """The elements that fit a description best, the best first."""
        async with self._life.told_apart():
            return await find(await self._tab(tab_id), self.references, query)

    async def page_text(self, tab_id: str | None = None) -> str:
        """What the page shows as text, main content first."""
        async with self._life.told_apart():
            return await page_text(await self._tab(tab_id))

    async def resolve(self, reference: str, tab_id: str | None = None) -> ResolvedElement:
        """The element of a reference in a tab, like `read_page`."""
        async with self._life.told_apart():
            return await self.references.resolve(self.tabs.tab(tab_id), reference)

    async def look(self, subject: Subject = None, tab_id: str | None = None) -> Sight:
        async with self._life.told_apart():
            tab = await self._tab(tab_id)
            title = next((state.title for state in await self.tab_states() if state.tab_id == tab.tab_id), "")
            sight = await look(tab, self.references, self.watchers.camera, self.viewport, subject, title)
            return await self.watchers.uploads.seen(sight, subject) if isinstance(subject, GiveFiles) else sight

    async def require_unchanged(self, expected: PageExpectation, tab_id: str | None = None) -> None:
        async with self._life.told_apart():
            await require_unchanged(self.tabs.tab(tab_id), self.references, expected)

    async def perform(
        self,
        action: PageAction,
        tab_id: str | None = None,
        *,
        settle_s: float = 3.0,
        expected: PageExpectation | None = None,
    ) -> Outcome:
        async with self._life.told_apart():
            tab = await self._tab(tab_id)
            before = tab.hand.at
            outcome = await perform(tab, self.references, self.events, self.viewport, action, settle_s, expected)
            if tab.hand.at is not before:
                outcome = replace(outcome, at=tab.hand.at)
            if tab.closed:
                await self._life.require()  # by the action, or with everything else
            await self.watchers.landings.wait()
            await self.watchers.downloads.wait(settle_s)
            return outcome

    async def navigate(self, address: str, tab_id: str | None = None) -> Navigated:
        async with self._life.told_apart():
            tab = await self._tab(tab_id)
            navigated = await navigate(
                tab, address, self.watchers.dialogs, self.watchers.refusals, self._navigation_rules
            )
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
        async with self._life.told_apart():
            return await self.watchers.camera.capture(await self._tab(tab_id), region, fit, picture_format)

    async def upload_files(
        self,
        reference: str,
        paths: Sequence[Path],
        tab_id: str | None = None,
        *,
        documents: Sequence[str] = (),
        expected: PageExpectation | None = None,
    ) -> Outcome:
        async with self._life.told_apart():
            tab = self.tabs.tab(tab_id)
            await tab.clock.running()
            element = await self.references.resolve(tab, reference)
            if expected is not None:
                await require_unchanged(tab, self.references, expected)
            given = GiveFiles(reference, tuple(map(str, paths)), tuple(documents))
            return await self.watchers.uploads.upload(tab, element, given, None if expected is None else expected.files)

    async def run_script(self, text: str, tab_id: str | None = None, *, expected: PageExpectation | None = None) -> str:
        async with self._life.told_apart():
            tab = self.tabs.tab(tab_id)
            await tab.clock.running()
            if expected is not None:
                await require_unchanged(tab, self.references, expected)
            return await run_script(tab, text)

    async def read_console(self, tab_id: str | None = None) -> str:
        async with self._life.told_apart():
            return self.watchers.console.read(tab_id)

    async def read_network(self, tab_id: str | None = None) -> str:
        async with self._life.told_apart():
            return self.watchers.network.read(tab_id)

    async def _tab(self, tab_id: str | None) -> Tab:
        """The tab of that id, the active one for None, with the viewport that every tab has, and no dialog that
        somebody is asked about."""
        await self.watchers.landings.wait()
        tab = self.tabs.tab(tab_id)
        if tab.in_doubt:
            await tab.crashes()
        tab.require_usable()
        await tab.clock.running()
        if self._windows is not None:
            try:
                await self._windows.fit(tab)
            except EnvironmentUnavailable as error:
                raise ActionFailed(f"{tab.tab_id} is a window of another size. {error}") from error
        return tab

    async def tab_states(self) -> tuple[TabState, ...]:
        """Every open tab, without asking the pages themselves: it works on a page that hangs, has crashed or shows a
        dialog. Raises `EnvironmentDied`."""
        return await list_tabs(self._session, self.tabs)

    async def open_tab(self) -> TabState:
        """A new tab, blank and active."""
        async with self._life.told_apart():
            return await list_tab(self._session, self.tabs, await self.tabs.open())

    async def switch_tab(self, tab_id: str) -> TabState:
        async with self._life.told_apart():
            tab = self.tabs.tab(tab_id)
            await self.tabs.activate(tab)
            return await list_tab(self._session, self.tabs, tab)

    async def close_tab(self, tab_id: str) -> None:
        """Without asking its page. On a screen, where the browser ends with its last window, a blank tab takes the
        place of the last."""
        async with self._life.told_apart():
            tab = self.tabs.tab(tab_id)
            if self._windows is not None and self.tabs.all == (tab,):
                await self.tabs.open()
            await self.tabs.close(tab)

    def keep_from_sight(self, expressions: Sequence[str]) -> None:
        self.watchers.camera.covered = tuple(expressions)

    def take_events(self) -> tuple[BrowserEvent, ...]:
        """What happened since this was last asked."""
        return self.events.take()
