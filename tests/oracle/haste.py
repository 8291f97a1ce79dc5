"""The oracle's ffd-dp, haste and haste-a: fitness, urgency and alignment of a request on a node, and the
knapsack of an empty node.
"""

from __future__ import annotations

from tests.oracle.cluster_state import Candidate, ClusterState
from tests.oracle.knapsack import knapsack
from tests.oracle.orders import Flat
from tests.oracle.workload import Job, Node


def first_master(candidates: list[Candidate]) -> Candidate | None:
    return next((candidate for candidate in candidates if candidate[1] == "am"), None)


def fitness(candidate: Candidate, node: Node, w_memory: float = 1.0, w_vcores: float = 1.0) -> float:
    """What it asks for times what is free, both as shares of the node."""
    memory, vcores = candidate[0].size(candidate[1])
    free_memory, free_vcores = node.memory - node.held_memory, node.vcores - node.held_vcores
    return w_memory * (memory / node.memory) * (free_memory / node.memory) + w_vcores * (
        vcores / node.vcores
    ) * (free_vcores / node.vcores)


def size(job: Job, kind: str, node: Node, w_memory: float = 1.0, w_vcores: float = 1.0) -> float:
    """R of one map or reduce of the job; 0 for the reduces that it does not have."""
    if kind == "reduce" and not job.reduces:
        return 0.0
    memory, vcores = job.size(kind)
    return w_memory * memory / node.memory + w_vcores * vcores / node.vcores


def urgency(
    state: ClusterState, candidate: Candidate, node: Node, w_memory: float = 1.0, w_vcores: float = 1.0
) -> float:
    """U: more map progress and more room held by reduces make maps urgent; reduces are the more urgent, the
    less of the job's room they have.
    """
    job, kind = candidate
    r_map, r_reduce = (
        size(job, "map", node, w_memory, w_vcores),
        size(job, "reduce", node, w_memory, w_vcores),
    )
    placed = state.placed(job, "reduce")
    maps, reduces = len(state.running(job, "map")), len(state.running(job, "reduce"))
    progress = state.placed(job, "map") / job.maps
    of_map = progress * (placed * r_reduce)
    if kind == "map":
        return of_map
    if reduces == placed:
        return progress * progress * (maps * r_map + reduces * r_reduce)
    if reduces == 0 or reduces * r_reduce == 0:
        return of_map
    return of_map * progress * (maps * r_map + reduces * r_reduce) / (reduces * r_reduce)


def alignment(job: Job) -> float:
    """A: how far an iterative job is."""
    return job.iteration / job.group.iterations if job.group.iterations > 1 else 0.0


def normal(values: list[float]) -> list[float]:
    """Each between the least (0) and the most (1); 0 where all are equal."""
    minimum, maximum = min(values), max(values)
    return [(value - minimum) / (maximum - minimum) if maximum != minimum else 0.0 for value in values]


def highest(candidates: list[Candidate], values: list[float]) -> Candidate:
    """Ties: the first."""
    return candidates[values.index(max(values))]


def in_order(state: ClusterState, candidates: list[Candidate], ties: str) -> list[Candidate]:
    """In job order, within a job the map before the reduce, or under ties=reduces after it."""
    first = {"maps": "map", "reduces": "reduce"}[ties]
    return sorted(candidates, key=lambda candidate: (state.jobs.index(candidate[0]), candidate[1] != first))


class FfdDp(Flat):
    """Highest fitness; under priorities=yes of what has the highest priority of its job."""

    def __init__(
        self, state: ClusterState, w_memory: float, w_vcores: float, ties: str, priorities: str
    ) -> None:
        super().__init__(state)
        self.weights = w_memory, w_vcores
        self.ties = ties
        self.by_priority = priorities == "yes"

    def allows(self, job: Job, kind: str) -> bool:
        return not (self.by_priority and kind == "map" and self.state.waiting(job, "reduce"))

    def choose(self, node: Node, candidates: list[Candidate]) -> Candidate:
        master = first_master(candidates)
        if master:
            return master
        tied = in_order(self.state, candidates, self.ties)
        return highest(tied, [fitness(candidate, node, *self.weights) for candidate in tied])


class Haste(Flat):
    """An empty node is filled by the knapsack; then fitness and urgency, with the alignment when there is a
    factor, decide.
    """

    def __init__(
        self, state: ClusterState, w_memory: float, w_vcores: float, ties: str, factor: float | str = 0.0
    ) -> None:
        super().__init__(state)
        self.weights = w_memory, w_vcores
        self.ties = ties
        self.factor = factor
        self.filled: set[Node] = set()
        # what the own last choice left free
        self.left = {node: (node.memory, node.vcores) for node in state.nodes}

    def choose(self, node: Node, candidates: list[Candidate]) -> Candidate:
        free = node.memory - node.held_memory, node.vcores - node.held_vcores
        if free != self.left[node] or not any(kind in ("am", "map") for _, kind in candidates):
            self.filled.add(node)
        chosen = first_master(candidates)
        if not chosen and node not in self.filled:
            chosen = self._packed(
                node, free, [candidate for candidate in candidates if candidate[1] == "map"]
            )
        chosen = chosen or self._preferred(node, in_order(self.state, candidates, self.ties))
        memory, vcores = chosen[0].size(chosen[1])
        self.left[node] = free[0] - memory, free[1] - vcores
        return chosen

    def _packed(self, node: Node, free: tuple[int, int], maps: list[Candidate]) -> Candidate | None:
        """The knapsack's choice; None when no map is worth anything."""
        values = [size(job, "map", node, *self.weights) for job, _ in maps]
        waiting = [self.state.waiting(job, "map") for job, _ in maps]
        chosen = knapsack(free, [job.size("map") for job, _ in maps], waiting, values)
        return None if chosen is None else maps[chosen]

    def _preferred(self, node: Node, candidates: list[Candidate]) -> Candidate:
        """P: the normalised terms added up."""
        fit = normal([fitness(candidate, node, *self.weights) for candidate in candidates])
        urgent = normal([urgency(self.state, candidate, node, *self.weights) for candidate in candidates])
        aligned = normal([alignment(job) for job, _ in candidates])
        alpha = self._alpha()
        return highest(candidates, [f + u + alpha * a for f, u, a in zip(fit, urgent, aligned)])

    def _alpha(self) -> float:
        """By itself the factor is what part of the running jobs is not iterative, as long as that is half of
        them or more.
        """
        if self.factor != "auto":
            return self.factor
        jobs = self.state.running_jobs()
        p = len([job for job in jobs if job.group.iterations > 1]) / len(jobs) if jobs else 0.0
        return 1 - p if p <= 0.5 else 0.0
