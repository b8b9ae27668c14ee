"""Where everything stands, in pixels: places are relative to the window's client area, whose origin is at `ORIGIN` of
the screen, unless the program is told otherwise, whatever the window manager draws around it. Nothing here depends on a
font, so that a click that hits on one machine hits on another.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A rectangle of the client area."""

    x: int
    y: int
    width: int
    height: int

    def center_on_screen(self) -> tuple[int, int]:
        return ORIGIN[0] + self.x + self.width // 2, ORIGIN[1] + self.y + self.height // 2


ORIGIN = (60, 90)
CLIENT_SIZE = (1000, 610)
FONT_FAMILY = "DejaVu Sans"
FONT_HEIGHT_PX = 12

ORDER_LIST = Place(12, 12, 976, 268)
LIST_ROW_HEIGHT_PX = 22
LIST_COLUMN_WIDTHS_PX = {
    "number": 70,
    "customer": 250,
    "article": 190,
    "quantity": 80,
    "price": 90,
    "total": 100,
    "date": 100,
    "express": 80,
}

FORM_FRAME = Place(12, 290, 976, 274)
CUSTOMER = Place(118, 312, 340, 26)
ARTICLE = Place(570, 312, 340, 26)
QUANTITY = Place(118, 348, 100, 26)
PRICE = Place(318, 348, 140, 26)
DATE = Place(570, 348, 140, 26)
EXPRESS = Place(738, 348, 172, 26)
NOTE = Place(118, 384, 792, 118)

ADD = Place(118, 518, 120, 32)
UPDATE = Place(248, 518, 120, 32)
DELETE = Place(378, 518, 120, 32)
CLEAR = Place(508, 518, 120, 32)
STATUS = Place(0, 582, 1000, 28)

DIALOG = Place(290, 170, 420, 160)
DIALOG_BUTTON_SIZE = (104, 32)
