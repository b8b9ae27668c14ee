"""How long things live: background processes, commands that do not end, cancelled calls, and the whole session."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import urllib.request
from pathlib import Path

import pytest
from tests.environments.shell.processes import is_running, pid_in, until

from gui_environments.errors import ActionRefused
from gui_environments.shell import Bash, kept_shell

FOREVER = "sleep 100000"

# What leaves a process behind that holds on to the output; each writes its process id to the file `pid`.
LEFT_BEHIND = {
    "ampersand": f"{FOREVER} & echo $! >pid",
    "no hang-up": f"nohup {FOREVER} & echo $! >pid",
    "session of its own": f"setsid sh -c 'echo $$ >pid; exec {FOREVER}' &",
    "forked and orphaned": f"(setsid sh -c 'echo $$ >pid; exec {FOREVER}' &)",
    "daemon": f"(setsid sh -c 'sh -c \"echo \\$\\$ >pid; exec {FOREVER}\" </dev/null >/dev/null 2>&1 &')",
    "no environment": f"env -i setsid sh -c 'echo $$ >pid; exec {FOREVER}' &",
    "deaf to signals": f"setsid sh -c 'trap \"\" HUP INT TERM QUIT; echo $$ >pid; while :; do {FOREVER}; done' &",
    "stopped": f"{FOREVER} & kill -STOP $!; echo $! >pid",
}

# What does not end by itself. Each would make the file `after` if its rest were run.
ENDLESS = {
    "program": f"{FOREVER}; touch after",
    "program, and lines after it": f"{FOREVER}\ntouch after\ntouch after",
    "or": f"{FOREVER} || touch after",
    "not": f"! {FOREVER} && touch after",
    "condition": f"if {FOREVER}; then touch after; else touch after; fi; touch after",
    "loop": f"while :; do {FOREVER}; touch after; done",
    "busy loop": "while :; do :; done; touch after",
    "function": f"f() {{ {FOREVER}; touch after; }}; g() {{ f || touch after; touch after; }}; g; touch after",
    "function that redirects": f"f() {{ {FOREVER}; >after; }}; f; >after",
    "sourced file": f"echo '{FOREVER}; touch after' >inner; . ./inner; touch after",
    "eval": f"eval '{FOREVER}; touch after'; touch after",
    "substitution": f"x=$({FOREVER}; touch after); touch after",
    "subshell": f"({FOREVER}; touch after); touch after",
    "pipeline": f"true | {FOREVER} | (cat; touch after); touch after",
    "process substitution": f"cat <({FOREVER}; touch after); touch after",
    "wait": f"{FOREVER} & wait; touch after",
    "deaf to signals": f"sh -c 'trap \"\" HUP INT TERM QUIT; while :; do {FOREVER}; done'; touch after",
    "session of its own": f"setsid -w {FOREVER}; touch after",
    "daemons as well": f"setsid {FOREVER} & (setsid {FOREVER} &); {FOREVER}; touch after",
    "many processes": f"for i in $(seq 40); do (sh -c '{FOREVER}; touch after') & done; wait; touch after",
    "processes that make more": "f() { sh -c 'while :; do sh -c \"sleep 100\" & sleep 0.01; done'; }; f; touch after",
    "output without end": "yes; touch after",
    "waits for a pipe": "mkfifo pipe; read x <pipe; touch after",
    "job control": f"set -m; {FOREVER}; touch after",
    "in the foreground again": f"set -m; {FOREVER} & fg; touch after",
    "a trap on the end of a function": f"f() {{ trap 'echo left' RETURN; {FOREVER}; touch after; }}; f; touch after",
    "coprocess": f"coproc {FOREVER}; read x <&${{COPROC[0]}}; touch after",
    "stops itself": "kill -STOP $$; touch after",
}

# What the shell itself cannot be made to give up: it is killed and replaced.
STUCK = {
    "exec": f"echo printed; exec {FOREVER}",
    "all signals ignored": f"for s in {{1..64}}; do trap '' $s; done 2>&-; echo printed; while :; do {FOREVER}; done",
    "stops at failures": f"set -e; echo printed; {FOREVER}; touch after",
    "a long builtin": "echo printed; printf -v x '%0*d' 2000000000 0; printf -v x '%0*d' 2000000000 0; touch after",
    "does not run what it reads": "echo printed; set -n",
}


@pytest.mark.parametrize("case", LEFT_BEHIND)
async def test_a_call_returns_while_a_process_goes_on_in_the_background(workdir: Path, case: str) -> None:
    async with Bash.open(workdir, time_limit_s=30) as bash:
        result = await bash.run(f"{LEFT_BEHIND[case]}\necho done")
        assert result.output.endswith("done\n")
        assert not result.timed_out
        pid = await pid_in(workdir / "pid")
        assert (await bash.run("echo next")).output == "next\n"
        assert is_running(pid)
    assert not is_running(pid)


async def test_a_server_in_the_background_serves_until_the_session_closes(workdir: Path) -> None:
    (workdir / "page.txt").write_text("served")
    (workdir / "serve.py").write_text(
        "import http.server as h\n"
        "server = h.HTTPServer(('127.0.0.1', 0), h.SimpleHTTPRequestHandler)\n"
        "print(server.server_port, flush=True)\n"
        "server.serve_forever()\n"
    )
    async with Bash.open(workdir, time_limit_s=30) as bash:
        result = await bash.run("python3 serve.py >port & echo $! >pid; until [ -s port ]; do :; done; cat port")
        url = f"http://127.0.0.1:{int(result.output)}/page.txt"
        await bash.run("true")
        answer = await asyncio.to_thread(lambda: urllib.request.urlopen(url).read())
        assert answer == b"served"
        pid = await pid_in(workdir / "pid")
        jobs = await bash.run("jobs; kill %1; wait %1")
        assert "Running" in jobs.output
        assert not is_running(pid)


async def test_what_a_background_process_prints_later_is_told_apart(bash: Bash) -> None:
    await bash.run("mkfifo go; (cat go; echo 'from the first') &")
    await bash.run("mkfifo went; (cat went; echo 'from the second' >&2) &")
    result = await bash.run("echo x >go; echo y >went; echo mine")
    assert result.output == "mine\n"
    seen = result.background_output.splitlines()
    while len(seen) < 4:
        result = await bash.run("echo mine")
        assert result.output == "mine\n"
        seen += result.background_output.splitlines()
    assert sorted(seen) == ["from the first", "from the second", "x", "y"]
    assert (await bash.run("true")).background_output == ""


async def test_a_flood_in_the_background_is_bounded_and_other_commands_go_on(workdir: Path) -> None:
    async with Bash.open(workdir, time_limit_s=30, output_limit_chars=1000) as bash:
        await bash.run("yes flood &")
        for number in range(20):
            result = await bash.run(f"echo {number}")
            assert result.output == f"{number}\n"
            assert len(result.background_output) < 1200


async def test_background_output_stands_apart_in_the_words(bash: Bash) -> None:
    await bash.run("mkfifo go; (cat go >/dev/null; echo late; echo end >done) &")
    await bash.run("echo >go; until [ -s done ]; do :; done")
    words = (await bash.run("echo mine")).in_words()
    if "late" in words:  # else it was in time for the result before
        assert words == "[Printed by processes of earlier commands:]\nlate\n[The output of this command:]\nmine"


@pytest.mark.parametrize("case", ENDLESS)
async def test_a_command_without_end_is_stopped_with_all_it_started_and_the_shell_goes_on(
    workdir: Path, case: str
) -> None:
    async with Bash.open(workdir, time_limit_s=30) as bash:
        await bash.run("known=yes; mkdir sub; cd sub")
        await bash.run(f"setsid {FOREVER} & echo $! >earlier")
        earlier = await pid_in(workdir / "sub/earlier")
        result = await bash.run(f"echo printed; {ENDLESS[case]}", time_limit_s=0.4)
        assert result.timed_out
        assert result.exit_status is None
        assert result.output.startswith("printed\n")
        assert result.restarted is None
        after = await bash.run("pwd; echo $known; ls; ps -e -o pid=,sid=,args=")
        lines = after.output.splitlines()
        assert lines[:2] == [str(workdir / "sub"), "yes"]
        assert "after" not in lines
        assert is_running(earlier)
        assert _descendants(bash) == {earlier}


@pytest.mark.parametrize("case", STUCK)
async def test_a_shell_that_does_not_give_up_is_replaced(workdir: Path, case: str) -> None:
    async with Bash.open(workdir, time_limit_s=30) as bash:
        await bash.run(f"setsid {FOREVER} & echo $! >earlier; cd /")
        earlier = await pid_in(workdir / "earlier")
        result = await bash.run(f"cd {workdir}; {STUCK[case]}", time_limit_s=0.3)
        assert result.timed_out
        assert result.output.startswith("printed\n")
        assert result.restarted is not None
        assert "had to be ended" in result.restarted
        assert (await bash.run("pwd")).output == f"{workdir}\n"
        assert not (workdir / "after").exists()
        assert is_running(earlier)
        assert _descendants(bash) == {earlier}


async def test_a_command_that_was_stopped_says_how_to_do_it(bash: Bash) -> None:
    words = (await bash.run(f"echo printed; {FOREVER}", time_limit_s=0.2)).in_words()
    assert words.startswith("printed\n")
    assert "[Not finished after 0.2 s" in words
    assert "in the background" in words


async def test_a_cancelled_call_stops_the_command_and_the_shell_goes_on(bash: Bash, workdir: Path) -> None:
    await bash.run("known=yes")
    call = asyncio.create_task(bash.run(f"setsid {FOREVER} & echo $! >pid; {FOREVER}; touch after"))
    pid = await pid_in(workdir / "pid")
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert not is_running(pid)
    assert (await bash.run("echo $known; ls")).output == "yes\npid\n"


async def test_cancelling_twice_still_stops_the_command(bash: Bash, workdir: Path) -> None:
    call = asyncio.create_task(bash.run(f"echo $BASHPID >pid; trap '' RTMAX; read x < <({FOREVER})"))
    await pid_in(workdir / "pid")
    call.cancel()
    await asyncio.sleep(0)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert (await bash.run("echo next")).output == "next\n"


async def test_a_call_cancelled_while_it_waits_for_its_turn_runs_nothing(bash: Bash, workdir: Path) -> None:
    first = asyncio.create_task(bash.run("echo $$ >pid; until [ -e go ]; do :; done"))
    await pid_in(workdir / "pid")
    second = asyncio.create_task(bash.run("touch second"))
    await asyncio.sleep(0)
    second.cancel()
    (workdir / "go").touch()
    assert (await first).exit_status == 0
    with pytest.raises(asyncio.CancelledError):
        await second
    assert (await bash.run("ls")).output == "go\npid\n"


async def test_restart_ends_everything_and_starts_afresh(bash: Bash, workdir: Path) -> None:
    await bash.run(f"cd /; known=yes; setsid {FOREVER} & echo $! >{workdir}/pid")
    pid = await pid_in(workdir / "pid")
    said = await bash.restart()
    assert not is_running(pid)
    assert "restarted" in said
    assert (await bash.run('pwd; echo "<$known>"')).output == f"{workdir}\n<>\n"


async def test_what_was_printed_before_a_restart_is_not_lost(bash: Bash, workdir: Path) -> None:
    await bash.run("mkfifo go; (cat go; echo late; echo end >done) &")
    opened = asyncio.create_task(asyncio.to_thread((workdir / "go").write_text, "let\n"))
    await until((workdir / "done").exists)
    await opened
    await bash.restart()
    seen = ""
    while "late" not in seen:
        seen += (await bash.run("true")).background_output + "\n"
    assert seen.split() == ["let", "late"]


async def test_a_cancelled_call_does_not_lose_what_was_printed_in_the_background(bash: Bash, workdir: Path) -> None:
    await bash.run("mkfifo go; (cat go; echo late; echo end >done) &")
    call = asyncio.create_task(bash.run(f"echo x >go; echo $$ >pid; {FOREVER}"))
    await until((workdir / "done").exists)
    await pid_in(workdir / "pid")
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    seen = ""
    while "late" not in seen:
        seen += (await bash.run("true")).background_output
    assert seen.split() == ["x", "late"]


async def test_processes_go_on_when_a_command_ends_the_shell(bash: Bash, workdir: Path) -> None:
    await bash.run(f"{FOREVER} & echo $! >pid")
    await bash.run("exit 1")
    assert is_running(await pid_in(workdir / "pid"))


async def test_a_session_closed_while_a_command_runs_ends_it(workdir: Path) -> None:
    async with Bash.open(workdir, time_limit_s=30) as bash:
        call = asyncio.create_task(bash.run(f"echo $$ >pid; {FOREVER}"))
        pid = await pid_in(workdir / "pid")
    with pytest.raises(Exception, match="closed"):
        await call
    assert not is_running(pid)


async def test_a_killed_keeper_takes_everything_with_it_and_is_replaced(bash: Bash, workdir: Path) -> None:
    await bash.run(f"setsid {FOREVER} & echo $! >pid; env -i {FOREVER} & echo $! >pid2")
    pids = [await pid_in(workdir / "pid"), await pid_in(workdir / "pid2")]
    result = await bash.run("kill -9 $PPID; while :; do :; done")
    assert result.restarted is not None
    assert result.exit_status is None
    for pid in pids:
        await until(lambda pid=pid: not is_running(pid))
    assert (await bash.run("echo next")).output == "next\n"


async def test_a_stopped_keeper_is_ended_with_everything_and_replaced(
    bash: Bash, workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await bash.run(f"setsid {FOREVER} & echo $! >pid")
    pid = await pid_in(workdir / "pid")
    monkeypatch.setattr(kept_shell, "ANSWER_LIMIT_S", 2.0)
    await bash.run("kill -STOP $PPID")
    await until(lambda: not is_running(pid))
    with pytest.raises(ActionRefused, match="nothing of this command was run"):
        await bash.run("touch ran")
    assert not (workdir / "ran").exists()
    assert (await bash.run("echo next")).output == "next\n"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
async def test_a_killed_worker_leaves_no_process(workdir: Path, number: signal.Signals) -> None:
    script = f"""
import asyncio
from pathlib import Path
from gui_environments.shell import Bash

async def main():
    async with Bash.open(Path({str(workdir)!r})) as bash:
        await bash.run("setsid {FOREVER} & echo $! >daemon; ({FOREVER} &); echo $$ >shell; echo $PPID >keeper")
        await bash.run("echo $BASHPID >busy; {FOREVER}")

asyncio.run(main())
"""
    worker = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", script), start_new_session=True, stderr=asyncio.subprocess.DEVNULL
    )
    pids = [await pid_in(workdir / name) for name in ("daemon", "shell", "keeper", "busy")]
    assert all(is_running(pid) for pid in pids)
    os.killpg(worker.pid, number)
    await worker.wait()
    for pid in pids:
        await until(lambda pid=pid: not is_running(pid))


async def test_many_sessions_leave_no_process_and_no_descriptor(workdir: Path) -> None:
    async def one() -> None:
        async with Bash.open(workdir) as bash:
            await bash.run(f"{FOREVER} & true")
            await bash.run("exit 1")

    await one()
    before = _open_descriptors()
    for _ in range(5):
        await one()
    assert _open_descriptors() == before


async def test_many_commands_leave_no_descriptor(bash: Bash) -> None:
    await bash.run("true")
    before = _open_descriptors()
    for _ in range(50):
        await bash.run("true & echo a | cat")
    await bash.run("wait")
    await until(lambda: _open_descriptors() <= before + 1)


def _open_descriptors() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def _descendants(bash: Bash) -> set[int]:
    """Every process the session has, but for the keeper and the shell."""
    return set(bash._shell._keeper.members()) - {bash._shell._process.pid}
