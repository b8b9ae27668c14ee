"""The command line of the sample: one order file, one window."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

from gui_environments.samples.orders.layout import ORIGIN


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m gui_environments.samples.orders", description="Keep the orders of a file."
    )
    parser.add_argument(
        "--file", type=Path, required=True, metavar="PATH", help="the order file (JSON); made at the first save"
    )
    parser.add_argument(
        "--at",
        type=_read_point,
        default=ORIGIN,
        metavar="X,Y",
        help=f"where on the screen the window's inside begins, in pixels (default: {ORIGIN[0]},{ORIGIN[1]})",
    )
    chosen = parser.parse_args(arguments)

    # Only now: --help and a wrong argument need no display.
    from gui_environments.samples.orders.window import OrdersWindow

    OrdersWindow(chosen.file.absolute(), chosen.at).run()


def _read_point(text: str) -> tuple[int, int]:
    match = re.fullmatch("([0-9]{1,5}),([0-9]{1,5})", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no point such as 900,90")
    return int(match[1]), int(match[2])


if __name__ == "__main__":
    main()
