"""What a browser's pages may do and how it answers for them, as data: it travels to a remote browser as it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from gui_environments.browser.dialog_rules import DialogPolicy
from gui_environments.egress.rules import NO_HOST, HostRules


@dataclass(frozen=True, slots=True)
class BrowserRules:
    """Without anything given no host may be gone to, no file given and no download kept. Uploads come from below
    `upload_roots` only."""

    hosts: HostRules = NO_HOST
    dialogs: DialogPolicy = field(default_factory=DialogPolicy)
    upload_roots: tuple[Path, ...] = ()
    download_dir: Path | None = None
