"""Which window the keys go to, and what is known about the application behind it. Looks only; changes no focus."""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import Enum
from typing import Any

import Xlib.error
from Xlib import X
from Xlib.ext import res

from gui_environments.desktop.properties import read_property
from gui_environments.desktop.work_thread import Cancellation

_ATTEMPTS = 5
"""A window may vanish between two questions about it; the next look finds what has the focus then."""


PASSED_ON_S = 3.0
"""How long the focus may be on its way from a window that closes to the next one. It takes milliseconds on a machine
that is not loaded."""

_LOOK_S = 0.01


class Kind(Enum):
    """How an application shows that it has handled everything sent to it before (see `evidence`)."""

    ANSWERS_PING = "answers _NET_WM_PING"
    JAVA = "asks for the symbols of every key it is given"
    OTHER = "may read the keyboard map when told that it changed, as programs of the X Toolkit do"


@dataclass(frozen=True, slots=True)
class Focus:
    """`window` is where the keys go, `top_level` the application's window around it. Window numbers."""

    window: int
    top_level: int
    kind: Kind
    is_qt: bool
    locale: str | None
    """The locale it says it runs in, where it says so."""


def find_focus(display: Any) -> Focus | None:
    """None when nothing on the screen would receive a key."""
    for _ in range(_ATTEMPTS):
        try:
            return _look(display)
        except (Xlib.error.BadWindow, Xlib.error.BadDrawable):
            continue
    return None


def wait_for_focus(display: Any, cancellation: Cancellation) -> Focus | None:
    """Like `find_focus`, but for a focus that is on its way too."""
    end = time.monotonic() + PASSED_ON_S
    while (focus := find_focus(display)) is None:
        if time.monotonic() >= end or cancellation.wait(_LOOK_S):
            return None
    return focus


def is_of_same_client(display: Any, one: Focus, other: Focus) -> bool:
    mask: int = display.display.info.resource_id_mask
    return one.window & ~mask == other.window & ~mask


def exists(display: Any, window: int) -> bool:
    try:
        _window(display, window).get_attributes()
    except Xlib.error.BadWindow:
        return False
    return True


def clients_of_same_process(display: Any, focus: Focus) -> list[int]:
    """The resource bases of all connections of the focused window's process, its own first. Where the server cannot
    tell (a process on another machine, an old server): its own alone."""
    mask = display.display.info.resource_id_mask
    own: int = focus.window & ~mask
    if not display.query_extension(res.extname):
        return [own]
    try:
        answer = display.res_query_client_ids([{"client": 0, "mask": res.LocalClientPIDMask}])
    except Xlib.error.XError:
        return [own]
    processes = {each.spec.client & ~mask: each.value[0] for each in answer.ids if each.value}
    process = processes.get(own)
    return [own, *(base for base, pid in processes.items() if pid == process is not None and base != own)]


def _look(display: Any) -> Focus | None:
    window = _receiver(display)
    if window is None:
        return None
    ancestors = _ancestors(display, window)
    top_level = next((each for each in ancestors if read_property(each, "WM_STATE")), None)
    if top_level is None:
        # No window manager, or a window it does not manage. Window managers keep the focus on a window of their own,
        # off the screen, while no application has it.
        top_level = ancestors[-1]
        if not _is_on_screen(display, top_level):
            return None
    if window.get_attributes().map_state != X.IsViewable:
        return None
    return Focus(
        window.id,
        top_level.id,
        _kind(display, ancestors, top_level),
        is_qt=read_property(top_level, "_XEMBED_INFO") is not None,
        locale=_text(top_level, "WM_LOCALE_NAME"),
    )


def _receiver(display: Any) -> Any | None:
    """The window the server would send a key to. With the focus at the root (or following the pointer) that is the
    window under the pointer."""
    root = display.screen().root
    focus = display.get_input_focus().focus
    if focus == X.NONE:
        return None
    if focus != X.PointerRoot and focus.id != root.id:
        return focus
    window, inner = None, root.query_pointer().child
    while inner != X.NONE:
        window, inner = inner, inner.query_pointer().child
    return window


def _ancestors(display: Any, window: Any) -> list[Any]:
    """`window` and what is around it, the root left out."""
    root = display.screen().root.id
    chain = [window]
    while (parent := chain[-1].query_tree().parent) != X.NONE and parent.id != root:
        chain.append(parent)
    return chain


def _is_on_screen(display: Any, window: Any) -> bool:
    shape, screen = window.get_geometry(), display.screen()
    return bool(
        shape.x < screen.width_in_pixels
        and shape.y < screen.height_in_pixels
        and shape.x + shape.width > 0
        and shape.y + shape.height > 0
    )


def _kind(display: Any, ancestors: list[Any], top_level: Any) -> Kind:
    if any(_is_javas(each.get_wm_class()) for each in ancestors):
        return Kind.JAVA
    protocols = read_property(top_level, "WM_PROTOCOLS")
    ping = display.intern_atom("_NET_WM_PING")
    if (protocols is not None and ping in protocols.value) or _is_tks(display, top_level):
        return Kind.ANSWERS_PING
    # Never ping what does not say that it answers: xterm takes any message of the window manager as the order to close.
    return Kind.OTHER


def _is_javas(wm_class: tuple[str, str] | None) -> bool:
    """Java gives the focus to a small window of its own inside the frame, or names its windows after its classes."""
    return wm_class is not None and (wm_class[1] == "FocusProxy" or wm_class[0].startswith("sun-awt-X11-"))


def _is_tks(display: Any, top_level: Any) -> bool:
    """Tk answers pings without saying so. Its applications are listed on the root window with a window of theirs each;
    lists outlive applications, so that window has to be there and be Tk's."""
    registry = read_property(display.screen().root, "InterpRegistry")
    if registry is None:
        return False
    mask = display.display.info.resource_id_mask
    for entry in bytes(registry.value).split(b"\0"):
        number = entry.split(b" ", 1)[0]
        try:
            window = int(number, 16)
        except ValueError:
            continue
        if window & ~mask == top_level.id & ~mask:
            try:
                named = read_property(_window(display, window), "TK_APPLICATION")
            except Xlib.error.BadWindow:
                continue
            if named is not None:
                return True
    return False


def _text(window: Any, name: str) -> str | None:
    found = read_property(window, name)
    return None if found is None else bytes(found.value).decode("latin-1")


def _window(display: Any, number: int) -> Any:
    return display.create_resource_object("window", number)
