"""Messages of the commands: one line each, on standard error, never on standard output."""

from __future__ import annotations

import logging
import sys

_LEVELS = (logging.WARNING, logging.INFO, logging.DEBUG)


def set_up_logging(verbosity: int) -> None:
    """0 shows warnings and errors, 1 what is done, 2 everything."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("gui-operator: %(levelname)s: %(message)s"))
    logger = logging.getLogger()
    logger.addHandler(handler)
    # Libraries talk a lot: theirs is for -vv alone.
    logger.setLevel(logging.WARNING if verbosity < len(_LEVELS) - 1 else logging.DEBUG)
    for name in ("gui_operator", "gui_environments"):
        logging.getLogger(name).setLevel(_LEVELS[min(verbosity, len(_LEVELS) - 1)])
