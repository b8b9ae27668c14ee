"""What came of a command, as a value and in words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CommandResult:
    """One command's result.

    `output` is standard output and standard error in the order written, at most as long as the limit; when
    `left_out_chars` is not 0 that many characters are missing from its middle, where a line says so.
    `exit_status` is None when the command was stopped at its time limit, or its shell vanished without a status.
    `restarted` is a sentence, when the shell that ran the command is gone and a new one took its place: why, and what
    was lost. `background_output` is what processes of earlier commands printed since the last result.
    """

    output: str
    exit_status: int | None
    timed_out: bool = False
    time_limit_s: float | None = None
    left_out_chars: int = 0
    restarted: str | None = None
    background_output: str = ""

    def in_words(self) -> str:
        """The whole result as one text. A status of 0 is not mentioned."""
        parts = []
        if self.background_output:
            parts += [
                "[Printed by processes of earlier commands:]",
                self.background_output.rstrip("\n"),
                "[The output of this command:]",
            ]
        if self.output:
            parts.append(self.output.rstrip("\n"))
        parts += [f"[{note}]" for note in self._notes()]
        return "\n".join(parts) or "[No output.]"

    def _notes(self) -> list[str]:
        notes = []
        if self.timed_out:
            notes.append(
                f"Not finished after {self.time_limit_s:g} s: it was stopped with every process it had started. "
                "Start what takes longer in the background, with its output in a file, and look at that file."
            )
        elif self.exit_status is None:
            notes.append("Exit status unknown.")
        elif self.exit_status != 0:
            notes.append(f"Exit status {self.exit_status}.")
        if self.timed_out and self.restarted is None:
            notes.append("The shell goes on with the working directory and variables it has.")
        if self.restarted is not None:
            notes.append(self.restarted)
        return notes
