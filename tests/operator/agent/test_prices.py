"""What tokens cost, from a table that names its date."""

from __future__ import annotations

from pathlib import Path

import pytest
from anthropic.types.beta import BetaCacheCreation, BetaUsage

from gui_operator.agent.prices import Prices, PricesRefused
from gui_operator.agent.usage import Usage
from gui_operator.jobs.model import DEFAULT_MODEL

TABLE = """
as_of = 2026-11-30
[models.claude-opus-5-5]
input = 1.0
output = 10.0
cache_read = 0.1
cache_write_5m = 2.0
cache_write_1h = 4
[models.claude-haiku-5-5]
input = 1.0
output = 1.0
cache_read = 1.0
cache_write_5m = 1.0
cache_write_1h = 1.0
[models.claude-haiku-5-5.long_prompt]
over_tokens = 100
input = 3.0
output = 3.0
cache_read = 3.0
cache_write_5m = 3.0
cache_write_1h = 3.0
"""


def read(tmp_path: Path, text: str) -> Prices:
    path = tmp_path / "prices.toml"
    path.write_text(text, encoding="utf-8")
    return Prices.read(path)


def test_the_cost_of_a_reply_counts_what_was_read_from_the_cache_and_written_to_it(tmp_path: Path) -> None:
    price = read(tmp_path, TABLE).of("claude-opus-5-5")
    assert price is not None
    usage = Usage.of(
        BetaUsage(
            input_tokens=1_000_000,
            output_tokens=100_000,
            cache_read_input_tokens=10_000_000,
            cache_creation_input_tokens=3_000_000,
            cache_creation=BetaCacheCreation(ephemeral_1h_input_tokens=1_000_000, ephemeral_5m_input_tokens=2_000_000),
        )
    )
    assert usage == Usage(1_000_000, 100_000, 10_000_000, 2_000_000, 1_000_000)
    assert price.dollars(usage) == pytest.approx(1.0 + 1.0 + 1.0 + 4.0 + 4.0)


def test_a_long_prompt_may_cost_more_in_all(tmp_path: Path) -> None:
    price = read(tmp_path, TABLE).of("claude-haiku-5-5")
    assert price is not None
    assert price.dollars(Usage(input_tokens=60, cache_read_tokens=40, output_tokens=10)) == pytest.approx(110e-6)
    assert price.dollars(Usage(input_tokens=60, cache_read_tokens=41, output_tokens=9)) == pytest.approx(330e-6)


def test_the_usage_of_replies_adds_up() -> None:
    total = Usage(1, 2, 3, 4, 5) + Usage(10, 20, 30, 40, 50)
    assert total == Usage(11, 22, 33, 44, 55)
    assert (total.prompt_tokens, total.total_tokens) == (143, 165)


def test_usage_without_a_breakdown_is_written_for_five_minutes() -> None:
    usage = BetaUsage(input_tokens=1, output_tokens=1, cache_creation_input_tokens=7)
    assert Usage.of(usage) == Usage(1, 1, 0, 7, 0)


@pytest.mark.parametrize("name", ["claude-opus-5-5", "us.anthropic.claude-opus-5-5-20260901-v1:0", "claude-opus-5-5@1"])
def test_a_price_fits_every_spelling_of_its_model(tmp_path: Path, name: str) -> None:
    assert read(tmp_path, TABLE).of(name) is not None


@pytest.mark.parametrize("name", ["claude-opus-5", "claude-opus-6", "claude-sonnet-5-5", "something-else"])
def test_a_price_is_never_guessed_from_that_of_another_model(tmp_path: Path, name: str) -> None:
    assert read(tmp_path, TABLE).of(name) is None


def test_the_table_that_ships_names_its_date_and_prices_the_model_that_runs_by_default() -> None:
    prices = Prices.read()
    assert prices.as_of.year >= 2026
    assert prices.of(DEFAULT_MODEL) is not None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("as_of = 2026-11-30\nmodels = 3", "models holds"),
        ("as_of = 'today'\n[models]", "as_of is a date"),
        ("[models]", "lacks as_of"),
        ("as_of = 2026-11-30\nmodel = 3\n[models]", "has no model;"),
        (TABLE.replace("output = 10.0\n", ""), "models.claude-opus-5-5 lacks output"),
        (TABLE.replace("output = 10.0", "output = '10'"), "models.claude-opus-5-5.output is a number"),
        (TABLE.replace("output = 10.0", "output = -1"), "models.claude-opus-5-5.output is a number"),
        (TABLE.replace("output = 10.0", "output = true"), "models.claude-opus-5-5.output is a number"),
        (TABLE.replace("over_tokens = 100", "over_tokens = 0"), "long_prompt has over_tokens"),
        ("as_of = ", "prices.toml"),
    ],
)
def test_a_table_that_cannot_be_meant_is_refused_with_the_place(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(PricesRefused, match=words):
        read(tmp_path, text)


def test_a_table_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PricesRefused, match="No such file"):
        Prices.read(tmp_path / "none.toml")
