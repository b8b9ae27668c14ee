"""Fixtures for tests of every folder."""

import signal

from standin.fixtures import stand_in, stand_in_host

__all__ = ["stand_in", "stand_in_host"]

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell that runs the tests in the background has Ctrl-C ignored, and so would all that the tests start: those
    # that interrupt a process of theirs would wait for ever.
    signal.signal(signal.SIGINT, signal.default_int_handler)
