"""What a bar's colour means: its phase, or whose it is: a job's, queue's or user's; those beyond the colours there are have two greys by turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine import Run
from webapp import theme

BY = ("phase", "job", "queue", "user")
KINDS = (*theme.GROUPS, *theme.OTHERS)


class Colouring(NamedTuple):
    """of: int8[jobs], the place of each job's colour in KINDS, None where colour is phase; names: whose colours these are; others: how many have none."""

    of: np.ndarray | None = None
    names: tuple[str, ...] = ()
    others: int = 0


PHASE = Colouring()


def colouring(run: Run, by: str) -> Colouring:
    """by: one of BY. The names with most tasks get a colour of their own, in the order of the file, so that runs of one scenario agree."""
    if by not in BY[1:]:
        return PHASE
    work = run.workload
    owners: Sequence[str] = {
        "job": lambda: work.job_names,
        "queue": lambda: [work.queues.names[queue] for queue in work.job_queue.tolist()],
        "user": lambda: work.job_users,
    }[by]()
    every = list(dict.fromkeys(owners))
    place = {name: number for number, name in enumerate(every)}
    mine = np.array([place[name] for name in owners], np.int64)
    tasks = np.bincount(mine, (work.job_maps + work.job_reduces) * work.job_iterations, len(every))
    most = len(theme.GROUPS)
    coloured = sorted(np.argsort(-tasks, kind="stable")[:most].tolist())
    colour = np.full(len(every), -1, np.int8)
    colour[coloured] = np.arange(len(coloured))
    rest = np.flatnonzero(colour < 0)
    colour[rest] = most + np.arange(len(rest)) % len(theme.OTHERS)  # neighbours in the file, which run side by side, are told apart
    return Colouring(colour[mine], tuple(every[one] for one in coloured), len(every) - len(coloured))
