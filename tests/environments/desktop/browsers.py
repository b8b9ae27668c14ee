"""Where the tests of the desktop find a Chromium."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def chromium_program() -> str:
    """The system's; else the build that Playwright installs, since Ubuntu's own is a snap under another name."""
    folder = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH", Path.home() / ".cache/ms-playwright"))
    builds = sorted(map(str, folder.glob("chromium-*/chrome-linux*/chrome")))
    found = shutil.which("chromium") or next(reversed(builds), None)
    assert found is not None, "no Chromium here; gui-operator doctor says how to get one"
    return found
