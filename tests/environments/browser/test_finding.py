"""Finding elements by a description, over pages of many kinds, and what is offered."""

from __future__ import annotations

import re

import pytest

from environments.browser.conftest import Read
from environments.browser.queries import SETS, answers, queries, rate
from environments.browser.site import Site
from gui_environments.browser import Browser
from gui_environments.browser.finding import MATCHES, find
from gui_environments.browser.tabs import Tab
from gui_environments.errors import ActionRefused

pytestmark = pytest.mark.asyncio(loop_scope="session")

AT_LEAST = {"before": (0.85, 0.97), "after": (0.85, 0.97), "fresh": (0.7, 0.9), "unseen": (0.35, 0.65)}
"""Shares right at 1 and at 5. The pages of `fresh` were written after the ranker, of subjects it knew nothing about;
before its synonyms were widened it was right for 0.64 and 0.69 of them. Those of `unseen` are by an author who never
saw the ranker: it was right for 0.37 and 0.67 of them when first run."""


async def test_there_are_enough_descriptions_and_no_two_alike() -> None:
    all_queries = [query for set_ in SETS for query in queries(set_)]
    assert len(all_queries) >= 150
    assert len({(query.page, query.words) for query in all_queries}) == len(all_queries)


@pytest.mark.parametrize("set_", SETS)
async def test_the_right_element_is_offered_first_or_among_the_first(browser: Browser, site: Site, set_: str) -> None:
    of_set = await answers(browser, site, set_)
    print(f"{set_}: {len(of_set)} descriptions, {rate(of_set, 1):.3f} at 1, {rate(of_set, 5):.3f} at 5")
    misses = [
        f"{one.query.page}: {one.query.words} -> {one.place or 'not offered'}" for one in of_set if one.place != 1
    ]
    at_1, at_5 = AT_LEAST[set_]
    assert rate(of_set, 1) >= at_1, misses
    assert rate(of_set, 5) >= at_5, misses


async def test_a_match_has_the_line_and_the_reference_of_a_reading(browser: Browser, tab: Tab, read: Read) -> None:
    text = await read("<input aria-label='Your name' value=Ada required><button>Save</button>")
    found = await find(tab, browser.references, "name field")
    assert str(found.lines[0]) in text.splitlines()
    assert await browser.references.resolve(tab, found.lines[0].reference or "")


async def test_the_whole_page_is_searched_not_only_what_is_in_view(browser: Browser, tab: Tab, read: Read) -> None:
    await read("<p style='height:5000px'>tall</p><button>Far away</button>")
    assert [str(line).split(" [")[0] for line in (await find(tab, browser.references, "far away")).lines] == [
        'button "Far away"'
    ]


@pytest.mark.parametrize("host", ["a", "b"])
async def test_frames_and_shadow_roots_are_searched(
    browser: Browser, tab: Tab, site: Site, read: Read, host: str
) -> None:
    site.put("/inner", "<x-f><template shadowrootmode=open><button>Pay now</button></template></x-f>")
    await read("<button>Other</button><iframe src='{" + host + "}/inner'></iframe>")
    found = await find(tab, browser.references, "pay button")
    assert found.lines[0].name == "Pay now"


async def test_what_is_not_shown_is_not_found(browser: Browser, tab: Tab, read: Read) -> None:
    await read("<button hidden>Pay now</button><button style='opacity:0'>Pay now</button>shown")
    assert not (await find(tab, browser.references, "pay now")).lines


async def test_that_nothing_fits_is_said(browser: Browser, tab: Tab, read: Read) -> None:
    await read("<button>Save</button><a href=#>Terms</a>")
    found = await find(tab, browser.references, "shopping trolley")
    assert found.lines == ()
    assert found.text == '(nothing on the page fits "shopping trolley": say it in other words, or read the page)'


async def test_what_only_comes_near_is_offered_as_that(browser: Browser, tab: Tab, read: Read) -> None:
    await read("<select aria-label=Physique><option>x</select><button>Save</button>")
    found = await find(tab, browser.references, "starboard dropdown")
    assert [line.name for line in found.lines] == ["Physique"]
    assert found.notices == ("(nothing fits well: these come nearest)",)


async def test_twenty_are_offered_at_most_and_that_there_are_more_is_said(
    browser: Browser, tab: Tab, read: Read
) -> None:
    await read("".join(f"<button>Delete {n}</button>" for n in range(30)))
    found = await find(tab, browser.references, "delete")
    assert len(found.lines) == MATCHES
    assert "more" in found.notices[0]
    assert not found.complete


async def test_only_what_is_offered_gets_a_reference(browser: Browser, tab: Tab, read: Read) -> None:
    await read("shown")
    before = len(browser.references.all)
    await tab.page.evaluate("document.body.innerHTML = '<button>Save</button>' + '<a href=#>x</a>'.repeat(200)")
    await find(tab, browser.references, "save button")
    assert len(browser.references.all) - before == 1


async def test_text_can_be_found_too(browser: Browser, tab: Tab, read: Read) -> None:
    await read("<p>Order number 4711</p><button>Save</button>")
    found = await find(tab, browser.references, "order number")
    assert re.fullmatch(r'text "Order number 4711" \[ref_\d+\]', str(found.lines[0]))


@pytest.mark.parametrize("query", ["", "  ", "x" * 501])
async def test_no_description_and_too_long_a_one_are_refused(
    browser: Browser, tab: Tab, read: Read, query: str
) -> None:
    await read("<button>b</button>")
    with pytest.raises(ActionRefused):
        await find(tab, browser.references, query)


async def test_odd_descriptions_find_or_say_that_nothing_fits(browser: Browser, tab: Tab, read: Read) -> None:
    await read("<button>検索する</button><button>(.*)</button>")
    assert (await find(tab, browser.references, "検索")).lines[0].name == "検索する"
    assert (await find(tab, browser.references, "(.*)")).lines[0].name == "(.*)"
    for query in ("the", "!?", "\U0001f600", '"', "button"):
        assert (await find(tab, browser.references, query)).text
