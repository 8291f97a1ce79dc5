"""Ablations: why an order differs from the paper's, by other runs of the same workloads; in sentences.

None of it is judged, and a few of the seeds are enough for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from engine import quantities
from engine.analysis.metrics import critical_path_ms, makespan_ms
from engine.analysis.phases import WAITING, phases
from engine.experiments.replications import Estimate
from engine.papers.haste.calibrations import AT_ONCE, CALIBRATIONS, Calibration
from engine.papers.haste.first_reduce import read_otherwise
from engine.papers.haste.measure import MAKESPAN, NAMES, VCORES, evaluated
from engine.papers.judge import average, mean
from engine.papers.measuring import makespan_s, over_seeds
from engine.papers.schema import Samples
from engine.papers.trial import SEEDS
from engine.scenario.model import Scenario
from engine.schedulers.legacy_names import parse_in_full
from engine.schedulers.order.haste import HASTE, most_preferred
from engine.schedulers.order.haste_a import most_preferred_aligned
from engine.schedulers.scheduler import Scheduler
from engine.schedulers.terms.alignment import factor_of
from engine.schedulers.terms.masters import first_master
from engine.schedulers.view import MAP, NONE, request_of
from engine.simulation.run import Run

TRIED = SEEDS[:10]
OTHER_SEEDS = range(1001, 1201)  # none that a claim is judged on
FILLING = ("haste", "haste-a")
FACTORS = (0.25, 0.5, 1.0, 2.0)
WAITING_VCORES, WAITING_MEMORY = "waiting_vcores_pct", "waiting_memory_pct"


def without_filling(view, count, node, w_memory, w_vcores, ties):
    """HaSTE by preference from the start: no node is filled as a knapsack first."""
    best = first_master(view, count)
    return best if best != NONE else most_preferred(view, count, node, w_memory, w_vcores, ties)


def aligned_without_filling(view, count, node, w_memory, w_vcores, ties, factor):
    """HaSTE-A likewise."""
    view.factor[0] = factor_of(factor, view.running_jobs[1], view.running_jobs[0])
    best = first_master(view, count)
    return best if best != NONE else most_preferred_aligned(view, count, node, w_memory, w_vcores, ties)


def unfilled(names: Mapping[str, str]) -> dict[str, Scheduler]:
    """HaSTE and HaSTE-A, with parameters or without, but without the first filling; names: schedulers by the
    names they have in notes.
    """
    schedulers = {}
    for name, scheduler in names.items():
        plain = parse_in_full(scheduler)
        function = without_filling if plain.order.policy is HASTE else aligned_without_filling
        schedulers[name] = replace(
            plain,
            order=replace(plain.order, policy=replace(plain.order.policy, function=function, index=None)),
        )
    return schedulers


def with_waiting(run: Run) -> dict[str, float]:
    """As every experiment measures, and how much of the cluster reduces hold that wait for maps, in
    percent.
    """
    parts, work = phases(run), run.workload
    waits = parts.phase == WAITING
    container = parts.container[waits]
    request = request_of(work, run.containers.job[container], run.containers.kind[container])
    span = (parts.end - parts.start)[waits]
    samples = evaluated(run)
    for key, requested, capacity in (
        (WAITING_VCORES, work.request_vcores, work.node_vcores),
        (WAITING_MEMORY, work.request_memory, work.node_memory),
    ):
        samples[key] = (
            100 * float((requested[request] * span).sum()) / (int(capacity.sum()) * makespan_ms(run))
        )
    return samples


def waiting_note(samples: Samples, schedulers: Sequence[str]) -> str:
    """What waiting reduces hold of the vcores and of the memory."""
    held = [
        f"{NAMES[scheduler]} {average(samples[f'{scheduler}/{WAITING_VCORES}']):.1f} % and "
        f"{average(samples[f'{scheduler}/{WAITING_MEMORY}']):.1f} %"
        for scheduler in schedulers
    ]
    return f"Reduces that wait for maps hold, of the vcores and of the memory on average: {'; '.join(held)}."


def used_beside_waiting(samples: Samples, scheduler: str) -> list[float]:
    """Vcore usage without what waiting reduces hold, in percent."""
    return [
        used - waits
        for used, waits in zip(samples[f"{scheduler}/{VCORES}"], samples[f"{scheduler}/{WAITING_VCORES}"])
    ]


def beside_note(samples: Samples, schedulers: Sequence[str]) -> str:
    """What is used of the vcores without what waiting reduces hold."""
    used = {name: average(used_beside_waiting(samples, name)) for name in schedulers}
    texts = [f"{NAMES[name]} {share:.1f} %" for name, share in used.items()]
    gain = quantities.percent(used["haste"] / used["drf"] - 1)
    return (
        f"Without what reduces that wait for maps hold, of the vcores are used: {', '.join(texts)}; "
        f"HaSTE {gain} more than DRF."
    )


def with_interval(estimate: Estimate, unit: str) -> str:
    """A mean over seeds and its interval, with one digit after the point."""
    text = f"{estimate.mean:.1f} {unit} (95 % interval {estimate.low:.1f} to {estimate.high:.1f} {unit})"
    return text.replace("-", "−")


def difference_note(samples: Samples, pairs: Sequence[tuple[str, str]]) -> str:
    """How far the makespans of two schedulers lie apart, with the interval over the seeds."""
    texts = []
    for first, second in pairs:
        apart = mean(
            [
                one - other
                for one, other in zip(samples[f"{first}/{MAKESPAN}"], samples[f"{second}/{MAKESPAN}"])
            ]
        )
        texts.append(f"{NAMES[first]} and {NAMES[second]} differ by {with_interval(apart, 's')}")
    return f"Makespans over the same {len(samples[f'{pairs[0][0]}/{MAKESPAN}'])} seeds: {'; '.join(texts)}."


def slow_fetching(
    make: Callable[..., Scenario],
    labels: Sequence[str],
    metric: str = MAKESPAN,
    words: str = "makespans",
    unit: str = "s",
    slow: Calibration = CALIBRATIONS[1],
) -> str:
    """Means of a metric where fetching takes OMO's time, with long maps if not told otherwise, instead of its
    rate.
    """
    samples = over_seeds(partial(make, mb_s=slow.mb_s), slow.columns(*labels), evaluated, seeds=TRIED)
    means = [f"{NAMES[label]} {average(samples[f'{label}/{metric}']):.1f} {unit}" for label in labels]
    return f"At {slow.mb_s:.1f} MB/s the average {words} of {len(TRIED)} seeds are: {', '.join(means)}."


def over_many_seeds(
    make: Callable[[int], Scenario], schedulers: Mapping[str, str], pairs: Sequence[tuple[str, str]]
) -> str:
    """How far the makespans of two schedulers lie apart over seeds that no claim is judged on, five times as
    many.
    """
    return difference_note(over_seeds(make, schedulers, evaluated, seeds=OTHER_SEEDS), pairs)


def gains_note(samples: Samples, overs: Sequence[str], where: str) -> str:
    """What HaSTE gains on the workload with iterative jobs and on the mixed one, with intervals."""
    texts = []
    for over in overs:
        for workload in ("iterative", "mixed"):
            gain = with_interval(mean(samples[f"{workload}/gain over {over}"]), "%")
            texts.append(f"over {NAMES[over]} on the {workload} workload {gain}")
    return f"HaSTE gains {where}: {'; '.join(texts)}."


def makespans_note(
    change: str,
    make: Callable[[int], Scenario],
    schedulers: Mapping[str, str | Scheduler],
    unchanged: Mapping[str, str] | None = None,
) -> str:
    """Average makespans of another run of the workload; change: what was changed; schedulers: by the names
    they have in the note; unchanged: likewise.
    """

    def means(named: Mapping[str, str | Scheduler]) -> dict[str, str]:
        samples = over_seeds(make, named, lambda run: {"makespan_s": makespan_s(run)}, seeds=TRIED)
        return {name: f"{average(samples[f'{name}/makespan_s']):.1f} s" for name in named}

    before = means(unchanged or {})
    after = [
        f"{name} {makespan}{f' instead of {before[name]}' if name in before else ''}"
        for name, makespan in means(schedulers).items()
    ]
    return f"{change}, the average makespans of {len(TRIED)} seeds are: {', '.join(after)}."


def no_filling(make: Callable[[int], Scenario], schedulers: Mapping[str, str]) -> str:
    """Without initial task assignment; schedulers: by label, those without one are left out."""
    named = {NAMES[label]: scheduler for label, scheduler in schedulers.items() if label in FILLING}
    return makespans_note("Without the first filling of the nodes as knapsacks", make, unfilled(named), named)


def all_reduces_at_once(
    make: Callable[[int], Scenario], calibration: Calibration, labels: Sequence[str]
) -> str:
    """All reduces of a job asked for at once."""
    changed, unchanged = (
        {NAMES[label]: scheduler for label, scheduler in reading.columns(*labels).items()}
        for reading in (calibration._replace(reduces=AT_ONCE), calibration)
    )
    return makespans_note(
        "Where all reduces of a job are asked for when 5 % of its maps have finished",
        make,
        changed,
        unchanged,
    )


def first_reduces(make: Callable[[int], Scenario], scheduler: str) -> str:
    """HaSTE with other readings of the urgency of a job's first reduce."""
    return makespans_note(
        "HaSTE with the urgency of a job's first reduce taken for", make, read_otherwise(scheduler)
    )


def mean_starts(make: Callable[[int], Scenario], job: str, kind: int, schedulers: Mapping[str, str]) -> str:
    """When a job's maps or reduces start."""

    def of_job(run: Run) -> dict[str, float]:
        tasks = (run.containers.job == run.workload.job_names.index(job)) & (run.containers.kind == kind)
        return {"starts_s": float(run.containers.start[tasks].mean()) / 1000}

    samples = over_seeds(make, schedulers, of_job, seeds=TRIED)
    means = [
        f"{NAMES[scheduler]} {average(samples[f'{scheduler}/starts_s']):.1f} s" for scheduler in schedulers
    ]
    return (
        f"The {'maps' if kind == MAP else 'reduces'} of {job} start on average of {len(TRIED)} seeds "
        f"after: {', '.join(means)}."
    )


def factors(make: Callable[[int], Scenario], calibration: Calibration) -> str:
    """HaSTE-A with other weights of alignment."""
    fixed = {
        f"factor {factor:g}": calibration.scheduler(f"haste-a(ties=reduces, factor={factor:g})")
        for factor in FACTORS
    }
    return makespans_note("HaSTE-A with the factor fixed", make, fixed)


def longest_chain_s(run: Run) -> float:
    """Lower bound of the makespan: the latest of arrival + longest chain of a job's own tasks, from the first
    arrival on.
    """
    return int((run.jobs.arrival + critical_path_ms(run)).max() - run.first_ms) / 1000
