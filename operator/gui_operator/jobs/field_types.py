"""What single fields of a job take, each with what editors are told about it. Of files it looks only whether they are
there."""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import jsonschema
from jsonschema import Draft202012Validator
from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer, ValidationInfo, WithJsonSchema

from gui_environments.egress.entries import BadEntry, parse_entry
from gui_environments.geometry import Size
from gui_operator.policy.effects import MEMBER_EFFECTS
from gui_operator.policy.secret_grammar import NAME as SECRET_NAME
from gui_operator.policy.secret_grammar import SecretError, parse_secret

NAME = r"[A-Za-z_][A-Za-z0-9_-]*"
"""Of inputs."""

OWN_SCREEN = "own"
"""What stands for the machine's own screen."""

# Sides that the X protocol can say.
_LARGEST_SIDE_PX = 32_767


class Misfit(ValueError):
    """What is wrong with a value, as a sentence; `below` leads from the field to the part that is meant."""

    def __init__(self, text: str, *below: str | int) -> None:
        super().__init__(text)
        self.below = below


def _host(entry: str) -> str:
    try:
        parse_entry(entry)
    except BadEntry as error:
        raise Misfit(str(error)) from None
    return entry


Host = Annotated[str, AfterValidator(_host), Field(description="a host, as example.com, *.example.com or 127.0.0.1")]


def _size(value: object) -> Size:
    match = re.fullmatch(r"([1-9][0-9]{0,4})x([1-9][0-9]{0,4})", value) if isinstance(value, str) else None
    if match is None or max(int(match[1]), int(match[2])) > _LARGEST_SIDE_PX:
        raise Misfit(f"{value!r} is not a size such as 1280x800, of at most {_LARGEST_SIDE_PX} a side")
    return Size(int(match[1]), int(match[2]))


SizePx = Annotated[
    Size,
    BeforeValidator(_size),
    PlainSerializer(str),
    WithJsonSchema({"type": "string", "pattern": "^[1-9][0-9]{0,4}x[1-9][0-9]{0,4}$", "examples": ["1280x800"]}),
]


def _words(value: object) -> tuple[str, ...]:
    if not isinstance(value, str):
        raise Misfit(f"{value!r} is not a command line, which is a text")
    try:
        words = tuple(shlex.split(value))
    except ValueError as error:
        raise Misfit(f"{value!r} cannot be split into words: {error}") from None
    if not words or not words[0]:
        raise Misfit("it names no program")
    return words


CommandLine = Annotated[
    tuple[str, ...],
    BeforeValidator(_words),
    PlainSerializer(shlex.join),
    WithJsonSchema({"type": "string", "minLength": 1}),
]
"""Split like a shell line, run by none."""


def _display(name: str) -> str:
    if name != OWN_SCREEN and ":" not in name:
        raise Misfit(f"{name!r} is no display such as ':1', and not {OWN_SCREEN!r}")
    return name


DisplayName = Annotated[
    str, AfterValidator(_display), WithJsonSchema({"type": "string", "pattern": f"^{OWN_SCREEN}$|:"})
]


def _placed(path: Path, info: ValidationInfo) -> Path:
    """Relative ones are meant from the job's folder."""
    if "\0" in str(path):
        raise Misfit("a path has no NUL in it")
    return Path((info.context or {}).get("folder", "."), path).absolute()


def _folder(path: Path) -> Path:
    if not path.is_dir():
        raise Misfit(f"{path} is not a folder")
    return path


def _file(path: Path) -> Path:
    if not path.is_file():
        raise Misfit(f"{path} is not a file")
    return path


AnyPath = Annotated[Path, AfterValidator(_placed)]
ExistingFolder = Annotated[Path, AfterValidator(_placed), AfterValidator(_folder)]
ExistingFile = Annotated[Path, AfterValidator(_placed), AfterValidator(_file)]


def _member(name: str) -> str:
    members = MEMBER_EFFECTS["browser"]
    if name not in members:
        near = difflib.get_close_matches(name, sorted(members), n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else f"it has {', '.join(sorted(members))}"
        raise Misfit(f"the browser has no member {name!r}; {hint}")
    return name


Member = Annotated[str, AfterValidator(_member), WithJsonSchema({"enum": sorted(MEMBER_EFFECTS["browser"])})]


def _result_schema(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        Draft202012Validator.check_schema(schema)
    except jsonschema.SchemaError as error:
        raise Misfit(f"this is not a JSON Schema: {error.message}", *error.absolute_path) from None
    return schema


ResultSchema = Annotated[Mapping[str, Any], AfterValidator(_result_schema)]


def _secret(entry: str, info: ValidationInfo) -> str:
    """With the path of its file, if it comes from one, meant from the job's folder."""
    if SECRET_NAME.fullmatch(entry):
        return entry
    try:
        option = parse_secret(entry)
    except SecretError as error:
        raise Misfit(str(error)) from None
    if option.source.kind != "file":
        return entry
    places = entry.rpartition("@")[2]
    return f"{option.name}=file:{_placed(Path(option.source.place), info)}@{places}"


SecretEntry = Annotated[
    str,
    AfterValidator(_secret),
    WithJsonSchema({"type": "string", "pattern": f"^{SECRET_NAME.pattern}(=(env|file|cmd):.+@.+)?$"}),
]
"""`NAME`, whose value stands in the environment variable of that name and is for the hosts of `allow`; or
`NAME=SOURCE@PLACE` as `--secret` takes it."""


def _tool(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    if not isinstance(tool.get("type"), str):
        raise Misfit("a tool has a type, such as web_search_20250305")
    return tool


ServerTool = Annotated[
    Mapping[str, Any],
    AfterValidator(_tool),
    WithJsonSchema({"type": "object", "properties": {"type": {"type": "string"}}, "required": ["type"]}),
]
"""As the Messages API takes it."""


def _mcp_server(server: Mapping[str, Any]) -> Mapping[str, Any]:
    if "authorization_token" in server:
        raise Misfit(
            "a token has no place in a job: name the environment variable that holds it as authorization_token_env",
            "authorization_token",
        )
    for key in ("type", "name", "url"):
        if not isinstance(server.get(key), str):
            raise Misfit("an MCP server has a type, a name and a url, which are texts")
    return server


McpServer = Annotated[
    Mapping[str, Any],
    AfterValidator(_mcp_server),
    WithJsonSchema(
        {
            "type": "object",
            "properties": {
                "type": {"type": "string"},
                "name": {"type": "string"},
                "url": {"type": "string"},
                "authorization_token_env": {"type": "string", "description": "The variable that holds its token."},
                "authorization_token": False,
            },
            "required": ["type", "name", "url"],
        }
    ),
]
"""As the Messages API takes it; its token stands in the environment variable that `authorization_token_env` names."""
