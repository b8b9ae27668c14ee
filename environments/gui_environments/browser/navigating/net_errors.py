"""Chromium's network errors in words for someone who may never have seen one. Only words: decides nothing."""

from __future__ import annotations

import re

_WORDS = {
    "NAME_NOT_RESOLVED": "The name {host} is not known: check its spelling, or this network does not know it.",
    "NAME_RESOLUTION_FAILED": "The name {host} could not be looked up.",
    "CONNECTION_REFUSED": "Nothing answers at {host}: the connection was refused.",
    "CONNECTION_TIMED_OUT": "{host} did not answer in time.",
    "TIMED_OUT": "{host} did not answer in time.",
    "CONNECTION_RESET": "{host} broke off the connection.",
    "CONNECTION_CLOSED": "{host} broke off the connection.",
    "CONNECTION_ABORTED": "{host} broke off the connection.",
    "CONNECTION_FAILED": "No connection to {host} could be made.",
    "EMPTY_RESPONSE": "{host} closed the connection without an answer.",
    "INVALID_HTTP_RESPONSE": "{host} answered with something that is not HTTP.",
    "INVALID_RESPONSE": "{host} answered with something that is not HTTP.",
    "ADDRESS_UNREACHABLE": "{host} cannot be reached from here.",
    "ADDRESS_INVALID": "{host} is not an address that can be connected to.",
    "INTERNET_DISCONNECTED": "There is no network connection.",
    "NETWORK_CHANGED": "The network changed while the page was loading; try again.",
    "UNSAFE_PORT": "Browsers do not connect to this port of {host}.",
    "TOO_MANY_REDIRECTS": "{host} redirects in a circle.",
    "SSL_PROTOCOL_ERROR": "{host} does not speak https here; http:// may be what it speaks.",
    "SSL_VERSION_OR_CIPHER_MISMATCH": "{host} speaks only an outdated form of https.",
    "BAD_SSL_CLIENT_AUTH_CERT": "{host} wants a client certificate, and there is none here.",
    "SSL_CLIENT_AUTH_CERT_NEEDED": "{host} wants a client certificate, and there is none here.",
    "CERT_AUTHORITY_INVALID": "The certificate of {host} is not signed by an authority that is trusted here.",
    "CERT_COMMON_NAME_INVALID": "The certificate of {host} is for another name.",
    "CERT_DATE_INVALID": "The certificate of {host} has expired, or is not valid yet.",
    "CERT_REVOKED": "The certificate of {host} has been revoked.",
    "CERT_WEAK_SIGNATURE_ALGORITHM": "The certificate of {host} is signed in an outdated way.",
    "PROXY_CONNECTION_FAILED": "The proxy cannot be reached.",
    "TUNNEL_CONNECTION_FAILED": "The proxy refused the connection to {host}, or could not make it.",
    "BLOCKED_BY_CLIENT": "The request was blocked in the browser.",
    "BLOCKED_BY_ADMINISTRATOR": "The request was blocked by the browser's rules.",
    "BLOCKED_BY_RESPONSE": "{host} does not let its page be shown here.",
    "UNKNOWN_URL_SCHEME": "The address leads to another program, which is not started.",
    "DISALLOWED_URL_SCHEME": "The address is of a kind that is not opened.",
    "CONTENT_LENGTH_MISMATCH": "{host} broke off before the whole page was sent.",
    "INCOMPLETE_CHUNKED_ENCODING": "{host} broke off before the whole page was sent.",
    "HTTP_RESPONSE_CODE_FAILURE": "{host} answered with an error and an empty page.",
}

_CODE = re.compile(r"net::ERR_([A-Z0-9_]+)")


def net_error_code(message: str) -> str | None:
    """`NAME_NOT_RESOLVED` of a message with `net::ERR_NAME_NOT_RESOLVED` in it."""
    match = _CODE.search(message)
    return match[1] if match else None


def describe_net_error(code: str, host: str) -> str:
    """A sentence, or two."""
    words = _WORDS.get(code)
    if words is None and code.startswith("CERT_"):
        words = "The certificate of {host} is not valid"
        return f"{words.format(host=host)} ({code})."
    if words is None:
        return f"The page of {host} could not be loaded ({code})."
    return words.format(host=host)
