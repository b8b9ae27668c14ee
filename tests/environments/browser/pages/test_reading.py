"""What a reading of a page says, and what it leaves out."""

from __future__ import annotations

import asyncio
import contextlib
import re

import pytest
from playwright.async_api import Error

from environments.browser.agreement import PAGES
from environments.browser.conftest import PATIENCE_S, Read, wait_until
from environments.browser.site import Site
from gui_environments.browser import Browser, ReadRequest, read_page
from gui_environments.browser.pages import reading as reading_module
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.values import CHARACTER_LIMIT
from gui_environments.errors import ActionRefused

pytestmark = pytest.mark.asyncio(loop_scope="session")


def bare(text: str) -> list[str]:
    """The lines without their references."""
    return re.sub(r" \[ref_\d+\]", "", text).splitlines()


async def test_an_element_is_one_line_with_role_name_reference_and_state(read: Read) -> None:
    text = await read("<a href=#>Getting started</a>")
    assert re.fullmatch(r'link "Getting started" \[ref_\d+\]', text)


async def test_wrappers_are_left_out_and_structure_is_indented(read: Read) -> None:
    text = await read(
        "<div><div><nav aria-label=Main><ul><li><a href=#>One</a><li><a href=#>Two</a></ul></nav></div></div>"
    )
    assert bare(text) == ['navigation "Main"', '  link "One"', '  link "Two"']


async def test_words_on_two_lines_are_two_words(read: Read) -> None:
    assert bare(await read("<div><b>Record player</b><br>bought 2021</div>")) == ['text "Record player bought 2021"']


async def test_text_is_said_once(read: Read) -> None:
    text = await read(
        "<label for=a>Name</label><input id=a><h2>Title</h2><button><span>Save</span></button>"
        "<fieldset><legend>Meal</legend><label><input type=radio>Soup</label></fieldset>"
    )
    assert bare(text) == [
        'textbox "Name"',
        'heading "Title" level=2',
        'button "Save"',
        'group "Meal"',
        '  radio "Soup"',
    ]


async def test_states_and_values_are_said(read: Read) -> None:
    text = await read(
        "<input aria-label=a value=x required readonly><input type=checkbox aria-label=b checked disabled>"
        "<button aria-expanded=false aria-pressed=true>c</button><a href=# aria-current=page>d</a>"
        "<select aria-label=e><option>1<option selected>2</select><textarea aria-label=f aria-invalid=true>t</textarea>"
        "<input aria-label=g autofocus placeholder=hint>"
    )
    assert bare(text) == [
        'textbox "a" value="x" required readonly',
        'checkbox "b" checked disabled',
        'button "c" collapsed pressed',
        'link "d" current=page',
        'combobox "e" value="2" options="1 | 2"',
        'textbox "f" value="t" invalid',
        'textbox "g" placeholder="hint" focused',
    ]


async def test_the_value_of_a_password_field_never_comes_back(read: Read) -> None:
    body = "<label>Password <input type=password value=hunter2></label><button aria-labelledby=p>x</button>"
    body += "<input id=p type=password value=hunter3>"
    for elements in ("visible", "interactive", "all"):
        text = await read(body, elements)
        assert "hunter" not in text
        assert 'textbox "Password"' in text
        assert "password filled" in text


HIDDEN = {
    "display": "<p style='display:none'>secret</p>",
    "visibility": "<p style='visibility:hidden'>secret</p>",
    "opacity": "<div style='opacity:0'><p>secret</p></div>",
    "font size": "<p style='font-size:0'>secret</p>",
    "one pixel font": "<p style='font-size:1px'>secret</p>",
    "colour of the page": "<p style='color:#fff'>secret</p>",
    "nearly the colour of its background": "<div style='background:#102030'><p style='color:#112131'>secret</p></div>",
    "transparent colour": "<p style='color:transparent'>secret</p>",
    "clip": "<p style='position:absolute;clip:rect(0,0,0,0)'>secret</p>",
    "clip path": "<p style='clip-path:inset(50%)'>secret</p>",
    "one pixel box": "<p style='width:1px;height:1px;overflow:hidden'>secret</p>",
    "off screen left": "<p style='position:absolute;left:-9999px'>secret</p>",
    "off screen top": "<p style='position:fixed;top:-9999px'>secret</p>",
    "indented away": "<p style='text-indent:-9999px;overflow:hidden'>secret</p>",
    "scaled to nothing": "<p style='transform:scale(0)'>secret</p>",
    "aria-hidden": "<p aria-hidden=true>secret</p>",
    "inert": "<div inert><p>secret</p></div>",
    "closed details": "<details><summary>more</summary>secret</details>",
    "content visibility": "<div style='content-visibility:hidden'><p>secret</p></div>",
    "clipped by an ancestor": "<div style='height:0;overflow:hidden'><p>secret</p></div>",
    "hidden attribute": "<p hidden>secret</p>",
    "template": "<template><p>secret</p></template>",
    "closed dialog": "<dialog>secret</dialog>",
    "closed popover": "<div popover>secret</div>",
    "noscript": "<noscript><p>secret</p></noscript>",
    "comment and script": "<!-- secret --><script>// secret</script><style>/* secret */</style>",
    "unslotted child": "<x-a><template shadowrootmode=open>shown</template><p>secret</p></x-a>",
    "link of the colour of the page": "<a href=# style='color:#fff'>secret</a>",
    "link without size": "<a href=# style='font-size:0'>secret</a>",
    "heading of the colour of the page": "<h1 style='color:#fff'>secret</h1>",
    "item of the colour of the page": "<ul><li style='color:#fff;list-style:none'>secret</ul>",
    "cell of the colour of the page": "<table><tr><th>a<td style='color:#fff'>secret</table>",
}


@pytest.mark.parametrize("way", HIDDEN)
async def test_text_that_is_not_shown_is_not_read(read: Read, way: str) -> None:
    for elements in ("visible", "all"):
        text = await read("<body style='background:#fff'><p>shown</p>" + HIDDEN[way], elements)
        assert "shown" in text
        assert "secret" not in text


SHOWN = {
    "white on a picture": "<div style='background:url(data:,x) #fff;color:#fff'>secret</div>",
    "white over a picture beside it": "<div style='display:grid'><img alt='' src='data:image/svg+xml,<svg/>' "
    "style='grid-area:1/1;width:300px;height:50px'><p style='grid-area:1/1;color:#fff'>secret</p></div>",
    "white on dark": "<div style='background:#000'><p style='color:#fff'>secret</p></div>",
    "visible in hidden": "<div style='visibility:hidden'><p style='visibility:visible'>secret</p></div>",
    "boxless": "<div style='display:contents'>secret</div>",
    "out of an empty box": "<div style='height:0'><div style='position:fixed;top:20px'>secret</div></div>",
    "absolute out of a clipped box": "<div style='overflow:hidden;height:0'>"
    "<p style='position:absolute'>secret</p></div>",
    "open details": "<details open><summary>x</summary>secret</details>",
    "open dialog": "<dialog open>secret</dialog>",
    "gradient text": "<p style='background:linear-gradient(red,blue);background-clip:text;color:transparent'>"
    "secret</p>",
}


@pytest.mark.parametrize("way", SHOWN)
async def test_text_that_is_shown_in_odd_ways_is_read(read: Read, way: str) -> None:
    assert "secret" in await read("<body style='background:#fff'>" + SHOWN[way])


async def test_only_what_is_in_the_viewport_is_read_unless_all_is_asked_for(read: Read) -> None:
    body = "<button>near</button><div style='height:3000px'></div><button>far</button><p>below</p>"
    text = await read(body)
    assert "near" in text
    assert "far" not in text
    assert "px below: scroll" in text
    text = await read(elements="all")
    assert "far" in text
    assert "below" in text


async def test_what_a_scrolled_box_does_not_show_is_read_only_with_all(read: Read) -> None:
    rows = "".join(f"<p style='margin:0;height:20px'>row {n}</p>" for n in range(50))
    text = await read(f"<div style='height:60px;overflow:auto'>{rows}</div>")
    assert "row 1" in text
    assert "row 30" not in text
    assert "row 30" in await read(elements="all")


async def test_interactive_lists_only_what_can_be_acted_on(read: Read) -> None:
    text = await read("<h1>Title</h1><p>text <a href=#>link</a></p><main><button>b</button></main>", "interactive")
    assert bare(text) == ['link "link"', 'button "b"']


async def test_what_the_page_makes_clickable_has_a_reference(read: Read) -> None:
    text = await read(
        "<div style='cursor:pointer'><b>Save</b> for later</div><div onclick='x()'>handler</div>"
        "<div tabindex=0>focusable</div><table><tr style='cursor:pointer'><td>a<td>b</table>"
        "<div style='cursor:pointer'>card <button>inner</button></div>"
    )
    assert bare(text) == [
        'clickable "Save for later"',
        'clickable "handler"',
        'clickable "focusable"',
        'row "a | b"',
        "clickable",
        '  text "card"',
        '  button "inner"',
    ]
    assert text.count("[ref_") == 6


async def test_a_control_drawn_by_the_page_is_read_where_only_its_label_shows(read: Read) -> None:
    text = await read(
        "<label><input type=checkbox style='display:none'>One</label>"
        "<label><input type=radio style='position:absolute;opacity:0'>Two</label>"
        "<input type=file id=f style='position:absolute;clip:rect(0,0,0,0)'><label for=f>Three</label>"
    )
    assert bare(text) == ['checkbox "One"', 'radio "Two"', 'file "Three"']


async def test_open_shadow_roots_and_slots_are_read_in_place_once(read: Read) -> None:
    text = await read(
        "<x-a><template shadowrootmode=open><p>before</p><slot name=s></slot>"
        "<x-b><template shadowrootmode=open><button>deep</button></template></x-b><slot></slot></template>"
        "<i>last</i><a href=# slot=s>slotted</a></x-a>"
    )
    assert bare(text) == ['text "before"', 'link "slotted"', 'button "deep"', 'text "last"']


@pytest.mark.parametrize("host", ["x-closed", "div"])
async def test_closed_shadow_roots_are_read(read: Read, host: str) -> None:
    text = await read(
        f"<{host} id=h></{host}><script>customElements.define('x-closed', class extends HTMLElement {{}});"
        "document.getElementById('h').attachShadow({mode: 'closed'}).innerHTML = '<button>in closed</button>'</script>"
    )
    assert bare(text) == ['button "in closed"']


async def test_a_page_that_patches_builtins_changes_nothing(read: Read) -> None:
    body = "<button>real</button><label>Name <input value=v></label>"
    body += "<x-a><template shadowrootmode=open>deep</template></x-a>"
    expected = bare(await read(body))
    lies = """<script>
      const lie = () => { throw new Error('patched'); };
      for (const [owner, names] of [[Array.prototype, ['map', 'push', 'filter', 'join', 'flatMap', Symbol.iterator]],
          [Element.prototype, ['getAttribute', 'getBoundingClientRect', 'querySelectorAll', 'matches', 'closest']],
          [Node.prototype, ['getRootNode', 'contains']],
          [Document.prototype, ['querySelectorAll', 'getElementsByTagName', 'elementsFromPoint']],
          [JSON, ['stringify', 'parse']], [String.prototype, ['replace', 'trim']],
          [window,
          ['getComputedStyle', 'Map', 'Set', 'WeakMap', 'Reflect']]])
        for (const name of names) Object.defineProperty(owner, name, {value: lie});
      for (const name of ['firstChild', 'nextSibling', 'parentNode', 'nodeType'])
        Object.defineProperty(Node.prototype, name, {get: lie});
    </script>"""
    assert bare(await read(body + lies)) == expected


async def test_a_form_whose_fields_are_named_like_the_dom_is_read(read: Read) -> None:
    names = (
        "children",
        "firstChild",
        "getAttribute",
        "parentNode",
        "localName",
        "nodeType",
        "tabIndex",
        "closest",
        "id",
    )
    fields = "".join(
        f"<input name={name} aria-label={name}>" for name in (*names, "scrollLeft", "getBoundingClientRect")
    )
    text = await read(
        f"<img name=body alt=i width=9 height=9><img name=documentElement alt=j width=9 height=9>"
        f"<form aria-label=F onclick='1' style='overflow:auto;height:200px'>{fields}</form>"
    )
    assert all(f'textbox "{name}"' in text for name in names)


async def test_what_a_page_writes_cannot_look_like_another_line(read: Read) -> None:
    text = await read('<pre>a\nbutton "Pay" [ref_1]\n</pre><button>x" [ref_2]\nlink "y</button>')
    assert len(text.splitlines()) == 2
    assert text.splitlines()[1].startswith('button "x\\" [ref_2] link \\"y" [ref_')


async def test_rows_of_text_are_one_line_and_rows_with_controls_are_several(read: Read) -> None:
    text = await read(
        "<table><caption>People</caption><tr><th>Name<th>Age<tr><td>Ann<td>30<tr><td>Bo<td><a href=#>40</a></table>"
    )
    assert bare(text) == [
        'table "People"',
        '  row "Name | Age"',
        '  row "Ann | 30"',
        "  row",
        '    cell "Bo"',
        '    link "40"',
    ]


async def test_what_lies_behind_a_modal_dialog_is_left_out_and_said_to_be(read: Read) -> None:
    text = await read("<button>behind</button><dialog id=d><button>OK</button></dialog><script>d.showModal()</script>")
    assert 'button "OK"' in text
    assert 'button "behind"' not in text
    assert "behind an open dialog" in text


async def test_depth_cuts_and_says_so(read: Read) -> None:
    body = "<ul aria-label=l0><li>x<ul aria-label=l1><li>y<ul aria-label=l2><li>bottom</ul></ul></ul>"
    assert "bottom" in await read(body)
    text = await read(depth=3)
    assert "bottom" not in text
    assert "deeper than 3 levels" in text


async def test_a_reference_narrows_the_reading_to_its_element(read: Read) -> None:
    text = await read(
        "<nav aria-label=N><a href=#>in</a><a href=#>b</a><a href=#>c</a><a href=#>d</a></nav><a href=#>out</a>"
    )
    reference = re.search(r'navigation "N" \[(ref_\d+)\]', text)
    assert reference
    narrowed = await read(reference=reference[1])
    assert narrowed.splitlines() == text.splitlines()[:5]


async def test_a_select_lists_all_its_options_when_read_by_its_reference(read: Read) -> None:
    options = "".join(f"<option>Country {n}" for n in range(40))
    text = await read(f"<select aria-label=Country>{options}</select>")
    assert "28 more" in text
    reference = re.search(r"ref_\d+", text)
    assert reference
    text = await read(reference=reference[0])
    assert len(re.findall(r'option "Country \d+" \[ref_\d+\]', text)) == 40


async def test_ten_thousand_rows_are_cut_with_how_to_go_on(read: Read, browser: Browser, tab: Tab) -> None:
    rows = "".join(f"<tr><td>row {n}<td><a href=#>Open {n}</a><td><button>Save {n}</button>" for n in range(10_000))
    assert "row 9" in await read(f"<table>{rows}</table>")
    reading = await read_page(tab, browser.references, ReadRequest("all"))
    assert not reading.complete
    assert len(reading.text) <= CHARACTER_LIMIT
    assert "there is more: read" in reading.text


async def test_layers_that_leave_an_unseen_row_of_a_large_page_are_read(read: Read) -> None:
    rows = "".join(f"<div style='height:20px'><b>row</b> <i>{n}</i></div>" for n in range(2000))
    layer = "<div style='position:fixed;left:200px;top:200px;width:500px;height:300px'>layer</div>"
    assert 'text "layer"' in await read(rows + f"<div style='height:20px'>x{layer}</div>")


async def test_same_references_come_back_while_the_page_stays(read: Read, tab: Tab) -> None:
    before = await read("<button>a</button><button>b</button>")
    await tab.page.evaluate(
        "document.body.prepend(Object.assign(document.createElement('button'), {textContent: 'new'}))"
    )
    after = await read()
    assert after.splitlines()[1:] == before.splitlines()
    await tab.page.evaluate("history.pushState(null, '', '?other')")
    assert await read() == after


async def test_a_page_that_shows_nothing_says_so(read: Read) -> None:
    assert await read("<p hidden>x") == "(nothing is shown here)"


async def test_reading_a_crashed_tab_is_refused(read: Read, browser: Browser, tab: Tab) -> None:
    with contextlib.suppress(Error):
        await tab.page.goto("chrome://crash")
    await wait_until(lambda: tab.crashed)
    with pytest.raises(ActionRefused, match="crashed"):
        await read()
    assert [state.crashed for state in await browser.tab_states() if state.tab_id == tab.tab_id] == [True]


async def test_the_long_form_takes_less_than_half_of_a_snapshot(
    read: Read, tab: Tab, browser: Browser, site: Site
) -> None:
    await tab.page.goto(site.put("/long_form", (PAGES / "seen" / "long_form.html").read_text(encoding="utf-8")))
    text = (await read_page(tab, browser.references, ReadRequest())).text
    snapshot = await tab.page.locator("body").aria_snapshot(mode="ai")
    assert len(text) <= 0.45 * len(snapshot)


@pytest.mark.parametrize(
    "way", ["e.addEventListener('click', () => 0)", "e.onclick = () => 0", "e.addEventListener('pointerdown', () => 0)"]
)
async def test_what_only_listens_for_clicks_has_a_reference(read: Read, way: str) -> None:
    text = await read(
        "<div class=x>Save</div><ul><li class=x>Item</ul><table><tr><th>h<tr class=x><td>a<td>b</table>"
        "<x-a><template shadowrootmode=open><span>Deep</span></template></x-a>"
        "<script>const deep = document.querySelector('x-a').shadowRoot.lastChild;"
        f"for (const e of [...document.querySelectorAll('.x'), deep]) {{ {way} }}</script>"
    )
    assert bare(text) == [
        'clickable "Save"',
        'listitem "Item"',
        "table",
        '  row "h"',
        '  row "a | b"',
        'clickable "Deep"',
    ]
    assert len(re.findall(r'("Save"|"Item"|"a \| b"|"Deep") \[ref_', text)) == 4


async def test_what_listens_for_its_parts_is_no_clickable_thing(read: Read) -> None:
    text = await read(
        "<div id=app><p>text</p><button>one</button></div><script>"
        "for (const e of [app, document.body, document]) e.addEventListener('click', () => 0)</script>"
    )
    assert bare(text) == ['text "text"', 'button "one"']


async def test_a_page_that_does_not_answer_is_refused_in_time(
    read: Read, tab: Tab, monkeypatch: pytest.MonkeyPatch
) -> None:
    await read("<button>b</button>")
    monkeypatch.setattr(reading_module, "READ_S", 0.5)
    await tab.page.evaluate("setTimeout(() => { for (;;) ; })")
    with pytest.raises(ActionRefused, match="does not answer"):
        await read()


async def test_elements_that_the_page_lets_go_are_not_kept_alive(read: Read, tab: Tab) -> None:
    await read("<div id=d></div>")
    for _ in range(3):
        await tab.page.evaluate(
            "d.innerHTML = '<p onclick=1>' + '<button>b</button>'.repeat(50); "
            "globalThis.old = [...(globalThis.old ?? []), ...[...d.querySelectorAll('*')].map(e => new WeakRef(e))]"
        )
        await read()
    await tab.page.evaluate("d.innerHTML = ''")
    await read()
    session = await tab.frames.page_session()
    async with asyncio.timeout(PATIENCE_S):
        while await tab.page.evaluate("old.filter(one => one.deref()).length"):
            await session.send("HeapProfiler.collectGarbage")


async def test_transparent_fields_are_read_only_where_pages_draw_them(read: Read) -> None:
    text = await read(
        "<style>input { opacity: 0; width: 100px; height: 20px }</style><input role=combobox aria-label=choice>"
        "<input autocomplete=one-time-code aria-label=code><input aria-label=trap>"
    )
    assert bare(text) == ['combobox "choice"', 'textbox "code"']


async def test_words_that_a_style_sheet_adds_are_read_and_its_symbols_are_not(read: Read) -> None:
    text = await read(
        "<style>p::before { content: 'Note: ' } b::before { content: '▸' } i::after { content: counter(c) '.' }</style>"
        "<p>one</p><div><b>two</b></div><div><i>three</i></div>"
    )
    assert bare(text) == ['text "Note: one"', 'text "two"', 'text "three"']


async def test_halves_of_characters_do_not_break_a_reading(read: Read) -> None:
    text = await read(
        "<button id=b></button><input id=i aria-label=v><script>b.textContent = 'a\\ud83d' + '\\u{1f600}'.repeat(400);"
        "i.value = '\\udc00' + '\\u{1f600}'.repeat(400)</script>"
    )
    assert text.encode().decode() == text
    assert "\U0001f600" in text
