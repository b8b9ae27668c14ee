"""How far names and roles of the page model agree with Chromium's accessibility tree, element by element.

Run as a program it prints every difference, with `tests` on the path of modules: `agreement.py [PAGE.html ...]`.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from environments.browser.site import Site
from gui_environments.browser import Browser
from gui_environments.browser.cdp import CdpSession
from gui_environments.browser.pages.frames import Frame
from gui_environments.browser.pages.reading import frame_id_of
from loopback import LOOPBACK_RULES

PAGES = Path(__file__).parent / "sample_pages"

ROLES = {
    "ColorWell": {"color"},
    "Date": {"date"},
    "DateTime": {"month", "week", "datetime"},
    "DisclosureTriangle": {"summary"},
    "InputTime": {"time"},
    "button": {"button", "file"},
} | {
    role: {role}
    for role in (
        *("link", "textbox", "searchbox", "combobox", "listbox", "checkbox", "radio", "switch", "slider"),
        *("spinbutton", "tab", "menuitem", "menuitemcheckbox", "menuitemradio"),
    )
}
"""Chromium's roles of links, buttons and fields, and what the page model calls them."""

LOOK = """function () {
  if (!(this instanceof Element)) return {html: this.nodeName, inner: true, rendered: true};
  const root = this.getRootNode();
  const host = root instanceof ShadowRoot ? root.host : null;
  const inner = !!host && (/^(input|textarea|select|details|video|audio|marquee)$/.test(host.localName));
  let rendered = this.checkVisibility({opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true});
  let box = this.getBoundingClientRect();
  let [l, t, r, b] = [box.left, box.top, box.right, box.bottom];
  for (let at = this; at instanceof Element; at = at.parentElement ?? at.getRootNode().host) {
    const style = getComputedStyle(at);
    if (style.clipPath === 'inset(50%)' || /^rect\\((0|1)px/.test(style.clip)) rendered = false;
    if (at !== this && style.overflow === 'hidden') {
      const clip = at.getBoundingClientRect();
      [l, t, r, b] = [Math.max(l, clip.left), Math.max(t, clip.top), Math.min(r, clip.right), Math.min(b, clip.bottom)];
    }
  }
  const boxless = getComputedStyle(this).display === 'contents' || this.localName === 'area';
  if (!boxless && (r - l <= 1 || b - t <= 1)) rendered = false;
  if (r + scrollX <= 0 || b + scrollY <= 0) rendered = false;
  return {html: this.outerHTML.slice(0, 160), inner, rendered};
}"""


@dataclass(frozen=True, slots=True)
class Difference:
    page: str
    kind: str
    chromium: str
    model: str
    html: str


@dataclass(frozen=True, slots=True)
class Agreement:
    """`compared` elements of both, `differing` of them, and those Chromium names although they are not rendered."""

    compared: int
    differing: tuple[Difference, ...]
    not_rendered: tuple[Difference, ...]


async def compare_page(browser: Browser, site: Site, path: Path) -> Agreement:
    tab = browser.tabs.tab(None)
    # Local files are nothing that a tab may stay on.
    await tab.page.goto(site.put(f"/{path.name}", path.read_text(encoding="utf-8")))
    chromium: dict[tuple[str, int], tuple[str, str]] = {}
    model: dict[tuple[str, int], tuple[str, str]] = {}
    sessions: dict[str, CdpSession] = {}
    for frame in await _shown_frames(tab, await tab.frames.main(), model):
        sessions[frame.frame_id] = frame.session
        tree = await frame.session.send("Accessibility.getFullAXTree", frameId=frame.frame_id)
        for node in tree["nodes"]:
            if not node["ignored"] and node["role"]["value"] in ROLES and "backendDOMNodeId" in node:
                name = " ".join(node.get("name", {}).get("value", "").split())
                chromium[frame.frame_id, node["backendDOMNodeId"]] = (node["role"]["value"], name)
    compared = 0
    differing: list[Difference] = []
    unrendered: list[Difference] = []
    known = set().union(*ROLES.values())
    for key in chromium.keys() | model.keys():
        expected, found = chromium.get(key), model.get(key)
        if expected is None and found is not None and found[0] not in known:
            continue  # clickable things, headings, landmarks: not links, buttons or fields
        look = await _look(sessions[key[0]], key[1])
        if look["inner"]:
            continue  # parts of a date field and the like
        difference = Difference(path.stem, _kind(expected, found), str(expected), str(found), look["html"])
        if found is None and not look["rendered"]:
            unrendered.append(difference)
            continue
        compared += 1
        if difference.kind:
            differing.append(difference)
    return Agreement(compared, tuple(differing), tuple(unrendered))


def _kind(expected: tuple[str, str] | None, found: tuple[str, str] | None) -> str:
    if expected is None:
        return "more"
    if found is None:
        return "less"
    if found[0] not in ROLES[expected[0]]:
        return "role"
    return "" if found[1] == expected[1] else "name"


async def _shown_frames(tab: Any, frame: Frame, model: dict[tuple[str, int], tuple[str, str]]) -> list[Frame]:
    """The frame and those inside it that a reading shows; what the model says of them goes into `model`."""
    options = {"filter": "all", "depth": 1000, "budget": 10**7, "clip": None, "number": 0}
    answer = await frame.world.call("read", options)
    frames = [frame]
    for _, role, name, number, _, frame_at in answer["lines"]:
        if frame_at >= 0:
            frame_id = await frame_id_of(frame, number)
            child = None if frame_id is None else await tab.frames.child(frame, frame_id)
            if child is not None:
                frames += await _shown_frames(tab, child, model)
        if number:
            object_id = await frame.world.object("element", number)
            described = await frame.world.send("DOM.describeNode", objectId=object_id)
            model[frame.frame_id, described["node"]["backendNodeId"]] = (role, " ".join(name.split()))
    return frames


async def _look(session: CdpSession, node: int) -> dict[str, Any]:
    resolved = await session.send("DOM.resolveNode", backendNodeId=node)
    answer = await session.send(
        "Runtime.callFunctionOn",
        objectId=resolved["object"]["objectId"],
        functionDeclaration=LOOK,
        returnByValue=True,
    )
    value: dict[str, Any] = answer["result"]["value"]
    return value


async def main() -> None:
    paths = [Path(argument).resolve() for argument in sys.argv[1:]] or sorted(PAGES.rglob("*.html"))
    totals: dict[str, list[int]] = {}
    site = Site()
    async with Browser.open(rules=LOOPBACK_RULES) as browser:
        for path in paths:
            agreement = await compare_page(browser, site, path)
            total = totals.setdefault(path.parent.name, [0, 0, 0])
            total[0] += agreement.compared
            total[1] += len(agreement.differing)
            total[2] += len(agreement.not_rendered)
            for one in agreement.differing:
                print(
                    f"{one.page:16} {one.kind:5} chromium {one.chromium}  model {one.model}  {one.html}".replace(
                        "\n", " "
                    )
                )
            for one in agreement.not_rendered:
                print(f"{one.page:16} unrendered {one.chromium}  {one.html}".replace("\n", " ")[:150])
    for name, (compared, differing, unrendered) in totals.items():
        print(
            f"{name}: {compared} compared, {differing} differ ({differing / compared:.1%}), {unrendered} not rendered"
        )


if __name__ == "__main__":
    asyncio.run(main())
