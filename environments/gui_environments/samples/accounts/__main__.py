"""The command line of the sample: one folder, one address, which is printed once it can be opened."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from gui_environments.samples.accounts.site import AccountsSite


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m gui_environments.samples.accounts",
        description="Serve a form to open a trade account on loopback, until interrupted.",
    )
    parser.add_argument(
        "--folder", type=Path, required=True, metavar="PATH", help="where what is received is kept; made when missing"
    )
    parser.add_argument("--port", type=int, default=0, help="the port (default: a free one)")
    chosen = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt), AccountsSite(chosen.folder.absolute(), chosen.port) as site:
        # Connections are taken from here on, so nobody who reads this comes too early.
        sys.stdout.write(f"{site.url}\n")
        sys.stdout.flush()
        site.serve()


if __name__ == "__main__":
    main()
