"""Columns of text side by side, as many to a block as a terminal is wide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

GAP = 2


def split_blocks(columns: Sequence[list[str]], width: int) -> Iterator[list[list[str]]]:
    """The columns in their order, as many to a block as fit in `width`, one at least."""
    block_number, used = 0, 0
    numbered = []
    for column in columns:
        wide = GAP + max(map(len, column))
        block_number, used = (
            (block_number, used + wide) if used + wide <= width or not used else (block_number + 1, wide)
        )
        numbered.append((block_number, column))
    for _, block in groupby(numbered, key=lambda pair: pair[0]):
        yield [column for _, column in block]


def format_block(heads: Sequence[str], columns: Sequence[list[str]]) -> list[str]:
    """A line a cell: its head on the left, then that of each column, on the right of its width."""
    widths = [max(map(len, column)) for column in columns]
    first = max(map(len, heads))
    rows = [[cell.rjust(GAP + wide) for cell, wide in zip(row, widths)] for row in zip(*columns)]
    return [(head.ljust(first) + "".join(row)).rstrip() for head, row in zip(heads, rows)]
