"""The examples that `exec --help` gives can be meant, as they stand there."""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from gui_operator.cli.exec_options import describe_exec, read_options

from .sessions import COMMAND


def test_its_examples_can_be_meant_and_show_what_is_asked_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = subprocess.run([*COMMAND, "exec", "--help"], capture_output=True, text=True, check=True).stdout
    section = said.partition("\nexamples:\n")[2].partition("\n\n")[0]
    lines = section.replace("\\\n", " ").splitlines()
    monkeypatch.chdir(tmp_path)
    shown: set[str] = set()
    for line in lines:
        words = shlex.split(line.partition("gui-operator exec ")[2])
        assert words, line
        for option, folder in re.findall(r"(--upload-root|--download-dir) (\S+)", line):
            Path(folder).mkdir(exist_ok=True)
            shown.add(option)
        shown |= set(words)
        parser = argparse.ArgumentParser()
        describe_exec(parser)
        read_options(parser.parse_args(words), parser)
    assert {"--dialog", "--approve", "--max-upload", "--upload-root", "--download-dir", "--allow"} <= shown
