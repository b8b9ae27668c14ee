"""The applications that were received, each in a folder named by the customer's number. For one process."""

from __future__ import annotations

import json
import secrets
import threading
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gui_environments.samples.accounts.applications import Application, UploadedFile
from gui_environments.samples.accounts.payments import BankAccount


@dataclass(frozen=True, slots=True)
class Received:
    """`number` is the customer's."""

    number: str
    application: Application
    account: BankAccount
    licence: UploadedFile


class AccountsBook:
    """`folder` is made when it is missing. What another process received stays there, and is not found."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()
        self._received: dict[str, Received] = {}

    def enter(self, application: Application, account: BankAccount, licence: UploadedFile) -> Received:
        """Keep an application under a new customer number."""
        with self._lock:
            place = self._new_place()
            received = Received(place.name, application, account, licence)
            (place / "licence").write_bytes(licence.content)
            text = json.dumps(entry_of(received), ensure_ascii=False, indent=2) + "\n"
            (place / "application.json").write_text(text, encoding="utf-8")
            self._received[received.number] = received
        return received

    def find(self, number: str) -> Received | None:
        with self._lock:
            return self._received.get(number)

    def _new_place(self) -> Path:
        # Not one after the other: who is given a number cannot tell the next.
        while True:
            place = self.folder / f"K-{10_000 + secrets.randbelow(90_000)}"
            try:
                place.mkdir(parents=True)
            except FileExistsError:
                continue
            return place


def entry_of(received: Received) -> dict[str, Any]:
    """As it stands in the file."""
    return {
        "number": received.number,
        **asdict(received.application),
        "account": asdict(received.account),
        "licence": {"name": received.licence.name, "bytes": len(received.licence.content)},
    }
