"""Fixtures for tests of every folder."""

import signal

from hypothesis import HealthCheck, settings

from standin.fixtures import stand_in, stand_in_host

__all__ = ["stand_in", "stand_in_host"]

# What a shell that runs the tests in the background has ignored, all that the tests start would ignore too: those that
# signal a process of theirs would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# No test may depend on how fast the machine is, nor on chance.
settings.register_profile("steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")
