"""Applications get nothing that was not meant for them."""

from __future__ import annotations

from pathlib import Path

from gui_environments.desktop.variables import application_variables


def test_only_what_is_on_the_list_is_handed_on() -> None:
    host = {"HOME": "/home/a", "PATH": "/bin", "AWS_SECRET_ACCESS_KEY": "x", "SSH_AUTH_SOCK": "/s", "XMODIFIERS": "@im"}
    variables = application_variables(host, Path("/private"))
    assert variables["HOME"] == "/home/a"
    assert not {"AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK", "XMODIFIERS"} & variables.keys()
    assert Path("/private") in Path(variables["XDG_RUNTIME_DIR"]).parents
    assert Path("/private") in Path(variables["TMPDIR"]).parents
