"""Finding elements by a description, over pages of many kinds, and what is offered."""

from __future__ import annotations

import re

import pytest

from environments.browser.conftest import Read
from environments.browser.queries import SETS, answers, queries, rate
from environments.browser.site import Site
from gui_environments.browser import Browser
from gui_environments.browser.finding.elements import MATCHES, find
from gui_environments.browser.tabs.tab import Tab
from gui_environments.errors import ActionRefused

pytestmark = pytest.mark.asyncio(loop_scope="session")

AT_LEAST = {
    "before": (0.92, 0.97),
    "after": (0.88, 0.97),
    "fresh": (0.87, 0.95),
    "unseen": (0.79, 0.94),
    "further": (0.69, 0.91),
}
"""Shares right at 1 and at 5, a little under what was measured. The pages of `fresh` were written after the ranker, of
subjects it knew nothing about: it was right for 0.64 and 0.69 of them when first run. Those of `unseen` are by an
author who never saw the ranker: 0.37 and 0.67 when first run; those of `further` by one who had not read it yet: 0.56
and 0.74."""


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


async def test_on_an_empty_page_nothing_fits(browser: Browser, tab: Tab, read: Read) -> None:
    await read("shown")
    await tab.page.evaluate("document.body.remove()")
    assert "nothing on the page fits" in (await find(tab, browser.references, "save button")).text


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


async def best(browser: Browser, tab: Tab, query: str) -> str:
    """The id of what is offered first."""
    found = await find(tab, browser.references, query)
    element = await browser.references.resolve(tab, found.lines[0].reference or "")
    answer = await element.frame.world.send(
        "Runtime.callFunctionOn", objectId=element.object_id, functionDeclaration="function () { return this.id }"
    )
    return str(answer["result"]["value"])


CARDS = "".join(
    f"<div><div><b>{name}</b><br>{year}</div>"
    f"<div><button id=edit{at}>Edit</button><button id=rm{at}>Remove</button></div></div>"
    for at, (name, year) in enumerate((("Carpet", 2019), ("Bookcase", 2016), ("Record player", 2021)))
)
LIST = "".join(
    f"<a href=#>{name}</a> <button id=rm{at}>Remove</button> " for at, name in enumerate(("Ann", "Bo", "Cy"))
)
TABLE = (
    "<table><tr><th>Item<th>Qty<th>Price</tr>"
    "<tr><td>Bolt<td><input id=qty0><td><input id=price0></tr>"
    "<tr><td>Washer<td><input id=qty1><td><input id=price1></tr></table>"
)
FORM = (
    "<p>Their insurer<br><input id=insurer></p><p>Open: from <input type=time id=from> to <input type=time id=to></p>"
)


PAY = "".join(
    f"<h2>Employer {at + 1}</h2><table><tr><td>Pay before tax<td>£<input id=wage{at}>"
    f"<tr><td>Tax taken off<td>£<input id=tax{at}></table>"
    for at in range(2)
)
EDITOR = (
    "<p>Name the organ. <input id=organ></p><p>Explain osmosis.</p><button>B</button><button>I</button>"
    "<button>•</button><div contenteditable id=answer style='height:50px'></div>"
)


@pytest.mark.parametrize(
    ("page", "query", "right"),
    [
        (CARDS, "remove the bookcase", "rm1"),
        (CARDS, "take the record player off the list", "rm2"),
        (LIST, "delete Bo", "rm1"),
        (TABLE, "price of the washer", "price1"),
        (TABLE, "quantity of bolts", "qty0"),
        (PAY, "tax taken off at the second employer", "tax1"),
        (PAY, "wages at employer 1", "wage0"),
        (EDITOR, "explain osmosis", "answer"),
        ("<a id=a href=#>200 m</a><a id=b href=#>Phone</a>", "what I'm calling, the phone", "b"),
        ("<a id=a href=#>Details</a><button id=b>Copy link</button>", "share the link to this page", "b"),
        ("<a id=a href=#>La grúa</a> <button id=b>Descargar</button>", "descargar La grúa", "b"),
        (FORM, "insurance company", "insurer"),
        (FORM, "when it closes, open until", "to"),
        (CARDS, "second remove button", "rm1"),
        (CARDS, "last edit button", "edit2"),
        ("<button id=a>Löschen</button><button id=b>Speichern</button>", "delete", "a"),
        ("<button id=a>Delete</button><button id=b>Save</button>", "enregistrer", "b"),
        ("<button id=a>🗑️</button><button id=b>🖨️</button>", "printer", "b"),
        ("<button id=a>👍 12</button><button id=b>👎 3</button>", "dislike", "b"),
        ("<button id=a>Save</button><label><input id=b type=checkbox>Show legend</label>", "hide the legend", "b"),
        ("<input id=a aria-label='Vend'><input id=b aria-label='Cost Ctr'>", "cost center", "b"),
        ("<input id=a aria-label=Quantity><input id=b aria-label=Price>", "quantitiy", "a"),
        ("<a id=a href=#>0800 000 44</a><a id=b href=#>Questions</a>", "phone number to call", "a"),
        ("<a id=a href=#>Firewall</a><a id=b href=#>Walls</a>", "fire wall", "a"),
    ],
)
async def test_what_people_say_finds_what_pages_show(
    browser: Browser, tab: Tab, read: Read, page: str, query: str, right: str
) -> None:
    await read(page)
    assert await best(browser, tab, query) == right


@pytest.mark.parametrize(
    ("query", "right"), [("top close button", "a"), ("close button at the bottom", "b"), ("close", "a")]
)
async def test_sides_of_the_page_tell_like_elements_apart(
    browser: Browser, tab: Tab, read: Read, query: str, right: str
) -> None:
    await read(
        "<button id=b style='position:absolute;top:3000px'>Close</button>"
        "<button id=a style='position:absolute;top:9px'>Close</button>"
    )
    assert await best(browser, tab, query) == right


@pytest.mark.parametrize("host", ["a", "b"])
async def test_what_stands_in_a_frame_belongs_together(
    browser: Browser, tab: Tab, site: Site, read: Read, host: str
) -> None:
    site.put("/inner", "<p>Card ending 4242 <button id=in>Edit</button></p>")
    await read("<p>Address <button id=out>Edit</button></p><iframe src='{" + host + "}/inner'></iframe>")
    assert await best(browser, tab, "edit the card") == "in"


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
