"""The SDK's client for the platform that a job names. Keys come from where the SDK takes them, never from a job."""

from __future__ import annotations

import os
from typing import Any, cast

from anthropic import (
    AnthropicError,
    AsyncAnthropic,
    AsyncAnthropicBedrockMantle,
    AsyncAnthropicFoundry,
    AsyncAnthropicGoogleCloud,
)

from gui_operator.jobs.model import Platform

MAX_RETRIES = 4
"""The SDK tries again so often, with growing pauses: a run has cost something by then."""


class ClientRefused(ValueError):
    """The platform cannot be asked as it is. The message says what to do."""


def open_client(platform: Platform, base_url: str | None = None) -> AsyncAnthropic:
    """`async with` it. Raises `ClientRefused`; asks no service."""
    options: dict[str, Any] = {"max_retries": MAX_RETRIES}
    if base_url is not None:
        options["base_url"] = base_url
    try:
        client = _client_of(platform, options)
    except (AnthropicError, ValueError, ImportError) as error:
        raise ClientRefused(f"{platform}: {error}") from error
    return client


def _client_of(platform: Platform, options: dict[str, Any]) -> AsyncAnthropic:
    match platform:
        case "anthropic":
            client = AsyncAnthropic(**options)
            if client.api_key is None and client.auth_token is None and client.credentials is None:
                raise ValueError("there is no key. Set the environment variable ANTHROPIC_API_KEY")
            return client
        case "bedrock":
            # The one that speaks the Messages API. It has the same `beta.messages`, but no message threads.
            return cast("AsyncAnthropic", AsyncAnthropicBedrockMantle(**options))
        case "google-cloud":
            return AsyncAnthropicGoogleCloud(**options)
        case "foundry":
            if "base_url" not in options and "ANTHROPIC_FOUNDRY_BASE_URL" not in os.environ:
                options["resource"] = os.environ.get("ANTHROPIC_FOUNDRY_RESOURCE")
            return AsyncAnthropicFoundry(**options)
