"""What a bar's colour means: its phase, or whose it is: a job's, queue's or user's; those beyond the colours
there are have two greys by turns.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine import Run
from webapp import theme
from webapp.figures.highlight import job_owners

COLOURINGS = ("phase", "job", "queue", "user")
OWNER_COLOURS = (*theme.GROUPS, *theme.OTHER_GROUPS)


class Colouring(NamedTuple):
    """owner_colour: int8[jobs], the place of each job's colour in OWNER_COLOURS, None where colour is phase;
    names: whose colours these are; others: how many have none.
    """

    owner_colour: np.ndarray | None = None
    names: tuple[str, ...] = ()
    others: int = 0


BY_PHASE = Colouring()


def colouring(run: Run, by: str) -> Colouring:
    """by: one of COLOURINGS. The names with most tasks get a colour of their own, in the order of the file,
    so that runs of one scenario agree.
    """
    if by not in COLOURINGS[1:]:
        return BY_PHASE
    work = run.workload
    owners = job_owners(run, by)
    names = list(dict.fromkeys(owners))
    index_of = {name: number for number, name in enumerate(names)}
    owner = np.array([index_of[name] for name in owners], np.int64)
    tasks = np.bincount(owner, (work.job_maps + work.job_reduces) * work.job_iterations, len(names))
    max_colours = len(theme.GROUPS)
    coloured = sorted(np.argsort(-tasks, kind="stable")[:max_colours].tolist())
    colour = np.full(len(names), -1, np.int8)
    colour[coloured] = np.arange(len(coloured))
    uncoloured = np.flatnonzero(colour < 0)
    # neighbours in the file, which run side by side, are told apart
    colour[uncoloured] = max_colours + np.arange(len(uncoloured)) % len(theme.OTHER_GROUPS)
    return Colouring(colour[owner], tuple(names[index] for index in coloured), len(names) - len(coloured))
