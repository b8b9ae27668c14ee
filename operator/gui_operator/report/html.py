"""The report as one page of HTML: no network, no script, and everything that is not the page's own escaped, in one
place, the template's. Writes that one file, whole or not at all."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from gui_operator.policy.visible import visible_lines
from gui_operator.recording.outcome import replace_file
from gui_operator.report.pictures import PictureFile, PictureFiles
from gui_operator.report.reading import read_run
from gui_operator.report.run import Run
from gui_operator.report.view import report_view

REPORT_NAME = "report.html"

_PAGE = Path(__file__).parent / "page"


def write_report(directory: Path) -> Path:
    """`report.html` of the run in `directory`, in the place of an older one. Raises `NotARecording`, `OSError`."""
    path = directory / REPORT_NAME
    replace_file(path, (part.encode() for part in report_parts(read_run(directory))))
    return path


def report_parts(run: Run) -> Iterator[str]:
    """The page in pieces, so that its pictures need not all be held at once."""
    files = PictureFiles(run.directory, (picture.path for call in run.calls for picture in call.pictures))

    def data_url(file: PictureFile) -> Markup:
        return Markup(files.data_url(file))  # noqa: S704  # a media type of ours and base64

    style = (_PAGE / "report.css").read_text(encoding="utf-8")
    template = _environment().get_template("report.html.jinja")
    yield from template.generate(
        view=report_view(run, files),
        policy=content_security_policy(style),
        style=Markup(style),  # noqa: S704  # ours
        version=version("gui-operator"),
        data_url=data_url,
    )


def content_security_policy(style: str) -> str:
    """Nothing is loaded and nothing runs: pictures are in the page, and its one style is known by its digest."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(_PAGE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_shown,
    )


def _shown(value: object) -> object:
    """Of every value, before it is escaped."""
    return value if isinstance(value, Markup) else visible_lines(str(value))
