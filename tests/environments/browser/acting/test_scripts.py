"""Scripts run in the page's own world; values and errors come back as bounded text."""

from __future__ import annotations

import pytest

from environments.browser.conftest import wait_until
from environments.browser.site import Site
from gui_environments.browser import Browser
from gui_environments.browser.acting.scripts import VALUE_LIMIT, run_script
from gui_environments.browser.tabs.tab import Tab
from gui_environments.errors import ActionFailed, ActionRefused

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize(
    ("script", "value"),
    [
        ("1 + 1", "2"),
        ("const a = 1; const b = 2; a + b", "3"),
        ("const a = 5; a", "5"),
        ("'text \"quoted\"'", 'text "quoted"'),
        ("true", "true"),
        ("null", "null"),
        ("undefined", "undefined"),
        ("if (false) 1", "undefined"),
        ("-0", "-0"),
        ("NaN", "NaN"),
        ("12n", "12n"),
        ("1e21", "1e+21"),
        ("Symbol('x')", "Symbol(x)"),
        ("[1, 'two', null, undefined]", '[1,"two",null,null]'),
        ("({ a: { b: [1] } })", '{"a":{"b":[1]}}'),
        ("new Map([['k', 1]])", '{"k":1}'),
        ("new Set([1, 2])", "[1,2]"),
        ("new Error('lost')", "Error: lost"),
        ("new Date(0).toISOString()", "1970-01-01T00:00:00.000Z"),
        ("(function named() {})", "function named"),
        ("const ring = {}; ring.self = ring; ring", '{"self":"(circular)"}'),
        ("({ get bad() { throw new Error('no') }, good: 1 })", '{"bad":"(threw Error: no)","good":1}'),
        ("document.querySelector('a')", '<a id="link" href="/x">go there'),
        ("document.querySelectorAll('a')", '["<a id=\\"link\\" href=\\"/x\\">go there"]'),
        ("window", "window"),
        ("await Promise.resolve(7)", "7"),
        ("Promise.resolve({ later: true })", '{"later":true}'),
        ("(async () => 'made')()", "made"),
        ("shared", "from the page"),
        ("({ a: Infinity, b: 1n, c: () => 1 })", '{"a":"Infinity","b":"1n","c":"function c"}'),
    ],
)
async def test_a_value_is_shown(browser: Browser, tab: Tab, site: Site, script: str, value: str) -> None:
    await browser.navigate(
        site.put("/scripts", "<a id=link href=/x>go  there</a><script>shared='from the page'</script>")
    )
    assert await browser.run_script(script) == value


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("missing()", "ReferenceError: missing is not defined"),
        ("throw new TypeError('wrong kind')", "TypeError: wrong kind"),
        ("throw 'a string'", "a string"),
        ("let = ;", "SyntaxError"),
        ("return 1", "the last expression is the value"),
        ("await Promise.reject(new Error('rejected'))", "Error: rejected"),
        ("Promise.reject(new Error('rejected later'))", "Error: rejected later"),
    ],
)
async def test_what_it_throws_is_told(browser: Browser, tab: Tab, script: str, message: str) -> None:
    with pytest.raises(ActionFailed, match=f"The script threw: .*{message}"):
        await browser.run_script(script)


@pytest.mark.parametrize(
    "script", ["for (;;) {}", "await new Promise(() => {})", "(async () => { await 0; for (;;) {} })()"]
)
async def test_one_that_does_not_end_is_stopped_and_the_page_lives(browser: Browser, tab: Tab, script: str) -> None:
    with pytest.raises(ActionFailed, match=r"not done after 0\.5 s"):
        await run_script(tab, script, limit_s=0.5)
    assert await run_script(tab, "6 * 7") == "42"


async def test_a_long_value_is_cut_and_its_length_told(browser: Browser, tab: Tab) -> None:
    text = await browser.run_script("'x'.repeat(1000000)")
    assert text.startswith("x" * VALUE_LIMIT + "\n")
    assert "1,000,000 characters" in text
    assert len(await browser.run_script("Array.from({ length: 100000 }, (_, n) => ({ n }))")) < VALUE_LIMIT + 100


async def test_a_script_that_leaves_the_page_says_so(browser: Browser, tab: Tab, site: Site) -> None:
    await browser.navigate(site.put("/scripts", "<p>first"))
    site.put("/next", "<p>next")
    with pytest.raises(ActionFailed, match="page was left"):
        await browser.run_script("location.href = '/next'; await new Promise(() => {})")
    await wait_until(lambda: tab.page.url.endswith("/next"))
    assert await browser.run_script("document.querySelector('p').textContent") == "next"


async def test_a_dialog_in_a_script_is_answered(browser: Browser, tab: Tab) -> None:
    assert await browser.run_script("confirm('sure?')") == "false"


async def test_a_policy_against_eval_does_not_stop_it(browser: Browser, tab: Tab, site: Site) -> None:
    policy = "<meta http-equiv=Content-Security-Policy content=\"script-src 'none'\"><p>strict"
    await browser.navigate(site.put("/strict", policy))
    assert await browser.run_script("document.querySelector('p').textContent") == "strict"


async def test_a_script_of_a_megabyte_is_refused(browser: Browser, tab: Tab) -> None:
    with pytest.raises(ActionRefused, match="is the most"):
        await browser.run_script("1;" * 500_000)
