"""What is told of a configuration, with file, line and property."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import FormatError
from engine.messages import msg

MAX_NOTES = 500


@dataclass(frozen=True)
class Where:
    """The place of a property or element: its file, the line on which it begins (0: none in particular), its
    name.
    """

    file: str
    line: int = 0
    name: str = ""

    def __str__(self) -> str:
        position = (
            msg("scenario.configuration_notes.line", file=self.file, line=self.line)
            if self.line
            else self.file
        )
        return f"{position}: {self.name}" if self.name else position

    def fault(self, message: str) -> FormatError:
        """The error that says this of the place."""
        return FormatError(f"{self}{'' if self.name else ':'} {message}")


@dataclass(frozen=True)
class ConfigurationNote:
    """A sentence of a configuration, and where."""

    file: str
    line: int
    name: str
    text: str

    def __str__(self) -> str:
        return f"{Where(self.file, self.line, self.name)}{' ' if self.name else ': '}{self.text}"


class Remarks:
    """Notes as they are met, the first MAX_NOTES of them and how many more there were."""

    def __init__(self) -> None:
        self._notes: list[ConfigurationNote] = []
        self._more = 0

    def add(self, where: Where, text: str) -> None:
        """Notes this of the place."""
        if len(self._notes) < MAX_NOTES:
            self._notes.append(ConfigurationNote(where.file, where.line, where.name, text))
        else:
            self._more += 1

    def notes(self) -> tuple[ConfigurationNote, ...]:
        """All of them, in order."""
        overflow = (
            (
                ConfigurationNote(
                    msg("shared.configuration"),
                    0,
                    "",
                    msg("scenario.configuration_notes.more_notes_left_out", more=self._more),
                ),
            )
            if self._more
            else ()
        )
        return (*self._notes, *overflow)
