"""Raw deflate at its quickest, by `isal` where there is a build of it and by zlib elsewhere."""

from __future__ import annotations

import importlib
import zlib
from typing import Any

try:
    library: Any = importlib.import_module("isal.isal_zlib")
except ImportError:  # no build for this machine
    library = zlib

QUICKEST = 1


def deflate(data: bytes, *, is_last: bool) -> bytes:
    """A raw deflate stream of `data`, which ends on a full flush, or with the stream's end if `is_last`."""
    deflater = library.compressobj(QUICKEST, library.DEFLATED, -library.MAX_WBITS)
    end = library.Z_FINISH if is_last else library.Z_FULL_FLUSH
    return bytes(deflater.compress(data) + deflater.flush(end))
