"""The command line of the sample: one order file, one window."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m gui_environments.samples.orders", description="Keep the orders of a file."
    )
    parser.add_argument(
        "--file", type=Path, required=True, metavar="PATH", help="the order file (JSON); made at the first save"
    )
    path: Path = parser.parse_args(arguments).file

    # Only now: --help and a wrong argument need no display.
    from gui_environments.samples.orders.window import OrdersWindow

    OrdersWindow(path.absolute()).run()


if __name__ == "__main__":
    main()
