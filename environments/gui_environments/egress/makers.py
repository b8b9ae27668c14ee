"""What Chromium asks its maker for by itself, and no page of a person's choosing lies at: updates, lists, predictions,
reports. These hosts do not count as "any host"; whoever wants them lists them."""

from __future__ import annotations

NOWHERE = "invalid"
"""The domain in which no name is ever known, by standard (RFC 6761)."""

MAKERS_HOSTS = frozenset(
    {
        "android.clients.google.com",
        "chromereporting-pa.googleapis.com",
        "clients1.google.com",
        "clients2.google.com",
        "clients4.google.com",
        "clientservices.googleapis.com",
        "content-autofill.googleapis.com",
        "cryptauthvault.googleapis.com",
        "mtalk.google.com",
        "optimizationguide-pa.googleapis.com",
        "passwordsleakcheck-pa.googleapis.com",
        "safebrowsing.googleapis.com",
        "safebrowsingohttpgateway.googleapis.com",
        "sb-ssl.google.com",
        "sctauditing-pa.googleapis.com",
        "update.googleapis.com",
        "webpermissionpredictions.googleapis.com",
    }
)

MAKERS_DOMAIN = ".gvt1.com"
"""Below which the updates themselves lie."""


def is_nowhere(name: str) -> bool:
    return f".{name}".endswith(f".{NOWHERE}")


def is_makers(host: str) -> bool:
    """`host` in canonical form."""
    host = host.removesuffix(".")
    return host in MAKERS_HOSTS or host.endswith(MAKERS_DOMAIN)
