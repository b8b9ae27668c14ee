"""The secrets of a session: what `{{NAME}}` in a text of the model's stands for, whether any has been used, and the
masking that keeps them from sight. Decides nothing about places: the environment holds a value to its binding."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from gui_environments.errors import ActionRefused
from gui_environments.secrets import Masking, SecretText
from gui_environments.secrets.values import Pieces
from gui_operator.policy.one_time_codes import NoSeed, code_at, now_s, seed_of, wait_for_code_s
from gui_operator.policy.secret_sources import Secret

_WRITTEN = re.compile(r"\{\{([A-Za-z_][A-Za-z0-9_]*)(\.totp)?\}\}")

MORE_S = 0.05
"""Waited beyond the end of a code, so that the clock has passed it."""


class Secrets:
    """Live state of one session. `masking` knows every value, and every code that was used."""

    def __init__(self, secrets: Iterable[Secret] = ()) -> None:
        self._by_name = {secret.name: secret for secret in secrets}
        self.masking = Masking()
        self.in_use = False
        """Whether one has been filled in, or may have been."""
        for secret in self._by_name.values():
            self.masking.add(secret.name, secret.value)
            self._mask_seed(secret)

    def __bool__(self) -> bool:
        return bool(self._by_name)

    def _mask_seed(self, secret: Secret) -> None:
        """Of a value that is one in other words: an address, or groups of letters."""
        try:
            self.masking.add(secret.name, seed_of(secret.value))
        except (NoSeed, ValueError):
            return  # said when a code is asked for

    async def filled(self, text: str) -> Pieces | None:
        """`text` with what stands for a secret as that; None where nothing does. It may wait for a one-time code.
        Raises `ActionRefused` for a code of what is no seed."""
        written = [match for match in _WRITTEN.finditer(text) if match[1] in self._by_name]
        if not written:
            return None
        pieces: list[str | SecretText] = []
        at = 0
        for match in written:
            if match.start() > at:
                pieces.append(text[at : match.start()])
            pieces.append(await self._text_of(self._by_name[match[1]], is_code=match[2] is not None))
            at = match.end()
        return (*pieces, text[at:]) if at < len(text) else tuple(pieces)

    async def _text_of(self, secret: Secret, *, is_code: bool) -> SecretText:
        if not is_code:
            return SecretText(secret.name, secret.value, secret.hosts, secret.windows)
        try:
            wait_s = wait_for_code_s(secret.value, now_s())
            if wait_s > 0:
                await asyncio.sleep(wait_s + MORE_S)
            code, _ = code_at(secret.value, now_s())
        except NoSeed as error:
            raise ActionRefused(f"{{{{{secret.name}.totp}}}} cannot be filled in: {error}") from None
        self.masking.add(secret.name, code)
        return SecretText(secret.name, code, secret.hosts, secret.windows)

    @contextmanager
    def being_filled(self) -> Iterator[None]:
        """Around an action that fills one in: it counts as used unless nothing was done."""
        before, self.in_use = self.in_use, True
        try:
            yield
        except ActionRefused:
            self.in_use = before
            raise
