"""Pages that send more than can be listened to: calls are answered all the same, and it is said what is not known."""

from __future__ import annotations

import pytest
from playwright.async_api import Request

from environments.browser.acting.test_aiming import reference
from environments.browser.conftest import PATIENCE_S, wait_for_script, wait_until
from environments.browser.site import Site
from gui_environments.browser import Browser, ReadRequest
from gui_environments.browser.acting.performing import UNHEARD
from gui_environments.browser.actions import ClickTarget
from gui_environments.browser.tabs import floods, traffic
from gui_environments.browser.tabs.floods import Bound
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.tabs.traffic import Hearer
from gui_environments.browser.watching.network import MISSED
from loopback import LOOPBACK_RULES

pytestmark = pytest.mark.asyncio(loop_scope="session")

MOST, REQUESTS = 200, 1_000
FLOOD = f"""<button onclick="title = 'pressed'">press</button><script>
(async () => {{
  for (let n = 0; n < {REQUESTS}; n++) {{
    fetch('http://127.0.0.1:9/' + n).catch(() => 0);  // the browser asks nobody at this port
    if (n % 50 === 49) await new Promise((later) => setTimeout(later));
  }}
  done = true;
}})();
</script>"""


class Counter(Hearer):
    def __init__(self) -> None:
        self.requests = 0

    def hear_request(self, request: Request) -> None:
        self.requests += 1


@pytest.fixture(autouse=True)
def low_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traffic, "BOUND", Bound(most=MOST, per_s=1.0))


async def test_requests_beyond_a_bound_are_not_listened_to_and_calls_are_answered_and_say_so(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(floods, "PAUSE_S", 1_000.0)
    counter = Counter()
    async with Browser.open(rules=LOOPBACK_RULES) as browser:
        browser.tabs.traffic.tell(counter)
        await browser.navigate(site.put("/flood", FLOOD))
        await wait_until(lambda: not browser.tabs.traffic.is_heard)
        text = (await browser.read_page(ReadRequest())).text
        notes = (await browser.perform(ClickTarget(reference(text, "press")), settle_s=PATIENCE_S)).notes
        assert UNHEARD in notes
        assert MISSED in await browser.read_network()
        await wait_for_script(browser.tabs.tab(None), "window.done")
        assert counter.requests < REQUESTS / 2


async def test_after_a_while_requests_are_listened_to_again_and_the_page_is_as_fast_as_before(
    browser: Browser, tab: Tab, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    await browser.navigate(site.put("/flood", FLOOD))
    await wait_until(lambda: not browser.tabs.traffic.is_heard)
    monkeypatch.undo()
    await browser.navigate(site.put("/calm", "<button onclick=\"fetch('/asked')\">ask</button>"))
    await wait_until(lambda: browser.tabs.traffic.is_heard and not tab.slowing.goes_on)
    await browser.read_network()
    text = (await browser.read_page(ReadRequest())).text
    notes = (await browser.perform(ClickTarget(reference(text, "ask")), settle_s=PATIENCE_S)).notes
    assert UNHEARD not in notes
    assert "/asked -> 404" in await browser.read_network()
