"""Finding on pages too large to be read whole for each search: the same is found as on small ones."""

from __future__ import annotations

import pytest

from environments.browser.conftest import Read
from environments.browser.site import Site
from gui_environments.browser import Browser
from gui_environments.browser.finding.elements import find
from gui_environments.browser.tabs.tab import Tab

pytestmark = pytest.mark.asyncio(loop_scope="session")

ROWS = "".join(
    f"<div><label for=field{n}>Name {n}</label><input id=field{n}><button id=save{n}>Save {n}</button></div>"
    for n in range(1200)
)
TABLE = (
    "<table><tr><th>Item<th>Quantity<th>Price</tr>"
    + "".join(
        f"<tr><td>Bolt M{n}<td><input id=quantity{n}><td><input id=price{n}><td><button id=drop{n}>Remove</button></tr>"
        for n in range(800)
    )
    + "</table>"
)
FLAT = "".join(f"<a href=#>Person {n}</a> <button id=mail{n}>Write</button> " for n in range(1800))
SECTIONS = "".join(
    f"<h2>Depot {town}</h2>" + "".join(f"<p>Shelf <button id={town}{n}>Count</button></p>" for n in range(300))
    for town in ("Ajax", "Brno", "Cork", "Delft", "Essen")
)
FILLING = "<i></i>" * 3100


async def id_of_best(browser: Browser, tab: Tab, query: str) -> str:
    found = await find(tab, browser.references, query)
    assert found.lines, query
    element = await browser.references.resolve(tab, found.lines[0].reference or "")
    answer = await element.frame.world.send(
        "Runtime.callFunctionOn", objectId=element.object_id, functionDeclaration="function () { return this.id }"
    )
    return str(answer["result"]["value"])


@pytest.mark.parametrize(
    ("page", "answers"),
    [
        (ROWS, {"button that saves 1193": "save1193", "name 640 field": "field640", "last save button": "save1199"}),
        (TABLE, {"price of bolt M700": "price700", "remove the bolt M333": "drop333", "quantity of M12": "quantity12"}),
        (FLAT, {"write to person 1500": "mail1500"}),
        (SECTIONS, {"count in depot Cork": "Cork0", "depot Essen, count": "Essen0"}),
        (f"{FILLING}<button id=a>Log in</button><button id=b>🖨️</button>", {"sign in": "a", "printer": "b"}),
        (
            f"{FILLING}<button id=b>Save</button><label><input id=a type=checkbox>Show legend</label>",
            {"hide legend": "a"},
        ),
        (f"<span id=l>Wing span</span>{FILLING}<input id=a aria-labelledby=l><input id=b>", {"wing span": "a"}),
        (f"<label for=a>Wing span</label>{FILLING}<input id=b><input id=a>", {"wing span field": "a"}),
        (f"<input id=b>{FILLING}<input id=a value=Rotterdam>", {"field with Rotterdam": "a"}),
        (
            f"{FILLING}<select id=a><option>Bern<option>Rome</select><select id=b><option>1</select>",
            {"choose Rome": "a"},
        ),
        (f"{FILLING}<button id=b>Save</button><input id=a type=date>", {"date picker": "a"}),
    ],
)
async def test_on_a_large_page_what_people_say_is_found_wherever_it_stands(
    browser: Browser, tab: Tab, read: Read, page: str, answers: dict[str, str]
) -> None:
    await read(page)
    assert {query: await id_of_best(browser, tab, query) for query in answers} == answers


async def test_many_that_are_hidden_do_not_keep_the_one_that_is_shown_from_being_found(
    browser: Browser, tab: Tab, read: Read
) -> None:
    hidden = "".join(f"<p hidden><button id=h{n}>Delete</button></p>" for n in range(1700))
    await read(f"{hidden}<p style='display:none'>{hidden}</p><button id=shown>Delete</button>{FILLING}")
    found = await find(tab, browser.references, "delete")
    assert len(found.lines) == 1
    assert found.complete


async def test_of_many_alike_on_a_large_page_one_in_view_is_offered_first(
    browser: Browser, tab: Tab, read: Read
) -> None:
    await read("".join(f"<div><button id=b{n}>Open</button></div>" for n in range(3200)))
    await tab.page.evaluate("document.getElementById('b2000').scrollIntoView()")
    assert 1990 <= int((await id_of_best(browser, tab, "open button"))[1:]) <= 2100


@pytest.mark.parametrize("host", ["a", "b"])
async def test_frames_and_shadow_roots_of_a_large_page_are_searched(
    browser: Browser, tab: Tab, site: Site, read: Read, host: str
) -> None:
    site.put("/inner", "<button>Inner reactor</button>")
    await read(
        FILLING
        + "<x-a><template shadowrootmode=open><button>Open reactor</button></template></x-a>"
        + "<x-b></x-b><script>customElements.define('x-b', class extends HTMLElement { constructor() { super();"
        + "this.attachShadow({mode: 'closed'}).innerHTML = '<button>Closed reactor</button>' } })</script>"
        + "<iframe src='{"
        + host
        + "}/inner'></iframe>"
    )
    found = await find(tab, browser.references, "reactor")
    assert {line.name for line in found.lines} == {"Inner reactor", "Open reactor", "Closed reactor"}


async def test_that_nothing_fits_on_a_large_page_is_said(browser: Browser, tab: Tab, read: Read) -> None:
    await read(FILLING + "<button>Save</button>")
    found = await find(tab, browser.references, "shopping trolley")
    assert found.lines == ()
    assert "nothing on the page fits" in found.text


async def test_what_is_in_a_password_field_of_a_large_page_does_not_help_to_find_it(
    browser: Browser, tab: Tab, read: Read
) -> None:
    await read(FILLING + "<input type=password value=zeppelin aria-label=Key>")
    assert (await find(tab, browser.references, "zeppelin")).lines == ()


async def test_what_lies_behind_a_dialog_of_a_large_page_is_not_found(browser: Browser, tab: Tab, read: Read) -> None:
    await read(FILLING + "<button>Pay behind</button><dialog id=d><button>Pay here</button></dialog>")
    await tab.page.evaluate("document.getElementById('d').showModal()")
    assert [line.name for line in (await find(tab, browser.references, "pay")).lines] == ["Pay here"]


async def test_signs_are_found_on_a_large_page(browser: Browser, tab: Tab, read: Read) -> None:
    await read(FILLING + "<button>(.*)</button><button>+</button>")
    assert (await find(tab, browser.references, "(.*)")).lines[0].name == "(.*)"
