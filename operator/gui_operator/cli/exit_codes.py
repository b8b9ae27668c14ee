"""What the commands end with. A run that was interrupted ends with 128 and the signal's number, as shells have it; one
whose arguments cannot be meant ends with the 2 of `argparse`."""

from __future__ import annotations

OK = 0
FAILED = 1
ENVIRONMENT_UNAVAILABLE = 6
INTERRUPTED_BASE = 128
