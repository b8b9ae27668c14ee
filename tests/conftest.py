"""Fixtures for tests of every folder."""

from standin.fixtures import stand_in, stand_in_host

__all__ = ["stand_in", "stand_in_host"]
