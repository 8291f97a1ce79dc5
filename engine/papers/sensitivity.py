"""Sensitivity analysis: an experiment run again with other physics, to see under which conditions its claims
hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from engine.messages import msg
from engine.papers.gallery import judge_claims, paper_experiments
from engine.papers.judge import Finding
from engine.papers.trial import Conditions, Progress, Trial, no_progress
from engine.scenario.field_types import Uniform, Value
from engine.schedulers.legacy_names import parse_in_full
from engine.schedulers.scheduler import Scheduler
from engine.simulation.cancellation import CancelToken

FEW = 3  # seeds: enough for a lamp to follow a slider, too few to judge a claim
BY_SLOW_START = ("slowstart", "ramp-up")


class SensitivityParameter(NamedTuple):
    """A field of `Conditions` that can be moved, to these values; True and False are with and without."""

    key: str
    title: str
    unit: str
    meaning: str
    values: tuple[float | bool, ...]


SENSITIVITY_PARAMETERS = (
    SensitivityParameter(
        "fetch_mb_s",
        msg("papers.sensitivity.fetch_rate"),
        "MB/s",
        msg("papers.sensitivity.how_fast_one_reduce_fetches_map"),
        (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 30, 40, 60, 80, 100, 150, 200),
    ),
    SensitivityParameter(
        "contention",
        "Contention",
        "",
        msg("papers.sensitivity.each_k_tasks_on_node_runs"),
        (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1),
    ),
    SensitivityParameter(
        "launch_s",
        "Launch",
        "s",
        msg("papers.sensitivity.from_containers_allocation_to_start_its"),
        (0, 0.5, 1, 2, 3, 5, 8, 12),
    ),
    SensitivityParameter(
        "stagger_s",
        msg("papers.sensitivity.staggered_applicationmasters"),
        "s",
        msg("papers.sensitivity.applicationmasters_start_up_over_so_many"),
        (0, 1, 2, 3, 4, 6, 8, 10, 15, 20, 30),
    ),
    SensitivityParameter(
        "reservations",
        "Reservations",
        "",
        msg("papers.sensitivity.fair_drf_and_capacity_reserve_nodes"),
        (False, True),
    ),
    SensitivityParameter(
        "slowstart",
        msg("shared.slow_start"),
        "",
        msg("papers.sensitivity.reduces_asked_for_once_share_jobs"),
        (0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1),
    ),
)


@cache
def experiment_conditions(name: str) -> Mapping[str, float | bool | None]:
    """What the first scenario of "paper/experiment" has of each parameter that has an effect there; None
    where its jobs or schedulers differ.

    A rate needs something to fetch, a slow start reduces, staggered masters an ApplicationMaster, and
    reservations a scheduler that can have them.
    """
    shows = paper_experiments()[name].shows()
    scenario = shows[0].scenario
    rules = [parse_in_full(item) for item in {item for show in shows for item in show.schedulers}]
    reducing = [job for job in scenario.jobs if job.reduces and job.reduces.count]
    fetches = any(job.shuffle_mb_per_map for job in reducing)
    cluster = scenario.cluster
    defaults: dict[str, float | bool | None] = {"fetch_mb_s": cluster.shuffle_mb_s} if fetches else {}
    defaults |= {"contention": cluster.contention, "launch_s": _number(cluster.launch_s)}
    starts = [job.am.startup_s for job in scenario.jobs if job.am]
    if starts:
        defaults["stagger_s"] = _same(_span_s(item) for item in starts)
    reserve = _reservations(rules)
    if reserve:
        defaults["reservations"] = _same(reserve)
    if reducing and any(_asks_by_job(item) for item in rules):
        defaults["slowstart"] = _same(job.slowstart for job in scenario.jobs)
    return defaults


def _reservations(rules: Sequence[Scheduler]) -> list[bool]:
    """Whether each scheduler reserves, of those that can."""
    given = [rule.order.given for rule in rules]
    return [values["reservations"] == "yes" for values in given if "reservations" in values]


def sensitivity_parameters(name: str) -> tuple[SensitivityParameter, ...]:
    """The parameters with an effect in "paper/experiment"."""
    return tuple(knob for knob in SENSITIVITY_PARAMETERS if knob.key in experiment_conditions(name))


def judge_under(
    name: str,
    conditions: Conditions,
    seeds: int = FEW,
    progress: Progress = no_progress,
    cancel_token: CancelToken | None = None,
) -> tuple[Finding, ...]:
    """Judges every claim of "paper/experiment" under the reading that is shown, over the first seeds alone;
    raises as the runs, `progress` and `cancel_token` do.
    """
    experiment = paper_experiments()[name]
    trial = Trial(progress, conditions=conditions, cancel_token=cancel_token).at_most(seeds)
    return judge_claims(experiment, experiment.shown, experiment.shown.measure(trial).samples)


def _span_s(startup: float | Value) -> float | None:
    """Over how many seconds masters start up that begin together."""
    if isinstance(startup, Uniform):
        return startup.high - startup.low
    return None if isinstance(startup, Value) else 0.0


def _number(drawn: float | Value) -> float | None:
    return None if isinstance(drawn, Value) else drawn


def _same(values: Iterable[float | bool | None]) -> float | bool | None:
    """Their common value; None if they differ."""
    distinct = set(values)
    return distinct.pop() if len(distinct) == 1 else None


def _asks_by_job(scheduler: Scheduler) -> bool:
    """Its reduces begin by each job's own slow start."""
    rule = scheduler.reduce_start
    return rule.policy.name in BY_SLOW_START and rule.given.get("at") is None
