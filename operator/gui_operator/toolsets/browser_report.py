"""What happened in the browser, as what the model reads: the `browser_state` block, and sentences for what it cannot
hold. Text of a page stands in quotes, on one line, cut."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from anthropic.tools import BetaBrowserState, BetaDialogDismissed, BetaNavigationRefused
from anthropic.types.beta import BetaBrowserStateTabEntryParam

from gui_environments.browser.events import (
    BrowserEvent,
    DeveloperToolsClosed,
    DialogAnswered,
    DialogAnsweredBy,
    DownloadCompleted,
    DownloadFailed,
    DownloadStarted,
    EventsLost,
    FileChooserOpened,
    FrameCrashed,
    NavigationRefused,
    PageNavigated,
    RequestRefused,
    SurfaceDenied,
    TabClosed,
    TabCrashed,
    TabOpened,
)
from gui_environments.browser.values import TabState, quoted

QUOTED_LIMIT = 200
"""Characters of a text that a page wrote."""

ADDRESS_LIMIT = 500

DOWNLOAD_LIMIT = 50
"""Changes of downloads in one report; the API takes 200 changes of all kinds."""

DISMISSED_BECAUSE: Mapping[DialogAnsweredBy, str] = {
    "person": "the person who was asked wanted it so",
    "nobody": "there is nobody to ask",
    "late": "no answer came in time from the person who was asked",
    "limit": "the page had shown too many for a person to be asked about each",
    "fault": "nobody could be asked",
}

BLANK = "about:blank"
ERROR_PAGE = "chrome-error:"


@dataclass(slots=True)
class Report:
    """A `browser_state` while it is made, and the sentences that go beside it."""

    member: str
    tabs: Sequence[TabState]
    changes: list[object] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)

    def state(self) -> BetaBrowserState:
        return BetaBrowserState(tabs=[tab_entry(tab) for tab in self.tabs], state_changes=self.changes)  # type: ignore[arg-type] # of the kinds it takes


def tab_entry(tab: TabState) -> BetaBrowserStateTabEntryParam:
    """A tab as the block has it. A crashed one says so, since there is no other place for that."""
    title = f"(crashed) {tab.title}".rstrip() if tab.crashed else tab.title
    return {"tab_id": tab.tab_id, "title": title, "url": "" if tab.url == BLANK else tab.url, "active": tab.active}


def report_of(events: Iterable[BrowserEvent], tabs: Sequence[TabState], member: str) -> Report:
    """The report after a call of `member`."""
    report = Report(member, tabs)
    events = tuple(events)
    latest_address = {event.tab_id: event for event in events if isinstance(event, PageNavigated)}
    latest_download = {event.download_id: event for event in events if isinstance(event, DownloadEvent)}
    shown_downloads = list(latest_download.values())[-DOWNLOAD_LIMIT:]
    if len(latest_download) > DOWNLOAD_LIMIT:
        report.notices.append(f"{len(latest_download) - DOWNLOAD_LIMIT} more downloads are not listed.")
    for event in events:
        if isinstance(event, PageNavigated):
            if latest_address[event.tab_id] is event:
                _report_address(report, event)
        elif isinstance(event, DownloadEvent):
            if any(event is shown for shown in shown_downloads):
                _report_download(report, event)
        else:
            _report_other(report, event)
    return report


DownloadEvent = DownloadStarted | DownloadCompleted | DownloadFailed


def _report_address(report: Report, event: PageNavigated) -> None:
    tab = next((tab for tab in report.tabs if tab.tab_id == event.tab_id), None)
    if tab is None or event.url == BLANK or report.member in ("navigate", "new_tab"):
        return
    where = "The page is now" if tab.active else f"The page in {tab.tab_id} is now"
    title = f", {quote(tab.title)}" if tab.title else ""
    shown = "an error page of the browser's" if event.url.startswith(ERROR_PAGE) else address(event.url)
    report.notices.append(f"{where} {shown}{title}.")


def _report_download(report: Report, event: DownloadEvent) -> None:
    name = quote(event.name)
    if isinstance(event, DownloadStarted):
        report.changes.append({"type": "download_started", "download_id": event.download_id, "url": event.url})
        report.notices.append(f"A download of {name} has begun.")
    elif isinstance(event, DownloadCompleted):
        report.changes.append(
            {
                "type": "download_completed",
                "download_id": event.download_id,
                "url": event.url,
                "path": str(event.path),
                "size_bytes": event.size_bytes,
            }
        )
        unit = "byte" if event.size_bytes == 1 else "bytes"
        report.notices.append(f"{name} was downloaded ({event.size_bytes:,} {unit}).")
    else:
        report.changes.append(
            {
                "type": "download_failed",
                "download_id": event.download_id,
                "url": event.url,
                "error": event.error,
            }
        )
        report.notices.append(f"The download of {name} failed: {event.error}")


def _report_other(report: Report, event: BrowserEvent) -> None:
    match event:
        case TabOpened(tab_id):
            tab = next((tab for tab in report.tabs if tab.tab_id == tab_id), None)
            if tab is None:
                return
            report.changes.append({"type": "tab_opened", "tab_id": tab_id})
            if report.member != "new_tab":
                active = " and is the active tab now" if tab.active else ""
                at = f" at {address(tab.url)}" if tab.url not in ("", BLANK) else ""
                report.notices.append(f"A new tab, {tab_id}, opened{at}{active}.")
        case TabClosed(tab_id) if report.member != "close_tab":
            report.notices.append(f"{tab_id} has closed.{_active_now(report)}")
        case TabCrashed(tab_id):
            report.notices.append(f"The page in {tab_id} has crashed. Close the tab and open a new one.")
        case FrameCrashed(tab_id, host):
            of_host = f" of {quote(host)}" if host else ""
            report.notices.append(f"A frame{of_host} in {tab_id} has crashed; the rest of the page goes on.")
        case NavigationRefused(_, host, scheme, count):
            report.changes.append(BetaNavigationRefused())
            where = quote(host) if host else f"an address of the kind {quote(scheme + ':')}"
            often = f", {count:,} times" if count > 1 else ""
            report.notices.append(f"Going to {where} was refused{often}: it is not allowed here.")
        case RequestRefused(tab_id, what, host, reason, count):
            tab = next((tab for tab in report.tabs if tab.tab_id == tab_id), None)
            where = "" if tab is None or tab.active else f" in {tab_id}"
            things = what if count == 1 else f"{what}s"
            report.notices.append(f"Refused{where}: {count:,} {things} from {quote(host)} ({reason}).")
        case DialogAnswered():
            _report_dialog(report, event)
        case SurfaceDenied(_, what):
            report.notices.append(f"The page asked for {what}; that was denied.")
        case DeveloperToolsClosed():
            report.notices.append("The browser's developer tools were closed; they cannot be used here.")
        case FileChooserOpened(_, multiple):
            files = "files" if multiple else "a file"
            report.notices.append(f"The page asks for {files}. No window opened; the next file_upload answers it.")
        case EventsLost(count):
            report.notices.append(f"{count} earlier events of the browser were not kept.")
        case _:
            pass


def _report_dialog(report: Report, event: DialogAnswered) -> None:
    if not event.accepted:
        report.changes.append(BetaDialogDismissed(kind=event.kind, message=event.message))
        if event.kind == "beforeunload":
            report.notices.append("The page was not left, because it asked whether to leave.")
        if event.by != "rule":
            report.notices.append(f"That dialog ({event.kind}) was dismissed because {DISMISSED_BECAUSE[event.by]}.")
        return
    message = f" {quote(event.message)}" if event.message else ""
    answer = f"answered {quote(event.text)}" if event.text is not None else "accepted"
    who = " by the person who was asked" if event.by == "person" else ""
    report.notices.append(f"A dialog of the page ({event.kind}){message} was {answer}{who}.")


def _active_now(report: Report) -> str:
    active = next((tab.tab_id for tab in report.tabs if tab.active), None)
    return f" The active tab is {active}." if active else " No tab is open."


def quote(text: str) -> str:
    """What a page wrote, cut and in quotes."""
    return quoted(text if len(text) <= QUOTED_LIMIT else text[:QUOTED_LIMIT] + "…")


def address(url: str) -> str:
    """An address on one line, cut. It is a page's choice too, but the browser has encoded it."""
    return quoted(url if len(url) <= ADDRESS_LIMIT else url[:ADDRESS_LIMIT] + "…")[1:-1]
