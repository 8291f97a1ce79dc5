"""The class that an exercise is done in, and where its answers go."""

from __future__ import annotations

import contextlib

from engine import GantryError
from webapp.classroom.classes import Class, Student, find_class, find_student, record, visit
from webapp.classroom.pseudonyms import visitor
from webapp.messages import msg


def class_of(class_id: str) -> Class | None:
    """The class; None without it, or where the database is away."""
    try:
        return find_class(class_id)
    except GantryError:
        return None


def note_opened(class_id: str, name: str) -> Student | None:
    """The visitor has an exercise of the class before them; who they are in it."""
    if class_id and (own := visitor()):
        with contextlib.suppress(GantryError):  # it is said with the answer
            visit(class_id, own, name)
            return find_student(class_id, own)
    return None


def note_shown(class_id: str, name: str) -> None:
    """The visitor asked for the answer of an exercise of the class."""
    if own := visitor():
        with contextlib.suppress(GantryError):  # it is shown to them all the same
            visit(class_id, own, name, shown=True)


def record_answer(
    class_id: str, name: str, answer: dict[str, str | float], label: str, correct: bool, hints: int
) -> str:
    """Keeps an answer under the class whose link the visitor came by; why it was not kept, or "". label: the
    answer in a few words; hints: how many were shown before it.
    """
    own = visitor()
    if own is None:
        return msg("shared.no_cookies")
    try:
        record(class_id, own, name, answer, label, correct, hints)
    except GantryError as error:
        return msg("panels.exercise_store.not_recorded", why=error)
    return ""
