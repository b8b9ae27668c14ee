"""The text of a page: what is shown and nothing else, the main content first, lists and tables to be read."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from environments.browser.site import Site
from gui_environments.browser import Browser
from gui_environments.browser.pages.page_text import CHARACTER_LIMIT, page_text
from gui_environments.browser.tabs.tab import Tab

pytestmark = pytest.mark.asyncio(loop_scope="session")

TextOf = Callable[[str], Awaitable[str]]


@pytest.fixture
def text_of(tab: Tab, site: Site) -> TextOf:
    async def text_of(body: str) -> str:
        await tab.page.goto(site.put("/page", body))
        return await page_text(tab)

    return text_of


SHOWN = {
    "<p>one<p>two": "one\n\ntwo",
    "a <b>b</b><i>c</i> <a href=#>d</a>.": "a bc d.",
    "  white \n space ": "white space",
    "<div>one</div><div>two</div>": "one\ntwo",
    "one<br>two<br><br>three": "one\ntwo\n\nthree",
    "<h1>Title</h1>text": "Title\n\ntext",
    "<pre>a\n  b\n\nc</pre>": "a\n  b\n\nc",
    "<ul><li>a<li>b<ul><li>c</ul><li>d</ul>": "- a\n- b\n  - c\n- d",
    "<ol><li>a<li>b</ol>": "1. a\n2. b",
    "<ol start=3><li>a<li value=7>b<li>c</ol>": "3. a\n7. b\n8. c",
    "<ul><li><p>a</p><p>b</p><li><div>c</div></ul>": "- a\n\n  b\n\n- c",
    "<table><tr><th>Name<th>Age<tr><td>Ann<td>30<tr><td>Bob<td></table>": "Name | Age\nAnn | 30\nBob",
    "<table><tr><th>A<th>B<th>C<tr><td>1<td><td>3</table>": "A | B | C\n1 | | 3",
    "<table><tr><td>key<td>value</table>": "key | value",
    "<div role=table><div role=row><span role=cell>a</span><span role=cell>b</span></div></div>": "a | b",
    "<table><tr><td><p>one</p><td><p>two</p></table>": "one\n\ntwo",
    "<button>a</button><button>b</button>": "a b",
    "<input value=Ada> <input type=password value=secret> <textarea>long\ntext</textarea>": "Ada long text",
    "<input type=submit value=Send><input placeholder=nothing><input type=checkbox> yes": "Send yes",
    "<select><option>a<option selected>b</select>": "b",
    "<p style='text-transform:uppercase'>loud</p>": "LOUD",
    "<style>p::before{content:'Note: '}</style><p>well</p>": "Note: well",
    "<details><summary>more</summary>closed</details><details open><summary>less</summary>open</details>": (
        "more\nless\nopen"
    ),
    "<x-a><template shadowrootmode=open>in <slot></slot> out</template>slotted</x-a>": "in slotted out",
    "<div><template shadowrootmode=closed><p>closed root</p></template></div>": "closed root",
    "<svg width=90 height=20><text y=15>drawn</text><title>tip</title></svg>": "drawn",
    "": "(the page shows no text)",
}


@pytest.mark.parametrize("body", SHOWN)
async def test_text_is_written_as_it_is_shown(text_of: TextOf, body: str) -> None:
    assert await text_of(body) == SHOWN[body]


HIDDEN = {
    "display": "<p style='display:none'>secret</p>",
    "visibility": "<p style='visibility:hidden'>secret</p>",
    "opacity": "<div style='opacity:0'><p>secret</p></div>",
    "size": "<p style='font-size:0'>secret</p>",
    "colour of the page": "<p style='color:#fff'>secret</p>",
    "colour of its box": "<div style='background:#123'><p style='color:#123'>secret</p></div>",
    "transparent": "<p style='color:transparent'>secret</p>",
    "aria-hidden": "<p aria-hidden=true>secret</p>",
    "hidden attribute": "<p hidden>secret</p>",
    "off-screen": "<p style='position:absolute;left:-9999px'>secret</p>",
    "indented away": "<p style='text-indent:-9999px;overflow:hidden'>secret</p>",
    "clipped": "<p style='position:absolute;clip:rect(0 0 0 0)'>secret</p>",
    "clip-path": "<p style='clip-path:inset(50%)'>secret</p>",
    "no height": "<div style='height:0;overflow:hidden'>secret</div>",
    "inert": "<p inert>secret</p>",
    "scaled away": "<p style='transform:scale(0)'>secret</p>",
    "content-visibility": "<p style='content-visibility:hidden'>secret</p>",
    "template": "<template>secret</template><noscript>secret</noscript><script>'secret'</script>",
    "closed dialog": "<dialog>secret</dialog>",
    "popover": "<p popover>secret</p>",
    "alternative text": "<img alt=secret width=9 height=9><canvas>secret</canvas><video>secret</video>",
}


@pytest.mark.parametrize("way", HIDDEN)
async def test_what_is_not_shown_is_not_written(text_of: TextOf, way: str) -> None:
    assert await text_of(f"<p>before{HIDDEN[way]}<p>after") == "before\n\nafter"


@pytest.mark.parametrize("tag", ["main", "div role=main", "article"])
async def test_the_main_content_comes_first(text_of: TextOf, tag: str) -> None:
    end = tag.split()[0]
    body = f"<nav><a href=#>Home</a></nav><{tag}><h1>Storm</h1><p>Text.</{end}><footer>About</footer>"
    assert await text_of(body) == "Storm\n\nText.\n\n(around the main content)\n\nHome\n\nAbout"


async def test_with_several_articles_the_order_is_the_pages(text_of: TextOf) -> None:
    assert await text_of("<p>top</p><article>one</article><article>two</article>") == "top\n\none\n\ntwo"


async def test_what_is_out_of_view_is_written_too(text_of: TextOf) -> None:
    body = (
        "<div style='height:40px;overflow:auto'><p>a<p style='margin-top:500px'>b</div><p style='margin-top:5000px'>end"
    )
    assert await text_of(body) == "a\n\nb\n\nend"


@pytest.mark.parametrize("hosts", ["aa", "ab", "aba"])
async def test_frames_are_written_in_their_places(text_of: TextOf, site: Site, hosts: str) -> None:
    depth = len(hosts) - 1
    site.put(f"/{depth}", f"<p>level {depth}</p>")
    for level in range(depth - 1, 0, -1):
        inner = "{" + hosts[level + 1] + f"}}/{level + 1}"
        site.put(f"/{level}", f"<p>level {level}</p><iframe src='{inner}'></iframe>end {level}")
    text = await text_of("<p>before</p><iframe src='{" + hosts[1] + "}/1'></iframe><p>after</p>")
    levels = [f"level {level}" for level in range(1, depth + 1)]
    ends = [f"end {level}" for level in range(depth - 1, 0, -1)]
    assert text == "\n\n".join(["before", *levels, *ends, "after"])


async def test_behind_an_open_dialog_nothing_is_written_and_that_is_said(text_of: TextOf) -> None:
    text = await text_of("<p>behind<dialog id=d>Really?</dialog><script>d.showModal()</script>")
    assert text == "Really?\n\n(what is behind an open dialog is left out)"


async def test_a_long_page_is_cut_and_that_is_said(text_of: TextOf) -> None:
    text = await text_of("<p>word word word</p>" * 10_000)
    assert len(text) <= CHARACTER_LIMIT
    assert "there is more" in text.splitlines()[-1]


async def test_a_page_cannot_put_frames_or_control_characters_into_its_text(text_of: TextOf) -> None:
    body = "<p id=p></p><script>p.textContent = 'a\\u00000\\u0000b\\u202ec\\ud800d\\u001be'</script>"
    assert await text_of(body) == "a0bc\ufffdde"


async def test_pages_that_patch_built_ins_change_nothing(text_of: TextOf) -> None:
    patch = (
        "<script>String.prototype.replace = Array.prototype.push = Node.prototype.appendChild ="
        " document.createRange = () => { throw 1 }; Object.defineProperty(CharacterData.prototype, 'data',"
        " {get: () => 'lie'})</script><form><input type=hidden name=childNodes><p>true</p></form>"
    )
    assert await text_of(patch) == "true"


async def test_nothing_of_a_password_is_written(browser: Browser, text_of: TextOf) -> None:
    assert "hunter2" not in await text_of("<p>x<input type=password value=hunter2>")
