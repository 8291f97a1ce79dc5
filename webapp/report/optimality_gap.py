"""How good a run is, not only which is better: how far its makespan and mean turnaround are at most above what no scheduler can beat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine import MEASURED, OPTIMAL, Bound, NoBound, Run, above, above_words, lower_bounds, percent_above, tightest
from webapp import theme
from webapp.services.held import Latest
from webapp.services.outcome import Outcome, Planned
from webapp.services.runs import Task

MOST_CONTAINERS = 300_000  # whose bounds are found while one waits: a tenth of a second
MOST_SCENARIOS = 64  # whose bounds are held ready
PROVED_BY = {"solver": "Search of CP-SAT", "energy": "Energy between heads and tails"}
PROVED_ABOUT = {
    "solver": "What CP-SAT proved of the batch when it looked for the optimum with full knowledge: no schedule ends sooner.",
    "energy": "What must lie between the soonest that work can begin and the latest that it may, over what the cluster has there; found with the optimum.",
}
TIMES = ("makespan_s", "mean_turnaround_s")  # the metrics that have bounds


class Above(NamedTuple):
    """How far a run's metric is above the tightest bound. share: of that bound, 0 or more."""

    share: float
    bound: Bound

    @property
    def is_best(self) -> bool:
        """Is it proved that none can do better?"""
        return self.share < OPTIMAL

    @property
    def sign(self) -> str:
        """Beside a number: "≤ 79 %", "optimal"."""
        return "optimal" if self.is_best else f"≤ {percent_above(self.share)}"

    @property
    def words(self) -> str:
        """In a sentence: "at most 79 % above the best possible", "the best possible"."""
        return above_words(self.share)

    @property
    def about(self) -> str:
        """What the sign means and which bound it is."""
        return f"{self.words[:1].upper()}{self.words[1:]}: under any scheduler it is at least {least(self.bound)}"


def least(bound: Bound) -> str:
    """A bound's value and name: "2 m 43.3 s (area of vcores)"."""
    return f"{theme.amount(bound.at_least, 's')} ({bound.title[:1].lower()}{bound.title[1:]})"


def above_best(one: Outcome, metric: str, among: Sequence[Outcome] = ()) -> Above | None:
    """Of a metric of TIMES; None where none can be told: of what was measured, in a deadlock, and as `why_none` says. among: as of `bounds`."""
    value, bound = one.metrics.get(metric), tightest(bounds(one, among), metric)
    return None if value is None or bound is None else Above(above(value, bound), bound)


def bounds(one: Outcome, among: Sequence[Outcome] = ()) -> tuple[Bound, ...]:
    """All that hold for an outcome, those of the makespan first, the tightest of a metric first; none where none can be told.

    among: what it is shown beside; where an optimum of it is there, what the search for that proved holds too.
    """
    found = _found(one.run)
    if isinstance(found, str):
        return ()
    return _proved(one, among, found) + found


def _proved(one: Outcome, among: Sequence[Outcome], known: tuple[Bound, ...]) -> tuple[Bound, ...]:
    """What a search for an optimum of the same batch proved for this scheduler among others, where that is more than is known."""
    searches = [other.planned for other in (one, *among) if other.planned and other.run.scenario.digest == one.run.scenario.digest]
    optimum = next((planned.found for planned in searches if one.planned or one.run.scheduler in planned.beside), None)
    bound = tightest(known, TIMES[0])
    if optimum is None or bound is None or optimum.by not in PROVED_BY or optimum.at_least_s <= bound.at_least:
        return ()
    return (bound._replace(key=optimum.by, title=PROVED_BY[optimum.by], about=PROVED_ABOUT[optimum.by], at_least=optimum.at_least_s),)


def optimum_words(planned: Planned) -> str:
    """How good an optimum is, in a sentence."""
    found = planned.found
    makespan = theme.amount(found.found_s, "s")
    if found.is_proved:
        return f"The optimum takes {makespan} (proved optimal)."
    by = PROVED_BY.get(found.by, "")
    by = f", by the {by[:1].lower()}{by[1:]}" if by else ""
    none = f"no schedule takes less than {theme.amount(found.at_least_s, 's')}{by}"
    return f"The best schedule found takes {makespan}, {above_words(found.gap)} (not proved optimal): {none}."


def words(one: Outcome, metric: str, among: Sequence[Outcome] = ()) -> str:
    """The same in a sentence; "" where none can be told."""
    found = above_best(one, metric, among)
    return found.words if found else ""


def why_none(task: Task) -> str:
    """Why no bound can be told of what a task simulates, as a sentence; "" where one can, and of what was measured alone."""
    found = next((_found(one.run) for one in task.outcomes() if one.is_scheduled), "")
    return found if isinstance(found, str) else ""


def _found(run: Run) -> tuple[Bound, ...] | str:
    """The bounds, or why there are none."""
    if run.scheduler == MEASURED.name:
        return ()
    if len(run.containers.job) > MOST_CONTAINERS:
        return f"What no scheduler can beat is told of up to {MOST_CONTAINERS:,} containers."
    key = f"{run.scenario.digest}:{run.memory_only}"
    found = _held.get(key)
    if found is None:
        try:
            found = tuple(lower_bounds(run.scenario, run.memory_only))
        except NoBound as error:
            found = f"{str(error)[:1].upper()}{str(error)[1:]}."
        _held.put(key, found)
    return found


_held: Latest[tuple[Bound, ...] | str] = Latest(MOST_SCENARIOS)
