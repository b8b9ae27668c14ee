"""The requests of the XKEYBOARD extension that typing needs and python-xlib does not have, as the protocol lays them
out. What their fields mean to us is in `xkb`."""

from __future__ import annotations

from Xlib.protocol import rq


class UseExtension(rq.ReplyRequest):  # type: ignore[misc]  # python-xlib has no types
    _request = rq.Struct(
        rq.Card8("opcode"), rq.Opcode(0), rq.RequestLength(), rq.Card16("wanted_major"), rq.Card16("wanted_minor")
    )
    _reply = rq.Struct(rq.ReplyCode(), rq.Bool("supported"), rq.Card16("sequence_number"), rq.ReplyLength(), rq.Pad(24))


class GetState(rq.ReplyRequest):  # type: ignore[misc]
    _request = rq.Struct(rq.Card8("opcode"), rq.Opcode(4), rq.RequestLength(), rq.Card16("device"), rq.Pad(2))
    _reply = rq.Struct(
        rq.ReplyCode(),
        rq.Card8("device"),
        rq.Card16("sequence_number"),
        rq.ReplyLength(),
        rq.Card8("modifiers"),
        rq.Card8("base_modifiers"),
        rq.Card8("latched_modifiers"),
        rq.Card8("locked_modifiers"),
        rq.Card8("group"),
        rq.Card8("locked_group"),
        rq.Int16("base_group"),
        rq.Int16("latched_group"),
        rq.Pad(10),
    )


class LatchLockState(rq.Request):  # type: ignore[misc]
    _request = rq.Struct(
        rq.Card8("opcode"),
        rq.Opcode(5),
        rq.RequestLength(),
        rq.Card16("device"),
        rq.Card8("affect_locks"),
        rq.Card8("locks"),
        rq.Bool("lock_group"),
        rq.Card8("locked_group"),
        rq.Card8("affect_latches"),
        rq.Card8("latches"),
        rq.Pad(1),
        rq.Bool("latch_group"),
        rq.Int16("latched_group"),
    )


class GetMap(rq.ReplyRequest):  # type: ignore[misc]
    _request = rq.Struct(
        rq.Card8("opcode"),
        rq.Opcode(8),
        rq.RequestLength(),
        rq.Card16("device"),
        rq.Card16("full"),
        rq.Pad(20),
    )
    _reply = rq.Struct(
        rq.ReplyCode(),
        rq.Card8("device"),
        rq.Card16("sequence_number"),
        rq.ReplyLength(),
        rq.Pad(7),
        rq.Card8("type_count"),
        rq.Pad(1),
        rq.Card8("first_key"),
        rq.Card16("symbol_count"),
        rq.Card8("key_count"),
        rq.Pad(19),
        rq.Binary("map"),
    )


class SetMap(rq.Request):  # type: ignore[misc]
    _request = rq.Struct(
        rq.Card8("opcode"),
        rq.Opcode(9),
        rq.RequestLength(),
        rq.Card16("device"),
        rq.Card16("present"),
        rq.Card16("flags"),
        rq.Card8("min_keycode"),
        rq.Card8("max_keycode"),
        rq.Pad(2),
        rq.Card8("first_key"),
        rq.Card8("key_count"),
        rq.Card16("symbol_count"),
        rq.Pad(18),
        rq.Binary("keys"),
    )
