"""All the rules that one request has to meet, in the order in which the API finds fault."""

from __future__ import annotations

from collections.abc import Mapping

from anthropic.types.beta.message_create_params import MessageCreateParamsBase

from standin.blocks import Json
from standin.conversation import SentReplies, check_conversation
from standin.models import find_model
from standin.pictures import check_pictures
from standin.refusals import Refused
from standin.requests import Request
from standin.shapes import find_problem
from standin.threads import Threads
from standin.tools import check_betas, check_breakpoints, check_tool_choice, check_tools, declared_families

MAX_BODY_BYTES = 32 * 1024 * 1024
_SENT_AS_HEADERS = frozenset({"betas", "user_profile_id", "workspace_id"})


def check_headers(headers: Mapping[str, str]) -> frozenset[str]:
    """The beta features the request asks for."""
    if not headers.get("x-api-key") and not headers.get("authorization", "").startswith("Bearer "):
        raise Refused("Authentication required: send a key or a token", 401, "authentication_error")
    if not headers.get("anthropic-version"):
        raise Refused("anthropic-version: header is required")
    return frozenset(beta.strip() for beta in headers.get("anthropic-beta", "").split(",") if beta.strip())


def check_request(body: object, betas: frozenset[str], size_bytes: int, threads: Threads, sent: SentReplies) -> Request:
    """The request, if it breaks no rule."""
    if size_bytes > MAX_BODY_BYTES:
        raise Refused("Request exceeds the maximum allowed number of bytes.", 413, "request_too_large")
    checked = _check_shape(body)
    model = find_model(checked["model"])
    check_betas(checked, betas)
    mode, conversation = threads.read(checked)
    check_tools(conversation.tools, model)
    check_tool_choice(checked, conversation.tools, model)
    check_breakpoints(checked, conversation.system, conversation.tools)
    check_conversation(conversation.messages, sent, declared_families(conversation.tools))
    check_pictures(conversation.messages, model.limits)
    return Request(checked, betas, mode, conversation, size_bytes)


def _check_shape(body: object) -> Json:
    if not isinstance(body, dict):
        raise Refused("The request body is not a JSON object")
    for name in body:
        if name in _SENT_AS_HEADERS:
            raise Refused(f"{name}: Extra inputs are not permitted")
    fields = {name: value for name, value in body.items() if name != "stream"}
    if not isinstance(body.get("stream", False), bool):
        raise Refused("stream: Input should be a valid bool")
    if problem := find_problem(MessageCreateParamsBase, fields, "request"):
        raise Refused(problem.removeprefix("request."))
    if body["max_tokens"] < 1:
        raise Refused("max_tokens: must be greater than or equal to 1")
    return body
