"""Names as the machine itself looks them up, at a real name server that changes its mind and lies."""

from __future__ import annotations

from pathlib import Path

import pytest

from environments.egress.hosts import answering, get, ok, proxied, started
from environments.egress.name_server import NameServer, Records, ask_only_that_server
from environments.egress.network import OwnNetwork
from gui_environments.egress import HostRules
from gui_environments.egress.resolving import system_resolver

pytestmark = pytest.mark.usefixtures("own_names_possible")

PUBLIC_IP, OTHER_PUBLIC_IP, PUBLIC_IPV6 = "93.184.216.34", "93.184.216.35", "2606:2800:220:1::1"
PORT = 80
BOOK: dict[str, list[Records]] = {
    "plain.test": [{"A": [PUBLIC_IP]}],
    "both.test": [{"A": [PUBLIC_IP], "AAAA": [PUBLIC_IPV6]}],
    "rebinding.test": [{"A": [PUBLIC_IP]}, {"A": ["127.0.0.1"]}],
    "flipping.test": [{"A": [PUBLIC_IP]}, {"A": [OTHER_PUBLIC_IP]}],
    "private.test": [{"A": ["10.20.0.5"]}],
    "loopback.test": [{"A": ["127.0.0.1"]}],
    "metadata.test": [{"A": ["169.254.169.254"]}],
    "zero.test": [{"A": ["0.0.0.0"]}],
    "mixed.test": [{"A": [PUBLIC_IP, "127.0.0.1"]}],
    "mapped.test": [{"A": [PUBLIC_IP], "AAAA": ["::ffff:127.0.0.1"]}],
    "translated.test": [{"A": [PUBLIC_IP], "AAAA": ["64:ff9b::7f00:1"]}],
    "local6.test": [{"AAAA": ["fe80::1"]}],
    "unique6.test": [{"AAAA": ["fd00::1"]}],
    "alias.test": [{"CNAME": ["plain.test."]}],
    "private-alias.test": [{"CNAME": ["private.test."]}],
}


class Asked:
    """What came of one request: its answer, where it arrived, and what the name server was asked."""

    def __init__(self) -> None:
        self.answers: list[bytes] = []
        self.arrived_at: list[str] = []
        self.questions: list[tuple[str, str]] = []


def ask(folder: Path, name: str, *allow: str, times: int = 1, any_host: bool = False) -> Asked:
    asked = Asked()

    async def work() -> None:
        ask_only_that_server(folder)
        server = NameServer(BOOK)
        await server.start()
        host = answering(ok())
        try:
            rules = HostRules.of(allow, any_host=any_host)
            async with started(host, "0.0.0.0", PORT), proxied(rules=rules, names=system_resolver()) as session:
                for _ in range(times):
                    head, _ = await session.ask(get(f"http://{name}/"))
                    asked.answers.append(head.split()[1])
                ended = await session.wait_ended(sum(event.verdict.allowed for event in session.judged))
                asked.arrived_at = [event.address for event in ended if event.address is not None]
                assert host.connections == len(asked.arrived_at)
        finally:
            server.stop()
            asked.questions = server.asked

    with OwnNetwork() as network:
        network.run(work())
    return asked


def test_a_name_is_looked_up_once_and_reached_where_it_is(tmp_path: Path) -> None:
    asked = ask(tmp_path, "plain.test", "plain.test")
    assert asked.answers == [b"200"]
    assert asked.arrived_at == [PUBLIC_IP]
    assert sorted(asked.questions) == [("plain.test", "A"), ("plain.test", "AAAA")]


def test_a_name_that_is_not_listed_is_not_looked_up(tmp_path: Path) -> None:
    asked = ask(tmp_path, "secret.plain.test", "plain.test")
    assert asked.answers == [b"403"]
    assert asked.questions == []


def test_a_name_that_turns_to_loopback_is_refused_from_then_on(tmp_path: Path) -> None:
    asked = ask(tmp_path, "rebinding.test", "rebinding.test", times=3)
    assert asked.answers == [b"200", b"403", b"403"]
    assert asked.arrived_at == [PUBLIC_IP]


def test_a_name_that_moves_to_another_public_address_is_followed(tmp_path: Path) -> None:
    asked = ask(tmp_path, "flipping.test", "flipping.test", times=2)
    assert asked.arrived_at == [PUBLIC_IP, OTHER_PUBLIC_IP]


@pytest.mark.parametrize("any_host", [False, True])
@pytest.mark.parametrize(
    "name",
    [
        "private.test",
        "loopback.test",
        "metadata.test",
        "zero.test",
        "mixed.test",
        "mapped.test",
        "translated.test",
        "local6.test",
        "unique6.test",
    ],
)
def test_a_name_that_leads_to_what_is_not_public_is_refused(tmp_path: Path, name: str, any_host: bool) -> None:
    asked = ask(tmp_path, name, *([] if any_host else [name]), any_host=any_host)
    assert asked.answers == [b"403"]
    assert asked.arrived_at == []


def test_a_name_in_the_range_it_is_listed_with_is_reached_there(tmp_path: Path) -> None:
    assert ask(tmp_path, "private.test", "private.test=10.20.0.0/16").arrived_at == ["10.20.0.5"]
    assert ask(tmp_path, "private.test", "private.test=10.21.0.0/16").answers == [b"403"]


def test_a_name_that_stands_for_another_is_judged_by_what_it_leads_to(tmp_path: Path) -> None:
    assert ask(tmp_path, "alias.test", "alias.test").arrived_at == [PUBLIC_IP]
    assert ask(tmp_path, "private-alias.test", "private-alias.test").answers == [b"403"]


def test_a_name_that_the_server_does_not_know_is_not_known(tmp_path: Path) -> None:
    assert ask(tmp_path, "nobody.test", "nobody.test").answers == [b"502"]
