"""Desktops: an X display of our own, one that is there already, or the machine's own screen."""

from gui_environments.desktop.desktop import Desktop
from gui_environments.desktop.own_screen import open_own_screen

__all__ = ["Desktop", "open_own_screen"]
