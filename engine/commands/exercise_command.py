"""exercise: what an exercise asks, what is said of an answer, and, for its author, what its answer is."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from engine.commands.streams import (
    EXIT_OK,
    EXIT_UNSUCCESSFUL,
    open_input,
    print_out,
    split_pair,
)
from engine.commands.terminal import progress_bar
from engine.messages import msg

if TYPE_CHECKING:
    from engine.exercises.model import Exercise
    from engine.exercises.question import Field, Question, Table

GAP = 2  # columns between two of a table


def add_exercise(parser: argparse.ArgumentParser) -> None:
    """The arguments of exercise."""
    parser.set_defaults(command=exercise)
    parser.add_argument("exercise", metavar="FILE", help=msg("commands.exercise_command.file"))
    parser.add_argument(
        "--answer", metavar="KEY=VALUE", action="append", help=msg("commands.exercise_command.answer")
    )


def exercise(options: argparse.Namespace) -> int:
    """Prints the question and its solution, or the verdict of an answer; EXIT_UNSUCCESSFUL where that is
    wrong.
    """
    from engine.exercises.exercise import check, check_exercise, question
    from engine.exercises.reader import read_exercise

    answer = dict(split_pair("--answer", text, "job=sort") for text in options.answer or [])
    with open_input(options.exercise) as stream:
        read = read_exercise(stream.read())
    if answer:
        with progress_bar():
            verdict = check(read, answer)
        _print([verdict.sentence, *(f"  {detail}" for detail in verdict.details)])
        return EXIT_OK if verdict.correct else EXIT_UNSUCCESSFUL
    with progress_bar():
        solved, asked = check_exercise(read), question(read)
    _print(_question_lines(read, asked))
    answered = msg("commands.exercise_command.solution", sentence=solved.answer)
    _print(["", answered, *(f"  {step}" for step in solved.steps), *_apart(solved.explanation)])
    return EXIT_OK


def _question_lines(read: Exercise, asked: Question) -> Iterator[str]:
    yield read.title
    yield from _apart(tuple(read.text.split("\n\n")))
    yield from ("", asked.prompt)
    for table in asked.tables:
        yield from ("", f"{table.title}:", *_table_lines(table))
    yield ""
    yield from (f"  {field.key}={_field_text(field)}" for field in asked.fields)
    yield from (msg("commands.exercise_command.hint", hint=hint) for hint in read.hints)


def _field_text(field: Field) -> str:
    """What may stand behind the field's name."""
    from engine import quantities

    if field.choices:
        return "|".join(choice.value for choice in field.choices)
    number = lambda value: quantities.number(value, exact=True)
    if field.low is None or field.high is None or field.step is None:
        return field.unit or msg("shared.number")
    words = {"low": number(field.low), "high": number(field.high), "step": number(field.step)}
    return msg("commands.exercise_command.steps", unit=field.unit, **words).strip()


def _table_lines(table: Table) -> Iterator[str]:
    rows = (table.columns, *table.rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(wide + GAP) for cell, wide in zip(row, widths, strict=True))
        yield f"  {''.join(cells)}".rstrip()


def _apart(paragraphs: tuple[str, ...]) -> Iterator[str]:
    """Each with an empty line before it."""
    for paragraph in paragraphs:
        yield from ("", paragraph)


def _print(lines: Iterable[str]) -> None:
    print_out(f"{line}\n" for line in lines)
