"""The answer to a what-if question: times before and after with the band around each, who gains and who
loses, what it costs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from engine import quantities
from engine.analysis.metrics import makespan_ms, percentile, summary, turnaround_ms, undone_jobs
from engine.codes import NONE
from engine.messages import msg
from engine.prediction.band import Band
from engine.prediction.changed_configuration import ConfigurationFile
from engine.prediction.evidence import only_holds
from engine.prediction.prediction import Prediction, predict
from engine.prediction.price import Price
from engine.prediction.questions import ChangedScenario
from engine.scenario.applications import noun
from engine.scenario.measured import fingerprint
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import Scheduler, as_scheduler
from engine.simulation.cancellation import CancelToken
from engine.simulation.run import Run
from engine.simulation.simulate import simulate

JOB, GROUP, USER, QUEUE = "job", "group", "user", "queue"
KINDS = (QUEUE, GROUP, USER, JOB)
NO_RECORD = msg("prediction.answer.no_record_cluster_goes_with_scenario")
OTHER_RECORD = msg("prediction.answer.record_other_nodes_or_jobs_than")
NOT_JUDGED = msg("prediction.answer.record_has_too_few_jobs_to")
COVERED = msg("prediction.answer.band_how_far_measured_times_were")
BEYOND = msg("prediction.answer.larger_than_band")
WITHIN = msg("prediction.answer.smaller_than_band")
MEANING = {
    BEYOND: (msg("prediction.answer.change_larger_than_band_would_be")),
    WITHIN: msg("prediction.answer.change_smaller_than_band_direction_likely"),
}


@dataclass(frozen=True)
class PredictionBaseline:
    """What is asked about: a scenario as fitted to its record, under a scheduler, and the bands around a
    finish and a turnaround, None where unknown.

    says: what the bands cover, in a sentence.
    """

    scenario: Scenario
    scheduler: Scheduler
    finish: Band | None
    turnaround: Band | None
    says: str


def has_record(scenario: Scenario) -> bool:
    """Is there a record of these nodes and jobs, by which times can be judged?"""
    return scenario.measured is not None and scenario.measured.of == fingerprint(scenario)


def make_baseline(
    scenario: Scenario,
    scheduler: Scheduler,
    cancel_token: CancelToken | None = None,
    report: Callable[[str], None] | None = None,
) -> PredictionBaseline:
    """Fits and judges a scenario that has a record, once for all questions; one without is asked about as it
    is. Raises RunCancelled when it was ended.
    """
    return (
        validated_baseline(predict(scenario, scheduler, cancel_token, report))
        if has_record(scenario)
        else unvalidated_baseline(scenario, scheduler)
    )


def unvalidated_baseline(scenario: Scenario, scheduler: str | Scheduler) -> PredictionBaseline:
    """Of a scenario without a record that fits, unchanged."""
    return PredictionBaseline(
        scenario, as_scheduler(scheduler), None, None, OTHER_RECORD if scenario.measured else NO_RECORD
    )


def validated_baseline(prediction: Prediction) -> PredictionBaseline:
    """Of a scenario whose record has been replayed."""
    scheduler = as_scheduler(prediction.scheduler)
    if prediction.band.of < 2:  # a single one has no range
        return PredictionBaseline(prediction.scenario, scheduler, None, None, NOT_JUDGED)
    says = " ".join(
        [
            COVERED.format(prediction.band.basis),
            *_one_sided((prediction.band, prediction.turnaround_band)),
            *(f"{note[:1].upper()}{note[1:]}." for note in prediction.notes),
        ]
    )
    return PredictionBaseline(
        prediction.scenario, scheduler, prediction.band, prediction.turnaround_band, says
    )


def _one_sided(bands: Sequence[Band]) -> list[str]:
    """A sentence where a band does not contain what it is around, as the simulation was off to one side."""
    if any(band.high < 1 for band in bands):
        return [msg("prediction.answer.measured_were_shorter")]
    if any(band.low > 1 for band in bands):
        return [msg("prediction.answer.measured_were_longer")]
    return []


@dataclass(frozen=True)
class MetricChange:
    """Seconds before and after; None where the batch does not end, or no job can be compared."""

    key: str
    title: str
    before_s: float | None
    after_s: float | None
    band: Band | None

    @property
    def change_s(self) -> float | None:
        """After less before: below 0 it is shorter."""
        return None if self.before_s is None or self.after_s is None else self.after_s - self.before_s

    @property
    def beyond(self) -> bool | None:
        """Do the bands before and after have nothing in common? None where there is no band or nothing to
        compare.
        """
        if self.band is None or self.before_s is None or self.after_s is None:
            return None
        (low, high), (low_after, high_after) = self.band.around(self.before_s), self.band.around(self.after_s)
        return high_after < low or low_after > high

    @property
    def verdict(self) -> str:
        """BEYOND or WITHIN; "" where unknown, or nothing changes."""
        return "" if self.beyond is None or not self.change_s else BEYOND if self.beyond else WITHIN


@dataclass(frozen=True)
class Gain:
    """A job, or jobs together: mean turnarounds before and after, and the seconds gained in all, below 0
    lost.
    """

    name: str
    jobs: int
    before_s: float
    after_s: float
    gain_s: float


@dataclass(frozen=True)
class Answer:
    """metrics: makespan, mean and 95th percentile of turnaround. gains: by KINDS, what gains most first, of
    the jobs that are in both runs and end.

    noun: what its jobs are called. compared, added, left_out: how many are in both, after alone, before
    alone; stuck: why the changed batch does not end, "" where it does.
    """

    key: str
    title: str
    scheduler: str
    scheduler_after: str
    metrics: tuple[MetricChange, ...]
    gains: dict[str, tuple[Gain, ...]]
    noun: str
    compared: int
    added: int
    left_out: int
    cost: tuple[float, float | None] | None
    price: Price | None
    says: str
    caveats: tuple[str, ...]
    files: tuple[ConfigurationFile, ...]
    stuck: str

    @property
    def meanings(self) -> list[str]:
        """What each verdict that is given means, once."""
        return [
            sentence
            for verdict, sentence in MEANING.items()
            if any(metric.verdict == verdict for metric in self.metrics)
        ]

    @property
    def kinds(self) -> list[str]:
        """Those of KINDS that tell anything: several queues or users, groups that hold several jobs, and
        jobs.
        """
        several = {kind: len(self.gains[kind]) > 1 for kind in (QUEUE, USER)} | {
            GROUP: any(gain.jobs > 1 for gain in self.gains[GROUP]),
            JOB: True,
        }
        return [kind for kind in KINDS if several[kind]]

    def gainers(self, kind: str) -> list[Gain]:
        """The most first; of groups those of several jobs."""
        return [gain for gain in self.gains[kind] if gain.gain_s > 0 and (kind != GROUP or gain.jobs > 1)]

    def losers(self, kind: str) -> list[Gain]:
        """The most first; of groups those of several jobs."""
        return [
            gain
            for gain in reversed(self.gains[kind])
            if gain.gain_s < 0 and (kind != GROUP or gain.jobs > 1)
        ]


def answer(
    baseline: PredictionBaseline,
    changed: ChangedScenario,
    cancel_token: CancelToken | None = None,
    price: Price | None = None,
) -> Answer:
    """Both simulated; GantryError where one can't be, RunCancelled when it was ended."""
    before = simulate(baseline.scenario, baseline.scheduler, cancel_token=cancel_token)
    after = simulate(changed.scenario, changed.scheduler, cancel_token=cancel_token)
    return compared(baseline, changed, before, after, price)


def compared(
    baseline: PredictionBaseline,
    changed: ChangedScenario,
    before: Run,
    after: Run,
    price: Price | None = None,
) -> Answer:
    """The answer of two runs that are there."""
    turnarounds = [_turnarounds(run) for run in (before, after)]
    both = [name for name in turnarounds[0] if name in turnarounds[1]]
    comparable = [name for name in both if turnarounds[0][name] != NONE and turnarounds[1][name] != NONE]
    times = [np.array([by_name[name] for name in comparable], np.int64) for by_name in turnarounds]
    makespans = [makespan_ms(run) / 1000 if run.status == "finished" else None for run in (before, after)]
    means, tails = (
        [function(by_name) if len(by_name) else None for by_name in times] for function in (_mean_s, _p95_s)
    )
    metrics = tuple(
        MetricChange(key, title, changed_s[0], changed_s[1], band)
        for key, title, changed_s, band in (
            ("makespan_s", "Makespan", makespans, baseline.finish),
            ("mean_turnaround_s", msg("shared.mean_turnaround"), means, baseline.turnaround),
            ("p95_turnaround_s", msg("shared.th_percentile_turnaround"), tails, baseline.turnaround),
        )
    )
    return Answer(
        key=changed.key,
        title=changed.title,
        scheduler=baseline.scheduler.name,
        scheduler_after=changed.scheduler.name,
        metrics=metrics,
        gains=_gains(before, comparable, *times),
        noun=noun(job.framework for job in baseline.scenario.jobs),
        compared=len(comparable),
        added=len(turnarounds[1]) - len(both),
        left_out=len(turnarounds[0]) - len(both),
        cost=_costs(price, (before, after), makespans) if price else None,
        price=price,
        says=baseline.says,
        caveats=(*changed.caveats, *_given_up(before, after)),
        files=changed.files,
        stuck=""
        if after.status == "finished"
        else msg("prediction.answer.changed_batch_does_not_end", because=after.because),
    )


def _given_up(before: Run, after: Run) -> list[str]:
    """That more jobs fail or are refused than before: the batch is no faster for them."""
    jobs = noun(job.framework for job in before.scenario.jobs)
    count_before, count_after = (undone_jobs(summary(run)) for run in (before, after))
    if count_after <= count_before:
        return []
    return [
        msg(
            "prediction.answer.more_jobs_given_up",
            after=quantities.count(count_after, jobs),
            jobs=jobs,
            before=f"{count_before:,}",
        )
    ]


def _costs(
    price: Price, runs: tuple[Run, Run], makespans: list[float | None]
) -> tuple[float, float | None] | None:
    """What the nodes of each run cost, None for the second one where it does not end.

    None where the first one does not.
    """
    before_s, after_s = makespans
    if before_s is None:
        return None
    nodes = [sum(group.count for group in run.scenario.cluster.nodes) for run in runs]
    return price.cost(nodes[0], before_s), None if after_s is None else price.cost(nodes[1], after_s)


def _turnarounds(run: Run) -> dict[str, int]:
    """ms by the job's name, NONE of one that failed or did not end; other applications are left out."""
    work = run.workload
    return {
        name: time
        for name, time, group in zip(work.job_names, turnaround_ms(run).tolist(), work.job_group.tolist())
        if not only_holds(run.scenario.jobs[group])
    }


def _mean_s(times: np.ndarray) -> float:
    return int(times.sum()) / (1000 * len(times))


def _p95_s(times: np.ndarray) -> float:
    return percentile(times, 95) / 1000


def _gains(
    run: Run, names: Sequence[str], before: np.ndarray, after: np.ndarray
) -> dict[str, tuple[Gain, ...]]:
    """By each kind of KINDS; a job without a group is its own."""
    work, index_of = run.workload, {name: at for at, name in enumerate(run.workload.job_names)}
    jobs = [index_of[name] for name in names]
    extra = [run.scenario.jobs[work.job_group[job]].model_extra or {} for job in jobs]
    labels = {
        JOB: list(names),
        GROUP: [str(fields.get("x_group") or name) for fields, name in zip(extra, names)],
        USER: [work.job_users[job] for job in jobs],
        QUEUE: [work.queues.names[work.job_queue[job]] for job in jobs],
    }
    return {kind: _ranked(labels[kind], before.tolist(), after.tolist()) for kind in KINDS}


def _ranked(labels: Sequence[str], before: Sequence[int], after: Sequence[int]) -> tuple[Gain, ...]:
    sums: dict[str, list[int]] = {}
    for label, before_ms, after_ms in zip(labels, before, after, strict=True):
        sums_of_label = sums.setdefault(label, [0, 0, 0])
        sums_of_label[0], sums_of_label[1], sums_of_label[2] = (
            sums_of_label[0] + 1,
            sums_of_label[1] + before_ms,
            sums_of_label[2] + after_ms,
        )
    gains = [
        Gain(
            label, count, before_ms / (1000 * count), after_ms / (1000 * count), (before_ms - after_ms) / 1000
        )
        for label, (count, before_ms, after_ms) in sums.items()
    ]
    return tuple(sorted(gains, key=lambda gain: (-gain.gain_s, gain.name)))


def total_gain_s(gains: Sequence[Gain]) -> float:
    """Of all of them, exactly added."""
    return math.fsum(gain.gain_s for gain in gains)
