"""Which form of the tools, which pictures and which options go with a model on a platform: one dated table of facts,
and the one function that reads it. A model that comes tomorrow is taken to be like the last known one of its family; a
model of which nothing is known is refused before anything starts. Asks no service."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Literal, get_args

from gui_operator.jobs.model import Platform
from gui_operator.toolsets.model_names import ModelName, Version, read_model_name
from gui_operator.toolsets.scaling import ImageTier, tier_of_model

PLATFORMS: tuple[Platform, ...] = get_args(Platform)

ToolForm = Literal["toolsets", "computer_20251124"]
"""How the computer is declared: the toolsets of August 2026, or the one tool that older models take."""

AS_OF = date(2026, 11, 30)
"""When the table was last gone through. Its sources are the API's public documentation and the SDK's own lists."""

FIRST_WITH_TOOLSETS: Mapping[str, Version] = MappingProxyType(
    {"fable": (5, 0), "mythos": (5, 0), "opus": (4, 8), "sonnet": (5, 0), "haiku": (5, 5)}
)

FIRST_WITH_OLDER_TOOL: Mapping[str, Version] = MappingProxyType({"opus": (4, 6), "sonnet": (4, 6)})
"""From here on, and up to the first that takes the toolsets. What others take is not known here."""

OLDER_TOOL_ONLY: frozenset[tuple[Platform, str, Version]] = frozenset({("bedrock", "sonnet", (5, 5))})
"""Models that take the toolsets elsewhere, but on this platform the older tool only."""

MARKED_BY_ITSELF: frozenset[Platform] = frozenset({"anthropic"})
"""Where a request can ask for a cache breakpoint on its last block without naming the block."""

LARGEST_IMAGE_BASE64_BYTES: Mapping[Platform, int] = MappingProxyType(
    {"anthropic": 10_000_000, "bedrock": 5_000_000, "google-cloud": 5_000_000, "foundry": 10_000_000}
)


class ModelRefused(ValueError):
    """The model cannot do this. The message says which can."""


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """`thinks_adaptively`: it decides by itself when to think, and says in summaries what it thought."""

    name: str
    platform: Platform
    form: ToolForm
    tier: ImageTier
    thinks_adaptively: bool
    marked_by_itself: bool
    largest_image_base64_bytes: int


def facts_of(name: str, platform: Platform = "anthropic") -> ModelFacts:
    """Raises `ModelRefused` for a model that takes neither form, or of which nothing is known."""
    model = read_model_name(name)
    form = None if model is None else _form_of(model, platform)
    if model is None or form is None:
        raise ModelRefused(
            f"{name!r} is not known to take the computer or browser tools. The toolsets are taken by {_from_on()}; the "
            f"older computer tool, for desktops only, by {_older()} (as of {AS_OF:%d %B %Y})."
        )
    return ModelFacts(
        name=name,
        platform=platform,
        form=form,
        tier=tier_of_model(name),
        thinks_adaptively=_takes_toolsets_somewhere(model),
        marked_by_itself=platform in MARKED_BY_ITSELF,
        largest_image_base64_bytes=LARGEST_IMAGE_BASE64_BYTES[platform],
    )


def _form_of(model: ModelName, platform: Platform) -> ToolForm | None:
    if model.version is None:
        return None
    if (platform, model.family, model.version) in OLDER_TOOL_ONLY:
        return "computer_20251124"
    if _takes_toolsets_somewhere(model):
        return "toolsets"
    older = FIRST_WITH_OLDER_TOOL.get(model.family)
    return "computer_20251124" if older is not None and model.version >= older else None


def _takes_toolsets_somewhere(model: ModelName) -> bool:
    return model.version is not None and model.version >= FIRST_WITH_TOOLSETS[model.family]


def _from_on() -> str:
    return ", ".join(f"{ModelName(family, first)} and later" for family, first in FIRST_WITH_TOOLSETS.items())


def _older() -> str:
    return ", ".join(
        f"{ModelName(family, first)} and what follows it" for family, first in FIRST_WITH_OLDER_TOOL.items()
    )
