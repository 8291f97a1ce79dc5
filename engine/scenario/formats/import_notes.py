"""Sentences for people about what an imported file does not say and what stands in for it, counted."""

from __future__ import annotations

IRREGULAR = {"are": "is", "have": "has", "do": "does"}


class Notes:
    """Counts what is met while reading; `sentences` gives each once, in the order first met."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], int] = {}

    def count(self, noun: str, predicate: str, times: int = 1) -> None:
        """Notes `times` more of `noun` (singular) for which `predicate`, a sentence that goes on in the
        plural, is true.
        """
        if times:
            self._counts[noun, predicate] = self._counts.get((noun, predicate), 0) + times

    def add(self, sentence: str) -> None:
        """Notes a sentence as it is, once."""
        self._counts[sentence, ""] = 1

    def sentences(self) -> list[str]:
        """Such as "2 jobs name no map memory: 1024 MB, Hadoop's default"."""
        return [_sentence(number, noun, predicate) for (noun, predicate), number in self._counts.items()]


def _sentence(number: int, noun: str, predicate: str) -> str:
    if not predicate:
        return noun
    if number > 1:
        return f"{number:,} {noun}s {predicate}"
    verb, _, tail = predicate.partition(" ")
    return f"1 {noun} {IRREGULAR.get(verb, verb + 's')} {tail}"
