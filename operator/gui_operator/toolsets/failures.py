"""What an environment raised, as what the model reads. Fixed sentences and the environment's own; never a trace, and
never the words of an exception that nobody wrote for a model."""

from __future__ import annotations

import logging

from anthropic.tools import ToolError, ToolsetUsageError

from gui_environments.errors import ActionFailed, ActionRefused, EnvironmentDied
from gui_operator.recording.calls import note_failed

log = logging.getLogger(__name__)


ENDED = "The environment has ended and nothing more can be done in it: {}"


class EnvironmentEnded(ToolError):
    """The environment is gone: every later call will fail as well."""


def error_for_model(error: Exception, title: str) -> Exception:
    """The error to raise in place of `error`, which came out of the call `title`; notes whether anything was done."""
    if isinstance(error, (ToolError, ToolsetUsageError)):
        return error
    if isinstance(error, ActionRefused):
        return ToolError(str(error))
    note_failed()
    if isinstance(error, ActionFailed):
        return ToolError(str(error))
    if isinstance(error, EnvironmentDied):
        return EnvironmentEnded(ENDED.format(error))
    log.error("unexpected error in %s", title, exc_info=error)
    return ToolError(
        f"'{title}' failed in a way it should not ({type(error).__name__}), and may have been carried out in part. "
        "Look at the present state before you go on."
    )
