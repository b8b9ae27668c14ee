"""A list of the programs a shell may run, checked on a parse of each command before it runs.

A tripwire, not a boundary: it stops a command that plainly does something else than was meant, and says so. Whoever may
run one program that runs others (`env`, `xargs`, `find`, `python3`, `make`, an editor) can run anything; only another
user, or a container, is a boundary. Nothing is run or expanded here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

from gui_environments.errors import ActionRefused

# What stands for itself: no quote, expansion, pattern or escape in it.
_PLAIN_WORD = re.compile(r"[\w./+:@%,-]+|\[")


class ProgramList:
    """The programs that may be named. A name is matched as it is written, so `/usr/bin/ls` and `./ls` are not `ls`.

    Builtins are programs like any other, except those that only declare (`export`, `declare`, `unset`, `[[`). A
    function may be called in the command that defines it. A wrapper (`env`, `sudo`, `xargs`, `command`, `time`, `exec`,
    `eval`) is what it is: listed or not; what it runs is not looked at."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(names)
        for name in self._names:
            if not _PLAIN_WORD.fullmatch(name):
                raise ValueError(f"{name!r} is not the name of a program: it must be one word without quotes")
        self._parser = Parser(Language(tree_sitter_bash.language()))

    def check(self, command: str) -> None:
        """Raises `ActionRefused` unless every program the command names is listed."""
        root = self._parser.parse(command.encode()).root_node
        if root.has_error:
            raise ActionRefused(
                "The command could not be parsed for the programs in it, so it was not run. Write it more simply, "
                "with balanced quotes."
            )
        nodes = list(_nodes(root))
        functions = {_text(node.child_by_field_name("name")) for node in nodes if node.type == "function_definition"}
        for name in (_text(node) for node in nodes if node.type == "command_name"):
            if not _PLAIN_WORD.fullmatch(name):
                raise ActionRefused(
                    f"A program must be named by a plain word here, not by {name[:100]}. Nothing was run."
                )
            if name not in self._names and name not in functions:
                listed = ", ".join(sorted(self._names)) or "none"
                raise ActionRefused(
                    f"{name[:100]} is not among the programs that may be run here ({listed}). Nothing of the command "
                    "was run."
                )


def _nodes(root: Node) -> Iterator[Node]:
    ahead = [root]
    while ahead:
        node = ahead.pop()
        yield node
        ahead += node.children[::-1]


def _text(node: Node | None) -> str:
    return node.text.decode() if node is not None and node.text is not None else ""
