"""What is told of a configuration, with file, line and property."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine.errors import FormatError
from engine.messages import msg

MAX_NOTES = 500


class NoteKind(Enum):
    """What a note says, those first that matter most.

    What Hadoop refuses is no note but an error.
    """

    REFUSED = "refused"  # jobs that are refused by it
    NEAR = "near"  # another value stands in for what is written
    NOT_MODELLED = "not modelled"  # Hadoop reads it, and nothing here does
    NOT_READ = "not read"  # by Hadoop neither: a misspelling, an unlisted queue, the other scheduler's
    READ = "read"  # how it was taken
    BESIDE = "beside"  # Hadoop reads it for something else than scheduling
    DEFAULT = "default"  # how many properties say what is so without them, and how many notes are left out


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
    kind: NoteKind = NoteKind.READ

    def __str__(self) -> str:
        return f"{Where(self.file, self.line, self.name)}{' ' if self.name else ': '}{self.text}"


class Remarks:
    """Notes as they are met, the first MAX_NOTES of each kind and how many more there were."""

    def __init__(self) -> None:
        self._notes: dict[NoteKind, list[ConfigurationNote]] = {kind: [] for kind in NoteKind}
        self._more = 0
        self._defaults = 0

    def add(self, where: Where, text: str, kind: NoteKind = NoteKind.READ) -> None:
        """Notes this of the place."""
        if len(self._notes[kind]) < MAX_NOTES:
            self._notes[kind].append(ConfigurationNote(where.file, where.line, where.name, text, kind))
        else:
            self._more += 1

    def count(self, kind: NoteKind) -> int:
        """How many notes of a kind are kept so far."""
        return len(self._notes[kind])

    def add_default(self) -> None:
        """Counts a property that says what is so without it."""
        self._defaults += 1

    def notes(self) -> tuple[ConfigurationNote, ...]:
        """The first MAX_NOTES, what matters most first, then in order."""
        notes = [note for kind in NoteKind for note in self._notes[kind]]
        more = self._more + len(notes[MAX_NOTES:])
        ends = (
            (self._defaults, msg("scenario.configuration_notes.defaults", count=self._defaults)),
            (more, msg("scenario.configuration_notes.more_notes_left_out", more=more)),
        )
        return (
            *notes[:MAX_NOTES],
            *(
                ConfigurationNote(msg("shared.configuration"), 0, "", text, NoteKind.DEFAULT)
                for count, text in ends
                if count
            ),
        )
