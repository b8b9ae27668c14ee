"""What commands can be told about hosts, read once into the rules that every layer asks. Opens nothing, and looks no
name up."""

from __future__ import annotations

import argparse

from gui_environments.egress.entries import BadEntry
from gui_environments.egress.rules import HostRules

GRAMMAR = """\
what can be listed with --allow and --allow-resources:
  example.com                  this host, any port, http and https (and WebSockets)
  *.example.com                every host below it, not itself
  example.com:8080             this port only
  https://example.com:8443     this scheme and port only
  127.0.0.1:8000, [::1]:8000   an address, written as one
  intranet.corp=10.20.0.0/16   a name that may be at these addresses, and nowhere else
  Other names must be at public addresses, and addresses that are not public are reached only when they are listed."""


def describe_hosts(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what may be reached")
    group.add_argument(
        "--allow",
        action="append",
        default=[],
        metavar="HOST",
        help="list this host, or NAME=CIDR; may be repeated (default: none, so that nothing can be reached)",
    )
    group.add_argument(
        "--allow-any-host",
        action="store_true",
        help="allow every public host; loopback, private, link-local, multicast and metadata addresses only as listed",
    )
    group.add_argument(
        "--allow-resources",
        action="append",
        default=[],
        metavar="HOST",
        help="list this host for what pages are made of, beside those of --allow; may be repeated",
    )
    group.add_argument(
        "--subresources",
        choices=["listed", "public"],
        default="listed",
        help="where what pages are made of may come from: listed hosts, or any public one (default: listed)",
    )


def read_hosts(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> HostRules:
    try:
        return HostRules.of(
            arguments.allow,
            allow_resources=arguments.allow_resources,
            any_host=arguments.allow_any_host,
            subresources=arguments.subresources,
        )
    except BadEntry as error:
        parser.error(str(error))
