"""Applications run in a UTF-8 locale whatever the host's is, and get nothing that was not meant for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from gui_environments.desktop.variables import application_variables, locale_variables


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
    host = {"HOME": "/home/a", "PATH": "/bin", "AWS_SECRET_ACCESS_KEY": "x", "SSH_AUTH_SOCK": "/s", "XMODIFIERS": "@im"}
    variables = application_variables(host, Path("/private"))
    assert variables["HOME"] == "/home/a"
    assert not {"AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK", "XMODIFIERS"} & variables.keys()
    assert Path("/private") in Path(variables["XDG_RUNTIME_DIR"]).parents
    assert Path("/private") in Path(variables["TMPDIR"]).parents
