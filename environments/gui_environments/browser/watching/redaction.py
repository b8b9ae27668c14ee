"""Taking credentials out of what pages log and request, before anybody reads it. It goes by names and by shapes: what
looks like neither stays."""

from __future__ import annotations

import re

REDACTED = "[redacted]"

_NAME = (
    r"(?:[a-z0-9]+[-_.])*"
    r"(?:pass|passwd|password|passphrase|pwd|secret|(?:access|auth|bearer|csrf|id|refresh|session|xsrf)?token|"
    r"(?:api|access|client|private|secret|signing|subscription)[-_]?key|authorization|bearer|cookie|credentials?|jwt|otp|"
    r"session[-_]?id|sessid|phpsessid|jsessionid|signature|samlresponse|samlrequest|assertion)"
    r"(?:[-_.]?(?:hash|value|token|key|secret|signature|credential|[0-9]))*"
)
_SECRET_NAME = re.compile(_NAME, re.IGNORECASE)

_PARAMETERS = frozenset({"auth", "code", "key", "nonce", "pin", "session", "sid", "sig", "state", "ticket"})
"""Of these an address may carry a secret; in other text they are everyday words."""

NAME_LIMIT = 100
"""Characters of a name that are looked at: its end says what it is."""

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

_PARAMETER = re.compile(r"([?&#;]|^)([^=&#?;\s]+)=([^&#;\s]*)")
_USER_INFO = re.compile(r"([a-z][a-z0-9+.-]{0,30}://)[^/?#\s@\"']{1,500}@", re.IGNORECASE)
_ADDRESS = re.compile(r"(?<![\w+.-])[a-z][a-z0-9+.-]{1,30}://[^\s<>\"']+", re.IGNORECASE)
_DATA = re.compile(r"data:([^,;\s]{0,80})[^,\s]*,(\S{100,})", re.IGNORECASE)

_SHAPES = re.compile(
    r"eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?"  # a JSON web token
    r"|\bsk-[\w-]{16,}|\b[rps]k_(?:live|test)_\w{10,}|\bgh[opsur]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}"
    r"|\bnpm_\w{30,}|\bpypi-[\w-]{30,}|\bhf_\w{30,}|\bSG\.[\w-]{16,}\.[\w-]{16,}|\bwhsec_\w{16,}|\bdop_v1_\w{30,}"
    r"|\bxox[a-z]-[\w-]{10,}|\bAKIA[0-9A-Z]{12,}|\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)",
    re.DOTALL,
)
_COOKIES = re.compile(r"\b((?:Set-)?Cookie:)[ \t]*[^\s=;]{1,200}=[^\r\n]*", re.IGNORECASE)
"""A header, to the end of its line: any cookie may be one that signs in."""

_SCHEME = re.compile(r"\b(Bearer|Basic|Digest|Token)\s+[\w.~+/=:-]{6,}", re.IGNORECASE)
_ASSIGNED = re.compile(
    r"""(?<![\w.-])(?P<name>[\w.-]{2,}+)(?P<between>["']?\s*[:=]\s*)(?P<value>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s,;&"'{}\[\]()]+)"""
)


def is_secret_name(name: str) -> bool:
    """Whether a value of this name is to be kept from sight: `access_token`, `X-Api-Key`, `sessionId`."""
    name = name[-NAME_LIMIT:]
    return bool(_SECRET_NAME.fullmatch(name) or _SECRET_NAME.fullmatch(_CAMEL.sub("_", name)))


def redact_url(url: str) -> str:
    """An address without user and password, the values of telling parameters, and the body of a `data:` one."""
    url = _shorten_data(url)
    if url.startswith("data:"):
        return url

    def parameter(match: re.Match[str]) -> str:
        secret = match[3] and (match[2].lower() in _PARAMETERS or is_secret_name(match[2]))
        return f"{match[1]}{match[2]}={REDACTED if secret else match[3]}"

    return _SHAPES.sub(REDACTED, _PARAMETER.sub(parameter, _USER_INFO.sub(rf"\1{REDACTED}@", url)))


def redact_text(text: str) -> str:
    """Free text without what is assigned to telling names, authorization headers, and known shapes of keys."""
    text = _SCHEME.sub(rf"\1 {REDACTED}", _SHAPES.sub(REDACTED, _shorten_data(text)))
    text = _COOKIES.sub(rf"\1 {REDACTED}", text)
    text = _ADDRESS.sub(lambda match: redact_url(match[0]), text)
    return _ASSIGNED.sub(_redact_assigned, text)


def _redact_assigned(match: re.Match[str]) -> str:
    value = match["value"]
    if not is_secret_name(match["name"]):
        # What it holds may be an assignment of its own.
        return f"{match['name']}{match['between']}{_ASSIGNED.sub(_redact_assigned, value)}"
    if value.strip("\"'") in ("", "null", "undefined", "None", "true", "false"):
        return match[0]
    if value.lower() in ("bearer", "basic", "digest", "token"):
        return match[0]  # the next word has been taken out already
    quote = value[0] if value[0] in "\"'" else ""
    return f"{match['name']}{match['between']}{quote}{REDACTED}{quote}"


def _shorten_data(text: str) -> str:
    return _DATA.sub(lambda match: f"data:{match[1]},({len(match[2]):,} characters)", text)
