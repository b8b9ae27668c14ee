"""How much may go up to pages and come down from them, as a job says it. Pure."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema

from gui_environments.browser.files.limits import UNITS_BYTES, FileLimits, bytes_of_words
from gui_operator.jobs.field_types import Misfit

_PATTERN = rf"^[0-9]{{1,9}}(\.[0-9]{{1,6}})?({'|'.join(UNITS_BYTES)})$"


def _size(text: str) -> str:
    try:
        bytes_of_words(text)
    except ValueError as error:
        raise Misfit(str(error)) from None
    return text


SizeWords = Annotated[str, AfterValidator(_size), WithJsonSchema({"type": "string", "pattern": _PATTERN})]


class FileBounds(BaseModel):
    """Of one session; what is not named is as it is without any bounds of your own."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, use_attribute_docstrings=True)

    file: SizeWords | None = None
    """The size of one file, as 20MB."""

    total: SizeWords | None = None
    """The size of all together."""

    files: int | None = Field(default=None, ge=1, le=1_000_000)
    """How many."""

    def limits(self, otherwise: FileLimits) -> FileLimits:
        file_bytes = otherwise.file_bytes if self.file is None else bytes_of_words(self.file)
        # Whoever allows one large file means that it may be given.
        total_bytes = max(otherwise.total_bytes, file_bytes) if self.total is None else bytes_of_words(self.total)
        return FileLimits(file_bytes, total_bytes, self.files or otherwise.files)
