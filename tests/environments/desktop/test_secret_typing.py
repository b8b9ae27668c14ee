"""A secret is typed into a window of an application that it is bound to, and no key of it into any other."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio
from Xlib import X

from environments.desktop.own_windows import OwnWindows
from gui_environments.actions import TypeFilled, TypeText
from gui_environments.desktop import Desktop
from gui_environments.desktop.connection import close_display, connect
from gui_environments.errors import ActionFailed, ActionRefused
from gui_environments.secrets import SecretText, WindowRule
from gui_environments.sights import ScreenExpectation

pytestmark = pytest.mark.asyncio(loop_scope="module")

VALUE = "Hunter2!x" * 8


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def desktop() -> AsyncIterator[Desktop]:
    async with Desktop.open((640, 480)) as desktop:
        yield desktop


@pytest.fixture
def windows(desktop: Desktop) -> Iterator[OwnWindows]:
    windows = OwnWindows(desktop)
    yield windows
    windows.close()


def secret_for(application: str, title: str | None = None) -> SecretText:
    return SecretText("PASSWORD", VALUE, windows=(WindowRule(application, title),))


def opened(windows: OwnWindows, title: str, left: int) -> Any:
    window = windows.open(title, (left, 100), (200, 100), managed=True)
    windows.focus(window)
    return window


async def test_it_is_typed_into_a_window_of_the_application(desktop: Desktop, windows: OwnWindows) -> None:
    window = opened(windows, "Orders", 50)
    for secret in (secret_for("orders"), secret_for("Orders", "Ord*")):
        windows.take()
        await desktop.perform(TypeFilled(("so ", secret)), settle_s=0)
        arrived = windows.wait_for(len("so " + VALUE))
        assert {at for _, at in arrived} == {window.id}


@pytest.mark.parametrize(
    "secret", [secret_for("Other"), secret_for("Orders", "Sign in"), SecretText("PASSWORD", VALUE)]
)
async def test_into_any_other_it_is_refused_and_no_key_is_pressed(
    desktop: Desktop, windows: OwnWindows, secret: SecretText
) -> None:
    opened(windows, "Orders", 50)
    with pytest.raises(ActionRefused, match="the focus is of Orders") as refused:
        await desktop.perform(TypeFilled((secret,)), settle_s=0)
    assert VALUE not in str(refused.value)
    assert windows.take() == []


async def test_what_stands_before_it_may_have_been_typed_and_that_is_said(
    desktop: Desktop, windows: OwnWindows
) -> None:
    opened(windows, "Orders", 50)
    with pytest.raises(ActionFailed, match="What stands before it was typed"):
        await desktop.perform(TypeFilled(("abc", secret_for("Other"))), settle_s=0)
    assert len(windows.wait_for(3)) == 3


async def test_no_key_of_it_goes_to_a_window_that_takes_the_focus_meanwhile(
    desktop: Desktop, windows: OwnWindows
) -> None:
    thief = windows.open("Thief", (350, 100), (200, 100), managed=True)
    window = opened(windows, "Orders", 50)
    own = connect(desktop.display, desktop.xauthority)
    theirs = own.create_resource_object("window", window.id)
    theirs.change_attributes(event_mask=X.KeyPressMask)
    own.sync()

    def take_the_focus() -> None:
        while own.next_event().type != X.KeyPress:
            pass
        own.create_resource_object("window", thief.id).set_input_focus(X.RevertToParent, X.CurrentTime)
        own.sync()

    windows.take()
    taking = threading.Thread(target=take_the_focus)
    taking.start()
    long = replace(secret_for("Orders"), value=VALUE * 20)
    with pytest.raises(ActionFailed, match="Another window came in front") as failed:
        await desktop.perform(TypeFilled((long,)), settle_s=0)
    taking.join()
    assert VALUE not in str(failed.value)
    arrived = windows.take()
    assert 1 <= len(arrived) < len(VALUE) * 20
    assert {at for _, at in arrived} == {window.id}
    close_display(own)


async def test_what_somebody_was_asked_about_is_held_to(desktop: Desktop, windows: OwnWindows) -> None:
    window = opened(windows, "Orders", 50)
    sight = await desktop.look(TypeText("{{PASSWORD}}"))
    assert isinstance(sight.expected, ScreenExpectation)
    action = TypeFilled((secret_for("Orders"),))
    windows.take()
    await desktop.perform(action, settle_s=0, expected=sight.expected)
    assert {at for _, at in windows.wait_for(len(VALUE))} == {window.id}
    opened(windows, "Orders", 350)
    windows.take()
    with pytest.raises(ActionRefused, match="in front for the keys now"):
        await desktop.perform(action, settle_s=0, expected=sight.expected)
    assert windows.take() == []
