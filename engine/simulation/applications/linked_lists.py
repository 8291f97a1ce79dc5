"""Lists whose members know their neighbours: of executors, held containers, tasks. A list is named by its
place in `first` and `last`; -1 stands for none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.run_records import Ints, Ints32


def put_after(
    first: Ints,
    last: Ints,
    following: Ints | Ints32,
    preceding: Ints | Ints32,
    place: int,
    before: int,
    member: int,
) -> None:
    """Into a list, behind another member, or as the first behind -1."""
    after = following[before] if before >= 0 else first[place]
    preceding[member], following[member] = before, after
    if before >= 0:
        following[before] = member
    else:
        first[place] = member
    if after >= 0:
        preceding[after] = member
    else:
        last[place] = member


def take_out(
    first: Ints, last: Ints, following: Ints | Ints32, preceding: Ints | Ints32, place: int, member: int
) -> None:
    """It leaves its list."""
    before, after = preceding[member], following[member]
    if before >= 0:
        following[before] = after
    else:
        first[place] = after
    if after >= 0:
        preceding[after] = before
    else:
        last[place] = before
