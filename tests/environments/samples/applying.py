"""A valid application, and what a browser would send for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

BOUNDARY = "----a boundary that no text of these tests has"

VALID: dict[str, list[str]] = {
    "company": ["Ada & Co"],
    "legal_form": ["ltd"],
    "tax_number": ["12/345/67890"],
    "country": ["IE"],
    "founded": ["1987-04"],
    "employees": ["3"],
    "contact": ["Ada <b>Lovelace</b>"],
    "email": ["ada@example.com"],
    "telephone": ["+353 1 234"],
    "password": ["long enough!"],
    "language": ["en"],
    "catalogues": ["pens", "filing"],
    "address": ["One street\r\nTown"],
    "first_delivery": ["2026-04-01"],
    "dock_opens": ["06:30"],
    "visit": ["2026-03-24T14:15"],
    "credit": ["25"],
    "label_colour": ["#22a06b"],
    "driver_note": ["Ring twice"],
    "terms": ["yes"],
}


def multipart(texts: Mapping[str, Sequence[str]], files: Mapping[str, tuple[str, bytes]]) -> tuple[str, bytes]:
    """The content type and the body."""
    parts = [
        f'Content-Disposition: form-data; name="{name}"\r\n\r\n{text}'.encode()
        for name, listed in texts.items()
        for text in listed
    ]
    parts += [
        f'Content-Disposition: form-data; name="{name}"; filename="{filename}"\r\n'.encode()
        + b"Content-Type: application/octet-stream\r\n\r\n"
        + content
        for name, (filename, content) in files.items()
    ]
    body = b"".join(b"--" + BOUNDARY.encode() + b"\r\n" + part + b"\r\n" for part in parts)
    return f"multipart/form-data; boundary={BOUNDARY}", body + b"--" + BOUNDARY.encode() + b"--\r\n"
