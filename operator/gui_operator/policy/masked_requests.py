"""A call as whoever is asked about it is shown it: without secrets. Pictures of it are covered before they are encoded.
Pure."""

from __future__ import annotations

from dataclasses import replace

from gui_environments.secrets import Masking
from gui_operator.policy.requests import CallRequest


def masked_request(request: CallRequest, masking: Masking) -> CallRequest:
    sight = request.sight
    if sight is not None:
        facts = tuple((label, masking(text)) for label, text in sight.facts)
        sight = replace(sight, facts=facts)
    shown = {masking(name): _masked(value, masking) for name, value in request.input.items()}
    return replace(request, input=shown, sight=sight)


def _masked(value: object, masking: Masking) -> object:
    return masking(str(value)) if masking.holds(str(value)) and isinstance(value, int) else masking.in_json(value)
