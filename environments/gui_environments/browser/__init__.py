"""A browser that acts on real pages and reads what they render.

- `browser`: the life of one Chromium, over `launching`, `chromium` (finding it, its switches and profile), `launcher`
  (the program that ends all of it), `ending` (seeing to that) and `window` (its size on a screen).
- `tabs`, `frames`, `world`: tabs with ids that last, the sessions of their frames, the isolated world of each
  document; `cdp` is the protocol session below them; `shadow_roots` and `listeners` are what the browser tells of
  closed shadow roots and of elements that listen for clicks.
- `page_model/*.js`: what runs inside that world: rendering, roles, names, states, the walk.
- `reading`: a page as text; `references`: `ref_N`; `mapping`: from an element to points of the viewport.
- `values`: what all of it gives out.
"""

from gui_environments.browser.browser import Browser
from gui_environments.browser.reading import ReadRequest, read_page
from gui_environments.browser.values import ElementLine, PagePoint, PageReading, Quad, TabState

__all__ = ["Browser", "ElementLine", "PagePoint", "PageReading", "Quad", "ReadRequest", "TabState", "read_page"]
