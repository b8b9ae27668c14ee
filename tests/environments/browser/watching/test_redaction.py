"""Credentials are taken out of what pages log and request; everyday words stay."""

from __future__ import annotations

import pytest

from gui_environments.browser.watching.redaction import redact_text, redact_url

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://a.test/p?q=word&page=2#top", "https://a.test/p?q=word&page=2#top"),
        ("https://user:hunter2@a.test/", "https://[redacted]@a.test/"),
        ("https://a.test/?access_token=abc&x=1", "https://a.test/?access_token=[redacted]&x=1"),
        ("https://a.test/?API-Key=abc", "https://a.test/?API-Key=[redacted]"),
        ("https://a.test/cb#id_token=abc&state=xyz", "https://a.test/cb#id_token=[redacted]&state=[redacted]"),
        ("https://a.test/?X-Amz-Signature=abc", "https://a.test/?X-Amz-Signature=[redacted]"),
        ("https://a.test/?sessionId=abc&code=1", "https://a.test/?sessionId=[redacted]&code=[redacted]"),
        (f"https://a.test/{JWT}/x", "https://a.test/[redacted]/x"),
        ("https://a.test/?keyboard=us&passenger=2&tokenizer=x", "https://a.test/?keyboard=us&passenger=2&tokenizer=x"),
        ("data:image/png;base64," + "A" * 500, "data:image/png,(500 characters)"),
    ],
)
def test_an_address(url: str, shown: str) -> None:
    assert redact_url(url) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("loaded 12 rows: ok", "loaded 12 rows: ok"),
        ("error code: 404, state: ready, key: Enter", "error code: 404, state: ready, key: Enter"),
        ("password=hunter2 next", "password=[redacted] next"),
        ("settings: password=hunter2", "settings: password=[redacted]"),
        ("GET https://a.test/x?api_key=abc&q=1 failed", "GET https://a.test/x?api_key=[redacted]&q=1 failed"),
        ("at 'https://ada:hunter2@a.test/x?token=abc'", "at 'https://[redacted]@a.test/x?token=[redacted]'"),
        ('{"user":"ada","apiKey":"abc def"}', '{"user":"ada","apiKey":"[redacted]"}'),
        ("{accessToken: 'abc', refresh_token: 'def'}", "{accessToken: '[redacted]', refresh_token: '[redacted]'}"),
        ("Authorization: Bearer abc.def-ghi", "Authorization: Bearer [redacted]"),
        ("client_secret = abc", "client_secret = [redacted]"),
        (f"got {JWT}", "got [redacted]"),
        ("key sk-abcdefghijklmnopqrstuv used", "key [redacted] used"),
        ("fetching https://u:p@a.test/?token=abc", "fetching https://[redacted]@a.test/?token=[redacted]"),
        ("token: null", "token: null"),
        ("Cookie: theme=dark; sid=abc\nnext", "Cookie: [redacted]\nnext"),
        ("set-cookie: who=ada; Path=/; HttpOnly", "set-cookie: [redacted]"),
        ("npm_" + "a1" * 18 + " and hf_" + "b2" * 17, "[redacted] and [redacted]"),
        ("Authorization: Basic YWRhOmh1bnRlcjI=", "Authorization: Basic [redacted]"),
        ("x-api-key: 0123456789abcdef", "x-api-key: [redacted]"),
    ],
)
def test_a_text(text: str, shown: str) -> None:
    assert redact_text(text) == shown


def test_no_text_takes_it_long() -> None:
    # Ends within the test's time limit: the names and values are matched without going back and forth.
    for text in ("key" + "1" * 50_000 + "=x", "a-" * 50_000 + "=x", '"' * 50_000, "token=" + "\\" * 50_000):
        assert redact_text(text)
        assert redact_url("https://a.test/?" + text)
