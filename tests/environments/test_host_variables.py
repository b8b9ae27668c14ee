"""Programs of an environment run in a UTF-8 locale whatever the host's is, and get nothing that is not for them."""

from __future__ import annotations

import pytest

from gui_environments.host_variables import host_variables, locale_variables


@pytest.mark.parametrize(
    "host",
    [
        {},
        {"LANG": "C"},
        {"LANG": "C.UTF-8", "LC_ALL": "POSIX"},
        {"LANG": "en_US.ISO-8859-1"},
        {"LANG": "xx_XX.UTF-8"},
        {"LC_ALL": "", "LANG": "nonsense"},
    ],
)
def test_a_locale_that_is_not_utf8_or_not_installed_is_replaced(host: dict[str, str]) -> None:
    assert locale_variables(host) == {"LANG": "C.UTF-8"}


@pytest.mark.parametrize(
    "host", [{"LANG": "C.UTF-8"}, {"LC_ALL": "C.utf8"}, {"LANG": "C", "LC_CTYPE": "C.UTF-8", "LC_TIME": "C"}]
)
def test_a_utf8_locale_of_the_host_is_kept(host: dict[str, str]) -> None:
    assert locale_variables(host) == host


def test_only_what_is_on_the_list_is_handed_on() -> None:
    host = {"HOME": "/home/a", "PATH": "/bin", "AWS_SECRET_ACCESS_KEY": "x", "LC_SECRET": "x", "LANG": "C.UTF-8"}
    assert host_variables(host) == {"HOME": "/home/a", "PATH": "/bin", "LANG": "C.UTF-8"}


def test_there_is_a_path_where_the_host_has_none() -> None:
    assert "/bin" in host_variables({})["PATH"].split(":")
