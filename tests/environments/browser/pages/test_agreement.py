"""Names and roles agree with Chromium's own accessibility tree, over pages of many kinds.

What still differs, by kind:
- more: hidden controls whose label shows (they can be operated, so they are listed), areas of image maps, the summary
  that Chromium makes for a `details` without one, and `contenteditable` elements without a role (fields to a person);
- less: links that show nothing;
- name: quotation marks of languages other than English.
"""

from __future__ import annotations

import pytest

from environments.browser.agreement import PAGES, Difference, compare_page
from environments.browser.site import Site
from gui_environments.browser import Browser
from gui_environments.browser.tabs.tab import Tab

pytestmark = pytest.mark.asyncio(loop_scope="session")

SHARE = 0.03
"""Of links, buttons and fields that may differ."""

KINDS = {"seen": "pages the model was written with", "unseen": "pages that were not looked at while it was written"}


@pytest.mark.parametrize("kind", KINDS)
async def test_at_most_three_percent_of_links_buttons_and_fields_differ(
    browser: Browser, tab: Tab, site: Site, kind: str
) -> None:
    compared = 0
    differing: list[Difference] = []
    for path in sorted((PAGES / kind).glob("*.html")):
        agreement = await compare_page(browser, site, path)
        compared += agreement.compared
        differing += agreement.differing
    assert compared > 200
    assert len(differing) <= SHARE * compared, differing


async def test_the_pages_are_at_least_forty() -> None:
    assert len(list(PAGES.rglob("*.html"))) >= 40
    assert len(list((PAGES / "unseen").glob("*.html"))) >= 10
