"""How much memory is allocated over the time of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from engine.analysis.metrics import utilization
from engine.analysis.node_utilization import column_edges, node_utilization
from engine.papers.haste.ablations import (
    TRIED,
    longest_chain_s,
    slow_fetching,
    waiting_note,
    with_interval,
    with_waiting,
)
from engine.papers.haste.calibrations import CALIBRATIONS, FIRST, Calibration, readings
from engine.papers.haste.measure import MAKESPAN, MEMORY, NAMES, keys
from engine.papers.haste.workloads import GB, iterative, mixed
from engine.papers.judge import average, mean
from engine.papers.measuring import makespan_s, over_seeds, run_trial
from engine.papers.schema import (
    NOISE,
    PHYSICS,
    UNKNOWN,
    Experiment,
    Measurement,
    Ordered,
    Picture,
    Reason,
    Samples,
    Series,
    Show,
)
from engine.papers.trial import Trial
from engine.scenario.model import Scenario
from engine.simulation.run import Run

OF_MIXED, OF_ITERATIVE = ("fifo", "drf", "ffd-dp", "haste"), ("fifo", "ffd-dp", "haste", "haste-a")
DRAINS = "any batch uses less towards its end, whoever schedules"
COLUMNS = 120  # of a curve
QUARTERS = 4
WHOLE, LAST, ALONE, CHAINS = MEMORY, "memory_last_quarter_pct", "iterative_alone_s", "chains_s"
FIGURE_MIXED, FIGURE_ITERATIVE = (
    "memory over time, mixed workload",
    "memory over time, workload with iterative jobs",
)


def memory_shares(run: Run, columns: int) -> np.ndarray:
    """Mean share of the cluster's memory that is allocated, in columns of equal time."""
    return node_utilization(run, "memory", columns, np.zeros(len(run.workload.node_names), np.int64)).share[0]


def iterative_alone_s(run: Run) -> float:
    """Seconds at the end in which only iterative jobs are left."""
    # all arrive at once: the order of jobs is that of the file
    iterates = np.array([job.iterations > 1 for job in run.scenario.jobs])
    return (run.until_ms - int(run.jobs.finish[~iterates].max())) / 1000


def memory_metrics(run: Run) -> dict[str, float]:
    """Memory on average and in the last quarter, how long iterative jobs are alone, and how long the longest
    chain and the whole run are.
    """
    samples = {WHOLE: 100 * utilization(run)[0], CHAINS: longest_chain_s(run), MAKESPAN: makespan_s(run)}
    return {**samples, LAST: 100 * float(memory_shares(run, QUARTERS)[-1]), ALONE: iterative_alone_s(run)}


def curves(title: str, scenario: Scenario, schedulers: Mapping[str, str]) -> Picture:
    """Memory allocated over time, in GB, one curve a scheduler."""
    cluster_gb = sum(group.count * group.memory_mb for group in scenario.cluster.nodes) / GB
    lines = []
    for name, full in schedulers.items():
        run = run_trial(scenario, full)
        edges = column_edges(run, COLUMNS) / 1000
        middles = (edges[:-1] + edges[1:]) / 2
        lines.append(
            Series(
                NAMES[name],
                tuple(middles.tolist()),
                tuple((cluster_gb * memory_shares(run, COLUMNS)).tolist()),
            )
        )
    return Picture(title, "lines", "Time (s)", "Memory allocated (GB)", tuple(lines))


def measure_mixed(calibration: Calibration, trial: Trial) -> Measurement:
    make, schedulers = partial(mixed, mb_s=calibration.mb_s), calibration.columns(*OF_MIXED)
    samples = over_seeds(make, schedulers, with_waiting, trial)
    return Measurement(
        samples,
        lambda: (curves("Memory allocated, one of the runs", make(1), schedulers),),
        lambda: {
            "waiting": waiting_note(samples, OF_MIXED),
            "apart": _apart(samples, WHOLE, OF_MIXED),
            "slowest": slow_fetching(
                mixed, OF_MIXED, MEMORY, "shares of the memory that is allocated", "%", CALIBRATIONS[2]
            ),
        },
    )


def measure_iterative(calibration: Calibration, trial: Trial) -> Measurement:
    make, schedulers = partial(iterative, mb_s=calibration.mb_s), calibration.columns(*OF_ITERATIVE)
    samples = over_seeds(make, schedulers, memory_metrics, trial)
    chains, makespan = (average(samples[f"haste-a/{key}"]) for key in (CHAINS, MAKESPAN))
    note = (
        "The longest chain of a job's own tasks, with what it fetches last, takes on average "
        f"{chains:.1f} s of HaSTE-A's {makespan:.1f} s."
    )
    return Measurement(
        samples,
        lambda: (curves("Memory allocated, one of the runs", make(1), schedulers),),
        lambda: {
            "chains": note,
            "last quarter": _apart(samples, LAST, OF_ITERATIVE),
            "alone": _alone_note(),
        },
    )


def _apart(samples: Samples, key: str, schedulers: Sequence[str]) -> str:
    """A share of the memory under each scheduler, with its interval."""
    texts = [f"{NAMES[name]} {with_interval(mean(samples[f'{name}/{key}']), '%')}" for name in schedulers]
    what = "in the last quarter" if key == LAST else "on average over the run"
    return f"Memory allocated {what}: {'; '.join(texts)}."


def _alone_note() -> str:
    """How long iterative jobs are alone where fetching is slow."""
    slow = CALIBRATIONS[1]
    samples = over_seeds(
        partial(iterative, mb_s=slow.mb_s), slow.columns(*OF_ITERATIVE), memory_metrics, seeds=TRIED
    )
    means = [f"{NAMES[name]} {average(samples[f'{name}/{ALONE}']):.1f} s" for name in OF_ITERATIVE]
    return f"At {slow.mb_s:.1f} MB/s iterative jobs run alone for: {', '.join(means)}."


MEMORY_MIXED = Experiment(
    key="memory-mixed",
    title="Memory allocated over time, mixed workload",
    where="Figure of memory allocated over time, mixed workload",
    setting=(
        "The mixed workload again, under FIFO, DRF, FFD-DP and HaSTE: how much memory is allocated at "
        "each moment."
    ),
    notice="FIFO serves the jobs in their order and leaves memory idle while those in front want vcores. "
    "FFD-DP and HaSTE place tasks of other jobs beside "
    "them.",
    shows=lambda: (Show("HaSTE's mixed workload", mixed(1, FIRST.mb_s), FIRST.full_names(*OF_MIXED)),),
    readings=readings(measure_mixed),
    claims=(
        Ordered(
            "FIFO and DRF allocate less memory than FFD-DP and HaSTE",
            (keys(WHOLE, ("fifo", "drf")), keys(WHOLE, ("ffd-dp", "haste"))),
            FIGURE_MIXED,
            reason="waiting",
            theme="usage",
        ),
        Ordered(
            "HaSTE allocates slightly more than FFD-DP",
            keys(WHOLE, ("ffd-dp", "haste")),
            FIGURE_MIXED,
            reason="slowest",
        ),
    ),
    assumptions=(
        "The curves are of one of the 40 seeds; the claims are on the means over time of all of them.",
        'After "slightly" a word is lost; that it is more, SAF\'s related work has: "HaSTE achieves '
        'higher resource utilization over time".',
        "The workload's table is lost; see the mixed workload.",
    ),
    reasons={
        "waiting": Reason(
            UNKNOWN,
            "Memory that is allocated need not be at work: reduces that wait for maps hold a good part of "
            "DRF's, and it counts.",
            "waiting",
        ),
        "slowest": Reason(
            PHYSICS,
            "At OMO's fetch rate FFD-DP allocates more; where fetching takes as many map times as on OMO's "
            "bed with short maps, HaSTE does.",
            "slowest",
        ),
    },
    thousand_containers=87,
)

MEMORY_ITERATIVE = Experiment(
    key="memory-iterative",
    title="Memory allocated over time, iterative workload",
    where="Figure of memory allocated over time, workload with iterative jobs",
    setting=(
        "The workload with iterative jobs again, under FIFO, FFD-DP, HaSTE and HaSTE-A: how much memory "
        "is allocated at each moment."
    ),
    notice="Once only iterative jobs are left, memory in use falls and comes in waves: the maps of an "
    "iteration, then its reduces, then the next. "
    "HaSTE-A is meant to run the iterations beside the other jobs, so that both end at about the same "
    "time: look for the end of the waves.",
    shows=lambda: (
        Show(
            "HaSTE-A's workload with iterative jobs",
            iterative(1, FIRST.mb_s),
            FIRST.full_names(*OF_ITERATIVE),
        ),
    ),
    readings=readings(measure_iterative),
    claims=(
        *(
            Ordered(
                f"{NAMES[one]} uses less memory in the last quarter than on average",
                (f"{one}/{LAST}", f"{one}/{WHOLE}"),
                FIGURE_ITERATIVE,
                untestable=DRAINS,
            )
            for one in OF_ITERATIVE[:3]
        ),
        Ordered(
            "HaSTE-A uses most in the last quarter",
            (keys(LAST, OF_ITERATIVE[:3]), f"haste-a/{LAST}"),
            FIGURE_ITERATIVE,
            reason="last quarter",
        ),
        Ordered(
            "Iterative jobs run alone for the shortest time under HaSTE-A",
            (f"haste-a/{ALONE}", keys(ALONE, OF_ITERATIVE[:3])),
            FIGURE_ITERATIVE,
            reason="alone",
            theme="alignment",
        ),
    ),
    assumptions=(
        "The paper points at the low end of the curves; we measure the last quarter of the run, and how "
        "long iterative jobs are alone.",
        "The curves are of one of the 40 seeds; the claims are on the means of all of them.",
        "The workload's table is lost; see the workload with iterative jobs.",
    ),
    reasons={
        "last quarter": Reason(
            NOISE,
            "A chain of iterations takes most of the run, so the last quarter belongs to PageRank and KMeans "
            "whoever schedules, and what is used in it hardly differs.",
            "last quarter",
        ),
        "alone": Reason(
            PHYSICS,
            "At OMO's fetch rate FFD-DP starts the iterations as early, by the size of their maps; where "
            "fetching is slow they are alone for the shortest time under HaSTE-A.",
            "alone",
        ),
    },
    thousand_containers=144,
)
