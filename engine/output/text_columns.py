"""Columns of text side by side, as many to a block as a terminal is wide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

GAP = 2


def blocks(columns: Sequence[list[str]], width: int) -> Iterator[list[list[str]]]:
    """The columns in their order, as many to a block as fit in `width`, one at least."""
    number, used = 0, 0
    places = []
    for column in columns:
        wide = GAP + max(map(len, column))
        number, used = (number, used + wide) if used + wide <= width or not used else (number + 1, wide)
        places.append((number, column))
    for _, block in groupby(places, key=lambda place: place[0]):
        yield [column for _, column in block]


def block_lines(heads: Sequence[str], columns: Sequence[list[str]]) -> list[str]:
    """A line a cell: its head on the left, then that of each column, on the right of its width."""
    widths = [max(map(len, column)) for column in columns]
    first = max(map(len, heads))
    rows = [[cell.rjust(GAP + wide) for cell, wide in zip(row, widths)] for row in zip(*columns)]
    return [(head.ljust(first) + "".join(row)).rstrip() for head, row in zip(heads, rows)]
