"""A call as whoever is asked about it is shown it: without secrets. Pictures of it are covered before they are encoded.
Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from gui_environments.secrets import Masking
from gui_operator.policy.requests import CallRequest


def masked_request(request: CallRequest, masking: Masking) -> CallRequest:
    sight = request.sight
    if sight is not None:
        facts = tuple((label, masking(text)) for label, text in sight.facts)
        sight = replace(sight, facts=facts)
    return replace(request, input=cast("dict[str, object]", masking.in_json(dict(request.input))), sight=sight)
