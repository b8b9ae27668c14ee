"""What changed on the screen since it was last asked, told by the X server (DAMAGE and XFIXES). Blocking; used on the
connection's thread only. Judges nothing: `settling` does.

The server adds up the changed region by itself and sends one event when it stops being empty. So an idle worker costs
nothing beside a busy screen, where one event a drawing would pile up by the thousand.
"""

from __future__ import annotations

import select
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from Xlib import X
from Xlib.ext import damage, xfixes
from Xlib.protocol import rq, structs

from gui_environments.geometry import ScreenRegion

REGIONS_SINCE_VERSION = 2
"""Of XFIXES."""


class _CreateRegion(rq.Request):  # type: ignore[misc]  # python-xlib has no types
    _request = rq.Struct(
        rq.Card8("opcode"),
        rq.Opcode(5),
        rq.RequestLength(),
        rq.Card32("region"),
        rq.List("rectangles", structs.Rectangle),
    )


class _FetchRegion(rq.ReplyRequest):  # type: ignore[misc]
    _request = rq.Struct(rq.Card8("opcode"), rq.Opcode(19), rq.RequestLength(), rq.Card32("region"))
    _reply = rq.Struct(
        rq.ReplyCode(),
        rq.Pad(1),
        rq.Card16("sequence_number"),
        rq.ReplyLength(),
        rq.Object("extents", structs.Rectangle),
        rq.Pad(16),
        rq.List("rectangles", structs.Rectangle),
    )


@dataclass(frozen=True, slots=True)
class ScreenDamage:
    """The damage of the whole screen. Made by `watch_screen`, and kept for the life of the connection."""

    display: Any
    damage_id: int
    region_id: int

    def take(self) -> Sequence[ScreenRegion]:
        """What changed since the last call. One round trip."""
        self._drop_events()
        opcode = self.display.display.get_extension_major(xfixes.extname)
        self.display.damage_subtract(self.damage_id, X.NONE, self.region_id)
        reply = _FetchRegion(display=self.display.display, opcode=opcode, region=self.region_id)
        return [ScreenRegion(r.x, r.y, r.x + r.width, r.y + r.height) for r in reply.rectangles]

    def wait(self, timeout_s: float) -> bool:
        """Whether something has changed since the last `take`; waits for it at most `timeout_s`."""
        if self._has_event():
            return True
        ready, _, _ = select.select([self.display.fileno()], [], [], timeout_s)
        return bool(ready) and self._has_event()

    def _has_event(self) -> bool:
        """Reads what has arrived. Events of other kinds are dropped: nobody waits for them on this connection."""
        while self.display.pending_events():
            event = self.display.next_event()
            if event.type == self.display.extension_event.DamageNotify and event.damage == self.damage_id:
                return True
        return False

    def _drop_events(self) -> None:
        """Events read before a region is taken speak of what it will contain. One that comes later than that may speak
        of what comes after, and is kept."""
        while self.display.pending_events():
            self.display.next_event()


def watch_screen(display: Any) -> ScreenDamage | None:
    """Begin to watch; None when the server lacks DAMAGE or XFIXES regions."""
    if not (display.has_extension(damage.extname) and display.has_extension(xfixes.extname)):
        return None
    # Both extensions answer only clients that have asked for their version.
    display.damage_query_version()
    if display.xfixes_query_version().major_version < REGIONS_SINCE_VERSION:
        return None
    damage_id = display.screen().root.damage_create(damage.DamageReportNonEmpty)
    region_id = display.display.allocate_resource_id()
    opcode = display.display.get_extension_major(xfixes.extname)
    _CreateRegion(display=display.display, opcode=opcode, region=region_id, rectangles=[])
    watched = ScreenDamage(display, damage_id, region_id)
    watched.take()  # a new damage object reports the whole screen
    return watched
