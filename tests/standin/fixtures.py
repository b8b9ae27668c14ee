"""The fixture. Import it into a conftest: `from standin.fixtures import stand_in`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from standin.server import StandIn


@pytest.fixture
def stand_in() -> Iterator[StandIn]:
    """A stand-in of the test's own. The test fails if a request was refused or fell back without its saying so."""
    with StandIn() as server:
        yield server
    server.check()
