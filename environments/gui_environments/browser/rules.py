"""What a browser's pages may do and how it answers for them, as data: it travels to a remote browser as it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from gui_environments.browser.files.limits import DOWNLOAD_LIMITS, UPLOAD_LIMITS, FileLimits
from gui_environments.browser.files.places import NamedPlace, contained, overlap
from gui_environments.browser.watching.dialog_rules import DialogPolicy
from gui_environments.egress.rules import NO_HOST, HostRules
from gui_environments.errors import EnvironmentUnavailable


@dataclass(frozen=True, slots=True)
class BrowserRules:
    """Without anything given no host may be gone to, no file given and no download kept. Uploads come from below
    `upload_roots`, or, by an id, from `document_dir`, where documents are put ready for pages: a file of that name, or
    the one file in a folder of that name."""

    hosts: HostRules = NO_HOST
    dialogs: DialogPolicy = field(default_factory=DialogPolicy)
    upload_roots: tuple[Path, ...] = ()
    download_dir: Path | None = None
    document_dir: Path | None = None
    upload_limits: FileLimits = UPLOAD_LIMITS
    download_limits: FileLimits = DOWNLOAD_LIMITS

    @property
    def places(self) -> tuple[NamedPlace, ...]:
        """The folders that pages' files come from and go to, none of which may lie in another."""
        named = [("the upload root", root) for root in self.upload_roots]
        if self.document_dir is not None:
            named.append(("the folder of documents", self.document_dir))
        if self.download_dir is not None:
            named.append(("the download directory", self.download_dir))
        return tuple(named)

    def require_places_apart(self, private: Path) -> None:
        """None in another, and none of them holds the browser's `private` directory. Raises
        `EnvironmentUnavailable`."""
        sentence = overlap(self.places)
        for place in self.places:
            sentence = sentence or contained(("the browser's private directory", private), place)
        if sentence is not None:
            raise EnvironmentUnavailable(f"{sentence[0].upper()}{sentence[1:]}. Choose folders apart from each other.")
