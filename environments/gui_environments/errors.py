"""What an environment raises, by who must act on it. Anything else that comes out of an environment is a defect."""

from __future__ import annotations


class ActionRefused(Exception):
    """The action was not carried out, and nothing of it was: no key, button or byte was sent.

    The message is a sentence for whoever asked (often a model): it says why, and what to try next.
    """


class ActionFailed(Exception):
    """The action began and could not be completed. The message says what was done and what was not.

    Keys and buttons pressed by the action have been released.
    """


class EnvironmentUnavailable(Exception):
    """The environment cannot be started here. The message tells a person what is missing and the command that mends
    it."""


class EnvironmentDied(Exception):
    """The environment ended while in use (its display, shell or connection is gone). Nothing more can be done in it;
    the message says what ended, and the last lines it logged where there are any."""
