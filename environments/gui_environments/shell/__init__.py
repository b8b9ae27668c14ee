"""A bash session and edits of files: worlds without a screen. Linux only."""

from gui_environments.shell.bash import Bash
from gui_environments.shell.files import FileEditor
from gui_environments.shell.programs import ProgramList
from gui_environments.shell.results import CommandResult

__all__ = ["Bash", "CommandResult", "FileEditor", "ProgramList"]
