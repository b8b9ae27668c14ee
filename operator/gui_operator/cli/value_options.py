"""What `exec` can be told about values: texts that turns use by name. Read once; starts nothing."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from gui_operator.cli.placeholders import VALUE_NAME
from gui_operator.cli.services import Service
from gui_operator.cli.words import read_words


@dataclass(frozen=True, slots=True)
class ValueOptions:
    """`given` are texts by name; each of `services` brings one more, its address."""

    given: Mapping[str, str]
    services: tuple[Service, ...]


def describe_values(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group('values, which turns use as {"$text": "${NAME}"}')
    group.add_argument(
        "--value",
        type=_read_value,
        action="append",
        default=[],
        metavar="NAME=TEXT",
        help="give a text a name; may be repeated",
    )
    group.add_argument(
        "--service",
        type=_read_service,
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help="start this program beside the environment, in the current folder, such as a web application; wait until "
        "it prints an address that begins with http, which then goes by the name; end it with the rest; may be "
        "repeated",
    )


def read_value_options(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> ValueOptions:
    names = [name for name, _ in arguments.value] + [service.name for service in arguments.service]
    for name in names:
        if names.count(name) > 1:
            parser.error(f"the value {name} is given twice")
    return ValueOptions(MappingProxyType(dict(arguments.value)), tuple(arguments.service))


def _read_value(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not VALUE_NAME.fullmatch(name):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=TEXT with a name of letters, digits and _")
    return name, value


def _read_service(text: str) -> Service:
    name, command = _read_value(text)
    return Service(name, read_words(command))
