"""What a browser sends for a form (`multipart/form-data` as the HTML standard has browsers write it), as texts and
files by name. Judges nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from gui_environments.samples.accounts.applications import UploadedFile

_BOUNDARY = re.compile(r'multipart/form-data;\s*boundary="?([A-Za-z0-9\'()+_,./:=? -]{1,70})"?', re.IGNORECASE)
_DISPOSITION = re.compile(r'Content-Disposition: form-data; name="([^"\r\n]*)"(?:; filename="([^"\r\n]*)")?')
_WRITTEN_AS = {"%22": '"', "%0D": "\r", "%0A": "\n"}
"""All that browsers escape in names; a percent sign is not among it."""


class NoForm(Exception):
    """The body is not a form that a browser sent."""


@dataclass(slots=True)
class FormData:
    texts: dict[str, list[str]] = field(default_factory=dict)
    files: dict[str, UploadedFile] = field(default_factory=dict)


def read_form_data(content_type: str, body: bytes) -> FormData:
    """Raises `NoForm`."""
    boundary = _BOUNDARY.fullmatch(content_type)
    if boundary is None:
        raise NoForm("it is not multipart/form-data")
    pieces = (b"\r\n" + body).split(b"\r\n--" + boundary[1].encode("ascii"))
    before, parts, after = pieces[0], pieces[1:-1], pieces[-1]
    if before or after not in (b"--", b"--\r\n") or not all(part.startswith(b"\r\n") for part in parts):
        raise NoForm("it is not divided as it says")
    data = FormData()
    for part in parts:
        _add_part(data, part.removeprefix(b"\r\n"))
    return data


def _add_part(data: FormData, part: bytes) -> None:
    head, divider, content = part.partition(b"\r\n\r\n")
    try:
        disposition = _DISPOSITION.match(head.decode("utf-8"))
        if not divider or disposition is None:
            raise NoForm("a part of it has no name")
        name, filename = disposition.groups()
        if filename is None:
            data.texts.setdefault(_unescaped(name), []).append(content.decode("utf-8"))
        else:
            data.files[_unescaped(name)] = UploadedFile(_unescaped(filename), content)
    except UnicodeDecodeError:
        raise NoForm("a text of it is not UTF-8") from None


def _unescaped(name: str) -> str:
    return re.sub("|".join(_WRITTEN_AS), lambda escape: _WRITTEN_AS[escape[0]], name)
