"""A job: what is to be done, where, with what, and within which limits. One frozen value, made by `JobDraft.job()`.

Says what each field takes; the errors that a person reads and the JSON Schema for editors both come of that. Starts
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from gui_environments.browser.events import DialogKind
from gui_environments.browser.watching.dialog_rules import ANSWER_S as DIALOG_ANSWER_S
from gui_environments.browser.watching.dialog_rules import DialogPolicy
from gui_environments.egress.rules import HostRules, Subresources
from gui_operator.jobs.bounds import FileBounds
from gui_operator.jobs.field_types import (
    AnyPath,
    CommandLine,
    DisplayName,
    ExistingFile,
    ExistingFolder,
    Host,
    McpServer,
    Member,
    ResultSchema,
    SecretEntry,
    ServerTool,
    SizePx,
)
from gui_operator.jobs.placeholders import fill, flat_inputs, names_in
from gui_operator.jobs.table_types import ApprovalTable, DialogTable, InputTree
from gui_operator.policy.rules import PRESET, Rules
from gui_operator.policy.secret_grammar import SecretOption, parse_secret

DEFAULT_MODEL = "claude-sonnet-5-5"

_ALWAYS_SHOWN = ("environment", "model", "limits")
"""Also where the job leaves them at what they are by themselves."""

EnvironmentName = Literal["desktop", "browser", "both"]
Platform = Literal["anthropic", "bedrock", "google-cloud", "foundry"]
History = Literal["server", "local"]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, use_attribute_docstrings=True)


class Limits(_Frozen):
    """What ends a run in order when it is reached. What is not named here has no limit."""

    turns: int | None = Field(default=100, ge=1)
    """Replies of the model."""

    seconds: float | None = Field(default=3600, gt=0)
    """From the start of the run."""

    tokens: int | None = Field(default=None, ge=1)
    """Sent and received together."""

    dollars: float | None = Field(default=None, gt=0)
    """By the table of prices."""

    actions: int | None = Field(default=None, ge=1)
    """Calls that were carried out."""


class Job(_Frozen):
    """A job of gui-operator."""

    task: str = Field(min_length=1)
    """What is to be done, in words. ${name} stands for an input; $${ for the characters themselves."""

    environment: EnvironmentName = "desktop"
    """What the model acts on: a desktop, a browser, or a desktop with the browser's window on it."""

    start: str | None = Field(default=None, min_length=1)
    """The address that the browser shows first. ${name} stands for an input or a service."""

    allow: tuple[Host, ...] = ()
    """The hosts that may be reached; without any, none can be."""

    allow_any_host: bool = False
    """Whether every public host may be reached."""

    allow_resources: tuple[Host, ...] = ()
    """Hosts for what pages are made of, beside those of allow."""

    subresources: Subresources = "listed"
    """Where what pages are made of may come from: listed hosts, or any public one."""

    inputs: InputTree = Field(default_factory=dict)
    """Texts by name, for ${name} in the task: data, put in as they are written here. Those that the task does not name
    are told beside it."""

    secrets: tuple[SecretEntry, ...] = ()
    """Names of secrets, whose values stand in environment variables of these names and are for the hosts of allow; or
    NAME=SOURCE@PLACE as --secret takes it."""

    uploads: tuple[ExistingFolder, ...] = ()
    """Folders whose files may be uploaded. Relative paths, here and below, are meant from the job's file."""

    downloads: ExistingFolder | None = None
    """The folder that downloads go to; without one they are gone after the run."""

    documents: ExistingFolder | None = None
    """The folder that document ids of uploads are of."""

    max_upload: FileBounds = FileBounds()
    """How much pages are given at most."""

    max_download: FileBounds = FileBounds()
    """How much is downloaded at most."""

    workdir: ExistingFolder | None = None
    """Where bash starts and below which the editor works; without one a folder that is gone after the run."""

    storage_state: ExistingFile | None = None
    """A file in Playwright's format with which the browser starts signed in."""

    result: ResultSchema | None = None
    """The JSON Schema of what the run is to bring back."""

    enable: tuple[Member, ...] = ()
    """Members of the browser to switch on that are off by default."""

    disable: tuple[Member, ...] = ()
    """Members of the browser to switch off."""

    approve: ApprovalTable = Field(default_factory=dict)
    """What may run, by the name of a member, a tool, a toolset or a kind of effect; the preset decides the rest."""

    ask_seconds: float | None = Field(default=None, gt=0, le=86_400)
    """How long a person may take for an answer."""

    dialogs: DialogTable = Field(default_factory=dict)
    """What becomes of dialogs of pages: one word for all, or by kind."""

    limits: Limits = Limits()
    """What ends the run in order when it is reached."""

    model: str = Field(default=DEFAULT_MODEL, min_length=1)
    """The model's name."""

    platform: Platform = "anthropic"
    """Where the model is asked for."""

    base_url: str | None = Field(default=None, min_length=1)
    """Another address of the API."""

    history: History = "server"
    """Whether the API keeps the conversation, or each request brings it."""

    eager: bool = False
    """Whether calls start while the reply still comes in."""

    look_after: bool = True
    """Whether a turn that did not look in the end is given a screenshot."""

    compaction: bool = False
    """Whether the API may sum up a long conversation, where the model offers it."""

    context_editing: bool = False
    """Whether the API may leave out old results, where the model offers it."""

    system_prompt: ExistingFile | None = None
    """A file with the words that take the place of the system prompt."""

    memory: AnyPath | None = None
    """A folder for the memory tool, made when it is missing."""

    prices: ExistingFile | None = None
    """A file that takes the place of the table of prices."""

    tools: tuple[ServerTool, ...] = ()
    """Tools that the API carries out itself, as it takes them."""

    mcp_servers: tuple[McpServer, ...] = ()
    """MCP servers that the API speaks to, as it takes them, but for tokens."""

    screen: SizePx | None = None
    """The size of the desktop in pixels."""

    viewport: SizePx | None = None
    """The size of what a page shows, in pixels."""

    apps: tuple[CommandLine, ...] = ()
    """Programs to start on the desktop."""

    display: DisplayName | None = None
    """A display that is there already, as :1, or own, the machine's own screen."""

    chromium: ExistingFile | None = None
    """The Chromium to use; without one, that which is found."""

    headed: bool = False
    """Whether the browser shows a window where it is alone."""

    settle_seconds: float | None = Field(default=None, ge=0, le=60)
    """How long a screen or a page is waited for at most, after an input, until it is quiet."""

    services: Mapping[str, CommandLine] = Field(default_factory=dict)
    """Programs to start beside the environment, by names that stand for the addresses they print."""

    @cached_property
    def input_texts(self) -> Mapping[str, str]:
        """The inputs by their whole names: `invoice.number`."""
        return MappingProxyType(dict(flat_inputs(self.inputs)))

    @cached_property
    def hosts(self) -> HostRules:
        return HostRules.of(
            self.allow,
            allow_resources=self.allow_resources,
            any_host=self.allow_any_host,
            subresources=self.subresources,
        )

    @cached_property
    def rules(self) -> Rules:
        """What the job says, above the preset."""
        said = [f"{name}={verdict}" for name, verdict in self.approve.items()]
        return Rules.parse([*said, PRESET], otherwise="ask", hosts_listed=not self.allow_any_host)

    @cached_property
    def dialog_policy(self) -> DialogPolicy:
        kinds: tuple[DialogKind, ...] = get_args(DialogKind)
        said = {kind: self.dialogs.get(kind, self.dialogs.get("*", "dismiss")) for kind in kinds}
        action, accepts, text = said["prompt"].partition(":")
        said["prompt"] = action
        answer_s = DIALOG_ANSWER_S if self.ask_seconds is None else self.ask_seconds
        return DialogPolicy(said, prompt_text=text if accepts else None, answer_s=answer_s)  # type: ignore[arg-type]

    def task_text(self, addresses: Mapping[str, str] = MappingProxyType({})) -> str:
        """The task with its inputs put in, and the addresses of services by their names. Inputs that neither it nor
        the start names follow it, each on a line: they were given to be used."""
        text = fill(self.task, {**self.input_texts, **addresses})
        named = {*names_in(self.task), *names_in(self.start or "")}
        others = [f"{name}: {value}" for name, value in self.input_texts.items() if name not in named]
        return "\n".join([text, "", "Inputs:", *others]) if others else text

    def start_address(self, addresses: Mapping[str, str] = MappingProxyType({})) -> str | None:
        return None if self.start is None else fill(self.start, {**self.input_texts, **addresses})

    @cached_property
    def secret_options(self) -> tuple[SecretOption, ...]:
        """Raises `SecretError` for a bare name where no host is allowed."""
        places = ",".join(entry.partition("=")[0] for entry in self.allow)
        return tuple(parse_secret(entry if "=" in entry else f"{entry}=env:{entry}@{places}") for entry in self.secrets)

    @property
    def secret_names(self) -> tuple[str, ...]:
        return tuple(entry.partition("=")[0] for entry in self.secrets)

    @property
    def has_desktop(self) -> bool:
        return self.environment != "browser"

    @property
    def has_browser(self) -> bool:
        return self.environment != "desktop"

    def public(self) -> dict[str, Any]:
        """What was asked for, as JSON. Of secrets it has the names only, not even where they come from."""
        whole = self.model_dump(mode="json")
        said = self.model_dump(mode="json", exclude_defaults=True)
        shown = {name: whole[name] for name in whole if name in said or name in _ALWAYS_SHOWN}
        return {**shown, "secrets": list(self.secret_names)} if self.secrets else shown
