"""What comes of a command: its output, its status, what stays of it, whatever the command is."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest
from tests.environments.shell.processes import is_running, until

from gui_environments.errors import ActionRefused, EnvironmentDied, EnvironmentUnavailable
from gui_environments.shell import Bash, ProgramList


async def test_directory_variables_functions_and_options_stay(bash: Bash, workdir: Path) -> None:
    (workdir / "sub").mkdir()
    await bash.run("cd sub; plain=1; export exported=2; declare -A map=([k]=3); declare -i number=2+2; set -- a 'b c'")
    await bash.run(
        'f() { echo "f $1"; }\nshopt -s nullglob\nset -f; alias l=ls; umask 027; exec 10>kept; exec 3<<<three'
    )
    result = await bash.run(
        'pwd; echo "$plain ${map[k]} $number $# $2"; f x; shopt -q nullglob && echo nullglob; echo $-; umask; alias;'
        "python3 -c \"import os; print(os.environ['exported'])\"; echo ten >&10; cat kept; cat <&3"
    )
    lines = result.output.splitlines()
    assert lines[:4] == [str(workdir / "sub"), "1 3 4 2 b c", "f x", "nullglob"]
    assert "f" in lines[4]
    assert lines[5:] == ["0027", "alias l='ls'", "2", "ten", "three"]


async def test_output_and_errors_come_in_the_order_written(bash: Bash) -> None:
    result = await bash.run('for i in 1 2 3; do echo out$i; echo err$i >&2; done; sh -c "echo e >&2; echo o"')
    assert result.output == "out1\nerr1\nout2\nerr2\nout3\nerr3\ne\no\n"


async def test_a_command_without_output_has_none(bash: Bash) -> None:
    result = await bash.run("true")
    assert (result.output, result.exit_status, result.in_words()) == ("", 0, "[No output.]")


@pytest.mark.parametrize(("command", "status"), [("false", 1), ("(exit 77)", 77), ("kill -9 $BASHPID & wait $!", 137)])
async def test_a_status_other_than_zero_is_an_observation(bash: Bash, command: str, status: int) -> None:
    result = await bash.run(command)
    assert result.exit_status == status
    assert result.restarted is None
    assert result.in_words().endswith(f"[Exit status {status}.]")


# Command, part of its output, exit status. The session lives through each and knows what it knew.
SURVIVED = {
    "here-document": ("cat <<EOF\na $((1+1))\nEOF", "a 2\n", 0),
    "here-document without end": ("cat <<EOF\nabc", "abc", 0),
    "here-document that ends in our lines": ("cat <<'EOF'\n\\builtin printf '%d x'\nEOF", "\\builtin printf", 0),
    "trailing ampersand": ("true &", "", 0),
    "trailing comment": ("echo a # b", "a\n", 0),
    "trailing backslash": ("echo a\\", "a", 0),
    "trailing backslash after newline": ("echo a\n\\", "a\n", None),
    "unbalanced single quote": ("echo 'a", "unexpected EOF", 2),
    "unbalanced double quote": ('echo "a', "unexpected EOF", 2),
    "unbalanced backquote": ("echo `a", "unexpected EOF", None),
    "unbalanced brace": ("{ echo a", "unexpected end of file", 2),
    "unbalanced parenthesis": ("(echo a", "unexpected end of file", 2),
    "stray closing words": ("echo a\ndone; fi", "syntax error", 2),
    "stray parenthesis": (")", "syntax error", 2),
    "only a comment": ("# nothing", "", 0),
    "only blanks": (" \n\t\n", "", 0),
    "carriage returns": ("echo a\r\n", "a\r\n", 0),
    "break": ("break; echo a", "a\n", 0),
    "continue": ("continue; echo a", "a\n", 0),
    "return": ("echo a; return 5; echo b", "a\n", 5),
    "reads input": ('cat; read x; echo "<$x>"', "<>\n", 0),
    "reads a password": ("read -s -p 'Password: ' x || echo none", "none\n", 0),
    "output to a file": ("exec >out 2>&1; echo hidden; echo hidden >&2", "", 0),
    "input from a file": ("exec </etc/passwd; read x; echo ${x%%:*}", "root\n", 0),
    "closes its output": ("exec >&- 2>&-; echo lost", "", None),
    "closes its input": ("exec <&-; echo a", "a\n", 0),
    "closes what it finds": ('for fd in {3..200}; do eval "exec $fd>&-"; done; echo a', "a\n", 0),
    "takes low descriptors": ('for fd in {3..200}; do eval "exec $fd>/dev/null"; done; echo a', "a\n", 0),
    "functions of shell words": (
        "printf() { echo no; }; exec() { :; }; exit() { :; }; eval() { :; }; trap() { :; }; echo a",
        "a\n",
        0,
    ),
    "functions of more words": (
        "function . { :; }; source() { :; }; read() { :; }; kill() { :; }; return() { :; }; echo a",
        "a\n",
        0,
    ),
    "aliases of shell words": (
        "shopt -s expand_aliases; alias builtin=true command=true exec=true printf=true .=true; echo a",
        "a\n",
        0,
    ),
    "trap on every signal": ("for s in $(seq 1 64); do trap '' $s 2>/dev/null; done; echo a", "a\n", 0),
    "trap before every command": ("trap 'echo dbg' DEBUG; echo a", "a\n", 0),
    "trap on errors": ("trap 'echo err' ERR; false", "err\n", 1),
    "trap on return": ("trap 'echo ret' RETURN; echo a", "a\n", 0),
    "field separators": ("IFS=0123456789; echo a", "a\n", 0),
    "no clobber": ("set -C; echo a", "a\n", 0),
    "unset variables are errors, but none is used": ("set -u; echo a", "a\n", 0),
    "no globs": ("set -f; echo *", "*\n", 0),
    "pipe failures": ("set -o pipefail; false | true", "", 1),
    "traced": ("set -x; echo a", "+ echo a\na\n", 0),
    "verbose": ("set -v; echo a", "a\n", 0),
    "no path": ("PATH=; echo a", "a\n", 0),
    "no environment": ("for v in $(compgen -e); do unset $v; done; echo a", "a\n", 0),
    "empty temporary directory": ("TMPDIR=/nowhere; echo a", "a\n", 0),
    "deleted directory": ("mkdir gone; cd gone; rmdir ../gone; echo a", "a\n", 0),
    "binary output": ("printf 'a\\0\\001\\033[31m\\377\\xf0\\x9f\\x98\\x80b'", "a\u2400\u2401\u241b[31m\ufffd😀b", 0),
    "surrogates in output": ("printf '\\xed\\xa0\\x80'", "\ufffd", 0),
    "random output": ("head -c 100000 /dev/urandom", "", 0),
    "no newline at the end": ("printf a", "a", 0),
    "a status line of ours": ("echo '0 00000000000000000000000000000000'", "0 0000", 0),
    "many arguments": ("echo " + "a " * 100_000, "a a a", 0),
    "not UTF-8 but in the text": ("printf %s $'\\xff'", "\ufffd", 0),
    "many languages": ("echo 'žluťoučký 漢字 עברית 😀'", "žluťoučký 漢字 עברית 😀\n", 0),
    "nested shells": ("bash -c 'bash -c \"echo a; exit 4\"'", "a\n", 4),
    "subshell that exits": ("(exit 9)", "", 9),
    "exec that fails": ("(exec /nowhere)", "No such file", 127),
    "kills its group": ("(setsid bash -c 'kill -9 0'); echo a", "a\n", 0),
    "posix mode": ("set -o posix; echo a", "a\n", 0),
    "pretends to be over": ("for f in /proc/$$/fd/*; do echo '0 x' >$f; done 2>/dev/null; echo a", "", 0),
}


@pytest.mark.parametrize("case", SURVIVED)
async def test_the_session_lives_through(bash: Bash, case: str) -> None:
    command, output, status = SURVIVED[case]
    await bash.run("known=yes; knows() { echo $known; }")
    result = await bash.run(command)
    assert output in result.output
    assert result.restarted is None
    assert not result.timed_out
    if status is not None:
        assert result.exit_status == status
    after = await bash.run("knows; \\echo alive; /bin/bash -c 'exit 3'")
    assert "yes" in after.output.split()
    assert "alive" in after.output.split()
    assert after.exit_status == 3


# Commands that end the shell, and the status they end it with.
ENDING = {
    "exit": ("echo a; exit 5", "a\n", 5),
    "exec": ("exec echo a", "a\n", 0),
    "exec of a program that fails": ("exec sh -c 'echo a; exit 6'", "a\n", 6),
    "exec of nothing": ("echo a; exec /nowhere", "a\n", 127),
    "stops at the first failure": ("set -e; echo a; false; echo b", "a\n", 1),
    "an unset variable": ("set -u; echo a; echo $unset", "a\n", 1),
    "kills itself": ("echo a; kill -9 $$", "a\n", 137),
    "terminates itself": ("echo a; kill $$", "a\n", 143),
    "kills its parent": ("echo a; kill -9 $PPID; while :; do :; done", "a\n", None),
    "kills its group": ("echo a; kill -9 0", "a\n", 137),
    "a trap at the end": ("trap 'echo bye' EXIT; echo a; exit 7", "a\nbye\n", 7),
    "an error in posix mode": ("set -o posix; echo a\n. /nowhere", "a\n", 1),
    "no descriptors left": ("echo a; ulimit -n 3", "a\n", 97),
    "endless recursion": ("ulimit -c 0 -s 1024; f() { f; }; echo a; f", "a\n", 139),
}


@pytest.mark.parametrize("case", ENDING)
async def test_a_command_that_ends_the_shell_is_reported_and_a_new_one_started(
    bash: Bash, workdir: Path, case: str
) -> None:
    command, output, status = ENDING[case]
    await bash.run("known=yes; cd /")
    result = await bash.run(command)
    assert result.output.startswith(output)
    assert result.exit_status == status
    assert not result.timed_out
    assert result.restarted is not None
    assert f"working directory is {workdir} again" in result.restarted
    after = await bash.run('pwd; echo "<$known>"')
    assert after.output == f"{workdir}\n<>\n"


async def test_a_shell_that_vanished_between_two_commands_runs_nothing_of_the_next(bash: Bash, workdir: Path) -> None:
    pid = int((await bash.run("cd /; echo $$")).output)
    os.kill(pid, 9)
    await until(lambda: not is_running(pid))
    with pytest.raises(ActionRefused, match="nothing of this command was run"):
        await bash.run("touch ran-in-the-wrong-place")
    assert not (workdir / "ran-in-the-wrong-place").exists()
    assert (await bash.run("pwd")).output == f"{workdir}\n"


async def test_a_shell_that_loses_its_script_is_replaced_and_that_is_said(bash: Bash, workdir: Path) -> None:
    """Whether bash saves its script in time differs; either the state is there, or its loss has been said."""
    await bash.run("cd /; known=yes")
    result = await bash.run("echo a; exec 255</dev/null")
    assert result.output == "a\n"
    lost = result.restarted is not None
    try:
        after = await bash.run("pwd; echo $known")
    except ActionRefused:
        lost = True
        after = await bash.run("pwd; echo $known")
    assert after.output == (f"{workdir}\n\n" if lost else "/\nyes\n")


async def test_messages_name_bash_and_the_line(bash: Bash) -> None:
    result = await bash.run("true\nnosuchprogram")
    assert result.output == "bash: line 2: nosuchprogram: command not found\n"
    assert (await bash.run("echo $0")).output == "bash\n"


async def test_the_same_command_runs_as_a_script_does(bash: Bash) -> None:
    result = await bash.run(
        "x=1\nif [ $x = 1 ]\nthen\n  for i in a b\n  do echo $i\n  done\nfi\n# end\ncase $x in 1) echo one;; esac"
    )
    assert result.output == "a\nb\none\n"


@pytest.mark.parametrize("command", ["echo \ud800", "echo a\0b", "x" * (2 << 20)])
async def test_a_command_that_no_shell_could_take_is_refused(bash: Bash, command: str) -> None:
    with pytest.raises(ActionRefused, match="othing was run"):
        await bash.run(command)


async def test_long_output_is_cut_in_the_middle_and_counted(workdir: Path) -> None:
    async with Bash.open(workdir, output_limit_chars=1000) as bash:
        result = await bash.run("seq 1000000")
    total = sum(len(str(number)) + 1 for number in range(1, 1_000_001))
    assert result.output.startswith("1\n2\n3\n")
    assert result.output.endswith("\n999999\n1000000\n")
    assert result.left_out_chars == total - 1000
    assert f"[... {total - 1000} characters left out." in result.output


async def test_ten_megabytes_of_characters_are_counted_in_characters(workdir: Path) -> None:
    async with Bash.open(workdir, output_limit_chars=1000) as bash:
        result = await bash.run("yes '漢😀' | head -c 10000000")
    assert result.left_out_chars == 10_000_000 * 3 // 8 - 1000
    assert "\ufffd" not in result.output


async def test_the_shell_has_no_terminal_and_its_own_session(bash: Bash) -> None:
    result = await bash.run("tty; ps -o sid= -p $$ | tr -d ' '; echo $$; echo $TERM; : </dev/tty")
    assert result.output.splitlines()[0] == "not a tty"
    assert result.output.splitlines()[1] == result.output.splitlines()[2]
    assert result.output.splitlines()[3] == "dumb"
    assert "No such device" in result.output


async def test_no_key_of_the_hosts_is_in_the_shell_or_in_its_parent(
    workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    canary = "canary-7d1f"
    for name in (
        "ANTHROPIC_API_KEY",
        "AWS_SECRET_ACCESS_KEY",
        "SOME_TOKEN",
        "LD_PRELOAD_NOT",
        "BASH_ENV",
        "PS4",
        "ENV",
    ):
        monkeypatch.setenv(name, canary)
    monkeypatch.setenv("BASH_FUNC_f%%", f"() {{ echo {canary}; }}")
    async with Bash.open(workdir, {"DISPLAY": ":7", "GIVEN": "yes"}) as bash:
        result = await bash.run("env; set; declare -f; cat /proc/$$/environ /proc/$PPID/environ")
    assert canary not in result.output
    assert "DISPLAY=:7" in result.output
    assert "GIVEN=yes" in result.output
    assert f"HOME={os.environ['HOME']}" in result.output


async def test_names_in_any_language_come_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LANG", "LC_ALL", "LC_CTYPE"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "dílna 漢 $x").mkdir()
    async with Bash.open(tmp_path / "dílna 漢 $x", {"GIVEN": "ž漢"}) as bash:
        result = await bash.run('basename "$PWD"; echo $GIVEN; touch é; ls; python3 -c \'print("ž")\'')
    assert result.output == "dílna 漢 $x\nž漢\né\nž\n"


async def test_no_descriptor_of_the_worker_reaches_a_command(bash: Bash) -> None:
    result = await bash.run("python3 -c 'import os; print(sorted(os.listdir(\"/proc/self/fd\"), key=int))'")
    assert result.output == "['0', '1', '2', '3']\n"  # 3 is the listing itself


async def test_a_check_refuses_before_anything_runs(workdir: Path) -> None:
    async with Bash.open(workdir, check=ProgramList(["echo", "ls"]).check) as bash:
        assert (await bash.run("echo a | ls")).exit_status == 0
        with pytest.raises(ActionRefused, match="touch is not among"):
            await bash.run("echo a; touch b")
    assert list(workdir.iterdir()) == []


async def test_calls_made_at_once_run_one_after_another(bash: Bash) -> None:
    results = await asyncio.gather(*(bash.run(f"n=$((n + 1)); echo {number} $n") for number in range(10)))
    assert [result.output for result in results] == [f"{number} {number + 1}\n" for number in range(10)]


async def test_a_closed_session_says_so(workdir: Path) -> None:
    async with Bash.open(workdir) as bash:
        pass
    await bash.close()
    with pytest.raises(EnvironmentDied):
        await bash.run("true")
    with pytest.raises(EnvironmentDied):
        await bash.restart()


async def test_a_directory_that_is_none_is_refused_at_start(workdir: Path) -> None:
    with pytest.raises(EnvironmentUnavailable, match="is not a directory"):
        async with Bash.open(workdir / "missing"):
            pass
