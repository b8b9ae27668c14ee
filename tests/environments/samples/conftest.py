"""The order program on a desktop of its own, worked as a person works it: by pointer and keyboard."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from Xlib.error import BadWindow

from gui_environments.actions import Click, PressKeys, TypeText
from gui_environments.desktop import Desktop
from gui_environments.desktop.connection import connect
from gui_environments.desktop.properties import read_property
from gui_environments.geometry import ScreenPoint
from gui_environments.samples.orders import layout
from gui_environments.samples.orders.layout import Place

LONGEST_WAIT_S = 20.0


@dataclass
class OrdersAtWork:
    desktop: Desktop
    path: Path
    display: Any

    async def click(self, place: Place, count: int = 1) -> None:
        await self.desktop.perform(Click(count=count, at=ScreenPoint(*place.center_on_screen())))

    async def type_into(self, place: Place, text: str) -> None:
        await self.click(place)
        await self.press("ctrl+slash" if place != layout.NOTE else "ctrl+a")
        await self.desktop.perform(TypeText(text))

    async def press(self, chord: str) -> None:
        await self.desktop.perform(PressKeys(chord))

    async def choose_row(self, index: int) -> None:
        """A click on a row of the list, counted from 0; the heading is as high as a row."""
        x, y = layout.ORIGIN[0] + layout.ORDER_LIST.x + 200, layout.ORIGIN[1] + layout.ORDER_LIST.y
        row_px = layout.LIST_ROW_HEIGHT_PX
        await self.desktop.perform(Click(at=ScreenPoint(x, y + 20 + row_px * index + row_px // 2)))

    async def fill_in(self, **fields: str) -> None:
        places = {
            "customer": layout.CUSTOMER,
            "article": layout.ARTICLE,
            "quantity": layout.QUANTITY,
            "price": layout.PRICE,
            "day": layout.DATE,
            "note": layout.NOTE,
        }
        for name, text in fields.items():
            await self.type_into(places[name], text)

    def titles(self) -> list[str]:
        """The titles of the windows that the window manager shows."""
        root = self.display.screen().root
        listed = read_property(root, "_NET_CLIENT_LIST")
        titles = []
        for identifier in listed.value if listed is not None else ():
            window = self.display.create_resource_object("window", identifier)
            with contextlib.suppress(BadWindow):  # it closed meanwhile
                name = read_property(window, "_NET_WM_NAME")
                titles.append(name.value.decode() if name is not None else "")
        return titles

    async def wait_for_titles(self, *wanted: str) -> None:
        await until(lambda: sorted(self.titles()) == sorted(wanted), lambda: f"the windows are {self.titles()}")

    def saved(self) -> list[dict[str, Any]]:
        orders: list[dict[str, Any]] = json.loads(self.path.read_text(encoding="utf-8"))["orders"]
        return orders


async def until(holds: Callable[[], bool], otherwise: Callable[[], str]) -> None:
    try:
        async with asyncio.timeout(LONGEST_WAIT_S):
            while not holds():  # noqa: ASYNC110  # another process makes it hold
                await asyncio.sleep(0.01)
    except TimeoutError:
        pytest.fail(otherwise())


@pytest.fixture
async def open_orders(tmp_path: Path) -> AsyncIterator[Callable[..., Awaitable[OrdersAtWork]]]:
    """Starts the program on `orders.json` of the test's folder, on a new desktop."""
    path = tmp_path / "orders.json"
    command = [sys.executable, "-m", "gui_environments.samples.orders", "--file", str(path)]
    async with Desktop.open(screen=(1280, 800)) as desktop:

        async def start(at: tuple[int, int] | None = None) -> OrdersAtWork:
            await desktop.start_application([*command, "--at", f"{at[0]},{at[1]}"] if at else command)
            work = OrdersAtWork(desktop, path, display)
            await until(lambda: work.titles() != [], lambda: "the program shows no window")
            origin = at or layout.ORIGIN
            await until(lambda: client_origin(display) == origin, lambda: f"it is at {client_origin(display)}")
            return work

        display = await asyncio.to_thread(connect, desktop.display, desktop.xauthority)
        yield start
        display.close()


def client_origin(display: Any) -> tuple[int, int] | None:
    """Where the client area under the menu starts on the screen: Tk's own window inside its wrapper."""
    root = display.screen().root
    listed = read_property(root, "_NET_CLIENT_LIST")
    if listed is None or not len(listed.value):
        return None
    wrapper = display.create_resource_object("window", listed.value[0])
    width_px, height_px = layout.CLIENT_SIZE
    for child in wrapper.query_tree().children:
        geometry = child.get_geometry()
        if (geometry.width, geometry.height) == (width_px, height_px):
            place = root.translate_coords(child, 0, 0)
            return place.x, place.y
    return None
