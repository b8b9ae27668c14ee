"""Which models can do the work, and with what: by their names, as the SDK and the platforms spell them."""

from __future__ import annotations

from typing import get_args

import pytest
from anthropic.types import model_param

from gui_operator.agent.models import PLATFORMS, ModelRefused, facts_of
from gui_operator.toolsets.scaling import HIGH, STANDARD

TOOLSET_MODELS = [
    "claude-fable-5-2",
    "claude-fable-5-1",
    "claude-mythos-5-1",
    "claude-fable-5",
    "claude-mythos-5",
    "claude-opus-5-5",
    "claude-opus-5",
    "claude-sonnet-5-5",
    "claude-sonnet-5",
    "claude-opus-4-8",
    "claude-haiku-5-5",
]


@pytest.mark.parametrize("name", TOOLSET_MODELS)
def test_models_that_take_the_toolsets_get_them_with_large_pictures_and_thinking(name: str) -> None:
    facts = facts_of(name)
    assert (facts.form, facts.tier, facts.thinks_adaptively) == ("toolsets", HIGH, True)


@pytest.mark.parametrize("name", ["claude-opus-6", "claude-opus-5-7", "claude-haiku-6-1", "claude-sonnet-7-20270101"])
def test_a_model_of_tomorrow_is_like_the_last_of_its_family(name: str) -> None:
    assert facts_of(name).form == "toolsets"


@pytest.mark.parametrize(
    ("name", "tier"), [("claude-opus-4-7", HIGH), ("claude-opus-4-6", STANDARD), ("claude-sonnet-4-6", STANDARD)]
)
def test_older_models_get_the_older_tool(name: str, tier: object) -> None:
    facts = facts_of(name)
    assert (facts.form, facts.tier, facts.thinks_adaptively) == ("computer_20251124", tier, False)


def test_a_model_may_take_the_older_tool_on_one_platform_only() -> None:
    forms = {platform: facts_of("claude-sonnet-5-5", platform).form for platform in PLATFORMS}
    assert forms == {
        "anthropic": "toolsets",
        "bedrock": "computer_20251124",
        "google-cloud": "toolsets",
        "foundry": "toolsets",
    }


@pytest.mark.parametrize(
    "name",
    ["global.anthropic.claude-opus-5-5-20260901-v1:0", "claude-opus-5-5@20260901", "Claude-Opus-5.5"],
)
def test_platforms_spell_names_in_their_own_ways(name: str) -> None:
    assert facts_of(name).form == "toolsets"


@pytest.mark.parametrize(
    "name",
    ["", "gpt-5", "claude-3-haiku-20240307", "claude-haiku-4-5-20251001", "claude-opus-4-1", "claude-mythos-preview"],
)
def test_a_model_of_which_nothing_is_known_is_refused_with_those_that_can(name: str) -> None:
    with pytest.raises(ModelRefused) as refusal:
        facts_of(name)
    assert repr(name) in str(refusal.value)
    assert "Claude Opus 4.8 and later" in str(refusal.value)


def test_pictures_are_smaller_where_the_platform_takes_less() -> None:
    assert facts_of("claude-opus-5-5").largest_image_base64_bytes == 10_000_000
    assert facts_of("claude-opus-5-5", "bedrock").largest_image_base64_bytes == 5_000_000


def test_every_model_that_the_sdk_names_is_either_taken_or_refused_in_words() -> None:
    literals = next(part for part in get_args(model_param.ModelParam) if get_args(part))
    names = get_args(literals)
    assert set(TOOLSET_MODELS) <= set(names)
    for name in names:
        try:
            assert facts_of(name).name == name
        except ModelRefused as refusal:
            assert name in str(refusal)  # noqa: PT017 - either will do
