"""What watches all of a browser's tabs from before the first page, made together and ended together."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import BrowserContext

from gui_environments.browser.cdp import CdpSession
from gui_environments.browser.events import EventLog
from gui_environments.browser.files.chosen_files import ChosenFiles
from gui_environments.browser.files.downloads import Downloads
from gui_environments.browser.files.uploads import Uploads
from gui_environments.browser.navigating.landings import Landings
from gui_environments.browser.navigating.refusals import Refusals
from gui_environments.browser.pages.capture import PageCamera
from gui_environments.browser.rules import BrowserRules
from gui_environments.browser.tabs.tab import Tabs
from gui_environments.browser.watching.console import Console
from gui_environments.browser.watching.dialog_rules import AskAboutDialog
from gui_environments.browser.watching.dialogs import Dialogs
from gui_environments.browser.watching.network import Network
from gui_environments.geometry import Size


@dataclass(frozen=True, slots=True)
class Watchers:
    """`close` breaks off what they still do."""

    camera: PageCamera
    console: Console
    dialogs: Dialogs
    downloads: Downloads
    landings: Landings
    network: Network
    refusals: Refusals
    uploads: Uploads

    @classmethod
    def of(
        cls,
        context: BrowserContext,
        tabs: Tabs,
        events: EventLog,
        viewport: Size,
        rules: BrowserRules,
        staging: Path,
        ask: AskAboutDialog | None = None,
    ) -> Watchers:
        """`staging` is a private directory, not made yet, for the copies of files that pages are given;
        `ask`, who is asked about dialogs."""
        files = ChosenFiles(rules.upload_roots, staging, document_dir=rules.document_dir, limits=rules.upload_limits)
        refusals = Refusals(tabs, events)
        return cls(
            camera=PageCamera(viewport),
            console=Console(context, tabs),
            dialogs=Dialogs(context, tabs, events, rules.dialogs, ask),
            downloads=Downloads(context, events, rules.download_dir, rules.download_limits),
            landings=Landings(context, tabs, refusals, rules.hosts),
            network=Network(context, tabs),
            refusals=refusals,
            uploads=Uploads(context, tabs, events, files),
        )

    async def begin(self, session: CdpSession, arriving: Path) -> None:
        """Before the first page. `session` is the browser's own; `arriving`, where it writes downloads. Raises
        `EnvironmentUnavailable`."""
        self.uploads.files.open()
        await self.downloads.begin(session, arriving)

    async def close(self) -> None:
        await self.dialogs.close()
        await self.downloads.close()
        self.uploads.files.close()
        self.camera.close()
