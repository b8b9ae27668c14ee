"""Clients for each platform, from nothing but the environment, and a run through those that speak plain HTTP."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gui_operator.agent.clients import ClientRefused, open_client
from gui_operator.agent.models import PLATFORMS, facts_of
from gui_operator.jobs.model import Platform
from gui_operator.recording import Recording
from standin.script import says

from .conftest import Player
from .scripts import notes

KEYS = {
    "anthropic": "ANTHROPIC_API_KEY",
    "bedrock": "AWS_BEARER_TOKEN_BEDROCK",
    "foundry": "ANTHROPIC_FOUNDRY_API_KEY",
}


@pytest.fixture(autouse=True)
def no_credentials(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whoever runs the tests may have some."""
    for name in list(os.environ):
        if name.startswith(("ANTHROPIC_", "AWS_", "GOOGLE_", "AZURE_", "CLOUD_ML_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.mark.parametrize("platform", sorted(KEYS))
async def test_a_run_goes_through_the_platform_s_own_client(
    player: Player, platform: Platform, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(KEYS[platform], "test")
    player.stand_in.play(notes("one"), says("Done."))
    with Recording.open(tmp_path / "recording") as recording:
        async with open_client(platform, player.stand_in.url) as client:
            ending = await player.run_with(client, recording, facts=facts_of("claude-opus-5-5", platform)).to_its_end()
    assert (ending.status, player.ran()) == ("succeeded", ["one"])
    has_threads = player.stand_in.requests[0].mode == "create"
    assert has_threads == (platform != "bedrock")
    # Where there are none, the run says so.
    assert any("keeps no thread" in line for line in player.told) is not has_threads


@pytest.mark.parametrize("platform", [platform for platform in PLATFORMS if platform != "google-cloud"])
def test_a_platform_without_credentials_is_refused_with_what_is_missing(platform: Platform) -> None:
    with pytest.raises(ClientRefused, match=rf"^{platform}: "):
        open_client(platform)
