"""The connection to an X server: what python-xlib gets wrong of errors and properties."""

from __future__ import annotations

import threading
import time

import pytest
from tests.environments.desktop.probing import WITHIN_S, bare_server
from Xlib import X, Xatom
from Xlib.error import BadValue, BadWindow

from gui_environments.desktop.connection import close_display, connect
from gui_environments.desktop.properties import read_property


def test_errors_of_the_core_protocol_keep_their_names() -> None:
    """RANDR of python-xlib takes the numbers of the first three for its own."""
    with bare_server() as (name, _):
        display = connect(name)
        window = display.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
        window.change_property(Xatom.WM_NAME, Xatom.STRING, 8, b"short")
        with pytest.raises(BadValue):
            window.get_property(Xatom.WM_NAME, X.AnyPropertyType, 1000, 1)
        window.destroy()
        with pytest.raises(BadWindow):
            read_property(window, "WM_NAME")
        close_display(display)


def test_a_property_that_changes_is_read_as_it_was_at_one_moment() -> None:
    values = {b"a" * 50, b"b" * 4000, b"c" * 60, b""}
    with bare_server() as (name, _):
        ours, theirs = connect(name), connect(name)
        window = ours.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
        ours.sync()
        done = threading.Event()

        def change() -> None:
            same = theirs.create_resource_object("window", window.id)
            while not done.is_set():
                for value in values:
                    same.change_property(Xatom.WM_NAME, Xatom.STRING, 8, value)
                    theirs.sync()

        changing = threading.Thread(target=change)
        changing.start()
        seen: set[bytes] = set()
        give_up_at = time.monotonic() + WITHIN_S
        try:
            while seen < values and time.monotonic() < give_up_at:
                found = read_property(window, "WM_NAME")
                seen |= {bytes(found.value)} if found is not None else set()
        finally:
            done.set()
            changing.join()
            close_display(theirs)
            close_display(ours)
        assert seen == values
