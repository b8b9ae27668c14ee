"""A browser that acts on real pages and reads what they render.

- `browser`: what is offered, over all that follows; `life`: whether it has ended. `values`, `actions`, `events` and
  `rules`: what goes in and comes out, as data. `cdp`: one session of the browser's protocol.
- `chromium/`: the program, found, started, shown on a screen or not, and ended with everything it left.
- `tabs/`: which tabs there are, and what each is about.
- `pages/`: frames, documents, elements and references; pages as text and as pictures. What runs inside of documents is
  `pages/page_model/*.js`.
- `finding/`: elements by what people call them.
- `acting/`: an action from its target to what came of it. `performing` is the way through.
- `navigating/`: going to addresses, and where pages may lead.
- `watching/`: what pages do by themselves: dialogs, messages, requests.
- `files/`: files that go up to pages and come down from them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from gui_environments.browser.values import (
    ElementLine,
    Navigated,
    Outcome,
    PagePoint,
    PageReading,
    PageRegion,
    Quad,
    ReadRequest,
    TabState,
)

if TYPE_CHECKING:
    from gui_environments.browser.browser import Browser
    from gui_environments.browser.pages.reading import read_page

__all__ = [
    "Browser",
    "ElementLine",
    "Navigated",
    "Outcome",
    "PagePoint",
    "PageReading",
    "PageRegion",
    "Quad",
    "ReadRequest",
    "TabState",
    "read_page",
]

_HOME = {"Browser": "browser", "read_page": "pages.reading"}


def __getattr__(name: str) -> object:
    """Imported when first asked for: whoever only speaks of browsers (a toolset, a client of a remote one) needs
    neither Playwright nor Linux."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
