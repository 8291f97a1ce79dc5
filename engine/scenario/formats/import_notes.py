"""Sentences for people about what an imported file does not say and what stands in for it, counted."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Self, TypeVar

from engine.messages import msg
from engine.scenario.configuration.mapreduce_settings import MEMORY, PARTS, Setting

Note = TypeVar("Note")
QUEUES = "queues"
IRREGULAR = {"are": "is", "have": "has", "do": "does"}


class Assumption(str):
    """A sentence of what is assumed; about: what a configuration beside overrules it with, QUEUES or the size
    of nodes, memory_mb or vcores.
    """

    about: str

    def __new__(cls, sentence: str, about: str) -> Self:
        assumption = super().__new__(cls, sentence)
        assumption.about = about
        return assumption


class Notes:
    """Counts what is met while reading; `sentences` gives each once, in the order first met."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], int] = {}
        self._about: dict[tuple[str, str], str] = {}

    def count(self, noun: str, predicate: str, times: int = 1, about: str = "") -> None:
        """Notes `times` more of `noun` (singular) for which `predicate`, a sentence that goes on in the
        plural, is true; about: as an `Assumption` has it.
        """
        if times:
            self._counts[noun, predicate] = self._counts.get((noun, predicate), 0) + times
            self._about[noun, predicate] = about

    def add(self, sentence: str, about: str = "") -> None:
        """Notes a sentence as it is, once; about: as an `Assumption` has it."""
        self._counts[sentence, ""] = 1
        self._about[sentence, ""] = about

    def count_first(self, noun: str, predicate: str, times: int) -> None:
        """As `count`, before all that is noted already; a predicate of "" leaves the noun as it is."""
        if times:
            self._counts = {(noun, predicate): times, **self._counts}

    def sentences(self) -> list[str]:
        """Such as "2 jobs name no map memory: 1024 MB, Hadoop's default"."""
        return [
            Assumption(_sentence(number, *key), self._about.get(key, ""))
            for key, number in self._counts.items()
        ]


def still_assumed(notes: Iterable[Note], overruled: Collection[str]) -> list[Note]:
    """Without the assumptions about what a configuration says itself."""
    return [note for note in notes if not (isinstance(note, Assumption) and note.about in overruled)]


class LeftOut:
    """What of a file can't be read and is left out: the first with its reason, the others counted."""

    def __init__(self, noun: str) -> None:
        self.first_fault = ""
        self._noun, self._count = noun, 0

    def add(self, fault: str) -> None:
        """One more of the noun, with its place and what is wrong with it."""
        self.first_fault = self.first_fault or fault
        self._count += 1

    def tell(self, notes: Notes) -> None:
        """Adds the one sentence, where something is left out."""
        if self._count:
            more = self._count - 1
            noun = f"is 1 more {self._noun}" if more == 1 else f"are {more:,} more {self._noun}s"
            others = msg("scenario.import_notes.and_so_cant_be_read", noun=noun) if more else ""
            sentence = msg("scenario.import_notes.left_out", first_fault=self.first_fault, others=others)
            notes.count_first(sentence, "", 1)


def note_sizes(notes: Notes, part: str, size: dict[str, Setting]) -> None:
    """Counts a job that does not say itself how large its containers of this part are."""
    names = PARTS[part]
    for key, setting in size.items():
        is_memory = key == MEMORY
        notes.count(
            "job",
            msg(
                "scenario.import_notes.name_no",
                value="memory" if is_memory else "vcores",
                noun=names.noun,
                name=names.memory if is_memory else names.vcores,
                amount=setting.value,
                unit=" MB" if is_memory else "",
                origin=setting.origin,
            ),
            bool(setting.origin),
        )


def _sentence(number: int, noun: str, predicate: str) -> str:
    if not predicate:
        return noun
    if number > 1:
        return f"{number:,} {noun}s {predicate}"
    verb, _, tail = predicate.partition(" ")
    return f"1 {noun} {IRREGULAR.get(verb, verb + 's')} {tail}"
