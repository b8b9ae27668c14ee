"""What `exec` can be told about secrets, read once, values and all: a secret that cannot be had is an error at start.
Shows no value."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from gui_operator.policy import Secret, SecretError, parse_secret, read_secret
from gui_operator.policy.secret_grammar import SOURCES, SecretOption


def describe_secrets(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--secret",
        dest="secrets",
        type=_read_option,
        action="append",
        default=[],
        metavar="NAME=SOURCE@PLACE",
        help=f"a secret that {{{{NAME}}}} in type and form_input stands for; SOURCE is {SOURCES} (run by no shell); "
        "PLACE, or several with commas between, is a host as with --allow, or window:APPLICATION or "
        "window:APPLICATION/TITLE on a desktop, and it is filled in there only; the last @ begins the places; what it "
        "holds is kept out of results, messages, recordings and pictures of pages; {{NAME.totp}} is the one-time code "
        "of a seed; may be repeated",
    )


def read_secrets(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> tuple[Secret, ...]:
    options: Sequence[SecretOption] = arguments.secrets
    names = [option.name for option in options]
    for option in options:
        if names.count(option.name) > 1:
            parser.error(f"--secret: {option.name} is given twice")
        if arguments.environment == "desktop" and not option.windows:
            parser.error(f"--secret: {option.name} is for pages, and there is no browser; see --environment")
        if arguments.environment == "browser" and not option.hosts:
            parser.error(f"--secret: {option.name} is for windows, and there is no desktop; see --environment")
    try:
        return tuple(map(read_secret, options))
    except SecretError as error:
        parser.error(f"--secret: {error}")


def _read_option(text: str) -> SecretOption:
    try:
        return parse_secret(text)
    except SecretError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
