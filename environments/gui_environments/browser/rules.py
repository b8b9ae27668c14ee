"""What a browser's pages may do and how it answers for them, as data: it travels to a remote browser as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gui_environments.browser.addresses import HostRule
from gui_environments.browser.dialog_rules import DialogPolicy

EVERY_NAME = ("*",)


@dataclass(frozen=True, slots=True)
class BrowserRules:
    """`allowed_hosts` None lets `navigate` go to any host. Uploads come from below `upload_roots` only; without a
    `download_dir` no download is kept."""

    allowed_hosts: tuple[HostRule, ...] | None = None
    dialogs: DialogPolicy = field(default_factory=DialogPolicy)
    upload_roots: tuple[Path, ...] = ()
    download_dir: Path | None = None

    @property
    def reachable_names(self) -> Sequence[str]:
        """The host names that the browser is to know, beside loopback's."""
        return EVERY_NAME if self.allowed_hosts is None else tuple(rule.host for rule in self.allowed_hosts)
