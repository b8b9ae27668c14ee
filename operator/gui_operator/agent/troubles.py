"""Errors of the API, as sentences for the person who started the run. Where it helps, the SDK has tried again."""

from __future__ import annotations

from anthropic import AnthropicError, APIConnectionError, APIStatusError, APITimeoutError

_LONGEST = 500

_WHAT_TO_DO = {
    401: "The API did not accept the key. Set ANTHROPIC_API_KEY to a valid one",
    403: "The API does not allow this with the key that was given",
    404: "The API does not know the model or the address",
    413: "The request was larger than the API takes",
    429: "The API's rate limit was reached, and stayed so",
    529: "The API was overloaded, and stayed so",
}


def in_words(error: AnthropicError) -> str:
    if isinstance(error, APITimeoutError):
        return "The API did not answer in time, again and again."
    if isinstance(error, APIConnectionError):
        return f"The API could not be reached: {_cause(error)}."
    if isinstance(error, APIStatusError):
        said = f"{error.status_code}: {_message(error)}"
        if error.status_code in _WHAT_TO_DO:
            return f"{_WHAT_TO_DO[error.status_code]} ({said})."
        whose = "The API failed" if error.status_code >= 500 else "The API refused the request"
        return f"{whose} ({said})."
    return f"The request could not be made: {str(error)[:_LONGEST]}"


def _cause(error: APIConnectionError) -> str:
    cause = error.__cause__
    return (f"{type(cause).__name__}: {cause}" if cause is not None else str(error))[:_LONGEST].rstrip(".")


def _message(error: APIStatusError) -> str:
    body = error.body
    told = body.get("error") if isinstance(body, dict) else None
    message = told.get("message") if isinstance(told, dict) else None
    return str(message or error.message)[:_LONGEST].rstrip(".")
