"""How a run ended, as `result.json` beside its events: for programs that asked for the run. Written whole or not at
all, once, when all else is closed; read back strictly."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gui_operator.recording.redaction import Redact, redacted

OUTCOME_NAME = "result.json"
OUTCOME_FORMAT: Literal[1] = 1
"""It grows when a reader of the last one would misread."""

Status = Literal["succeeded", "failed", "limit reached", "refused", "needs a person", "environment died", "interrupted"]
"""`refused`: by the model. `needs a person`: one was asked for, and there was none."""


class NotAnOutcome(Exception):
    """The file cannot be read as an outcome; the message says why."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)


class Usage(_Frozen):
    """Over the whole run. Tokens as they are billed: `input_tokens` are those that were neither read from the cache nor
    written to it."""

    requests: int = 0
    turns: int = 0
    actions: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_5m_tokens: int = 0
    cache_write_1h_tokens: int = 0


class Timings(_Frozen):
    started_at: datetime
    ended_at: datetime
    duration_s: float
    """By a clock that nobody sets, from the start of the run to its end."""

    model_s: float | None = None
    """Waiting for the model, in all."""

    environment_s: float | None = None
    """Carrying calls out, in all."""


class Outcome(_Frozen):
    """`result.json`."""

    format: Literal[1] = OUTCOME_FORMAT
    status: Status
    reason: str
    """A sentence for a person."""

    exit_code: int
    result: Any = None
    """What the job asked for, held to its schema; null where there is none."""

    words: str = ""
    """The model's last words."""

    model: str
    usage: Usage = Usage()
    cost_dollars: float | None = None
    """By the table of prices; null where it has none for the model."""

    timings: Timings
    versions: Mapping[str, str] = Field(default_factory=dict)
    """Of gui-operator, the SDK, Python and what else had a part in it, by name."""

    job: Mapping[str, Any] = Field(default_factory=dict)
    """What was asked for, without secrets: `Job.public()`."""


_NOT_OURS = ("reason", "result", "words", "job")


def write_outcome(directory: Path, outcome: Outcome, *, redact: Redact | None = None) -> Path:
    """For the owner alone to read, as all of a recording is; `redact` is applied to all that is not ours in it. Raises
    `OSError`."""
    path = directory / OUTCOME_NAME
    value = outcome.model_dump(mode="json")
    if redact is not None:
        value |= {name: redacted(value[name], redact) for name in _NOT_OURS}
    text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    # A lone surrogate becomes a question mark: many readers of JSON take none, spelled as an escape either.
    replace_file(path, [text.encode("utf-8", "replace")])
    return path


def read_outcome(directory: Path) -> Outcome | None:
    """None where there is none: the run goes on, was killed, or had no model. Raises `NotAnOutcome`."""
    path = directory / OUTCOME_NAME
    try:
        return Outcome.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise NotAnOutcome(f"{path} cannot be read: {error.strerror}") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise NotAnOutcome(f"{path} is no result of this format: {where}: {first['msg']}") from None


def replace_file(path: Path, parts: Iterable[bytes]) -> None:
    """A file of this name is there whole, the old one or the new one, whenever this ends. Raises `OSError`."""
    descriptor, partial = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.writelines(parts)
            stream.flush()
            os.fsync(stream.fileno())
        Path(partial).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(partial).unlink()
        raise
