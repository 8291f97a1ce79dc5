"""Jobs that arrive one after another, and a cluster of smaller nodes."""

from __future__ import annotations

from functools import partial

from engine import quantities
from engine.papers.haste.ablations import (
    OTHER_SEEDS,
    TRIED,
    difference_note,
    longest_chain_s,
    no_filling,
    slow_fetching,
)
from engine.papers.haste.calibrations import CALIBRATIONS, FIRST, Calibration, readings
from engine.papers.haste.measure import (
    MAKESPAN,
    MEMORY,
    NAMES,
    NO_GAIN,
    VCORES,
    bars,
    evaluated,
    gain_pct,
    makespans,
)
from engine.papers.haste.workloads import LOADS, longest_s, small_nodes, successive
from engine.papers.judge import average
from engine.papers.measuring import change_pct, makespan_s, over_seeds, series
from engine.papers.schema import (
    NOISE,
    PHYSICS,
    READING,
    Experiment,
    Measurement,
    Ordered,
    Picture,
    Reason,
    Samples,
    Show,
    Similar,
)
from engine.papers.trial import Trial

SCHEDULERS = ("fifo", "fair", "capacity", "drf", "ffd-dp", "haste", "haste-a")
WITHOUT_URGENCY = SCHEDULERS[:5]
AS_FIFO = "Capacity has its default, one queue, and is first in, first out in it, as FIFO is"
COMPARISON_LOST = (
    "what Capacity's makespan is compared with is lost, and that HaSTE's is shorter is judged above"
)
SUCCESSIVE, SMALL = "successive submission", "cluster of small nodes"
TITLES = {MAKESPAN: "Makespan (s)", MEMORY: "Average memory usage (%)", VCORES: "Average vcore usage (%)"}


def measure_successive(calibration: Calibration, trial: Trial) -> Measurement:
    samples: dict[str, list[float]] = {}
    schedulers = calibration.columns(*SCHEDULERS)
    for index, interval in enumerate(LOADS):
        runs = over_seeds(
            partial(successive, mb_s=calibration.mb_s, interval=interval),
            schedulers,
            evaluated,
            trial.part(index, len(LOADS)),
        )
        samples |= {f"{interval}/{key}": values for key, values in runs.items()}
        samples |= {f"{interval}/gain over {over}": gain_pct(runs, over, "haste") for over in WITHOUT_URGENCY}
    samples[NO_GAIN] = [0.0] * len(samples[f"short/fifo/{MAKESPAN}"])
    return Measurement(
        samples,
        lambda: _pictures(samples),
        lambda: {
            **{f"bound, {interval}": _max_gain_note(calibration, interval) for interval in LOADS},
            "slow": _slow_note(),
            "haste-a": _aligned_note(calibration),
        },
    )


def _aligned_note(calibration: Calibration) -> str:
    """How far HaSTE-A's makespans lie from those of the others, over many other seeds."""
    texts = []
    for interval in LOADS:
        samples = over_seeds(
            partial(successive, mb_s=calibration.mb_s, interval=interval),
            calibration.columns(*WITHOUT_URGENCY, "haste-a"),
            lambda run: {MAKESPAN: makespan_s(run)},
            seeds=OTHER_SEEDS,
        )
        pairs = [("haste-a", other) for other in WITHOUT_URGENCY]
        texts.append(f"With {interval} intervals: {difference_note(samples, pairs)}")
    return " ".join(texts)


def _slow_note() -> str:
    """HaSTE's gains where fetching is slow."""
    slow, gains = CALIBRATIONS[1], []
    for interval in LOADS:
        make = partial(successive, mb_s=slow.mb_s, interval=interval)
        samples = over_seeds(make, slow.columns("fifo", "capacity", "haste"), evaluated, seeds=TRIED)
        for over in ("fifo", "capacity"):
            share = quantities.percent(average(gain_pct(samples, over, "haste")) / 100)
            gains.append(f"{share} over {NAMES[over]} with {interval} intervals")
    return f"At {slow.mb_s:.1f} MB/s HaSTE gains: {', '.join(gains)}."


def _pictures(samples: Samples) -> tuple[Picture, ...]:
    x = [f"0 to {longest_s(interval):g} s" for interval in LOADS]
    return tuple(
        Picture(
            title.split(" (")[0],
            "bars",
            "Interval between submissions",
            title,
            tuple(
                series(
                    NAMES[scheduler], x, samples, [f"{interval}/{scheduler}/{metric}" for interval in LOADS]
                )
                for scheduler in SCHEDULERS
            ),
        )
        for metric, title in TITLES.items()
    )


def _max_gain_note(calibration: Calibration, interval: str) -> str:
    """How much any order could gain over FIFO."""
    make = partial(successive, mb_s=calibration.mb_s, interval=interval)
    samples = over_seeds(
        make,
        calibration.columns("fifo"),
        lambda run: {MAKESPAN: makespan_s(run), "chains_s": longest_chain_s(run)},
        seeds=TRIED,
    )
    longer = average(change_pct(samples["fifo/chains_s"], samples[f"fifo/{MAKESPAN}"]))
    bound_text = (
        "the jobs' own longest chains from their arrival on, of fetching the last map's output alone "
        "among them: the least for any order"
    )
    share = quantities.percent(longer / 100)
    return f"With {interval} intervals, FIFO's makespan is on average {share} longer than {bound_text}."


def measure_small(calibration: Calibration, trial: Trial) -> Measurement:
    make, schedulers = partial(small_nodes, mb_s=calibration.mb_s), calibration.columns(*SCHEDULERS)
    samples = over_seeds(make, schedulers, evaluated, trial)
    return Measurement(
        samples,
        lambda: bars(samples, SCHEDULERS, (MAKESPAN, VCORES, MEMORY)),
        lambda: {
            "apart": difference_note(samples, [("haste", "ffd-dp"), ("haste-a", "ffd-dp")]),
            "slow": slow_fetching(small_nodes, SCHEDULERS),
            "filling": no_filling(make, schedulers),
        },
    )


def _of(interval: str, schedulers: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{interval}/{key}" for key in makespans(schedulers))


SUCCESSIVE_SUBMISSION = Experiment(
    key="successive",
    title="Jobs submitted one after another",
    where="Figure of successive submission",
    setting="The workload with iterative jobs in an order that is drawn, each job submitted a random time "
    "after the one before: up to 27 s in one "
    "setting, up to 109 s in the other. Seven schedulers, among them Capacity with one queue.",
    notice="The longer the intervals, the fewer jobs are there at a time, and the less there is to choose "
    "from: all schedulers come closer to each other, "
    "and the makespan to the time of the last submission.",
    shows=lambda: tuple(
        Show(
            f"Submitted in succession, {one} intervals",
            successive(1, FIRST.mb_s, one),
            FIRST.full_names("fifo", "capacity", "drf", "haste", "haste-a"),
        )
        for one in LOADS
    ),
    readings=readings(measure_successive),
    claims=(
        *(
            Ordered(
                f"HaSTE's makespan is the shortest, {one} intervals",
                (f"{one}/haste/{MAKESPAN}", _of(one, WITHOUT_URGENCY)),
                SUCCESSIVE,
                reason=reason,
            )
            for one, reason in (("short", "haste-a"), ("long", "bound, long"))
        ),
        *(
            Ordered(
                f"HaSTE's gain over {NAMES[over]} is less with long intervals",
                ((NO_GAIN, f"long/gain over {over}"), f"short/gain over {over}"),
                SUCCESSIVE,
                unit="%",
                reason="slow" if over in ("fifo", "capacity") else "haste-a",
            )
            for over in WITHOUT_URGENCY
        ),
        Similar(
            "All schedulers come to similar makespans, long intervals", _of("long", SCHEDULERS), SUCCESSIVE
        ),
        Ordered(
            "Capacity's makespan is longer than HaSTE's and HaSTE-A's, short intervals",
            (_of("short", ("haste", "haste-a")), f"short/capacity/{MAKESPAN}"),
            SUCCESSIVE,
            untestable=COMPARISON_LOST,
        ),
    ),
    assumptions=(
        "The intervals: the numbers are lost. A job brings 27 s of work for the whole cluster; the short "
        "intervals are half of that on average (twice as "
        "much is submitted as the cluster can do), the long ones twice that. They were written down "
        "before they were run. 40 seeds.",
        "Which of the mixed workloads was submitted is lost. Ours is that of the iterative experiment; "
        "its chains of iterations decide the makespan.",
        "What is left of the text can't tell HaSTE from HaSTE-A here. The claims are put to HaSTE, "
        "against the schedulers that know neither urgency nor "
        "alignment.",
        "Capacity has Hadoop's default, one queue; memory and vcores must fit, as under the others.",
    ),
    reasons={
        "haste-a": Reason(
            READING,
            "What is left of the text may mean HaSTE-A, which ends before FIFO, Fair, Capacity and DRF with "
            "short intervals, and together with FFD-DP.",
            "haste-a",
        ),
        "bound, long": Reason(
            NOISE,
            "With long intervals jobs hardly compete, so that all orders end at about the same time.",
            "bound, long",
        ),
        "slow": Reason(
            PHYSICS,
            "Gains under load and none without show against FIFO and Capacity where fetching takes time.",
            "slow",
        ),
    },
    thousand_containers=504,
)

SMALL_NODES = Experiment(
    key="small-nodes",
    title="A cluster of small nodes",
    where="Figure of the cluster of nodes of 2 GB",
    setting=(
        "The workload with iterative jobs on 32 nodes of 2 GB and 4 vcores instead of eight of 8 GB and 8 "
        "vcores. Seven schedulers."
    ),
    notice="A node of 2 GB holds one or two tasks, whoever schedules, so there is little to combine on "
    "it. What is left to a scheduler is whose "
    "turn it is: that of the chains of iterations, which decide when the batch ends.",
    shows=lambda: (
        Show(
            "HaSTE-A's workload on small nodes",
            small_nodes(1, FIRST.mb_s),
            FIRST.full_names("fifo", "fair", "drf", "haste", "haste-a"),
        ),
    ),
    readings=readings(measure_small),
    claims=(
        Ordered("Fair's makespan is shorter than FIFO's", makespans(("fair", "fifo")), SMALL, reason="slow"),
        Ordered(
            "Capacity's makespan is shorter than FIFO's",
            makespans(("capacity", "fifo")),
            SMALL,
            untestable=AS_FIFO,
        ),
        Ordered(
            "HaSTE and HaSTE-A have the shortest makespans",
            (makespans(("haste", "haste-a")), makespans(WITHOUT_URGENCY)),
            SMALL,
            reason="apart",
        ),
        Ordered(
            "HaSTE-A's makespan is shorter than HaSTE's",
            makespans(("haste-a", "haste")),
            SMALL,
            theme="alignment",
        ),
    ),
    assumptions=(
        "4 vcores a node, and as many nodes as hold the memory of the large cluster: the paper's 2 GB is "
        "all that is left of it. 40 seeds.",
        "The word Fair is lost everywhere in our copy: that the sentence on Capacity is on Fair too is "
        "our reading.",
        "Capacity has Hadoop's default, one queue; memory and vcores must fit, as under the others.",
    ),
    reasons={
        "apart": Reason(
            NOISE,
            "FFD-DP, whose largest requests are the chains' maps, ends within the spread of the seeds of "
            "HaSTE and HaSTE-A.",
            "apart",
        ),
        "slow": Reason(
            PHYSICS,
            "Fair is shorter than FIFO where fetching is slow, not at OMO's rate.",
            "slow",
        ),
    },
    thousand_containers=252,
)
