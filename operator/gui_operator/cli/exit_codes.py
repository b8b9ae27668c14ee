"""What the commands end with. A run that was interrupted ends with 128 and the signal's number, as shells have it."""

from __future__ import annotations

OK = 0
FAILED = 1
USAGE = 2
ENVIRONMENT_UNAVAILABLE = 6
INTERRUPTED_BASE = 128
