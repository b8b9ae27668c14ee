"""The rules for what a request declares: tools and toolsets, the choice among them, cache breakpoints, beta headers.
The shapes of the entries have been checked before (`shapes`)."""

from __future__ import annotations

from collections.abc import Callable, Set

from standin.blocks import Json, content_blocks, count_breakpoints
from standin.models import Model
from standin.refusals import Refused

MAX_BREAKPOINTS = 4
_FAMILIES = {"computer_toolset_20260801": "computer", "browser_toolset_20260801": "browser"}

THREADS_BETA = "message-threads-2026-08-12"


def declared_families(tools: list[Json]) -> frozenset[str]:
    """The `toolset_name`s that calls may carry."""
    return frozenset(_FAMILIES[tool["type"]] for tool in tools if tool.get("type") in _FAMILIES)


def check_tools(tools: list[Json], model: Model) -> None:
    names = [tool.get("name") or tool["type"] for tool in tools]
    for name in names:
        if names.count(name) > 1:
            raise Refused(f"tools: Tool names must be unique: {name}")
    if declared_families(tools) and not model.takes_toolsets:
        raise Refused(f"tools: '{model.name}' does not support toolsets")


def check_tool_choice(body: Json, tools: list[Json], model: Model) -> None:
    choice = body.get("tool_choice") or {"type": "auto"}
    if choice["type"] in ("any", "tool") and model.refuses_forced_tool_choice:
        raise Refused(f"tool_choice: type '{choice['type']}' is not supported by '{model.name}'")
    if choice["type"] in ("any", "tool") and not tools:
        raise Refused("tool_choice may only be specified while providing tools")
    if choice["type"] == "tool" and choice["name"] not in {tool.get("name") for tool in tools}:
        raise Refused(f"tool_choice: Tool '{choice['name']}' not found in provided tools")


def check_breakpoints(body: Json, system: object, tools: list[Json]) -> None:
    """`system` and `tools` count on every turn of a thread; the messages that the server holds do not, because each
    breakpoint of theirs was set for the turn that sent it."""
    count = sum(map(count_breakpoints, (system, tools, body["messages"])))
    count += body.get("cache_control") is not None
    if count > MAX_BREAKPOINTS:
        raise Refused(f"A maximum of {MAX_BREAKPOINTS} blocks with cache_control may be provided. Found {count}.")


def check_betas(body: Json, betas: Set[str]) -> None:
    for what, needs, used in _BETA_FEATURES:
        if used(body) and not any(beta.startswith(needs) for beta in betas):
            raise Refused(f"{what} requires the anthropic-beta header {needs}...")


def _has_tool(*kinds: str) -> Callable[[Json], bool]:
    return lambda body: any((tool.get("type") or "").startswith(kinds) for tool in body.get("tools") or [])


def _has_field(name: str) -> Callable[[Json], bool]:
    return lambda body: body.get(name) is not None


def _changes_tools(body: Json) -> bool:
    blocks = [block for message in body["messages"] for block in content_blocks(message)]
    return any(block["type"] in ("tool_addition", "tool_removal") for block in blocks)


_BETA_FEATURES: tuple[tuple[str, str, Callable[[Json], bool]], ...] = (
    ("thread", THREADS_BETA, _has_field("thread")),
    ("computer_20251124", "computer-use-2025-11-24", _has_tool("computer_20251124")),
    ("computer_20250124", "computer-use-2025-01-24", _has_tool("computer_20250124")),
    ("context_management", "context-management-", _has_field("context_management")),
    ("compaction", "compact-", _has_field("compaction")),
    ("mcp_servers", "mcp-client-", _has_field("mcp_servers")),
    ("advisor", "advisor-tool-", _has_tool("advisor_")),
    ("speed", "fast-mode-", _has_field("speed")),
    ("tool_addition", "mid-conversation-tool-changes-", _changes_tools),
    (
        "output_config.task_budget",
        "task-budgets-",
        lambda body: bool((body.get("output_config") or {}).get("task_budget")),
    ),
)
