"""Desktops: an X display of our own, one that is there already, or the machine's own screen."""

from gui_environments.desktop.desktop import Desktop

__all__ = ["Desktop"]
