"""What may happen: rules, who is asked, and the decision that is recorded. Never runs a call."""

from gui_operator.policy.approver import Answer as Answer
from gui_operator.policy.approver import Approver as Approver
from gui_operator.policy.approver import NobodyToAsk as NobodyToAsk
from gui_operator.policy.file_policy import FilePolicy as FilePolicy
from gui_operator.policy.gate import Gate as Gate
from gui_operator.policy.host_policy import host_policy as host_policy
from gui_operator.policy.requests import CallRequest as CallRequest
from gui_operator.policy.requests import Decision as Decision
from gui_operator.policy.requests import Effect as Effect
from gui_operator.policy.rules import Rule as Rule
from gui_operator.policy.rules import RuleError as RuleError
from gui_operator.policy.rules import Rules as Rules
from gui_operator.policy.secret_grammar import SecretError as SecretError
from gui_operator.policy.secret_grammar import parse_secret as parse_secret
from gui_operator.policy.secret_rules import RulesWithSecrets as RulesWithSecrets
from gui_operator.policy.secret_sources import Secret as Secret
from gui_operator.policy.secret_sources import read_secret as read_secret
from gui_operator.policy.secrets import Secrets as Secrets
from gui_operator.policy.terminal import Terminal as Terminal
from gui_operator.policy.terminal_approver import TerminalApprover as TerminalApprover
from gui_operator.policy.terminal_dialogs import TerminalDialogs as TerminalDialogs
