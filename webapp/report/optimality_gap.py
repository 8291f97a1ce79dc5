"""How good a run is, not only which is better: how far its makespan and mean turnaround are at most above
their lower bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine import Run, lower_bounds, quantities
from engine.dashboard import (
    MEASURED,
    NEGLIGIBLE_GAP,
    Bound,
    NoBound,
    above,
    above_text,
    percent_above,
    tightest,
)
from webapp.messages import msg
from webapp.runs.cache import shared_cache
from webapp.runs.outcome import OptimumRecord, Outcome
from webapp.runs.task import Task

MAX_CONTAINERS = 300_000  # whose bounds are found while one waits: a tenth of a second
PROVED_BY = {  # the title of a bound that a search proved, and what it is
    "solver": (
        msg("report.optimality_gap.search_cp_sat"),
        msg("report.optimality_gap.what_cp_sat_proved_batch_when"),
    ),
    "energy": (
        msg("report.optimality_gap.energy_between_heads_and_tails"),
        msg("report.optimality_gap.work_between_its_earliest_start_and"),
    ),
}
BOUNDED_METRICS = ("makespan_s", "mean_turnaround_s")  # the metrics that have bounds


class OptimalityGap(NamedTuple):
    """How far a run's metric is above the tightest bound. share: of that bound, 0 or more."""

    share: float
    bound: Bound

    @property
    def is_best(self) -> bool:
        """Is it proved that none can do better?"""
        return self.share < NEGLIGIBLE_GAP

    @property
    def sign(self) -> str:
        """Beside a number: "≤ 79 %", "optimal"."""
        return "optimal" if self.is_best else f"≤ {percent_above(self.share)}"

    @property
    def words(self) -> str:
        """In a sentence: "at most 79 % above the best possible", "the best possible"."""
        return above_text(self.share)

    @property
    def about(self) -> str:
        """What the sign means and which bound it is."""
        words, bound = self.words[:1].upper() + self.words[1:], bound_text(self.bound)
        return msg("report.optimality_gap.under_any_scheduler_at_least", words=words, bound=bound)


def bound_text(bound: Bound) -> str:
    """A bound's value and name: "2 m 43.3 s (area of vcores)"."""
    return f"{quantities.amount(bound.at_least, 's')} ({bound.title[:1].lower()}{bound.title[1:]})"


def gap_of(outcome: Outcome, metric: str, among: Sequence[Outcome] = ()) -> OptimalityGap | None:
    """Of a metric of TIMES; None where none can be told: of what was measured, in a deadlock, and as
    `why_no_bounds` says. among: as of `known_bounds`.
    """
    value, bound = outcome.metrics.get(metric), tightest(known_bounds(outcome, among), metric)
    share = above(value, bound)
    return None if share is None or bound is None else OptimalityGap(share, bound)


def known_bounds(outcome: Outcome, among: Sequence[Outcome] = ()) -> tuple[Bound, ...]:
    """All that hold for an outcome, those of the makespan first, the tightest of a metric first; none where
    none can be told.

    among: what it is shown beside; where an optimum of it is there, what the search for that proved holds
    too.
    """
    bounds = _find_bounds(outcome.run)
    if isinstance(bounds, str):
        return ()
    return _proved_bounds(outcome, among, bounds) + bounds


def _proved_bounds(
    outcome: Outcome, among: Sequence[Outcome], bounds: tuple[Bound, ...]
) -> tuple[Bound, ...]:
    """What a search for an optimum of the same batch proved for this scheduler among others, where that is
    more than is known.
    """
    digest = outcome.run.scenario.digest
    searches = (one.planned for one in (outcome, *among) if one.planned and one.run.scenario.digest == digest)
    optimum = next(
        (planned.found for planned in searches if outcome.planned or outcome.run.scheduler in planned.beside),
        None,
    )
    bound = tightest(bounds, BOUNDED_METRICS[0])
    if not optimum or not bound or optimum.by not in PROVED_BY or optimum.at_least_s <= bound.at_least:
        return ()
    title, about = PROVED_BY[optimum.by]
    return (bound._replace(key=optimum.by, title=title, about=about, at_least=optimum.at_least_s),)


def optimum_words(planned: OptimumRecord) -> str:
    """How good an optimum is, in a sentence."""
    optimum = planned.found
    makespan = quantities.amount(optimum.found_s, "s")
    if optimum.is_proved:
        return msg("report.optimality_gap.optimum_takes_proved_optimal", makespan=makespan)
    by = ""
    if optimum.by in PROVED_BY:
        title, _ = PROVED_BY[optimum.by]
        by = msg("report.optimality_gap.by", title=title[:1].lower() + title[1:])
    at_least = quantities.amount(optimum.at_least_s, "s")
    return msg(
        "report.optimality_gap.best_schedule_found_takes_not_proved",
        makespan=makespan,
        gap=above_text(optimum.gap),
        none=msg("report.optimality_gap.no_schedule_takes_less_than", amount=at_least, by=by),
    )


def gap_words(outcome: Outcome, metric: str, among: Sequence[Outcome] = ()) -> str:
    """The same in a sentence; "" where none can be told."""
    gap = gap_of(outcome, metric, among)
    return gap.words if gap else ""


def why_no_bounds(task: Task) -> str:
    """Why no bound can be told of what a task simulates, as a sentence; "" where one can, and of what was
    measured alone.
    """
    bounds = next((_find_bounds(outcome.run) for outcome in task.outcomes() if outcome.is_scheduled), "")
    return bounds if isinstance(bounds, str) else ""


def _find_bounds(run: Run) -> tuple[Bound, ...] | str:
    """The bounds, or why there are none."""
    if run.scheduler == MEASURED.name:
        return ()
    if len(run.containers.job) > MAX_CONTAINERS:
        return msg("report.optimality_gap.lower_bounds_computed_for_up_to", max_containers=MAX_CONTAINERS)
    key = f"bounds:{run.scenario.digest}:{run.memory_only}"
    bounds = shared_cache.held(key)
    if bounds is None:
        try:
            bounds = tuple(lower_bounds(run.scenario, run.memory_only))
        except NoBound as error:
            bounds = f"{str(error)[:1].upper()}{str(error)[1:]}."
        shared_cache.hold(key, bounds)
    return bounds
