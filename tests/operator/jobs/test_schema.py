from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from gui_operator.jobs import Job, JobDraft, JobError
from gui_operator.jobs.schema import SCHEMA_FILE, schema_text

SCHEMA = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))


def test_the_schema_that_ships_is_that_of_the_reader() -> None:
    assert SCHEMA_FILE.read_text(encoding="utf-8") == schema_text(), "run python -m gui_operator.jobs.schema"
    Draft202012Validator.check_schema(SCHEMA)


def test_it_describes_every_field_on_one_line() -> None:
    for name in Job.model_fields:
        assert "\n" not in SCHEMA["properties"][name]["description"].strip() != ""


def fits(values: dict[str, Any]) -> bool:
    return Draft202012Validator(SCHEMA).is_valid(values)


def is_read(values: dict[str, Any]) -> bool:
    try:
        JobDraft(values).job()
    except JobError:
        return False
    return True


RIGHT: list[dict[str, Any]] = [
    {"environment": "browser", "allow": ["a.example"], "start": "https://a.example/"},
    {"inputs": {"a": "1", "b": {"c": "2"}}},
    {"approve": "all"},
    {"approve": {"shell": "deny", "*": "ask"}},
    {"environment": "browser", "dialogs": "accept"},
    {"environment": "browser", "dialogs": {"prompt": "accept:A", "*": "ask"}},
    {"limits": {"turns": None, "seconds": 0.5}},
    {"result": {"type": "object", "properties": {"a": {"type": "string"}}}},
    {"result": None},
    {"screen": "800x600", "apps": ["xterm"], "services": {"a": "b c"}},
    {"tools": [{"type": "web_search_20250305", "name": "web_search", "max_uses": 3}]},
    {"mcp_servers": [{"type": "url", "name": "a", "url": "https://a.example", "authorization_token_env": "A"}]},
    {"secrets": ["A=env:B@a.example"]},
    {"environment": "browser", "enable": ["javascript_exec"], "disable": ["find"]},
    {"environment": "browser", "max_upload": {"file": "20MB", "files": 3}, "max_download": {}},
    {"history": "local", "platform": "bedrock", "eager": True, "ask_seconds": 9},
]


@pytest.mark.parametrize("fields", RIGHT)
def test_what_the_reader_takes_the_schema_takes(fields: dict[str, Any]) -> None:
    values = {"task": "x", **fields}
    JobDraft(values).job()
    Draft202012Validator(SCHEMA).validate(values)


WRONG: list[dict[str, Any]] = [
    {"task": ""},
    {"task": 5},
    {"nonsense": 1},
    {"environment": "browsers"},
    {"allow": "a.example"},
    {"inputs": {"a b": "1"}},
    {"inputs": {"a": ["1"]}},
    {"inputs": {"a": {"b": {"c d": "1"}}}},
    {"approve": "everything"},
    {"approve": {"shell": "maybe"}},
    {"dialogs": "perhaps"},
    {"dialogs": {"alert": "accept:A"}},
    {"dialogs": {"popup": "accept"}},
    {"limits": {"turns": 0}},
    {"limits": {"turns": 1.5}},
    {"limits": {"minutes": 1}},
    {"result": {"type": "objekt"}},
    {"result": True},
    {"screen": "800"},
    {"apps": [""]},
    {"tools": [{"name": "web_search"}]},
    {"mcp_servers": [{"type": "url", "name": "a", "url": "u", "authorization_token": "t"}]},
    {"secrets": ["a b"]},
    {"secrets": ["A=value"]},
    {"enable": ["javascript"]},
    {"history": "here"},
    {"eager": "yes"},
    {"ask_seconds": 0},
    {"display": "1"},
    {"max_upload": {"file": "20"}},
    {"max_upload": "20MB"},
    {"max_upload": {"files": 0}},
]


@pytest.mark.parametrize("fields", WRONG)
def test_what_the_schema_refuses_the_reader_refuses(fields: dict[str, Any]) -> None:
    values = {"task": "x", **fields}
    assert not is_read(values)
    assert not fits(values)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(["", "x", "allow", "1x1", "accept", "a.example"]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["a", "type", "turns"]), inner, max_size=2)
    ),
    max_leaves=4,
)


@given(st.dictionaries(st.sampled_from(sorted(Job.model_fields)), JSON, max_size=2))
def test_no_job_is_read_that_an_editor_would_mark_as_wrong(fields: dict[str, Any]) -> None:
    values = {"task": "x", **fields}
    if is_read(values):
        assert fits(values), values


def test_it_is_found_beside_the_reader() -> None:
    assert SCHEMA_FILE.is_file()
    assert SCHEMA_FILE.parent == Path(__import__("gui_operator.jobs", fromlist=["jobs"]).__file__).parent
