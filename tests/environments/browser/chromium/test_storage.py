"""Starting signed in from a storage state, and saving one only when asked."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from environments.browser.odd_site import OddSite
from gui_environments.browser import Browser
from gui_environments.browser.chromium.storage import save_storage_state
from gui_environments.errors import EnvironmentUnavailable
from loopback import LOOPBACK_RULES

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_cookies_and_local_storage_are_there_from_the_first_request_and_the_file_stays(tmp_path: Path) -> None:
    site = OddSite()
    address = site.page("/", "<title>in</title>")
    cookie = {"name": "session", "value": "abc", "domain": "127.0.0.1", "path": "/", "expires": -1}
    cookie |= {"httpOnly": True, "secure": False, "sameSite": "Lax"}
    origin = {"origin": address.rstrip("/"), "localStorage": [{"name": "theme", "value": "dark"}]}
    path = tmp_path / "state.json"
    path.write_text(json.dumps({"cookies": [cookie], "origins": [origin]}))
    before = path.read_bytes()
    async with Browser.open(storage_state=path, rules=LOOPBACK_RULES) as browser:
        await browser.navigate(address)
        assert site.headers[0]["Cookie"] == "session=abc"
        assert await browser.run_script("localStorage.getItem('theme')") == "dark"
        await browser.run_script("localStorage.setItem('theme', 'light')")
        saved = tmp_path / "saved.json"
        await save_storage_state(browser.context, saved)
    site.close()
    assert path.read_bytes() == before
    state = json.loads(saved.read_text())
    assert [cookie["value"] for cookie in state["cookies"]] == ["abc"]
    assert state["origins"][0]["localStorage"] == [{"name": "theme", "value": "light"}]
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["saved.json", "state.json"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "cannot be read: No such file"),
        ("not json", "is not JSON"),
        ("[]", "is no storage state"),
        ('{"cookies": 1}', "is no storage state"),
        ('{"cookies": [{"name": "x"}]}', "did not take"),
    ],
)
async def test_what_is_no_storage_state_is_an_error_at_start(tmp_path: Path, text: str | None, words: str) -> None:
    path = tmp_path / "state.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(EnvironmentUnavailable, match=words):
        async with Browser.open(storage_state=path, rules=LOOPBACK_RULES):
            pass
