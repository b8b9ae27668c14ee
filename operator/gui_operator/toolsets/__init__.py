"""What Claude calls: each member and tool turns its input into an action of an environment, and the answer back."""

from gui_operator.toolsets.bash import BashTool as BashTool
from gui_operator.toolsets.browser import BrowserToolset as BrowserToolset
from gui_operator.toolsets.computer import ComputerToolset as ComputerToolset
from gui_operator.toolsets.editor import EditorTool as EditorTool
from gui_operator.toolsets.guarded_runner import guard_runner as guard_runner
from gui_operator.toolsets.guarded_tool import guarded as guarded
from gui_operator.toolsets.scaling import ImageTier as ImageTier
from gui_operator.toolsets.scaling import tier_of_model as tier_of_model
