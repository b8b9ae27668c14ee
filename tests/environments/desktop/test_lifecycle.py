"""A desktop starts ready, keeps to itself, and leaves nothing, however it ends."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import stat
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from gui_environments.actions import Click, HoldKeys
from gui_environments.desktop import Desktop
from gui_environments.desktop.connection import connect
from gui_environments.desktop.properties import read_property
from gui_environments.desktop.xvfb import read_display_number, write_cookie, xvfb_arguments
from gui_environments.errors import ActionFailed, ActionRefused, EnvironmentDied, EnvironmentUnavailable
from gui_environments.geometry import ScreenPoint, Size
from gui_environments.processes.proc import descendants, parent_of, processes_below
from gui_environments.processes.tree import ProcessTree

TK_WINDOW = ["/usr/bin/python3", "-c", "import tkinter; tkinter.Tk().mainloop()"]


async def until(condition, within_s: float = 20.0) -> None:
    async with asyncio.timeout(within_s):
        while not condition():  # noqa: ASYNC110 - nothing announces what is waited for
            await asyncio.sleep(0.01)


def socket_of(display: str) -> Path:
    return Path(f"/tmp/.X11-unix/X{display.removeprefix(':')}")


def is_stale(display: str) -> bool:
    """Whether a socket is there that nobody listens to. Others on this machine may take a number that became free."""
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(str(socket_of(display)))
        except FileNotFoundError:
            return False
        except ConnectionRefusedError:
            return True
        return False


def is_alive(pid: int) -> bool:
    return parent_of(pid) is not None


def exists(path: Path) -> bool:
    return path.exists()


def titles(desktop: Desktop) -> list[str]:
    """Of the windows that the window manager manages."""
    display = connect(desktop.display, desktop.xauthority)
    try:
        listed = read_property(display.screen().root, "_NET_CLIENT_LIST")
        windows = (
            [] if listed is None else [display.create_resource_object("window", window) for window in listed.value]
        )
        return [window.get_wm_name() for window in windows]
    finally:
        display.close()


def program_of(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/comm").read_text().strip()
    return ""


def members_of(desktop: Desktop) -> dict[str, int]:
    """The pid of each program of the desktop, by its name."""
    return {program_of(pid): pid for pid in desktop.process_ids()}


LeftBehind = Callable[[], list[int]]


@pytest.fixture
def left_behind() -> LeftBehind:
    """The pids of what was started since the test began; applications that other tests share go on meanwhile."""
    earlier = {process.identity for process in processes_below(os.getpid())}
    return lambda: [process.pid for process in processes_below(os.getpid(), sparing=earlier)]


async def test_a_desktop_has_the_screen_that_was_asked_for() -> None:
    async with Desktop.open(screen=(1000, 700)) as desktop:
        assert desktop.screen == Size(1000, 700)
        assert (await desktop.capture()).size == Size(1000, 700)
    async with Desktop.open(screen=Size(640, 480)) as desktop:
        assert desktop.screen == Size(640, 480)


async def test_a_desktop_is_ready_with_its_applications_windows() -> None:
    async with Desktop.open(apps=[["xterm", "-T", "first window"], TK_WINDOW]) as desktop:
        assert sorted(titles(desktop)) == ["first window", "tk"]


async def test_an_application_started_later_shows_its_window_before_the_call_returns(desktop: Desktop) -> None:
    application = await desktop.start_application(["xterm", "-T", "$(date) 'as it is'"])
    assert titles(desktop) == ["$(date) 'as it is'"]
    assert application.returncode is None


async def test_an_application_that_ends_in_peace_is_no_error(desktop: Desktop) -> None:
    application = await desktop.start_application(["true"])
    assert application.returncode == 0


async def test_an_application_that_is_not_there_refuses_the_start_and_leaves_nothing(left_behind: LeftBehind) -> None:
    with pytest.raises(EnvironmentUnavailable, match=r"no program no-such-program"):
        async with Desktop.open(apps=[["xterm"], ["no-such-program"]]):
            pass
    assert not left_behind()


async def test_an_application_that_fails_at_once_refuses_the_start_with_what_it_said() -> None:
    with pytest.raises(EnvironmentUnavailable, match=r"(?s)exit status 3.*the reason"):
        async with Desktop.open(apps=[["sh", "-c", "echo the reason >&2; exit 3"]]):
            pass


async def test_a_later_application_that_fails_is_an_error_of_its_own(desktop: Desktop) -> None:
    with pytest.raises(ActionRefused, match=r"no program no-such-program"):
        await desktop.start_application(["no-such-program"])
    with pytest.raises(ActionFailed, match=r"(?s)exit status 4.*what it said"):
        await desktop.start_application(["sh", "-c", "echo what it said; exit 4"])
    await desktop.start_application(["xterm", "-T", "goes on"])
    assert titles(desktop) == ["goes on"]


async def test_applications_get_a_short_list_of_variables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret")
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/user/0/bus")
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    monkeypatch.setenv("HTTPS_PROXY", "http://user:password@proxy.test")
    monkeypatch.setenv("LC_ALL", "POSIX")
    async with Desktop.open(environment={"GIVEN": "yes"}, workdir=tmp_path) as desktop:
        application = await desktop.start_application(["sh", "-c", "env; pwd; exit 0"])
        said = application.last_lines(100).splitlines()
        variables = dict(line.split("=", 1) for line in said if "=" in line)
        assert str(tmp_path) in said
        assert variables["DISPLAY"] == desktop.display
        assert variables["XAUTHORITY"] == str(desktop.xauthority)
        assert variables["GIVEN"] == "yes"
        assert variables["LANG"] == "C.UTF-8"
        assert not {"ANTHROPIC_API_KEY", "WAYLAND_DISPLAY", "HTTPS_PROXY", "LC_ALL"} & variables.keys()
        assert variables["DBUS_SESSION_BUS_ADDRESS"] == "disabled:"
        for pid in (*desktop.process_ids(), parent_of(desktop.process_ids()[0])):
            assert b"secret" not in Path(f"/proc/{pid}/environ").read_bytes()


async def test_only_who_has_the_cookie_gets_in(desktop: Desktop) -> None:
    with pytest.raises(EnvironmentUnavailable):
        connect(desktop.display, Path("/dev/null"))
    assert desktop.xauthority is not None
    assert stat.S_IMODE(desktop.xauthority.stat().st_mode) == 0o600
    assert stat.S_IMODE(desktop.xauthority.parent.stat().st_mode) == 0o700


async def test_the_server_does_not_listen_on_the_network(desktop: Desktop) -> None:
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", 6000 + int(desktop.display.removeprefix(":")))


async def test_closing_leaves_no_process_and_no_file(left_behind: LeftBehind) -> None:
    # A daemon in another session and a process that ignores the polite signal are part of it.
    async with Desktop.open(
        apps=[["xterm", "-e", "sh", "-c", "(setsid sleep 1000 &) ; trap '' HUP TERM; cat"]]
    ) as desktop:
        await until(lambda: "sleep" in members_of(desktop))
        pids, display, directory = desktop.process_ids(), desktop.display, desktop.xauthority.parent
        assert exists(socket_of(display))
        Path(desktop.environment["TMPDIR"], "left behind").touch()
    assert not [pid for pid in pids if is_alive(pid)]
    assert not left_behind()
    assert not is_stale(display)
    assert not exists(directory)


async def test_a_killed_display_is_said_at_once_with_its_last_words_and_the_next_one_starts_clean(
    left_behind: LeftBehind,
) -> None:
    async with Desktop.open(apps=[["xterm"]]) as desktop:
        display = desktop.display
        held = asyncio.ensure_future(desktop.perform(HoldKeys("shift", 60)))
        waited = asyncio.ensure_future(desktop.start_application(["sleep", "1000"], window_within_s=60))
        await desktop.pointer_position()
        os.kill(members_of(desktop)["Xvfb"], signal.SIGKILL)
        async with asyncio.timeout(5):
            for call in (held, waited):
                with pytest.raises(EnvironmentDied, match="is gone: its X server ended by signal 9"):
                    await call
        for call in (
            lambda: desktop.capture(),
            lambda: desktop.pointer_position(),
            lambda: desktop.perform(Click(at=ScreenPoint(1, 1))),
            lambda: desktop.start_application(["xterm"]),
        ):
            with pytest.raises(EnvironmentDied, match="is gone"):
                await call()
    assert not left_behind()
    assert not is_stale(display)
    async with Desktop.open() as desktop:
        assert (await desktop.capture()).data


async def test_a_call_that_finds_the_display_dead_before_anyone_noticed_says_so(desktop: Desktop) -> None:
    os.kill(members_of(desktop)["Xvfb"], signal.SIGKILL)
    with pytest.raises(EnvironmentDied, match="ended by signal 9"):
        await desktop.perform(Click(at=ScreenPoint(1, 1)))


async def test_a_screen_larger_than_the_protocol_carries_is_refused() -> None:
    with pytest.raises(EnvironmentUnavailable, match="at most 32767 pixels a side, and 32768x10 was asked for"):
        async with Desktop.open(screen=(32768, 10)):
            pass


async def test_a_server_that_does_not_start_is_refused_with_what_it_said(
    tmp_path: Path, left_behind: LeftBehind
) -> None:
    server = tmp_path / "Xvfb"
    server.write_text('#!/bin/sh\nexec /usr/bin/Xvfb "$@" -no-such-option\n')
    server.chmod(0o755)
    with pytest.raises(EnvironmentUnavailable, match=r"(?s)did not start.*It said:.*no-such-option"):
        async with Desktop.open(environment={"PATH": f"{tmp_path}:/usr/bin:/bin"}):
            pass
    assert not left_behind()


@pytest.mark.parametrize("program", ["Xvfb", "openbox"])
async def test_a_missing_program_is_named_with_the_command_that_mends_it(
    program: str, tmp_path: Path, left_behind: LeftBehind
) -> None:
    for name in ("Xvfb", "openbox"):
        if name != program:
            (tmp_path / name).symlink_to(f"/usr/bin/{name}")
    with pytest.raises(EnvironmentUnavailable, match=rf"{program} is not installed.*apt-get install {program.lower()}"):
        async with Desktop.open(environment={"PATH": str(tmp_path)}):
            pass
    assert not left_behind()


async def test_ten_desktops_open_and_close_at_once(left_behind: LeftBehind) -> None:
    opened = asyncio.Barrier(10)

    async def use() -> str:
        async with Desktop.open(screen=(320, 240)) as desktop:
            await opened.wait()
            await desktop.capture()
            return desktop.display

    displays = await asyncio.gather(*(use() for _ in range(10)))
    assert len(set(displays)) == 10
    assert not any(is_stale(display) for display in displays)
    assert not left_behind()


@pytest.mark.parametrize("yields", [0, 1, 2, 3, 5, 8, 13, 21, 34, 55])
async def test_cancelling_at_any_moment_of_the_start_leaves_nothing(yields: int, left_behind: LeftBehind) -> None:
    async def use() -> None:
        async with Desktop.open(apps=[["xterm"]]):
            await asyncio.Event().wait()

    using = asyncio.ensure_future(use())
    for _ in range(yields):
        await asyncio.sleep(0)
    using.cancel()
    with pytest.raises(asyncio.CancelledError):
        await using
    assert not left_behind()


OWNER = """
import asyncio, os, sys
from gui_environments.desktop import Desktop

async def main():
    async with Desktop.open(apps=[["xterm", "-e", "sh", "-c", "(setsid sleep 1000 &); cat"]]) as desktop:
        print(desktop.display, desktop.xauthority, flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
async def test_nothing_outlives_a_killed_process_of_ours(number: signal.Signals) -> None:
    owner = await asyncio.create_subprocess_exec(
        sys.executable, "-c", OWNER, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        assert owner.stdout is not None
        display, xauthority = (await owner.stdout.readline()).decode().split()
        pids = descendants(owner.pid)
    finally:
        owner.send_signal(number)
        await owner.wait()
    await until(lambda: not any(is_alive(pid) for pid in pids))
    await until(lambda: not exists(Path(xauthority).parent))
    assert not is_stale(display)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
@pytest.mark.parametrize("moment", ["Xvfb", "openbox", "xterm"])
async def test_nothing_outlives_a_process_of_ours_that_is_killed_while_it_starts(
    number: signal.Signals, moment: str, tmp_path: Path
) -> None:
    owner = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        OWNER,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        await until(lambda: moment in [program_of(pid) for pid in descendants(owner.pid)])
        pids = descendants(owner.pid)
    finally:
        owner.send_signal(number)
        await owner.wait()
    await until(lambda: not any(is_alive(pid) for pid in pids))
    await until(lambda: not list(tmp_path.iterdir()))


async def test_attaching_to_a_display_starts_and_ends_nothing_of_it(desktop: Desktop) -> None:
    before = desktop.process_ids()
    async with Desktop.attach(desktop.display, desktop.xauthority, apps=[["xterm", "-T", "attached"]]) as attached:
        assert attached.screen == desktop.screen
        assert titles(desktop) == ["attached"]
        await attached.perform(Click(at=ScreenPoint(700, 500)))
        assert await desktop.pointer_position() == ScreenPoint(700, 500)
    assert desktop.process_ids() == before
    await until(lambda: titles(desktop) == [])
    assert (await desktop.capture()).data


async def test_attaching_where_there_is_no_display_or_no_right_to_it_is_refused(desktop: Desktop) -> None:
    with pytest.raises(EnvironmentUnavailable, match="Cannot connect to the X display :999"):
        async with Desktop.attach(":999"):
            pass
    with pytest.raises(EnvironmentUnavailable, match="Cannot connect"):
        async with Desktop.attach(desktop.display, Path("/dev/null")):
            pass


async def test_an_attached_display_that_dies_is_said(desktop: Desktop) -> None:
    async with Desktop.attach(desktop.display, desktop.xauthority) as attached:
        os.kill(members_of(desktop)["Xvfb"], signal.SIGKILL)
        for call in (attached.capture, attached.pointer_position):
            with pytest.raises(EnvironmentDied, match="gone"):
                await call()


@asynccontextmanager
async def plain_display(directory: Path, *arguments: str) -> AsyncIterator[tuple[str, Path]]:
    """An X server without a window manager, as somebody else may have started it; its name and its cookie."""
    cookies = write_cookie(directory / "cookies")
    read_fd, write_fd = os.pipe()
    async with ProcessTree.open() as tree:
        await tree.start(
            [*xvfb_arguments(Size(640, 480), cookies), *arguments], environment=dict(os.environ), stdout=write_fd
        )
        os.close(write_fd)
        number = await read_display_number(read_fd)
        os.close(read_fd)
        yield f":{number}", cookies


async def test_attaching_says_what_the_display_does_without(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with (
        plain_display(tmp_path, "-extension", "DAMAGE") as (display, cookies),
        Desktop.attach(display, cookies, apps=[["xterm"]]) as desktop,
    ):
        await desktop.perform(Click(at=ScreenPoint(630, 470)))
        assert await desktop.pointer_position() == ScreenPoint(630, 470)
    assert "no DAMAGE extension" in caplog.text
    assert "no window manager answers" in caplog.text


async def test_attaching_to_a_display_that_takes_no_input_is_refused(tmp_path: Path) -> None:
    async with plain_display(tmp_path, "-extension", "XTEST") as (display, cookies):
        with pytest.raises(EnvironmentUnavailable, match="no XTEST extension"):
            async with Desktop.attach(display, cookies):
                pass


async def test_a_damaged_cookie_file_is_said_and_nothing_is_printed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async with plain_display(tmp_path) as (display, cookies):
        cookies.write_bytes(cookies.read_bytes()[:-1])
        with pytest.raises(EnvironmentUnavailable, match=r"cookie file .* is damaged"):
            async with Desktop.attach(display, cookies):
                pass
    assert capfd.readouterr().out == ""
