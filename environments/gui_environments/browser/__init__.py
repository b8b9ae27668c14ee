"""A browser that acts on real pages and reads what they render.

- `browser`: what is offered, over all that follows. `running`: one Chromium from its start to its end, over
  `launching`, `chromium` (finding it, its switches and profile), `launcher` (the program that ends all of it) and
  `ending` (seeing to that). `life`: whether it has ended; `listing`: its tabs; `window`: its size on a screen.
- `tabs`, `frames`, `world`: tabs with ids that last, the sessions of their frames, the isolated world of each
  document; `cdp` is the protocol session below them; `shadow_roots` and `listeners` are what the browser tells of
  closed shadow roots and of elements that listen for clicks. `crashes`: whose process has ended.
- `page_model/*.js`: what runs inside that world: rendering, roles, names, states, the walk.
- `looking`: what an action would hit, for whoever judges it; `expecting` over `holding`
  and `newcomers`: that it hits that.
- `reading`: a page as text; `references`: `ref_N`; `mapping`: from an element to points of the viewport.
- `forms` over `fields` and `options`; `finding` over `ranking`, `descriptions`, `surroundings` and `words`;
  `page_text`.
- `navigation` over `starting` and `navigation_ends`; `capture`; `scripts`; `dialogs` over `dialog_rules` and `clock`,
  `surfaces`: what pages ask of a person or the system; `downloads`, `uploads` over `chosen_files`; `console`, `network`
  over `logs` and `redaction`; `storage`; `watching` makes those that listen to every tab.
- `performing` an action, then `settling` over `activity` (a tab's requests and navigations) and `recurring` (requests
  that come again and again by themselves); `submitting`: forms that were not sent; `traffic`: the requests of all tabs,
  heard within the bounds of `floods`, over `lagging` and `slowing`; `sparing`: what a session does without, to take
  less memory.
- `interception`: every request is judged before it is made, over `asked` (what it is for) and `refusals` (what is told
  of it); `landings`: where documents land is looked at, too.
- On a screen: `on_screen` (what the browser may do of its own), `developer_tools`. Everywhere: `sockets`, web sockets
  in the network log.
- `values`, `actions`, `events`: what goes in and comes out, as data.
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
    from gui_environments.browser.reading import read_page

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

_HOME = {"Browser": "browser", "read_page": "reading"}


def __getattr__(name: str) -> object:
    """Imported when first asked for: whoever only speaks of browsers (a toolset, a client of a remote one) needs
    neither Playwright nor Linux."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
