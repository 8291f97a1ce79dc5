"""The oracle's weighted: seven normalised terms, each with a weight of its own."""

from __future__ import annotations

from tests.oracle.cluster_state import Candidate, ClusterState
from tests.oracle.haste import alignment, first_master, fitness, highest, normal, urgency
from tests.oracle.orders import Flat
from tests.oracle.workload import Job, Node

TERMS = ("fitness", "urgency", "alignment", "share", "waiting", "remaining", "arrival")


class Weighted(Flat):
    def __init__(self, state: ClusterState, **weights: float) -> None:
        super().__init__(state)
        self.weights = weights

    def choose(self, node: Node, candidates: list[Candidate]) -> Candidate:
        master = first_master(candidates)
        if master:
            return master
        points = [0.0 for _ in candidates]
        for term in TERMS:
            weight = self.weights[term]
            if weight:
                terms = normal([self._term(term, node, candidate) for candidate in candidates])
                points = [before + weight * value for before, value in zip(points, terms)]
        return highest(candidates, points)

    def _term(self, term: str, node: Node, candidate: Candidate) -> float:
        job, kind = candidate
        return {
            "fitness": lambda: fitness(candidate, node),
            "urgency": lambda: urgency(self.state, candidate, node),
            "alignment": lambda: alignment(job),
            "share": lambda: -self._share(job),
            "waiting": lambda: self.state.now - job.waiting[kind].asked,
            "remaining": lambda: -_remaining(job),
            "arrival": lambda: -job.arrival,
        }[term]()

    def _share(self, job: Job) -> float:
        """What the job holds of its dominant resource, by weight."""
        return (
            max(job.held_memory / self.state.cluster[0], job.held_vcores / self.state.cluster[1])
            / job.group.weight
        )


def _remaining(job: Job) -> int:
    """Tasks that have not finished yet, of this iteration and those to come."""
    here = job.maps - len(job.map_ends) + job.reduces - len(job.reduces_done)
    return here + (job.group.iterations - job.iteration) * (job.maps + job.reduces)
