"""What is highlighted in every chart: a job, user, queue, node, rack or phase, written "kind:name" in the
page and in links.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from engine import Run
from webapp import theme

HIGHLIGHTED = ("job", "user", "queue", "node", "rack", "phase")
MAX_NAME_LENGTH = 200
NO_RACK = "(none)"  # of nodes that have none
PHASE_KEYS = tuple(phase.key for phase in theme.PHASES)


class Selection(NamedTuple):
    """One thing by its kind and name."""

    kind: str
    name: str

    @classmethod
    def of(cls, text: str | None) -> Selection | None:
        """From what a page or a link says, which may be anything; None where it names nothing."""
        kind, separator, name = (text or "").partition(":") if isinstance(text, str) else ("", "", "")
        return cls(kind, name[:MAX_NAME_LENGTH]) if separator and name and kind in HIGHLIGHTED else None

    @property
    def text(self) -> str:
        """As the page keeps it."""
        return f"{self.kind}:{self.name}"


def racks(run: Run) -> list[str]:
    """Each node's rack, as rows and highlights name it."""
    return [rack or NO_RACK for rack in run.workload.node_racks]


def job_owners(run: Run, kind: str) -> Sequence[str]:
    """Each job's name, or that of its user or queue."""
    work = run.workload
    if kind == "queue":
        return [work.queues.names[queue] for queue in work.job_queue.tolist()]
    return work.job_users if kind == "user" else work.job_names


def chosen_jobs(run: Run, text: str | None) -> np.ndarray | None:
    """bool[jobs]: those of the selected job, user or queue; None where the selection is none of these or
    names none.
    """
    return _chosen(text, ("job", "user", "queue"), lambda kind: job_owners(run, kind))


def chosen_nodes(run: Run, text: str | None) -> np.ndarray | None:
    """bool[nodes]: the selected node or those of the selected rack; None where the selection is neither or
    names none.
    """
    names = lambda kind: run.workload.node_names if kind == "node" else racks(run)
    return _chosen(text, ("node", "rack"), names)


def _chosen(
    text: str | None, kinds: tuple[str, ...], names: Callable[[str], Sequence[str]]
) -> np.ndarray | None:
    selection = Selection.of(text)
    if selection is None or selection.kind not in kinds:
        return None
    mask = np.array([name == selection.name for name in names(selection.kind)], bool)
    return mask if mask.any() else None


def highlighted_containers(run: Run, text: str | None) -> np.ndarray | None:
    """bool[containers]: those of the selected job, user, queue, node or rack; None where nothing of the kind
    is selected.
    """
    jobs, nodes = chosen_jobs(run, text), chosen_nodes(run, text)
    if jobs is not None:
        return jobs[run.containers.job]
    return None if nodes is None else nodes[run.containers.node]


def chosen_phase(text: str | None, keys: tuple[str, ...]) -> int | None:
    """The selected phase's place among these keys; None where the selection is no phase."""
    selection = Selection.of(text)
    if selection is None or selection.kind != "phase" or selection.name not in keys:
        return None
    return keys.index(selection.name)


def bright_groups(groups: list[np.ndarray], chosen: np.ndarray | None) -> np.ndarray:
    """bool[groups]: those with anything chosen in them; all of them where nothing is. groups: indices."""
    if chosen is None:
        return np.ones(len(groups), bool)
    return np.array([chosen[group].any() for group in groups])
