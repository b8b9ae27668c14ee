"""The fixtures, which `tests/conftest.py` hands to every test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from standin.host import Host
from standin.server import StandIn


@pytest.fixture(scope="session")
def stand_in_host() -> Iterator[Host]:
    with Host() as host:
        yield host


@pytest.fixture
def stand_in(stand_in_host: Host) -> Iterator[StandIn]:
    """A stand-in of the test's own. The test fails if a request was refused or fell back without its saying so."""
    stand_in = stand_in_host.add()
    yield stand_in
    stand_in.check()
