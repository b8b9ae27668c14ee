"""Text typed into real applications of every toolkit arrives whole, in order, on every layout; or not at all."""

from __future__ import annotations

import asyncio
import string
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path

import pytest
from tests.environments.desktop.keyboards import (
    buttons_and_modifiers,
    keys_down,
    other_connection,
    run_on,
    set_layout,
    whole_map,
)
from tests.environments.desktop.own_windows import OwnWindows
from tests.environments.desktop.probing import bare_server
from tests.environments.desktop.toolkits import SYSTEM_PYTHON, TOOLKITS, entry, wait_until

from gui_environments.actions import MovePointer, TypeText
from gui_environments.desktop import Desktop, lending
from gui_environments.desktop.focus import find_focus, wait_for_focus
from gui_environments.desktop.work_thread import Cancellation
from gui_environments.errors import ActionFailed, ActionRefused
from gui_environments.geometry import ScreenPoint

ACCENTS = "Č Ř ß é ñ Ä ö Ü € « » “quoted” ‘single’ – — … ½ µ ª"
LITERAL = "{Enter} (x) 100% ~/ ^c +a $(touch x) `y` \\n \\\\ ${HOME} <b>&amp;</b> ctrl+a"
SCRIPTS = "日本語のテキスト，汉字漢字。 한국어 문장 שלום עולם العربية مرحبا Ελληνικά Кириллица ไทย हिन्दी"
EMOJI = "😀🎉 👍🏽 👩‍👩‍👧 ❤️ 🇩🇪 e\u0301 a\u0308\u0323 x\u00a0y \u200fאב\u200e"
IDEOGRAPHS = "".join(chr(0x4E00 + 13 * index) for index in range(340))
FIVE_HUNDRED = (SCRIPTS + EMOJI + IDEOGRAPHS + SCRIPTS)[:500]
MIXED = "aČ1日!本ß語_€-@{[|\\~" + IDEOGRAPHS[:60] + "=end"

every_toolkit = pytest.mark.parametrize("toolkit", TOOLKITS)


async def type_and_receive(desktop: Desktop, toolkit: str, folder: Path, *texts: str) -> str:
    async with entry(desktop, toolkit, folder) as application:
        for text in texts:
            await desktop.perform(TypeText(text), settle_s=0)
        return await application.received()


@every_toolkit
async def test_accents_quotes_and_all_of_ascii_arrive_literally(desktop, toolkit, tmp_path):
    texts = (ACCENTS, string.punctuation, LITERAL, string.ascii_letters, string.digits)
    assert await type_and_receive(desktop, toolkit, tmp_path, *texts) == "".join(texts)


@every_toolkit
async def test_five_hundred_characters_of_many_scripts_and_emoji_arrive(desktop, toolkit, tmp_path):
    assert len(FIVE_HUNDRED) == 500
    assert await type_and_receive(desktop, toolkit, tmp_path, FIVE_HUNDRED) == FIVE_HUNDRED


@every_toolkit
async def test_newlines_press_return_and_tabs_press_tab(desktop, toolkit, tmp_path):
    text = "one\ttwo\nthree\r\n\n日\t本\n"
    assert await type_and_receive(desktop, toolkit, tmp_path, text) == text.replace("\r\n", "\n")


@every_toolkit
async def test_the_layout_changes_nothing(desktop, toolkit, tmp_path):
    text = string.punctuation + string.digits + string.ascii_letters + MIXED
    async with entry(desktop, toolkit, tmp_path) as application:
        expected = ""
        for layout in ("us", "de", "fr", "gb", "ru"):
            set_layout(desktop, layout)
            before = whole_map(desktop)
            await desktop.perform(TypeText(text), settle_s=0)
            expected += text
            assert await application.received() == expected, layout
            assert whole_map(desktop) == before, layout


@every_toolkit
async def test_an_application_that_lags_behind_still_gets_every_character(desktop, toolkit, tmp_path):
    async with entry(desktop, toolkit, tmp_path) as application:
        async with application.sluggish():
            for _ in range(2):
                await desktop.perform(TypeText(MIXED), settle_s=0)
        assert await application.received() == 2 * MIXED


@contextmanager
def impatience(bound):
    """One of the bounds on an application's silence, short enough for a test, while it is silent."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lending, bound, 0.5)
        yield


@every_toolkit
async def test_an_application_that_does_not_answer_gets_no_part_of_such_a_text(desktop, toolkit, tmp_path):
    async with entry(desktop, toolkit, tmp_path) as application:
        before = whole_map(desktop)
        with application.stopped(), impatience("_ANSWER_S"):
            with pytest.raises(ActionRefused, match="Nothing was typed"):
                await desktop.perform(TypeText("a日"), settle_s=0)
            assert whole_map(desktop) == before
        assert await application.received() == ""
        await desktop.perform(TypeText("b本"), settle_s=0)
        assert await application.received() == "b本"


async def test_a_page_is_told_the_right_key_for_every_character(desktop, tmp_path):
    async with entry(desktop, "chromium", tmp_path) as application:
        for text in ("a日", "本é"):
            await desktop.perform(TypeText(text), settle_s=0)
        downs = [key for key in await application.keys() if key.startswith("down")]
        assert downs == ["down a", "down 日", "down 本", "down é"]


async def test_locks_and_groups_change_nothing_and_stay_as_they_were(desktop, tmp_path):
    set_layout(desktop, "us,ru", "-option", "grp:alt_shift_toggle")
    async with entry(desktop, "gtk", tmp_path) as application:
        run_on(desktop, SYSTEM_PYTHON, "-c", LOCK_CAPS_NUM_AND_SECOND_GROUP)
        before = buttons_and_modifiers(desktop)
        assert before & 0x2012 == 0x2012
        await desktop.perform(TypeText("aB1日é"), settle_s=0)
        assert buttons_and_modifiers(desktop) == before
        assert await application.received() == "aB1日é"


# Through Xlib's own XKB calls: Caps Lock (2), Num Lock (16), and the second group.
LOCK_CAPS_NUM_AND_SECOND_GROUP = """
import ctypes
xlib = ctypes.CDLL("libX11.so.6")
xlib.XOpenDisplay.restype = ctypes.c_void_p
display = ctypes.c_void_p(xlib.XOpenDisplay(None))
xlib.XkbLockModifiers(display, 0x100, 18, 18)
xlib.XkbLockGroup(display, 0x100, 1)
xlib.XSync(display, 0)
"""


async def test_a_shift_key_that_somebody_left_down_changes_nothing(desktop, tmp_path):
    async with entry(desktop, "tk", tmp_path) as application:
        with other_connection(desktop) as display:
            display.xtest_fake_input(2, 50)
            display.sync()
        assert keys_down(desktop) == [50]
        await desktop.perform(TypeText("abc日1"), settle_s=0)
        assert keys_down(desktop) == []
        assert await application.received() == "abc日1"


@pytest.mark.parametrize(
    "text", ["ab\x00c", "ab\x1b[31m", "x\x7f", "\x85", "ab\ud83d", "\udc00", "x\ufffe", "\U0001ffff", ""]
)
async def test_what_is_no_character_is_refused_before_the_first_one(desktop, tmp_path, text):
    async with entry(desktop, "tk", tmp_path) as application:
        with pytest.raises(ActionRefused):
            await desktop.perform(TypeText(text), settle_s=0)
        assert await application.received() == ""
        assert [key for key in await application.keys() if "F9" not in key] == []


async def test_characters_that_qt_would_drop_are_refused(desktop, tmp_path):
    async with entry(desktop, "qt", tmp_path) as application:
        for text in ("a\ufeff", "a\u0378", "a\u20c0"):
            with pytest.raises(ActionRefused, match="Qt"):
                await desktop.perform(TypeText(text), settle_s=0)
        assert await application.received() == ""


async def test_a_terminal_without_unicode_gets_ascii_and_refuses_the_rest(tmp_path):
    async with Desktop.open(environment={"LC_ALL": "C"}) as desktop, entry(desktop, "xterm", tmp_path) as application:
        with pytest.raises(ActionRefused, match="locale"):
            await desktop.perform(TypeText("aé"), settle_s=0)
        await desktop.perform(TypeText("plain"), settle_s=0)
        assert await application.received() == "plain"


async def test_an_application_that_shows_no_sign_of_following_gets_the_layouts_characters_only(desktop, tmp_path):
    async with entry(desktop, "bare", tmp_path) as application:
        with impatience("_ANSWER_S"), pytest.raises(ActionRefused, match="gives no sign"):
            await desktop.perform(TypeText("a日"), settle_s=0)
        await desktop.perform(TypeText("aB!"), settle_s=0)
        downs = [key for key in await application.keys() if key.startswith("down")]
        assert downs == ["down a", "down Shift_L", "down B", "down exclam"]


async def test_typing_without_a_focus_is_refused(desktop):
    with pytest.raises(ActionRefused, match="keyboard focus"):
        await desktop.perform(TypeText("abc"), settle_s=0)


async def test_a_focus_that_is_on_its_way_from_one_window_to_the_next_is_waited_for(desktop):
    """As after a dialog that has just closed."""
    windows = OwnWindows(desktop)
    window = windows.open("Next", (100, 100), (200, 100))

    class PassedOnMeanwhile(Cancellation):
        def wait(self, timeout_s):
            windows.focus(window)
            return super().wait(timeout_s)

    assert find_focus(windows.display) is None
    focus = wait_for_focus(windows.display, PassedOnMeanwhile())
    assert focus is not None
    assert focus.window == window.id
    windows.close()


async def test_without_a_window_manager_the_window_under_the_pointer_is_typed_into(tmp_path):
    with bare_server() as (display, _):
        async with Desktop.attach(display) as desktop, entry(desktop, "xterm", tmp_path) as application:
            await desktop.perform(TypeText("aé日"), settle_s=0)
            assert await application.received() == "aé日"
            await desktop.perform(MovePointer(ScreenPoint(639, 479)), settle_s=0)
            with pytest.raises(ActionRefused, match="keyboard focus"):
                await desktop.perform(TypeText("abc"), settle_s=0)


async def test_a_cancelled_text_ends_with_no_key_down_and_no_map_changed(desktop, tmp_path):
    async with entry(desktop, "tk", tmp_path) as application:
        before = whole_map(desktop)
        typing = asyncio.create_task(desktop.perform(TypeText(200 * IDEOGRAPHS), settle_s=0))
        await wait_until(lambda: whole_map(desktop) != before, "the map is changed")
        typing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await typing
        assert whole_map(desktop) == before
        assert keys_down(desktop) == []
        received = await application.received()
        assert (200 * IDEOGRAPHS).startswith(received)
        assert len(received) < 200 * len(IDEOGRAPHS)


async def test_an_application_that_stops_in_the_middle_of_a_text_is_reported_and_no_map_stays_changed(
    desktop, tmp_path
):
    async with entry(desktop, "tk", tmp_path) as application:
        before = whole_map(desktop)
        (application.folder / "stop-at").write_text(IDEOGRAPHS[5])
        with impatience("_HANDLED_S"), pytest.raises(ActionFailed, match="stopped answering"):
            await desktop.perform(TypeText(IDEOGRAPHS), settle_s=0)
        assert whole_map(desktop) == before
        assert keys_down(desktop) == []


@pytest.mark.parametrize("text", ["abc x def", "ab日x本de"])
@pytest.mark.parametrize("another_window", [False, True])
async def test_a_window_that_closes_at_a_short_text_is_reported(desktop, tmp_path, text, another_window):
    async with AsyncExitStack() as stack:
        if another_window:
            await stack.enter_async_context(entry(desktop, "gtk", tmp_path))
        application = await stack.enter_async_context(entry(desktop, "tk", tmp_path))
        (application.folder / "close-at").write_text("x")
        with pytest.raises(ActionFailed, match="closed or lost the keyboard focus"):
            await desktop.perform(TypeText(text))


async def test_a_window_that_closes_at_the_return_that_ends_a_text_has_got_the_text(desktop, tmp_path):
    async with entry(desktop, "tk", tmp_path) as application:
        (application.folder / "close-at").write_text("abc日\n")
        await desktop.perform(TypeText("abc日\n"))
        assert (application.folder / "text").read_text(encoding="utf-8") == "abc日\n"
        await application.application.wait()


async def test_a_window_that_closes_in_the_middle_of_a_text_is_reported(desktop, tmp_path):
    async with entry(desktop, "tk", tmp_path) as application:
        before = whole_map(desktop)
        (application.folder / "close-at").write_text(IDEOGRAPHS[5])
        with pytest.raises(ActionFailed, match="focus went away"):
            await desktop.perform(TypeText(IDEOGRAPHS), settle_s=0)
        assert whole_map(desktop) == before
        assert keys_down(desktop) == []
