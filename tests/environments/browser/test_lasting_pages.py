"""Pages that stay, and replace what they show time and again without ever navigating."""

from __future__ import annotations

import pytest

from environments.browser.conftest import Read
from gui_environments.browser import Browser
from gui_environments.browser.tabs import Tab

pytestmark = pytest.mark.asyncio(loop_scope="session")

VIEWS = """<nav><button>Show</button></nav><main></main><script>
let view = 0;
const show = () => {
  const shown = document.createElement('div');
  shown.innerHTML = `<h2>View ${++view}</h2>` + Array.from({ length: 40 },
    (_, n) => `<p><button>Do ${n}</button> <input aria-label="Value ${n}"></p>`).join('');
  shown.addEventListener('click', () => {});
  for (const button of shown.querySelectorAll('button')) button.addEventListener('mousedown', () => {});
  document.querySelector('main').replaceChildren(shown);
};
document.querySelector('nav button').addEventListener('click', show);
</script>"""


async def test_what_listened_and_was_removed_does_not_harm_later_readings(
    browser: Browser, tab: Tab, read: Read
) -> None:
    await read(VIEWS)
    for view in range(1, 9):
        await tab.page.evaluate("show()")
        assert f'heading "View {view}"' in await read()
        assert 'button "Do 39"' in await read(elements="all")
        await browser.find("the button Do 1", tab.tab_id)
    assert not tab.crashed
