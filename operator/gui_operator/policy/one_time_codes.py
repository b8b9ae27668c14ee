"""One-time codes (RFC 6238) from a seed: base32, or an `otpauth://totp/` address as it stands in a QR code."""

from __future__ import annotations

import binascii
import re
import time

import pyotp

LEFT_S = 3.0
"""A code that is good for less than this is not used: it would be over before the form is sent."""


class NoSeed(Exception):
    """The value makes no codes. The message is for a model, and holds nothing of the value."""


def timer_of(value: str) -> pyotp.TOTP:
    """Raises `NoSeed`."""
    text = value.strip()
    try:
        if text.lower().startswith("otpauth://"):
            parsed = pyotp.parse_uri(text)
            if not isinstance(parsed, pyotp.TOTP):
                raise NoSeed("it is a seed of counted codes, not of codes by the time.")
            timer = parsed
        else:
            timer = pyotp.TOTP(re.sub(r"[\s-]", "", text).upper())
        timer.at(0)
    except (ValueError, binascii.Error):
        # Without its cause, which may show the value.
        raise NoSeed("it is no seed of one-time codes, which is base32 or an otpauth:// address.") from None
    return timer


def seed_of(value: str) -> str:
    """The seed inside an address, for it to be kept from sight as well. Raises `NoSeed`."""
    seed: str = timer_of(value).secret
    return seed


def code_at(value: str, now_s: float) -> tuple[str, float]:
    """The code of that moment, and for how many seconds it is good still. Raises `NoSeed`."""
    timer = timer_of(value)
    return timer.at(int(now_s)), timer.interval - now_s % timer.interval


def wait_for_code_s(value: str, now_s: float) -> float:
    """How long to wait until there is a code that is good for a while."""
    _, left_s = code_at(value, now_s)
    return 0.0 if left_s >= LEFT_S else left_s


def now_s() -> float:
    return time.time()
