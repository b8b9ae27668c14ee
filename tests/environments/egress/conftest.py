"""What the tests of the way out share."""

from __future__ import annotations

import asyncio
import subprocess

import pytest

from environments.egress.certificates import Certificates, make_certificates
from environments.egress.name_server import ask_only_that_server
from environments.egress.network import OwnNetwork


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return make_certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="session")
def own_network_possible() -> None:
    """Skips where it is not: without root or `ip`, and in containers that allow none."""
    try:
        with OwnNetwork():
            pass
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no network of one's own can be made here: {error}")


@pytest.fixture(scope="session")
def own_names_possible(own_network_possible: None, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Skips where the files that say where names are looked up cannot be replaced for the tests."""
    folder = tmp_path_factory.mktemp("names")
    try:
        with OwnNetwork() as network:
            network.run(asyncio.to_thread(ask_only_that_server, folder))
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no view of the files of one's own can be made here: {error}")
