"""What input holds down in one tab, and where its mouse is. Live state; its tab is the owner."""

from __future__ import annotations

from dataclasses import dataclass, field

from gui_environments.browser.values import PagePoint


@dataclass(slots=True)
class Hand:
    at: PagePoint = field(default_factory=lambda: PagePoint(0, 0))
    left_down: bool = False
    """Pressed by itself, to be let go by itself."""
    keys_kept_from: bool | None = None
    """While keys are held to one element: whether any was kept from going elsewhere. Else None."""
