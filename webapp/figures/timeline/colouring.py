"""What a bar's colour means: its phase, whose it is (a job's, queue's or user's), or its stage; those beyond
the colours there are have two greys by turns.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine import Run
from engine.dashboard import KINDS, MAP, NONE, REDUCE, TASK
from webapp import theme
from webapp.figures.highlight import job_owners

COLOURINGS = ("phase", "job", "queue", "user", "stage")
OWNER_COLOURS = (*theme.GROUPS, *theme.OTHER_GROUPS)


class Colouring(NamedTuple):
    """owner_colour: int8[jobs], the place of each job's colour in OWNER_COLOURS; or stage_colour: int8[jobs,
    KINDS and stages], that of each kind of containers, then of each stage's tasks, NONE where colour is
    phase; names: whose colours these are; others: how many have none.
    """

    owner_colour: np.ndarray | None = None
    names: tuple[str, ...] = ()
    others: int = 0
    stage_colour: np.ndarray | None = None

    @property
    def is_by_phase(self) -> bool:
        """Whether every colour is phase."""
        return self.owner_colour is None and self.stage_colour is None

    def of_slices(self, run: Run, container: np.ndarray, task: np.ndarray | None) -> np.ndarray:
        """int8[slices], not of a colouring by phase: the place of each one's colour, NONE where it is phase.
        container, task: as Scene has them.
        """
        job = run.containers.job[container]
        if self.stage_colour is None:
            assert self.owner_colour is not None
            return self.owner_colour[job]
        kind, stage = run.containers.kind[container], run.containers.stage[container]
        column = np.where(kind == TASK, len(KINDS) - 1 + stage, kind)
        if task is not None and run.tasks is not None:
            column = np.where(task == NONE, column, len(KINDS) - 1 + run.tasks.stage[task])
        return self.stage_colour[job, column]


BY_PHASE = Colouring()


def colouring(run: Run, by: str) -> Colouring:
    """by: one of COLOURINGS. The names with most tasks get a colour of their own, in the order of the file,
    so that runs of one scenario agree.
    """
    if by == "stage":
        return _by_stage(run)
    if by not in COLOURINGS[1:]:
        return BY_PHASE
    owners = job_owners(run, by)
    names = list(dict.fromkeys(owners))
    index_of = {name: number for number, name in enumerate(names)}
    owner = np.array([index_of[name] for name in owners], np.int64)
    tasks = np.bincount(owner, _task_counts(run), len(names))
    colour, coloured = _colours(tasks)
    return Colouring(colour[owner], tuple(names[index] for index in coloured), len(names) - len(coloured))


def _task_counts(run: Run) -> np.ndarray:
    """int64[jobs]: tasks of each."""
    return np.array([group.task_count for group in run.scenario.jobs], np.int64)[run.workload.job_group]


def _by_stage(run: Run) -> Colouring:
    """Stages of one name have one colour; maps and reduces are stages too. By phase where no application has
    stages.
    """
    if not has_stages(run):
        return BY_PHASE
    groups = run.scenario.jobs
    copies = np.bincount(run.workload.job_group, minlength=len(groups))
    width = len(KINDS) + max(len(group.stages) for group in groups)
    column_of = np.full((len(groups), width), NONE)
    tasks: dict[str, int] = {}
    for number, group in enumerate(groups):
        stages = [(len(KINDS) + place, name) for place, name in enumerate(group.stage_names)]
        counts = [stage.tasks for stage in group.stages]
        if not stages:
            stages = [(MAP, "maps"), (REDUCE, "reduces")]
            counts = [group.maps.count if group.maps else 0, group.reduces.count if group.reduces else 0]
        for (column, name), count in zip(stages, counts):
            if count:
                tasks[name] = tasks.get(name, 0) + count * int(copies[number])
                column_of[number, column] = list(tasks).index(name)
    colour, coloured = _colours(np.array(list(tasks.values())))
    stage_colour = np.append(colour, NONE).astype(np.int8)[column_of][run.workload.job_group]
    names = tuple(list(tasks)[index] for index in coloured)
    return Colouring(None, names, len(tasks) - len(coloured), stage_colour)


def has_stages(run: Run) -> bool:
    """Whether tasks run in stages of an application."""
    return any(job.stages for job in run.scenario.jobs)


def _colours(tasks: np.ndarray) -> tuple[np.ndarray, list[int]]:
    """(the place of each one's colour, those that have one of their own); tasks: of each."""
    max_colours = len(theme.GROUPS)
    coloured = sorted(np.argsort(-tasks, kind="stable")[:max_colours].tolist())
    colour = np.full(len(tasks), NONE, np.int8)
    colour[coloured] = np.arange(len(coloured))
    uncoloured = np.flatnonzero(colour < 0)
    # neighbours in the file, which run side by side, are told apart
    colour[uncoloured] = max_colours + np.arange(len(uncoloured)) % len(theme.OTHER_GROUPS)
    return colour, coloured
