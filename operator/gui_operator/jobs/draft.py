"""A job as it is written, before it is known to be one: read from a file, changed by flags, then made into a `Job` or
refused with every problem in it. Reads the file and looks whether the files it names are there; starts nothing."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from pydantic import ValidationError

from gui_operator.jobs.agreement import disagreements
from gui_operator.jobs.flag_places import APPROVE, flag_place, more_careful, table_of_word
from gui_operator.jobs.model import Job
from gui_operator.jobs.problems import JobError, Problem, problems_of
from gui_operator.jobs.yaml_lines import NotYaml, Place, parse_yaml

INPUTS = "inputs"


@dataclass(frozen=True, slots=True)
class JobDraft:
    """`values` are of JSON's types. `file` None: nothing was read, all is from flags. `flags` say which flag a value
    came from."""

    values: Mapping[str, Any] = field(default_factory=dict)
    lines: Mapping[Place, int] = field(default_factory=dict)
    file: Path | None = None
    flags: Mapping[Place, str] = field(default_factory=dict)

    @classmethod
    def read(cls, file: Path) -> Self:
        """Raises `JobError`."""
        try:
            parsed = parse_yaml(file.read_bytes())
        except OSError as error:
            raise JobError([f"{file}: cannot be read: {error.strerror}"]) from None
        except NotYaml as error:
            raise JobError([f"{file}:{error.line}: {error}"]) from None
        if not isinstance(parsed.value, dict):
            raise JobError([f"{file}:1: a job is a mapping of keys to values, as in `task: what is to be done`"])
        values = dict(parsed.value)
        if INPUTS in values:
            values[INPUTS] = _as_written(values[INPUTS], (INPUTS,), parsed.written)
        return cls(values, parsed.lines, file)

    def overridden(self, flag: str, place: str, value: object) -> Self:
        """This draft with `value` in `place` (`limits.turns`, `inputs.invoice.number`, `approve.computer.type`) in the
        place of what stands there. `value` is of JSON's types; paths in it are meant from the current folder and have
        to be absolute. One word for all of a table (`approve`, `dialogs`) leaves what the table says of single names:
        the nearest counts."""
        path, value = flag_place(place, value)
        if path in self.flags and path[0] == APPROVE:
            value = more_careful(value, _at(self.values, path))
        values = copy.deepcopy(dict(self.values))
        holder = values
        for key in path[:-1]:
            holder = _table(holder, key)
        holder[path[-1]] = value
        return replace(self, values=values, flags={**self.flags, path: flag})

    def job(self) -> Job:
        """Raises `JobError` with all that is wrong."""
        folder = (self.file.parent if self.file is not None else Path()).resolve()
        try:
            job = Job.model_validate_json(json.dumps(self.values), context={"folder": folder})
        except ValidationError as error:
            raise JobError(self._sentences(problems_of(error, Job))) from None
        problems = list(disagreements(job))
        if problems:
            raise JobError(self._sentences(problems))
        return job

    def _sentences(self, problems: Any) -> list[str]:
        placed = sorted((self._line(problem.place), index, problem) for index, problem in enumerate(problems))
        return [self._sentence(problem) for _, _, problem in placed]

    def _sentence(self, problem: Problem) -> str:
        said = f"{problem.name}: {problem.text}" if problem.place else problem.text
        for length in range(len(problem.place), 0, -1):
            flag = self.flags.get(problem.place[:length])
            if flag is not None:
                return f"{flag}: {problem.text}"
        return said if self.file is None else f"{self.file}:{self._line(problem.place)}: {said}"

    def _line(self, place: Place) -> int:
        """The line of the nearest thing that stands there."""
        return next((self.lines[place[:n]] for n in range(len(place), -1, -1) if place[:n] in self.lines), 1)


def _table(holder: dict[str, Any], key: str) -> dict[str, Any]:
    """The mapping under a key, to be changed; a word that stands for a whole one becomes it."""
    inner = holder.get(key)
    if not isinstance(inner, dict):
        inner = holder[key] = table_of_word(key, inner) if isinstance(inner, str) else {}
    return inner


def _at(values: Any, path: Place) -> object:
    for key in path:
        values = values[key]
    return values


def read_job(file: Path) -> Job:
    """The job in a file. Raises `JobError`, whose message is for a person and names file and line."""
    return JobDraft.read(file).job()


def _as_written(value: object, place: Place, written: Mapping[Place, str]) -> object:
    """Inputs are texts, as they stand in the file: a 0012 or 1.50 must not become another number."""
    if isinstance(value, dict):
        return {key: _as_written(each, (*place, key), written) for key, each in value.items()}
    if isinstance(value, list):
        return value
    return "" if value is None else written[place]
