"""The SDK's hook for files of a browser: what is said of them to the model, and the shape of what it says. Which files
there are, and whether they may be given, the environment judges, since it has them; and it opens each once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from anthropic.tools import BetaURLContext, ToolError

PATH_LIMIT = 4096


class FilePolicy:
    """`file_policy=FilePolicy(downloads)`. The paths of files directly in `download_dir` are shown to the model. Paths
    below an upload root may be relative to it, which `BetaLocalFilePolicy` does not allow."""

    def __init__(self, download_dir: Path | None = None) -> None:
        self._download_dir = download_dir

    def resolve_upload_paths(self, context: BetaURLContext, paths: Sequence[str]) -> list[str]:
        for path in paths:
            if not path or "\0" in path or len(path) > PATH_LIMIT:
                raise ToolError("A path of file_upload is empty, too long, or has a NUL character.")
        return list(paths)

    def resolve_upload_documents(self, context: BetaURLContext, document_ids: Sequence[str]) -> list[str]:
        return list(document_ids)

    def is_path_visible(self, path: str) -> bool:
        return self._download_dir is not None and Path(path).parent == self._download_dir
