"""The list of programs: what a command names is found wherever it stands, and refused when it is not listed."""

from __future__ import annotations

import pytest

from gui_environments.errors import ActionRefused
from gui_environments.shell import ProgramList

LISTED = ["ls", "echo", "cat", "grep", "cd", "true", "test", "xargs", "/opt/tool", "sleep"]

ALLOWED = [
    "ls -l | grep x && echo done || true",
    "cd /tmp; ls >out 2>&1 <in",
    "for f in *; do echo $f; done",
    "if [[ -e x ]]; then cat x; fi",
    "x=1 y=$(ls) echo $x",
    "export A=b; declare -A m; unset A",
    "f() { echo $1; }; f a",
    "cat <<EOF\nrm -rf /\nEOF",
    "echo 'rm -rf /' \"rm\"",
    "/opt/tool --x",
    "(ls; echo) & sleep 1",
    "# rm",
    "echo $((1 + 2)) ${x:-y}",
]

REFUSED = {
    "plain": "rm x",
    "after others": "ls; echo a && rm x",
    "in a pipe": "ls | rm",
    "in the background": "rm x & ls",
    "in a substitution": "echo $(rm x)",
    "in backquotes": "echo `rm x`",
    "in a quoted substitution": 'echo "a $(rm x) b"',
    "in a default": "echo ${x:-$(rm x)}",
    "in a process substitution": "cat <(rm x)",
    "in a here-document": "cat <<EOF\n$(rm x)\nEOF",
    "in a subshell": "(rm x)",
    "in a group": "{ rm x; }",
    "in a function": "f() { rm x; }; ls",
    "in a loop": "while true; do rm x; done",
    "as a condition": "if rm x; then ls; fi",
    "in a case": "case x in x) rm x;; esac",
    "negated": "! rm x",
    "after an assignment": "A=b rm x",
    "in an assignment": "A=$(rm x)",
    "in a declaration": "export A=$(rm x)",
    "in arithmetic": "echo $(( $(rm x) ))",
    "in an array": "a=($(rm x))",
    "with a path": "/bin/ls",
    "with a relative path": "./ls",
    "by a wrapper": "env rm x",
    "by sudo": "sudo ls",
    "by command": "command ls",
    "by exec": "exec ls",
    "by eval": "eval ls",
    "by source": ". ./script",
    "by a shell": "bash -c ls",
    "by a variable": "$x y",
    "by a quoted variable": '"$x" y',
    "by a substitution": "$(echo ls) y",
    "in quotes": "'rm' x",
    "in part quotes": "r'm' x",
    "escaped": "\\rm x",
    "by a pattern": "r? x",
    "by braces": "r{m,} x",
    "by a dollar string": "$'rm' x",
    "in the test of a loop": "until rm x; do ls; done",
    "a function defined earlier": "g",
    "unbalanced": "echo 'a",
    "half a pipe": "ls |",
}


@pytest.fixture(scope="module")
def programs() -> ProgramList:
    return ProgramList(LISTED)


@pytest.mark.parametrize("command", ALLOWED)
def test_listed_programs_may_be_named(programs: ProgramList, command: str) -> None:
    programs.check(command)


@pytest.mark.parametrize("case", REFUSED)
def test_a_program_that_is_not_listed_is_refused(programs: ProgramList, case: str) -> None:
    with pytest.raises(ActionRefused) as refusal:
        programs.check(REFUSED[case])
    assert "run" in str(refusal.value)


def test_a_refusal_names_the_program_and_what_may_be_run(programs: ProgramList) -> None:
    with pytest.raises(ActionRefused, match=r"^rm is not among the programs .*grep, ls"):
        programs.check("rm x")


@pytest.mark.parametrize("name", ["", "a b", "$x", "'ls'", "l*"])
def test_a_list_with_what_is_no_name_is_an_error(name: str) -> None:
    with pytest.raises(ValueError, match="not the name of a program"):
        ProgramList([name])


def test_a_list_of_nothing_refuses_every_program() -> None:
    with pytest.raises(ActionRefused, match="none"):
        ProgramList([]).check("ls")
