"""The SDK's `url_policy` by the rules for hosts."""

from __future__ import annotations

import pytest
from anthropic.tools import ToolError
from anthropic.tools.browser import BetaURLContext

from gui_environments.egress import HostRules
from gui_operator.policy import Decision, host_policy

LISTED = HostRules.of(["example.com", "https://*.shop.test"], allow_resources=["cdn.test"])
CONTEXT = BetaURLContext(member="navigate")


@pytest.mark.parametrize(
    "url",
    ["example.com", "HTTP://EXAMPLE.com:8080/x", "http:\\\\example.com", "https://a.b.shop.test/", "//example.com"],
)
def test_what_is_listed_passes_and_is_left_to_whoever_decides_next(url: str) -> None:
    decisions: list[Decision] = []
    host_policy(LISTED, decisions.append)(CONTEXT, url)
    assert decisions == []


@pytest.mark.parametrize(
    ("url", "rule", "words"),
    [
        ("https://evil.test/secret", "hosts=not listed", "evil.test is not listed. Listed are: example.com"),
        ("http://example.com@evil.test/", "hosts=not listed", "evil.test is not listed"),
        ("http://a.shop.test/", "hosts=not listed", "a.shop.test is not listed"),
        ("https://cdn.test/", "hosts=not listed", "cdn.test is not listed"),
        ("http://0x7f.1/", "hosts=not listed", "127.0.0.1 is not listed"),
        (" javascript:alert(1)", "hosts=no web address", "Only http and https addresses"),
        ("view-source:http://example.com/", "hosts=no web address", "Only http and https addresses"),
    ],
)
def test_what_is_not_is_refused_with_the_rule_and_the_host_alone(url: str, rule: str, words: str) -> None:
    decisions: list[Decision] = []
    with pytest.raises(ToolError, match=words.split(" ", maxsplit=1)[0]) as refused:
        host_policy(LISTED, decisions.append)(CONTEXT, url)
    assert words in str(refused.value)
    assert "secret" not in str(refused.value)
    (decision,) = decisions
    assert (decision.allowed, decision.by, decision.rule) == (False, "rule", rule)
