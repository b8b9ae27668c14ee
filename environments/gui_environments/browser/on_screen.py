"""What a browser on a screen may do of its own, for whoever types into its address bar or presses its shortcuts: as
preferences of its profile, which stand for the enterprise policies named beside them.

A policy itself is read from one place for the whole machine, which is not ours to change; its preferences are of this
one profile, work for any user and in any container, and a machine's own policies go before them. Pure.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from typing import Any

from gui_environments.browser.addresses import HostRule

WEB_SCHEMES = ("http", "https")

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


def on_screen_preferences(allowed: Iterable[HostRule] | None) -> dict[str, Any]:
    """`allowed` None: every host. Headless, nobody can ask for any of this, and this Chromium may crash when a page it
    blocked is left at once."""
    web = [f"{scheme}://*" for scheme in WEB_SCHEMES] if allowed is None else list(_filters(allowed))
    return {
        "policy": {"url_blocklist": BLOCKED, "url_allowlist": [*OPENED, *web]},  # URLBlocklist, URLAllowlist
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


def _filters(allowed: Iterable[HostRule]) -> Iterable[str]:
    """A leading dot means this very host, without those below it; addresses take none."""
    for rule in allowed:
        host = rule.host if _is_address(rule.host) else f".{rule.host}"
        port = "" if rule.port is None else f":{rule.port}"
        yield from (f"{scheme}://{host}{port}" for scheme in WEB_SCHEMES)


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True
