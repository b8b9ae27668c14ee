"""What tokens cost: a dated table, replaceable by a file of the same form. A price that is not in it is unknown, and
never guessed from that of another model."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date
from importlib import resources
from pathlib import Path
from typing import Any

from gui_operator.agent.usage import Usage
from gui_operator.toolsets.model_names import read_model_name

MILLION = 1_000_000


class PricesRefused(ValueError):
    """The table cannot be read. The message says where and what is allowed."""


@dataclass(frozen=True, slots=True)
class Rates:
    """Dollars a million tokens."""

    input: float
    output: float
    cache_read: float
    cache_write_5m: float
    cache_write_1h: float

    def dollars(self, usage: Usage) -> float:
        return (
            usage.input_tokens * self.input
            + usage.output_tokens * self.output
            + usage.cache_read_tokens * self.cache_read
            + usage.cache_write_5m_tokens * self.cache_write_5m
            + usage.cache_write_1h_tokens * self.cache_write_1h
        ) / MILLION


@dataclass(frozen=True, slots=True)
class LongPrompt:
    """What counts, for all of a request, where its prompt has more tokens than this."""

    over_tokens: int
    rates: Rates


@dataclass(frozen=True, slots=True)
class Price:
    """Of one model."""

    rates: Rates
    long: LongPrompt | None = None

    def dollars(self, usage: Usage) -> float:
        """Of one reply."""
        if self.long is not None and usage.prompt_tokens > self.long.over_tokens:
            return self.long.rates.dollars(usage)
        return self.rates.dollars(usage)


@dataclass(frozen=True, slots=True)
class Prices:
    as_of: date
    by_model: Mapping[str, Price]

    @classmethod
    def read(cls, path: Path | None = None) -> Prices:
        """The table of a file, or the one that comes with this version. Raises `PricesRefused`."""
        try:
            text = _own_table() if path is None else path.read_text(encoding="utf-8")
            return _prices_of(tomllib.loads(text))
        except OSError as error:
            raise PricesRefused(f"{path}: {error.strerror}") from error
        except (ValueError, PricesRefused) as error:
            raise PricesRefused(f"{path or 'the table of prices'}: {error}") from error

    def of(self, model: str) -> Price | None:
        """None: unknown."""
        if model in self.by_model:
            return self.by_model[model]
        wanted = read_model_name(model)
        if wanted is None or wanted.version is None:
            return None
        return next((price for name, price in self.by_model.items() if read_model_name(name) == wanted), None)


def _own_table() -> str:
    return resources.files(__package__).joinpath("prices.toml").read_text(encoding="utf-8")


def _prices_of(table: Mapping[str, Any]) -> Prices:
    _require_fields(table, {"as_of", "models"}, "the table")
    as_of, models = table["as_of"], table["models"]
    if not isinstance(as_of, date):
        raise PricesRefused("as_of is a date, as 2026-11-30")
    if not isinstance(models, dict):
        raise PricesRefused("models holds one table a model")
    return Prices(as_of, {name: _price_of(price, name) for name, price in models.items()})


def _price_of(table: Any, name: str) -> Price:
    if not isinstance(table, dict):
        raise PricesRefused(f"models.{name} is a table")
    short = {key: value for key, value in table.items() if key != "long_prompt"}
    long = table.get("long_prompt")
    if long is None:
        return Price(_rates_of(short, name))
    if not isinstance(long, dict) or type(long.get("over_tokens")) is not int or long["over_tokens"] <= 0:
        raise PricesRefused(f"models.{name}.long_prompt has over_tokens, a whole number, and all the rates")
    rest = {key: value for key, value in long.items() if key != "over_tokens"}
    return Price(_rates_of(short, name), LongPrompt(long["over_tokens"], _rates_of(rest, f"{name}.long_prompt")))


def _rates_of(table: Mapping[str, Any], name: str) -> Rates:
    _require_fields(table, {field.name for field in fields(Rates)}, f"models.{name}")
    for key, value in table.items():
        if type(value) not in (int, float) or not 0 <= value < float("inf"):
            raise PricesRefused(f"models.{name}.{key} is a number of dollars, not {value!r}")
    return Rates(**table)


def _require_fields(table: Mapping[str, Any], wanted: set[str], where: str) -> None:
    if unknown := sorted(table.keys() - wanted):
        raise PricesRefused(f"{where} has no {', '.join(unknown)}; it has {', '.join(sorted(wanted))}")
    if missing := sorted(wanted - table.keys()):
        raise PricesRefused(f"{where} lacks {', '.join(missing)}")
