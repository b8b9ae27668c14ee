"""The payment provider's side: a bank account is checked and kept under a token. Talks to nobody."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


class InvalidAccount(Exception):
    """The bank account cannot be taken. The message says why."""


@dataclass(frozen=True, slots=True)
class BankAccount:
    """`mandate`: whether it may be collected from. `iban` without spaces."""

    holder: str
    iban: str
    mandate: bool


def bank_account_of(sent: Mapping[str, Any]) -> BankAccount:
    """From what the frame sent; raises `InvalidAccount`."""
    holder, iban, mandate = sent.get("holder"), sent.get("iban"), sent.get("mandate")
    if not isinstance(holder, str) or not holder.strip():
        raise InvalidAccount("The account holder is missing.")
    if not isinstance(iban, str) or not iban:
        raise InvalidAccount("The IBAN is missing.")
    if not is_iban(iban):
        raise InvalidAccount("The IBAN is not right.")
    if not isinstance(mandate, bool):
        raise InvalidAccount("Say whether it is collected.")
    return BankAccount(holder.strip(), iban, mandate)


def is_iban(text: str) -> bool:
    """By its two check digits (ISO 13616)."""
    if not re.fullmatch("[A-Z]{2}[0-9]{2}[A-Z0-9]{10,30}", text):
        return False
    return int("".join(str(int(character, 36)) for character in text[4:] + text[:4])) % 97 == 1


class Payments:
    """The bank accounts by token, as long as the program runs."""

    def __init__(self) -> None:
        self._accounts: dict[str, BankAccount] = {}

    def keep(self, account: BankAccount) -> str:
        token = f"pay_{secrets.token_hex(8)}"
        self._accounts[token] = account
        return token

    def account(self, token: str) -> BankAccount | None:
        return self._accounts.get(token)
