"""Messages of the commands: one line each, on standard error, never on standard output."""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Callable
from types import TracebackType

_LEVELS = (logging.WARNING, logging.INFO, logging.DEBUG)

Mask = Callable[[str], str]

FORMAT = "gui-operator: %(levelname)s: %(message)s"


def set_up_logging(verbosity: int) -> None:
    """0 shows warnings and errors, 1 what is done, 2 everything."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter(FORMAT))
    logger = logging.getLogger()
    logger.addHandler(handler)
    # Libraries talk a lot: theirs is for -vv alone.
    logger.setLevel(logging.WARNING if verbosity < len(_LEVELS) - 1 else logging.DEBUG)
    for name in ("gui_operator", "gui_environments"):
        logging.getLogger(name).setLevel(_LEVELS[min(verbosity, len(_LEVELS) - 1)])


class _MaskedFormatter(logging.Formatter):
    """Of whole messages, traces of exceptions included."""

    def __init__(self, mask: Mask) -> None:
        super().__init__(FORMAT)
        self._mask = mask

    def format(self, record: logging.LogRecord) -> str:
        return self._mask(super().format(record))


def keep_from_messages(mask: Mask) -> None:
    """From now on `mask` takes secrets out of what is said on standard error, also by an exception that ends us."""
    logging.raiseExceptions = False  # of a message that cannot be put into words, the parts would be printed
    for handler in logging.getLogger().handlers:
        handler.setFormatter(_MaskedFormatter(mask))

    def say(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        sys.stderr.write(mask("".join(traceback.format_exception(kind, error, trace))))

    sys.excepthook = say
