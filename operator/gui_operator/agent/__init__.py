"""One run with Claude: which models can do it, what it may cost, the conversation, its limits and its outcome."""

from gui_operator.agent.endings import Ending as Ending
from gui_operator.agent.models import ModelRefused as ModelRefused
from gui_operator.agent.prices import Prices as Prices
from gui_operator.agent.settings import SettingsRefused as SettingsRefused
from gui_operator.agent.task import run_task as run_task
