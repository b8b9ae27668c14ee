"""Pictures on a terminal: in kitty's way or as sixels where the terminal says that it has them, else as files whose
paths are shown. Asks the terminal within a bound, and writes nothing to one that might print it as text."""

from __future__ import annotations

import base64
import contextlib
import itertools
import os
import re
import select
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from PIL import Image, ImageDraw

from gui_environments.sights import Spot

Graphics = Literal["kitty", "sixel", "none"]

QUERY_S = 0.5
"""How long a terminal has to say what it is. One at the other end of the world takes half of it."""

WHAT_ARE_YOU = "\x1b[c"
CAN_YOU_KITTY = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\"
_IDENTITY = re.compile(rb"\x1b\[\?([0-9;]*)c")
_KITTY_YES = b"\x1b_Gi=31;OK"

_SIXELS = b"4"
"""Among the attributes a terminal answers with."""

_MUTE = frozenset({"", "dumb", "linux", "unknown"})
"""Kinds of terminal that are not even asked."""

_KITTYS = ("kitty", "ghostty", "wezterm", "konsole")
"""Who is asked about kitty's way: others may print the question."""

CHUNK_BYTES = 4096
"""What one piece of a picture in kitty's way may hold."""

COLOURS = 64
RING_PX = 9


def graphics_of(fd: int, wake_fd: int, environment: Mapping[str, str]) -> Graphics:
    """What the terminal at `fd` can show. `wake_fd` ends the wait early."""
    kind = environment.get("TERM", "")
    if kind in _MUTE:
        return "none"
    hints = (kind, environment.get("TERM_PROGRAM", ""), "konsole" if environment.get("KONSOLE_VERSION") else "")
    may_be_kitty = any(name in hint.lower() for name in _KITTYS for hint in hints)
    with _unechoed(fd) as is_terminal:
        if not is_terminal:
            return "none"
        identity = _IDENTITY.search(_answer(fd, wake_fd, WHAT_ARE_YOU))
        if identity is None:
            return "none"
        if may_be_kitty and _KITTY_YES in _answer(fd, wake_fd, CAN_YOU_KITTY + WHAT_ARE_YOU):
            return "kitty"
        return "sixel" if _SIXELS in identity[1].split(b";")[1:] else "none"


@contextlib.contextmanager
def _unechoed(fd: int) -> Iterator[bool]:
    """The terminal hands on each byte as it comes and shows none; False where `fd` is no terminal."""
    import termios  # not there on every system that the rest of the policy runs on

    try:
        before = termios.tcgetattr(fd)
    except termios.error:
        yield False
        return
    now = termios.tcgetattr(fd)
    now[3] &= ~(termios.ICANON | termios.ECHO)
    try:
        termios.tcsetattr(fd, termios.TCSANOW, now)
        yield True
    finally:
        termios.tcsetattr(fd, termios.TCSANOW, before)
        termios.tcflush(fd, termios.TCIFLUSH)


def _answer(fd: int, wake_fd: int, query: str) -> bytes:
    """What comes within `QUERY_S`, until the terminal has said what it is. Nothing from one that is stopped."""
    try:
        os.write(fd, query.encode("ascii"))
    except BlockingIOError:
        return b""
    end = time.monotonic() + QUERY_S
    answer = b""
    while _IDENTITY.search(answer) is None:
        ready, _, _ = select.select([fd, wake_fd], [], [], max(0.0, end - time.monotonic()))
        if fd not in ready:
            break
        with contextlib.suppress(BlockingIOError):
            answer += os.read(fd, CHUNK_BYTES)
    return answer


class Pictures:
    """The pictures of one question: `with Pictures(graphics, folder) as pictures`. Files are gone afterwards."""

    def __init__(self, graphics: Graphics, folder: Path | None) -> None:
        self._graphics = graphics
        self._folder = folder
        self._made: Path | None = None

    def shown(self, spots: Sequence[Spot]) -> str:
        """What to write to the terminal, with a line's end."""
        parts = []
        for number, spot in enumerate(spots, start=1):
            image = marked(spot)
            if self._graphics == "kitty":
                parts.append(kitty(image) + "\n")
            elif self._graphics == "sixel":
                parts.append(sixel(image) + "\n")
            else:
                parts.append(f"  picture: {self._file(image, number)}\n")
        return "".join(parts)

    def _file(self, image: Image.Image, number: int) -> Path:
        if self._made is None:
            if self._folder is not None:
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._made = Path(tempfile.mkdtemp(prefix="question-", dir=self._folder))
        path = self._made / f"spot-{number}.png"
        path.write_bytes(_png(image))
        return path

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._made is not None:
            shutil.rmtree(self._made, ignore_errors=True)


def marked(spot: Spot) -> Image.Image:
    """The picture with a ring around the point that is hit, seen on any ground."""
    with Image.open(BytesIO(spot.picture.data)) as opened:
        image = opened.convert("RGB")
    if spot.x is not None and spot.y is not None:
        draw = ImageDraw.Draw(image)
        for radius, colour in ((RING_PX + 1, "white"), (RING_PX, "red"), (RING_PX - 1, "white")):
            draw.ellipse((spot.x - radius, spot.y - radius, spot.x + radius, spot.y + radius), outline=colour)
    return image


def kitty(image: Image.Image) -> str:
    """In kitty's way; the terminal is told not to answer."""
    data = base64.b64encode(_png(image)).decode("ascii")
    chunks = [data[at : at + CHUNK_BYTES] for at in range(0, len(data), CHUNK_BYTES)]
    pieces = []
    for number, chunk in enumerate(chunks, start=1):
        head = "a=T,f=100,q=2," if number == 1 else ""
        pieces.append(f"\x1b_G{head}m={int(number < len(chunks))};{chunk}\x1b\\")
    return "".join(pieces)


def sixel(image: Image.Image) -> str:
    """As sixels: bands of six rows, each colour of a band drawn over the others."""
    few = image.quantize(COLOURS)
    width, height = few.size
    data, palette = few.tobytes(), few.getpalette() or []
    parts = [f'\x1bPq"1;1;{width};{height}']
    for colour in sorted(set(data)):
        red, green, blue = (round(part * 100 / 255) for part in palette[3 * colour : 3 * colour + 3])
        parts.append(f"#{colour};2;{red};{green};{blue}")
    for top in range(0, height, 6):
        rows = [data[row * width : (row + 1) * width] for row in range(top, min(top + 6, height))]
        drawn = [f"#{colour}{_band(rows, colour)}" for colour in sorted(set(b"".join(rows)))]
        parts.append("$".join(drawn) + "-")
    return "".join(parts) + "\x1b\\"


def _band(rows: Sequence[bytes], colour: int) -> str:
    """One colour's cells of a band, a character each, repeats counted."""
    bits = 0
    for number, row in enumerate(rows):
        table = bytes(1 << number if value == colour else 0 for value in range(256))
        bits |= int.from_bytes(row.translate(table))
    cells = bits.to_bytes(len(rows[0]))
    runs = ((chr(63 + cell), len(list(group))) for cell, group in itertools.groupby(cells))
    return "".join(f"!{length}{char}" if length > 3 else char * length for char, length in runs)


def _png(image: Image.Image) -> bytes:
    buffer = BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()
