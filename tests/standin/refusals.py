"""What the stand-in answers instead of a reply, in the API's error form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass
class Refused(Exception):
    """The request breaks a rule of the API. `details` is where the API puts the codes that the SDK reads."""

    message: str
    status: int = 400
    error_type: str = "invalid_request_error"
    details: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__(self.message)


def error_body(error_type: str, message: str, details: Mapping[str, object], request_id: str) -> dict[str, object]:
    error: dict[str, object] = {"type": error_type, "message": message}
    if details:
        error["details"] = dict(details)
    return {"type": "error", "error": error, "request_id": request_id}
