"""YAML as job files need it: plain values, the line of each, and every scalar as it is written. Reads nothing into a
text: `no`, `12:30` and `0012` stay texts, and only JSON's numbers, true, false and null are something else.

Refused with its line: what YAML has beside JSON's values (tags, anchors, aliases, merges, several documents), and a key
that stands twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

MOST_BYTES = 2**18
DEEPEST_LEVEL = 50
"""Of mappings and lists within each other."""

LONGEST_NUMBER = 30
"""Characters of a whole number."""

Place = tuple[str | int, ...]
"""Keys and indexes that lead to a value, from the top."""

_STRING = "tag:yaml.org,2002:str"
_NUMBER = r"-?(?:0|[1-9][0-9]*)"
_SCALARS = {
    "tag:yaml.org,2002:null": (re.compile(r"^(?:null|~|)$"), ["n", "~", ""]),
    "tag:yaml.org,2002:bool": (re.compile(r"^(?:true|false)$"), ["t", "f"]),
    "tag:yaml.org,2002:int": (re.compile(rf"^{_NUMBER}$"), list("-0123456789")),
    "tag:yaml.org,2002:float": (re.compile(rf"^{_NUMBER}(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$"), list("-0123456789")),
}
_TAGS = {
    yaml.ScalarNode: {_STRING, *_SCALARS},
    yaml.SequenceNode: {"tag:yaml.org,2002:seq"},
    yaml.MappingNode: {"tag:yaml.org,2002:map"},
}


class NotYaml(Exception):
    """`line` is counted from 1."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(text)
        self.line = line


@dataclass(frozen=True, slots=True)
class YamlValue:
    """`value` is of JSON's types. `lines` has the line of every value, for an entry of a mapping that of its key;
    `written` every scalar as it stands in the text, without its quotes."""

    value: Any
    lines: Mapping[Place, int]
    written: Mapping[Place, str]


def parse_yaml(data: bytes) -> YamlValue:
    """Raises `NotYaml`."""
    if len(data) > MOST_BYTES:
        raise NotYaml(1, f"the file is larger than {MOST_BYTES // 2**10} KiB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotYaml(data.count(b"\n", 0, error.start) + 1, "this line is not UTF-8") from None
    lines: dict[Place, int] = {}
    written: dict[Place, str] = {}
    node = _compose(text)
    if node is None:
        raise NotYaml(1, "the file is empty")
    return YamlValue(_plain(node, (), lines, written), lines, written)


class _Loader(yaml.SafeLoader):
    """Composes nodes; never constructs."""

    _level = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise NotYaml(
                event.start_mark.line + 1, "anchors and aliases are not taken: write it out, or quote the text"
            )
        self._level += 1
        if self._level > DEEPEST_LEVEL:
            raise NotYaml(event.start_mark.line + 1, f"nested too deeply: more than {DEEPEST_LEVEL} levels")
        node = super().compose_node(parent, index)
        self._level -= 1
        return node


# Not YAML 1.1's, for which `no` is false and 12:30 a number.
_Loader.yaml_implicit_resolvers = {}
for _tag, (_pattern, _first) in _SCALARS.items():
    _Loader.add_implicit_resolver(_tag, _pattern, _first)


def _compose(text: str) -> yaml.Node | None:
    try:
        return yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        words = ", ".join(filter(None, (error.context, error.problem)))
        hint = "; a text with special characters needs quotes" if isinstance(error, yaml.scanner.ScannerError) else ""
        raise NotYaml(mark.line + 1 if mark else 1, f"this is not YAML: {words}{hint}") from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise NotYaml(line, "this line has a character that cannot stand in YAML") from None


def _plain(node: yaml.Node, place: Place, lines: dict[Place, int], written: dict[Place, str]) -> Any:
    line = node.start_mark.line + 1
    lines.setdefault(place, line)
    if node.tag not in _TAGS[type(node)]:
        raise NotYaml(line, f"the tag {node.tag!r} is not taken: write the value without it")
    if isinstance(node, yaml.MappingNode):
        return {key: _plain(value, (*place, key), lines, written) for key, value in _entries(node, place, lines)}
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item, (*place, index), lines, written) for index, item in enumerate(node.value)]
    assert isinstance(node, yaml.ScalarNode)
    written[place] = node.value
    return _scalar(node, line)


def _entries(node: yaml.MappingNode, place: Place, lines: dict[Place, int]) -> Iterator[tuple[str, yaml.Node]]:
    for key, value in node.value:
        line = key.start_mark.line + 1
        if not isinstance(key, yaml.ScalarNode):
            raise NotYaml(line, "a key is a text, not a list or a mapping")
        here = (*place, key.value)
        if here in lines:
            raise NotYaml(line, f"the key {key.value!r} stands twice; the first time on line {lines[here]}")
        lines[here] = line
        yield key.value, value


def _scalar(node: yaml.ScalarNode, line: int) -> str | int | float | bool | None:
    if node.tag == _STRING:
        text: str = node.value
        return text
    pattern, _ = _SCALARS[node.tag]
    if not pattern.match(node.value):
        raise NotYaml(line, f"{node.value!r} is not what its tag says")
    match node.tag.rpartition(":")[2]:
        case "null":
            return None
        case "bool":
            return bool(node.value == "true")
        case "int" if len(node.value) > LONGEST_NUMBER:
            raise NotYaml(line, "the number has too many digits; quote what is a text")
        case "int":
            return int(node.value)
    number = float(node.value)
    if number in (float("inf"), float("-inf")):
        raise NotYaml(line, f"{node.value} is too large a number")
    return number
