"""What is highlighted in every chart: a job, user, queue, node, rack or phase, written "kind:name" in the
page and in links.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine import Run

HIGHLIGHTED = ("job", "user", "queue", "node", "rack", "phase")
MAX_NAME_LENGTH = 200
NO_RACK = "(none)"  # of nodes that have none


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


def chosen_jobs(run: Run, text: str | None) -> np.ndarray | None:
    """bool[jobs]: those of the selected job, user or queue; None where the selection is none of these or
    names none.
    """
    selection = Selection.of(text)
    if selection is None or selection.kind not in ("job", "user", "queue"):
        return None
    work = run.workload
    names = {
        "job": lambda: work.job_names,
        "user": lambda: work.job_users,
        "queue": lambda: [work.queues.names[queue] for queue in work.job_queue.tolist()],
    }
    mask = np.array([name == selection.name for name in names[selection.kind]()], bool)
    return mask if mask.any() else None


def chosen_nodes(run: Run, text: str | None) -> np.ndarray | None:
    """bool[nodes]: the selected node or those of the selected rack; None where the selection is neither or
    names none.
    """
    selection = Selection.of(text)
    if selection is None or selection.kind not in ("node", "rack"):
        return None
    names = run.workload.node_names if selection.kind == "node" else racks(run)
    mask = np.array([name == selection.name for name in names], bool)
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
    return (
        keys.index(selection.name)
        if selection and selection.kind == "phase" and selection.name in keys
        else None
    )
