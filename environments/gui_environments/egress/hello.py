"""Which host the first bytes of a TLS connection ask for. The TLS library itself reads them; nothing is answered."""

from __future__ import annotations

import ssl
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

HANDSHAKE_RECORD = 22
"""The first byte of a TLS connection."""


class NoHello(Exception):
    """What came is no TLS hello."""


class _ReadHello(ssl.SSLObject):
    server_name: str | None = None
    was_read = False


class HelloReader:
    """Takes the bytes in as many pieces as they come."""

    def __init__(self) -> None:
        self._incoming = ssl.MemoryBIO()
        end = _context().wrap_bio(self._incoming, ssl.MemoryBIO(), server_side=True)
        assert isinstance(end, _ReadHello)
        self._end = end

    def take(self, data: bytes) -> bool:
        """Whether the hello is complete now. Raises `NoHello`."""
        self._incoming.write(data)
        try:
            with _odd_names_told_once():
                self._end.do_handshake()
        except ssl.SSLWantReadError:
            return False
        except ssl.SSLError as error:
            if not self._end.was_read:
                raise NoHello(error.reason or "unreadable") from error
        return self._end.was_read

    @property
    def server_name(self) -> str | None:
        """The host's name as it was written, None where none was given, as for addresses."""
        return self._end.server_name


@cache
def _context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    # Which versions are good enough is for the host to say.
    context.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.sslobject_class = _ReadHello
    context.sni_callback = _note_name
    return context


@contextmanager
def _odd_names_told_once() -> Iterator[None]:
    """A name that is not ASCII ends the handshake, which says enough. The library would also print it as an error that
    nobody could be told of."""
    before = sys.unraisablehook

    def tell(unraisable: sys.UnraisableHookArgs) -> None:
        if unraisable.exc_type is not UnicodeDecodeError:
            before(unraisable)

    sys.unraisablehook = tell
    try:
        yield
    finally:
        sys.unraisablehook = before


def _note_name(end: ssl.SSLSocket | ssl.SSLObject, name: str | None, context: ssl.SSLContext) -> int:
    """Called by the library when it has read a hello, with or without a name in it. Ends the handshake there."""
    assert isinstance(end, _ReadHello)
    end.server_name = name
    end.was_read = True
    return int(ssl.AlertDescription.ALERT_DESCRIPTION_USER_CANCELLED)
