"""What a terminal shows of a picture, by what it says of itself; the terminal is a thread at the other end of a real
pseudo-terminal."""

from __future__ import annotations

import asyncio
import base64
import os
import re
import select
import threading
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from gui_environments.geometry import Size
from gui_environments.pictures import Picture
from gui_environments.sights import ScreenExpectation, Sight, Spot
from gui_operator.policy import Answer, CallRequest, Terminal, TerminalApprover
from gui_operator.policy.terminal_pictures import CAN_YOU_KITTY, marked, sixel

BOUND_S = 20.0
PROMPT = b"a reason: "
IDENTITY = b"\x1b[c"


def picture(size: tuple[int, int] = (120, 50)) -> Picture:
    image = Image.new("RGB", size, "#20c060")
    image.paste("#e02020", (30, 10, 60, 40))
    image.paste("#2020e0", (100, 0, 101, 50))
    buffer = BytesIO()
    image.save(buffer, "PNG")
    return Picture(buffer.getvalue(), "image/png", Size(*size))


CALL = CallRequest(
    "browser", "left_click", "pointer", {"target": {"x": 1}},
    sight=Sight((("element", 'button "Pay"'),), ScreenExpectation(), (Spot(picture(), 20, 25),)),
)  # fmt: skip


class ShowingTerminal:
    """Answers queries as a terminal does, and types a line when it is asked for one."""

    def __init__(self, identity: bytes, kitty: bytes, line: bytes) -> None:
        self.person, asked = os.openpty()
        self._asked = asked
        self.path = os.ttyname(asked)
        self.shown = b""
        self.files: list[bytes] = []
        self._answers = {IDENTITY: identity, CAN_YOU_KITTY.encode(): kitty, PROMPT: line}
        self._over, self.end = os.pipe()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        seen = 0
        while True:
            ready, _, _ = select.select([self.person, self._over], [], [], BOUND_S)
            if self.person not in ready:
                return
            self.shown += os.read(self.person, 65536)
            while (found := self._next(seen)) is not None:
                query, seen = found
                if query == PROMPT:
                    paths = re.findall(rb"picture: (\S+)", self.shown)
                    self.files = [Path(os.fsdecode(path)).read_bytes() for path in paths]
                os.write(self.person, self._answers[query])

    def _next(self, seen: int) -> tuple[bytes, int] | None:
        places = [(self.shown.find(query, seen), query) for query in self._answers]
        at, query = min(((at, query) for at, query in places if at >= 0), default=(-1, b""))
        return None if at < 0 else (query, at + len(query))

    def close(self) -> None:
        os.close(self.end)
        self._thread.join(BOUND_S)
        for descriptor in (self.person, self._asked, self._over):
            os.close(descriptor)


@pytest.fixture
def terminal(request: pytest.FixtureRequest) -> Iterator[ShowingTerminal]:
    terminal = ShowingTerminal(*request.param)
    yield terminal
    terminal.close()


PLAIN = (b"\x1b[?62;22c", b"", b"y\n")
SIXELS = (b"\x1b[?62;4;22c", b"", b"y\n")
KITTY = (b"\x1b[?62c", b"\x1b_Gi=31;OK\x1b\\", b"y\n")
SILENT = (b"", b"", b"y\n")


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal on a busy machine is waited for."""
    monkeypatch.setattr("gui_operator.policy.terminal_pictures.QUERY_S", BOUND_S)


async def ask(terminal: ShowingTerminal, folder: Path) -> Answer:
    approver = TerminalApprover(Terminal(terminal.path, pictures=folder / "questions"))
    return await asyncio.wait_for(approver.ask(CALL), BOUND_S)


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("terminal", [SIXELS], indirect=True)
async def test_a_terminal_with_sixels_shows_the_picture(
    terminal: ShowingTerminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    assert await ask(terminal, tmp_path) == Answer(True)
    (drawn,) = re.findall(rb"\x1bPq(.*?)\x1b\\", terminal.shown, re.DOTALL)
    assert is_like(from_sixels(drawn.decode()), marked(Spot(picture(), 20, 25)))
    assert b"picture: " not in terminal.shown
    assert b"\x1b_G" not in terminal.shown


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("terminal", [KITTY], indirect=True)
async def test_a_terminal_with_kittys_graphics_shows_the_picture(
    terminal: ShowingTerminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm-kitty")
    assert await ask(terminal, tmp_path) == Answer(True)
    pieces = re.findall(rb"\x1b_G(?:a=T,f=100,q=2,)?m=[01];([^\x1b]*)\x1b", terminal.shown)
    with Image.open(BytesIO(base64.b64decode(b"".join(pieces)))) as shown:
        assert is_like(shown.convert("RGB"), marked(Spot(picture(), 20, 25)))


@pytest.mark.parametrize(
    ("terminal", "term"),
    [(PLAIN, "xterm"), (SILENT, "xterm"), (SIXELS, "dumb"), (SIXELS, "linux"), (SIXELS, "")],
    indirect=["terminal"],
)
async def test_on_any_other_terminal_the_picture_is_a_file_until_the_answer(
    terminal: ShowingTerminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, term: str
) -> None:
    monkeypatch.setenv("TERM", term)
    monkeypatch.delenv("TERM_PROGRAM", raising=False)
    monkeypatch.delenv("KONSOLE_VERSION", raising=False)
    assert await ask(terminal, tmp_path) == Answer(True)
    (shown,) = terminal.files
    with Image.open(BytesIO(shown)) as image:
        assert is_like(image.convert("RGB"), marked(Spot(picture(), 20, 25)))
    assert b"\x1bP" not in terminal.shown
    assert b"\x1b_" not in terminal.shown
    assert (b"\x1b" in terminal.shown) is (term == "xterm"), "a terminal that may print it is asked nothing"
    assert list((tmp_path / "questions").iterdir()) == []


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("terminal", [SIXELS], indirect=True)
async def test_a_terminal_is_asked_what_it_is_once(
    terminal: ShowingTerminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    approver = TerminalApprover(Terminal(terminal.path, pictures=tmp_path))
    for _ in range(2):
        assert await asyncio.wait_for(approver.ask(CALL), BOUND_S) == Answer(True)
    assert terminal.shown.count(IDENTITY) == 1


@pytest.mark.parametrize("size", [(1, 1), (7, 5), (240, 120), (33, 13)])
def test_sixels_show_every_pixel(size: tuple[int, int]) -> None:
    drawn = sixel(Image.open(BytesIO(picture(size).data)).convert("RGB"))
    assert is_like(from_sixels(drawn.removeprefix("\x1bPq").removesuffix("\x1b\\")), marked(Spot(picture(size))))


def is_like(one: Image.Image, other: Image.Image) -> bool:
    """The same, but for what a palette and percentages lose."""
    assert one.size == other.size
    return max(high for _, high in ImageChops.difference(one, other).getextrema()) < 16


def from_sixels(text: str) -> Image.Image:
    width, height = map(int, re.match(r'"1;1;(\d+);(\d+)', text).groups())  # type: ignore[union-attr]
    image = Image.new("RGB", (width, height), "magenta")
    colours: dict[int, tuple[int, ...]] = {}
    x = y = colour = 0
    tokens = re.findall(r"#\d+;2;\d+;\d+;\d+|#\d+|!\d+.|[?-~]|[$-]", re.sub(r'^"[\d;]+', "", text))
    for token in tokens:
        if match := re.fullmatch(r"#(\d+);2;(\d+);(\d+);(\d+)", token):
            number, *parts = map(int, match.groups())
            colours[number] = tuple(round(part * 255 / 100) for part in parts)
        elif token.startswith("#"):
            colour = int(token[1:])
        elif token == "$":
            x = 0
        elif token == "-":
            x, y = 0, y + 6
        else:
            count = int(token[1:-1]) if token.startswith("!") else 1
            rows = [row for row in range(6) if ord(token[-1]) - 63 >> row & 1]
            for column in range(x, x + count):
                for row in rows:
                    image.putpixel((column, y + row), colours[colour])
            x += count
    return image
