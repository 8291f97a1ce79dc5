"""The oracle's windows, and what follows from the rate of containers: batch finish, omo, lazy start."""

from __future__ import annotations

from engine.scenario.model import milliseconds
from tests.oracle.clocks import Clock
from tests.oracle.cluster_state import Candidate, ClusterState, divide
from tests.oracle.haste import highest
from tests.oracle.orders import QueueOrder, first_of, jobs_among
from tests.oracle.workload import Job, Node

FOR_EVER = 1e15


class Windows(Clock):
    """F (`rate`, containers released in a ms) and A (`available`), smoothed over windows; None before the
    first one has ended.
    """

    def __init__(self, state: ClusterState, window_s: float, ema: float) -> None:
        self.state = state
        self.period = max(1, milliseconds(window_s))
        self.ema = ema
        self.released = 0
        self.rate: float | None = None
        self.available: float | None = None

    def tick(self) -> bool:
        """A window ends. Whether that changed anything."""
        before = self.rate, self.available
        released = self._released()
        f, a = (released - self.released) / self.period, self._available()
        self.released = released
        if self.rate is None:
            self.rate, self.available = f, float(a)
        else:
            self.rate = self.ema * f + (1 - self.ema) * self.rate
            self.available = self.ema * a + (1 - self.ema) * self.available
        return (self.rate, self.available) != before

    def _released(self) -> int:
        """Maps and reduces so far that have finished and were seen to."""
        return len([c for c in self.state.finished(None, "map", "reduce") if c.seen is not None])

    def _available(self) -> int:
        """What will be released by itself: running maps, and reduces that wait for no map."""
        reduces = [c for c in self.state.running(None, "reduce") if c.job.maps_over]
        return len(self.state.running(None, "map")) + len(reduces)


class FetchWindows(Windows):
    """And `speed`, what reduces that fetch get of the bandwidth, smoothed likewise, None before one did;
    `pending`, jobs with waiting maps.

    None, too, where the parameters don't ask for them.
    """

    def __init__(self, state: ClusterState, window_s: float, ema: float, jobs: str, bandwidth: str) -> None:
        super().__init__(state, window_s, ema)
        self.sees_fetching = bandwidth == "observed"
        self.speed: float | None = None
        self.pending = 0 if jobs == "pending" else None

    def tick(self) -> bool:
        before = self.speed, self.pending
        if self.sees_fetching:
            self._see_fetching()
        if self.pending is not None:
            self.pending = len([job for job in self.state.jobs if self.state.waiting(job, "map")])
        return super().tick() or (self.speed, self.pending) != before

    def _see_fetching(self) -> None:
        there = [node for node in self.state.nodes if node.fetching]
        if there:
            now = 0.0
            for node in there:
                now += node.fetching / node.slowdown
            now /= sum(node.fetching for node in there)
            self.speed = now if self.speed is None else self.ema * now + (1 - self.ema) * self.speed


class LazyStart:
    """All reduces of an iteration, when they will have fetched everything just as the last map ends; they go
    before maps.
    """

    reduces_first = True

    def __init__(self, state: ClusterState, window_s: float, ema: float, jobs: str, bandwidth: str) -> None:
        self.state = state
        self.windows = FetchWindows(state, window_s, ema, jobs, bandwidth)
        self.clock = self.windows

    def on_heartbeat_of(self, job: Job) -> bool:
        """At a heartbeat of its master: it asks with the other requests, and takes nothing back."""
        return False

    def asks(self, job: Job) -> bool:
        m = job.maps - self.state.placed(job, "map")
        if m == 0:
            return True
        f, a, r = self.windows.rate, self.windows.available, job.reduces
        t_map = self.state.mean_time(job, "map")
        if t_map is None or not f or a <= r:
            return False
        d = len(self.state.running_jobs()) if self.windows.pending is None else max(1, self.windows.pending)
        if f * (a - r) * FOR_EVER <= a * d:
            return False
        t_shuffle = job.maps * self.state.fetch_ms(job)
        if self.windows.speed is not None:
            t_shuffle = t_shuffle / self.windows.speed
        step, beta = gap(m, a, d, f, r, t_shuffle, t_map)
        return beta + step / 2 >= 0


def gap(m: int, a: float, d: int, f: float, r: int, t_shuffle: float, t_map: float) -> tuple[float, float]:
    """By how much beta grows with one map less, and beta (OMO's Eq. 3): the shuffle's time less what m
    waiting maps still take.
    """
    return a * d / (f * (a - r)), t_shuffle - (m * a * d / (f * (a - r)) + t_map)


class BatchFinish(QueueOrder):
    """The job whose waiting maps, all served at once, end so much earlier than by sharing; otherwise as
    fair.
    """

    def __init__(self, state: ClusterState, window_s: float, ema: float, candidates: str) -> None:
        super().__init__(state, "fair")
        self.windows = Windows(state, window_s, ema)
        self.clock = self.windows
        self.spreads_load = True
        self.started_only = candidates == "started"
        self.batches = True

    def choose(self, node: Node, candidates: list[Candidate]) -> Candidate:
        batch = [candidate for candidate in candidates if self._gain(candidate) > 0]
        if batch:
            return highest(batch, [self._gain(candidate) for candidate in batch])
        return super().choose(node, candidates)

    def _gain(self, candidate: Candidate) -> float:
        """0 where there is none to be had."""
        job, kind = candidate
        if not self.batches:
            return 0.0
        f, a, r = self.windows.rate, self.windows.available, job.reduces
        d = len(self.state.running_jobs())
        t_map = self.state.mean_time(job, "map")
        started = self.state.placed(job, "reduce") >= 1 or not self.started_only
        if kind != "map" or not f or not d or t_map is None or not started or a + r <= 0:
            return 0.0
        t_fair, t_batch = finish_times(self.state.waiting(job, "map"), a, d, f, r, t_map)
        return t_fair - t_batch


def finish_times(m: int, a: float, d: int, f: float, r: int, t_map: float) -> tuple[float, float]:
    """When m waiting maps of one of d jobs have finished, by sharing (OMO's Eq. 4) and served at once (Eq.
    5).
    """
    t_fair = divide(d * m, f) + t_map
    s = (d - 1) * m + f * (d - 1) * t_map / d
    return t_fair, divide(s * a, f * (a + r))


class Omo(BatchFinish):
    """Reduces of the job that holds fewest containers, then batch finish, then fair."""

    def __init__(
        self, state: ClusterState, window_s: float, ema: float, jobs: str, bandwidth: str, batch: str
    ) -> None:
        super().__init__(state, window_s, ema, "started")
        self.batches = batch == "yes"

    def choose(self, node: Node, candidates: list[Candidate]) -> Candidate:
        reduces = [candidate for candidate in candidates if candidate[1] == "reduce"]
        if not reduces:
            return super().choose(node, candidates)
        job = min(jobs_among(reduces), key=lambda job: len(self.state.held(job, "am", "reduce", "map")))
        return first_of(job, reduces)
