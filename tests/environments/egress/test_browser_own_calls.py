"""With any host allowed, what Chromium asks for by itself reaches nobody all the same, and is not even asked for."""

from __future__ import annotations

from contextlib import AsyncExitStack

import pytest

from environments.browser.site import Site
from environments.egress.hosts import Names, wait_until
from gui_environments.browser import Browser
from gui_environments.browser.rules import BrowserRules
from gui_environments.desktop import Desktop
from gui_environments.egress import EgressEvent, EgressProxy, HostRules, RequestJudged
from gui_environments.egress.addresses import parse_address
from gui_environments.egress.makers import MAKERS_HOSTS

FORM = """<title>Form</title><form><label>Name <input name=u autocomplete=username></label>
<label>Word <input type=password name=p></label><label>Card <input autocomplete=cc-number></label></form>"""

OWN = {"accounts.invalid", "updates.invalid"}
"""Where Chromium is told to look for its maker's services."""


@pytest.mark.parametrize("headless", [True, pytest.param(False, marks=pytest.mark.long)])
async def test_what_it_asks_for_by_itself_it_asks_where_nobody_is(headless: bool) -> None:
    """Here those names are asked for, so that it is seen that it does: by switches as they are, they are not."""
    rules = HostRules.of(["127.0.0.1"], any_host=True)
    events: list[EgressEvent] = []
    names = Names()
    site = Site()
    async with AsyncExitStack() as stack:
        stack.callback(site.close)
        environment = None
        if not headless:
            desktop = await stack.enter_async_context(Desktop.open((1000, 800)))
            environment = {"DISPLAY": desktop.display, "XAUTHORITY": str(desktop.xauthority)}
        proxy = await stack.enter_async_context(EgressProxy.open(rules, resolve=names, on_event=events.append))
        browser = await stack.enter_async_context(
            Browser.open(
                (800, 600),
                headless=headless,
                environment=environment,
                proxy=proxy.address,
                rules=BrowserRules(hosts=rules),
                arguments=["--proxy-bypass-list=<-loopback>"],
            )
        )
        await browser.navigate(site.put("/form", FORM))
        await browser.tabs.tab(None).page.fill("[name=p]", "a secret word")
        # Which of them it asks for at once depends on the machine.
        await wait_until(lambda: bool(OWN.intersection(names.looked_up)))
    assert OWN.issuperset(names.looked_up)
    assert {event.host for event in events if isinstance(event, RequestJudged)} <= OWN | {"127.0.0.1"}


async def test_by_its_own_switches_nothing_is_asked_for_but_what_pages_ask() -> None:
    rules = HostRules.of(["127.0.0.1"], any_host=True)
    events: list[EgressEvent] = []
    site = Site()
    site.put("/form", FORM + "<img src='http://accounts.invalid/'><img src='http://picture.example/'>")
    names = Names()
    async with AsyncExitStack() as stack:
        stack.callback(site.close)
        proxy = await stack.enter_async_context(EgressProxy.open(rules, resolve=names, on_event=events.append))
        browser = await stack.enter_async_context(Browser.open(proxy=proxy.address, rules=BrowserRules(hosts=rules)))
        await browser.navigate(site.url("/form"))
        await wait_until(lambda: "picture.example" in names.looked_up)
    assert set(names.looked_up) == {"picture.example"}


def test_the_makers_other_services_are_no_public_hosts_unless_they_are_listed() -> None:
    for host in [*MAKERS_HOSTS, "redirector.gvt1.com", "r1---sn-4g5e6nsk.gvt1.com", "update.googleapis.com."]:
        address = parse_address(f"https://{host}/")
        for rules in (HostRules.of(any_host=True), HostRules.of(subresources="public")):
            assert rules.judge(address, "resource").rule == "browser's own"
        host = host.rstrip(".")
        assert HostRules.of([host], any_host=True).judge(parse_address(f"https://{host}/"), "document").allowed
    assert HostRules.of(any_host=True).judge(parse_address("https://accounts.google.com/"), "document").allowed
