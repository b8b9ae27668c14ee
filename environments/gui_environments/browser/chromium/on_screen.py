"""What a browser on a screen may do of its own, for whoever types into its address bar or presses its shortcuts: as
preferences of its profile, which stand for the enterprise policies named beside them.

A policy itself is read from one place for the whole machine, which is not ours to change; its preferences are of this
one profile, work for any user and in any container, and a machine's own policies go before them. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gui_environments.egress.addresses import WEB_SCHEMES, ip_of_host
from gui_environments.egress.entries import HostRule
from gui_environments.egress.rules import HostRules

BLOCKED = ["*", "file://*", "view-source:*", "chrome://*", "chrome-untrusted://*", "javascript:*"]
"""What is in neither list is not opened, whoever asks: a page, or somebody who types into the address bar. So no local
files, no pages of the browser's own, no other programs for addresses that are not the web's."""

OPENED = ["about:*", "data:*", "blob:*", "chrome-error:*", "devtools://*"]
"""The developer tools are closed when they open (`developer_tools`): where they are blocked, Chromium shows a dialog
of its own instead, and while it is there, clicks into the page are lost."""

BLANK = "about:blank"

LOCAL_STATE: dict[str, Any] = {
    "select_file_dialogs": {"allowed": False},  # AllowFileSelectionDialogs
    "profile": {"browser_guest_enabled": False, "add_person_enabled": False},  # BrowserGuestMode-, AddPersonEnabled
    "task_manager": {"end_process_enabled": False},  # TaskManagerEndProcessEnabled
}
"""For what the browser does outside a profile: no native dialogs for files, no windows that are not watched."""


def on_screen_preferences(hosts: HostRules) -> dict[str, Any]:
    """What pages are made of is not judged by these lists, nor what an address turns out to be. Headless, nobody can
    ask for any of this, and this Chromium may crash when a page it blocked is left at once."""
    opened, blocked = _opened(hosts), [*BLOCKED, *_blocked(hosts)]
    return {
        "policy": {"url_blocklist": blocked, "url_allowlist": [*OPENED, *opened]},  # URLBlocklist, URLAllowlist
        "incognito": {"mode_availability": 1},  # IncognitoModeAvailability: such windows would not be watched
        "bookmarks": {"editing_enabled": False},  # EditBookmarksEnabled: no bubble
        "fullscreen": {"allowed": False},  # FullscreenAllowed: the viewport keeps its size
        "feedback_allowed": False,  # UserFeedbackAllowed
        "history": {"saving_disabled": True},  # SavingBrowserHistoryDisabled
        "newtab_page_location_override": BLANK,  # NewTabPageLocation
        "homepage": BLANK,  # HomepageLocation
        "homepage_is_newtabpage": False,
        "settings": {"a11y": {"caretbrowsing": {"show_dialog": False}}},
    }


def _opened(hosts: HostRules) -> list[str]:
    if hosts.any_host:
        return [f"{scheme}://*" for scheme in WEB_SCHEMES]
    return [pattern for rule in hosts.documents for pattern in _patterns(rule, subdomains=rule.subdomains)]


def _blocked(hosts: HostRules) -> list[str]:
    """`example.com` itself where `*.example.com` is listed: the pattern of that means both. One that is listed as well
    is opened: of two patterns alike the one that opens counts."""
    if hosts.any_host:
        return []
    return [pattern for rule in hosts.documents if rule.subdomains for pattern in _patterns(rule, subdomains=False)]


def _patterns(rule: HostRule, *, subdomains: bool) -> Iterable[str]:
    """A leading dot means this very host, without those below it; addresses take none."""
    host = rule.host if subdomains or ip_of_host(rule.host) is not None else f".{rule.host}"
    port = "" if rule.port is None else f":{rule.port}"
    schemes = WEB_SCHEMES if rule.scheme is None else (rule.scheme,)
    return [f"{scheme}://{host}{port}" for scheme in schemes]
