"""The oracle's saf: now and then the runner-up of drf is served, the more likely the hotter the cluster
is.
"""

from __future__ import annotations

import math
from hashlib import blake2b

from tests.oracle.cluster_state import TASKS, Candidate, ClusterState
from tests.oracle.orders import Flat, drf_difference, first_of, job_side, jobs_among, needy, weighted_shares
from tests.oracle.workload import Job, Node, added


class Saf(Flat):
    def __init__(
        self,
        state: ClusterState,
        entropy: str,
        alpha: float,
        q: float,
        cooling: str,
        rate: float,
        cold: float,
        k: float,
    ) -> None:
        super().__init__(state)
        self.of_shares = lambda shares: entropies(shares, k, alpha, q)[entropy]()
        self.cooled = lambda start, cycle: coolings(start, rate, cycle)[cooling]()
        self.cold = cold
        self.numbers = Numbers(state.scenario.seed)
        self.stale = True
        self.start = self.temperature = 0.0
        self.cycle = 0

    def choose(self, node: Node, candidates: list[Candidate]) -> Candidate:
        first, second = self._first_two(jobs_among(candidates))
        served = second if second and not self._needy(first) and self._draws(first, second) else first
        return first_of(served, candidates)

    def _first_two(self, jobs: list[Job]) -> tuple[Job, Job | None]:
        """As drf orders them; ties in job order."""
        first = self._best(jobs)
        others = [job for job in jobs if job is not first]
        return first, self._best(others) if others else None

    def _best(self, jobs: list[Job]) -> Job:
        best = jobs[0]
        for job in jobs[1:]:
            if drf_difference(job_side(job, "drf"), job_side(best, "drf"), self.state.cluster) < 0:
                best = job
        return best

    def _needy(self, job: Job) -> bool:
        return needy(job_side(job, "drf"), self.state.cluster)

    def _draws(self, first: Job, second: Job) -> bool:
        """Whether the draw is the second's; it cools. At no temperature nothing is drawn, and the next
        decision takes it anew.
        """
        if self.stale:
            self.start = self.temperature = self.of_shares(self._shares())
            self.cycle = 0
            self.stale = False
        if self.temperature <= 0:
            self.stale = True
            return False
        delta = self._share(second) - self._share(first)
        p = math.exp(-delta / self.temperature)
        drawn = p > self.numbers.next()
        if self.temperature > self.cold:
            self.cycle += 1
            self.temperature = self.cooled(self.start, self.cycle)
        else:
            self.stale = True
        return drawn

    def _share(self, job: Job) -> float:
        return weighted_shares(job_side(job, "drf"), self.state.cluster)[0]

    def _shares(self) -> list[float]:
        """What part of the tasks held has each fitness, in the order of the sizes in the scenario that have
        it.
        """
        tasks = [c.job.size(c.kind) for c in self.state.held(None, "map", "reduce")]
        sizes = [
            job.size(kind)
            for job in self.state.jobs
            for kind in ("reduce", "map")
            if kind == "map" or job.reduces
        ]
        groups: dict[float, int] = {}
        for size in dict.fromkeys(sizes):
            if size in tasks:
                groups[self._fitness(size)] = groups.get(self._fitness(size), 0) + tasks.count(size)
        return [count / len(tasks) for count in groups.values()]

    def _fitness(self, size: tuple[int, int]) -> float:
        cluster = self.state.cluster
        held = self.state.sizes(self.state.held(None, "am", *TASKS))
        free = cluster[0] - held[0], cluster[1] - held[1]
        return (size[0] / cluster[0]) * (free[0] / cluster[0]) + (size[1] / cluster[1]) * (
            free[1] / cluster[1]
        )


def entropies(shares: list[float], k: float, alpha: float, q: float) -> dict:
    """The first temperature by each measure; 0 when nothing runs."""
    if not shares:
        return dict.fromkeys(("shannon", "hartley", "collision", "min", "renyi", "tsallis"), lambda: 0.0)
    return {
        "shannon": lambda: -k * added([p * math.log10(p) for p in shares]),
        "hartley": lambda: k * math.log10(len(shares)),
        "collision": lambda: -k * math.log10(added([p * p for p in shares])),
        "min": lambda: -k * math.log10(max(shares)),
        "renyi": lambda: k / (1 - alpha) * math.log10(added([math.pow(p, alpha) for p in shares])),
        "tsallis": lambda: k / (q - 1) * (1 - added([math.pow(p, q) for p in shares])),
    }


def coolings(start: float, rate: float, cycle: int) -> dict:
    """The temperature after so many draws by each schedule."""
    return {
        "exponential": lambda: start * math.pow(rate, cycle),
        "linear": lambda: start / (1 + rate * cycle),
        "logarithmic": lambda: start / (1 + rate * math.log10(1 + cycle)),
        "quadratic": lambda: start / (1 + rate * math.log10(1 + cycle * cycle)),
    }


class Numbers:
    """L'Ecuyer's combined generator (CACM 31(6), 1988), started from the scenario's seed."""

    def __init__(self, seed: int) -> None:
        key = blake2b(f"{seed}/saf".encode(), digest_size=16).digest()
        self.s1 = 1 + int.from_bytes(key[:8], "little") % 2147483562
        self.s2 = 1 + int.from_bytes(key[8:], "little") % 2147483398

    def next(self) -> float:
        self.s1 = 40014 * self.s1 % 2147483563
        self.s2 = 40692 * self.s2 % 2147483399
        z = self.s1 - self.s2
        return (z if z >= 1 else z + 2147483562) / 2147483563
