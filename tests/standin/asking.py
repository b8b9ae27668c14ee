"""Raw requests to the stand-in, for the tests of its own rules: no SDK in between, so that anything can be sent."""

from __future__ import annotations

import base64
import io
from typing import Any

import httpx2
from PIL import Image

from standin.blocks import Json
from standin.server import StandIn

MODEL = "claude-opus-5-5"
COMPUTER: Json = {"type": "computer_toolset_20260801"}
BROWSER: Json = {"type": "browser_toolset_20260801"}
BASH: Json = {"type": "bash_20250124", "name": "bash"}
HELLO: Json = {"role": "user", "content": "Hello"}


def ask(stand_in: StandIn, body: Json, *betas: str, headers: dict[str, str] | None = None) -> httpx2.Response:
    sent = {"x-api-key": "test", "anthropic-version": "2026-10-21", **(headers or {})}
    if betas:
        sent["anthropic-beta"] = ",".join(betas)
    return httpx2.post(f"{stand_in.url}/v1/messages", json=body, headers=sent, trust_env=False)


def request(*messages: Json, tools: list[Json] | None = None, **fields: Any) -> Json:
    body: Json = {"model": MODEL, "max_tokens": 1000, "messages": list(messages), **fields}
    if tools is not None:
        body["tools"] = tools
    return body


def told(stand_in: StandIn, *blocks: Json, paused: bool = False, cut: bool = False) -> Json:
    """An assistant turn that the stand-in believes it sent."""
    stand_in.sent.record(list(blocks), paused=paused, cut=cut)
    return {"role": "assistant", "content": list(blocks)}


def answers(*results: Json) -> Json:
    return {"role": "user", "content": list(results)}


def result(call: Json, content: Any = "Done.", *, error: bool = False) -> Json:
    block: Json = {"type": "tool_result", "tool_use_id": call["id"], "content": content}
    if "toolset_name" in call:
        block["toolset_name"] = call["toolset_name"]
    if error:
        block["is_error"] = True
    return block


def picture(width_px: int, height_px: int, *, kind: str = "png", media_type: str | None = None) -> Json:
    encoded = io.BytesIO()
    Image.new("RGB", (width_px, height_px), "navy").save(encoded, kind)
    return image_block(encoded.getvalue(), media_type or f"image/{kind}")


def image_block(data: bytes, media_type: str = "image/png") -> Json:
    source = {"type": "base64", "media_type": media_type, "data": base64.b64encode(data).decode()}
    return {"type": "image", "source": source}


def refusal_of(response: httpx2.Response, status: int = 400) -> str:
    """The message of a refusal in the API's form."""
    body = response.json()
    assert response.status_code == status, body
    assert body["type"] == "error"
    message = body["error"]["message"]
    assert isinstance(message, str)
    return message
