"""The JSON Schema of job files, for editors: `job.schema.json` beside this module, made from the same types that read
them. `python -m gui_operator.jobs.schema` writes it anew; a test holds the two together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gui_operator.jobs.model import Job
from gui_operator.jobs.table_types import INPUTS_JSON_SCHEMA

SCHEMA_FILE = Path(__file__).with_name("job.schema.json")


_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def job_schema() -> dict[str, Any]:
    made = Job.model_json_schema()
    for holder in (made, *made["$defs"].values()):
        for field in holder["properties"].values():
            field.pop("title", None)
            field["description"] = " ".join(field["description"].split())
    fields = made["properties"]
    # Their schemas are ones that refer to themselves.
    fields["inputs"] = {"$ref": "#/$defs/Inputs", "description": fields["inputs"]["description"]}
    fields["result"]["anyOf"][0] = {"type": "object", "$ref": _DIALECT}
    made["$defs"]["Inputs"] = INPUTS_JSON_SCHEMA
    return {"$schema": _DIALECT, **made, "title": "A job of gui-operator"}


def schema_text() -> str:
    return json.dumps(job_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    SCHEMA_FILE.write_text(schema_text(), encoding="utf-8")
