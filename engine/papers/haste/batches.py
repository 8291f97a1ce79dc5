"""The workloads whose jobs all arrive at once: simple, mixed and iterative."""

from __future__ import annotations

from functools import partial

from engine.papers.haste.ablations import (
    all_reduces_at_once,
    beside_note,
    difference_note,
    factors,
    first_reduces,
    gains_note,
    makespans_note,
    mean_starts,
    no_filling,
    over_many_seeds,
    slow_fetching,
    waiting_note,
    with_waiting,
)
from engine.papers.haste.calibrations import CALIBRATIONS, FIRST, Calibration, readings
from engine.papers.haste.calibrations import SEEDS as GAIN_SEEDS
from engine.papers.haste.measure import (
    MAKESPAN,
    MEMORY,
    NO_GAIN,
    RESPONSE,
    VCORES,
    bars,
    evaluated,
    gain_pct,
    keys,
    makespans,
)
from engine.papers.haste.workloads import iterative, mixed, simple
from engine.papers.measuring import change_pct, over_seeds
from engine.papers.schema import (
    NOISE,
    PHYSICS,
    READING,
    UNKNOWN,
    Experiment,
    Measurement,
    Ordered,
    Printed,
    Reason,
    Show,
    Similar,
)
from engine.papers.trial import SEEDS, Trial
from engine.schedulers.view import MAP, REDUCE

CONVENTIONAL = ("fifo", "fair", "drf")
SCHEDULERS = (*CONVENTIONAL, "ffd-dp", "haste")
WITH_ALIGNMENT = ("fifo", "ffd-dp", "haste", "haste-a")
USAGE_GAIN = "haste/usage_gain_pct"
QUOTED = "as SAF, section 6.1, quotes it"
BOUND = "a bound from above, which no gain at all would keep too"
SIMPLE, MIXED, ITERATIVE = "simple workload", "mixed workload", "mixed workload with iterative jobs"
LOST = "the text says by how much, but its digits are lost"
BEFORE_FFD_DP = Ordered(
    "HaSTE's makespan is shorter than FFD-DP's",
    makespans(("haste", "ffd-dp")),
    MIXED,
    reason="apart",
    theme="ffd-dp",
)


def measure_simple(calibration: Calibration, trial: Trial) -> Measurement:
    make, schedulers = partial(simple, mb_s=calibration.mb_s), calibration.columns(*SCHEDULERS)
    samples = over_seeds(make, schedulers, with_waiting, trial)
    gains = [change_pct(samples[f"drf/{metric}"], samples[f"haste/{metric}"]) for metric in (MEMORY, VCORES)]
    samples[USAGE_GAIN] = [max(pair) for pair in zip(*gains)]
    samples[NO_GAIN] = [0.0] * len(samples[USAGE_GAIN])

    def notes() -> dict[str, str]:
        return {
            "waiting": waiting_note(samples, SCHEDULERS),
            "beside": beside_note(samples, SCHEDULERS),
            "apart": difference_note(samples, [("ffd-dp", "fifo")]),
            "many seeds": over_many_seeds(make, calibration.columns("fifo", "ffd-dp"), [("ffd-dp", "fifo")]),
            "memory alone": makespans_note(
                "Where FIFO looks at memory alone, as Hadoop's FifoScheduler does",
                make,
                {"FIFO": calibration.scheduler("fifo(resources=memory)")},
            ),
            "at once": all_reduces_at_once(make, calibration, SCHEDULERS),
            "filling": no_filling(make, schedulers),
            "first reduce": first_reduces(make, schedulers["haste"]),
        }

    return Measurement(samples, lambda: bars(samples, SCHEDULERS, (MAKESPAN, VCORES, MEMORY)), notes)


def measure_mixed(calibration: Calibration, trial: Trial) -> Measurement:
    make, schedulers = partial(mixed, mb_s=calibration.mb_s), calibration.columns(*SCHEDULERS)
    samples = over_seeds(make, schedulers, with_waiting, trial)
    return Measurement(
        samples,
        lambda: bars(samples, SCHEDULERS, (MAKESPAN, VCORES, MEMORY)),
        lambda: {
            "waiting": waiting_note(samples, SCHEDULERS),
            "beside": beside_note(samples, SCHEDULERS),
            "apart": difference_note(samples, [("ffd-dp", "fifo"), ("haste", "fifo"), ("haste", "ffd-dp")]),
            "many seeds": over_many_seeds(
                make,
                calibration.columns("fifo", "ffd-dp", "haste"),
                [("ffd-dp", "fifo"), ("haste", "fifo"), ("haste", "ffd-dp")],
            ),
            "slow": slow_fetching(mixed, SCHEDULERS),
            "starts": mean_starts(make, "terasort", REDUCE, schedulers),
            "at once": all_reduces_at_once(make, calibration, SCHEDULERS),
            "filling": no_filling(make, schedulers),
        },
    )


def _gains_slow() -> str:
    """What HaSTE gains over FFD-DP where fetching takes OMO's time with short maps."""
    slow, samples = CALIBRATIONS[2], {}
    for name, make in (("iterative", iterative), ("mixed", mixed)):
        runs = over_seeds(
            partial(make, mb_s=slow.mb_s),
            slow.columns("ffd-dp", "haste"),
            evaluated,
            seeds=SEEDS[:GAIN_SEEDS],
        )
        samples[f"{name}/gain over ffd-dp"] = gain_pct(runs, "ffd-dp", "haste")
    return gains_note(samples, ("ffd-dp",), f"at {slow.mb_s:.1f} MB/s")


def measure_iterative(calibration: Calibration, trial: Trial) -> Measurement:
    """Also the mixed workload, for what HaSTE gains there."""
    make, schedulers = partial(iterative, mb_s=calibration.mb_s), calibration.columns(*WITH_ALIGNMENT)
    samples = over_seeds(make, schedulers, evaluated, trial.part(0, 2))
    without = over_seeds(
        partial(mixed, mb_s=calibration.mb_s),
        calibration.columns("fifo", "ffd-dp", "haste"),
        evaluated,
        trial.part(1, 2),
    )
    for over in ("fifo", "ffd-dp"):
        samples[f"iterative/gain over {over}"] = gain_pct(samples, over, "haste")
        samples[f"mixed/gain over {over}"] = gain_pct(without, over, "haste")
    samples[NO_GAIN] = [0.0] * len(samples[f"fifo/{MAKESPAN}"])
    return Measurement(
        samples,
        lambda: bars(samples, WITH_ALIGNMENT, (MAKESPAN, RESPONSE, MEMORY)),
        lambda: {
            "gains": gains_note(samples, ("fifo", "ffd-dp"), f"at {calibration.mb_s:.1f} MB/s"),
            "gains slow": _gains_slow(),
            "mixed": difference_note(without, [("haste", "fifo"), ("haste", "ffd-dp")]),
            "slow": " ".join(
                slow_fetching(iterative, WITH_ALIGNMENT, *shown)
                for shown in (
                    (MAKESPAN, "makespans", "s"),
                    (RESPONSE, "response times", "s"),
                    (MEMORY, "shares of the memory", "%"),
                )
            ),
            "starts": mean_starts(make, "pagerank", MAP, schedulers),
            "filling": no_filling(make, schedulers),
            "factors": factors(make, calibration),
        },
    )


SIMPLE_WORKLOAD = Experiment(
    key="simple",
    title="Four WordCount jobs",
    where="Figure of the simple workload, and its table of configurations",
    setting="Four WordCount jobs of 31 maps and 5 reduces arrive at once on eight nodes of 8 GB and 8 "
    "vcores. Their maps ask for 2, 3, 4 and 5 vcores and 1 "
    "GB, so vcores are what is short; each of the five schedulers runs the batch.",
    notice="A node of 8 vcores is full with a map of 5 vcores and one of 3, or with two of 4, and holds "
    "only one of 5 or two of 3 alone. A scheduler that "
    "takes the jobs one by one leaves vcores idle beside such maps; one that knows what is free on a node "
    "can combine them.",
    shows=lambda: (Show("HaSTE's simple workload", simple(1, FIRST.mb_s), FIRST.full_names(*SCHEDULERS)),),
    readings=readings(measure_simple),
    claims=(
        Similar("FIFO, Fair and DRF use similar shares of the vcores", keys(VCORES, CONVENTIONAL), SIMPLE),
        Similar("FIFO, Fair and DRF use similar shares of the memory", keys(MEMORY, CONVENTIONAL), SIMPLE),
        Ordered(
            "FIFO's makespan is shorter than those of Fair and DRF",
            (f"fifo/{MAKESPAN}", makespans(("fair", "drf"))),
            SIMPLE,
            gain_not_given=LOST,
        ),
        Ordered(
            "FFD-DP uses more of the vcores than FIFO, Fair and DRF",
            (keys(VCORES, CONVENTIONAL), f"ffd-dp/{VCORES}"),
            SIMPLE,
            reason="waiting",
        ),
        Ordered(
            "FFD-DP's makespan is longer than FIFO's all the same",
            makespans(("fifo", "ffd-dp")),
            SIMPLE,
            gain_not_given=LOST,
            reason="apart",
        ),
        Ordered(
            "HaSTE's makespan is shorter than those of FIFO, Fair and DRF",
            (f"haste/{MAKESPAN}", makespans(CONVENTIONAL)),
            SIMPLE,
            gain_not_given=LOST,
            theme="conventional",
        ),
        Ordered(
            "HaSTE's makespan is shorter than FFD-DP's",
            makespans(("haste", "ffd-dp")),
            SIMPLE,
            theme="ffd-dp",
        ),
        Ordered(
            "HaSTE improves resource usage over DRF",
            (NO_GAIN, USAGE_GAIN),
            QUOTED,
            unit="%",
            reason="usage",
            theme="usage",
        ),
        Printed(
            "HaSTE's gain in resource usage over DRF, at most", USAGE_GAIN, 40, "%", QUOTED, untestable=BOUND
        ),
    ),
    assumptions=(
        "Eight nodes: the paper's number of nodes is lost; SAF, which says that it repeats this test, "
        "begins with eight.",
        "Task times (20 s a map, 30 s a reduce, spread by a fifth), the masters of 1 vcore and 1 GB that "
        "start up in 4 to 10 s, the order of the batch, drawn "
        "for each seed, and one container a node and second. 40 seeds.",
        "31 maps a job, as the table says; 3.5 GB in blocks of 64 MB would be 56.",
        "Memory and vcores must both fit under all schedulers; Hadoop's FifoScheduler and its Fair policy "
        "would look at memory alone. A note has what FIFO's makespan would be; the text has HaSTE shorter.",
        "The gain in usage is that of memory or of vcores, whichever is larger, for the sentence says at "
        "most.",
        "What is left of the sentence on FFD-DP's makespan has lost its comparison: that it is longer "
        'than FIFO\'s, is in "similarly" and "although".',
        "What is left of the sentence on HaSTE's makespan names FIFO alone; percentages follow for several "
        "schedulers, one after another.",
    ),
    reasons={
        "waiting": Reason(
            UNKNOWN,
            "Reduces that wait for maps count as usage, and Fair holds more of them than FFD-DP.",
            "waiting",
        ),
        "apart": Reason(
            NOISE,
            "FFD-DP ends after FIFO as the paper says, by so little that only many more seeds tell "
            "it from their spread.",
            "many seeds",
        ),
        "usage": Reason(
            READING,
            "Allocated vcores include reduces that wait, of which DRF has most; counted without them, HaSTE "
            "gains about as much as the paper is quoted with.",
            "beside",
        ),
    },
    unattainable=(
        "The urgency of a job's first reduce is 0 / 0 in what is left of the formula. Ours is the limit; the "
        "last note has the makespans of two other readings. What wins is no ground for a formula.",
    ),
    thousand_containers=111,
)

MIXED_WORKLOAD = Experiment(
    key="mixed",
    title="CPU-bound and memory-bound jobs together",
    where="Figure of the mixed workload",
    setting=(
        "TeraSort, WordCount, WordMean and Pi arrive at once: some ask for more of a node's vcores, some "
        "for more of its memory. The same five schedulers."
    ),
    notice="Two tasks that lean to the same resource leave the other idle on their node. FFD-DP and HaSTE "
    "take the request whose shape fits what is free; "
    "FIFO, Fair and DRF decide by job and don't look at the node's shape.",
    shows=lambda: (Show("HaSTE's mixed workload", mixed(1, FIRST.mb_s), FIRST.full_names(*SCHEDULERS)),),
    readings=readings(measure_mixed),
    claims=(
        Similar("FIFO, Fair and DRF use similar shares of the vcores", keys(VCORES, CONVENTIONAL), MIXED),
        Similar("FIFO, Fair and DRF use similar shares of the memory", keys(MEMORY, CONVENTIONAL), MIXED),
        Ordered(
            "Fair's and DRF's makespans are longer than FIFO's",
            (f"fifo/{MAKESPAN}", makespans(("fair", "drf"))),
            MIXED,
        ),
        Ordered(
            "FFD-DP and HaSTE use more of the vcores",
            (keys(VCORES, CONVENTIONAL), keys(VCORES, ("ffd-dp", "haste"))),
            MIXED,
            reason="usage",
            theme="usage",
        ),
        Ordered(
            "FFD-DP and HaSTE use more of the memory",
            (keys(MEMORY, CONVENTIONAL), keys(MEMORY, ("ffd-dp", "haste"))),
            MIXED,
            reason="usage",
            theme="usage",
        ),
        Ordered(
            "FFD-DP's makespan is shorter than those of FIFO, Fair and DRF",
            (f"ffd-dp/{MAKESPAN}", makespans(CONVENTIONAL)),
            MIXED,
            gain_not_given=LOST,
            reason="apart",
        ),
        Ordered(
            "HaSTE's makespan is shorter than FIFO's",
            makespans(("haste", "fifo")),
            MIXED,
            gain_not_given=LOST,
            reason="apart",
            theme="conventional",
        ),
        Ordered(
            "HaSTE's makespan is shorter than Fair's and DRF's",
            (f"haste/{MAKESPAN}", makespans(("fair", "drf"))),
            MIXED,
            gain_not_given=LOST,
            theme="conventional",
        ),
        BEFORE_FFD_DP,
    ),
    assumptions=(
        "The table of this workload is lost: WordMean and Pi, all numbers of tasks and all requests are "
        "ours, chosen before a scheduler ran on them.",
        "Task times, masters, order of the batch, nodes and seeds as in the simple workload.",
        "What is left of the sentence on HaSTE's makespan names FIFO alone. That it is shorter than "
        "FFD-DP's, we read in the text on iterative jobs, where "
        'HaSTE\'s improvement over FFD-DP "diminishes".',
    ),
    reasons={
        "usage": Reason(
            UNKNOWN,
            "Reduces that wait for maps count as usage, and Fair and DRF hold most of them; without them "
            "FFD-DP and HaSTE use more than Fair and DRF, but hardly more than FIFO.",
            "beside",
        ),
        "apart": Reason(
            NOISE,
            "FFD-DP and HaSTE end before FIFO, by so little that only many more seeds tell it from "
            "their spread; the two of them end together.",
            "many seeds",
        ),
    },
    thousand_containers=109,
)

ITERATIVE_WORKLOAD = Experiment(
    key="iterative",
    title="Iterative jobs among others",
    where="Figure of the mixed workload with iterative jobs",
    setting="WordCount, TeraSort and Scan run once, PageRank and KMeans in five iterations each; all "
    "arrive at once. FIFO, FFD-DP, HaSTE, and HaSTE-A, which "
    "adds alignment to HaSTE's preference.",
    notice="An iteration can't begin before the one before it has ended, so a chain that begins late runs "
    "on alone at the end, on a cluster that is mostly "
    "idle. HaSTE-A pulls the chains forward, and the other jobs fill what is left beside them.",
    shows=lambda: (
        Show(
            "HaSTE-A's workload with iterative jobs",
            iterative(1, FIRST.mb_s),
            FIRST.full_names(*WITH_ALIGNMENT),
        ),
    ),
    readings=readings(measure_iterative),
    claims=(
        Ordered(
            "HaSTE's makespan is shorter than FIFO's",
            makespans(("haste", "fifo")),
            ITERATIVE,
            gain_not_given=LOST,
            theme="conventional",
        ),
        Ordered(
            "HaSTE's average response time is shorter than FIFO's",
            keys(RESPONSE, ("haste", "fifo")),
            ITERATIVE,
            gain_not_given=LOST,
        ),
        Ordered(
            "HaSTE uses more of the memory than FIFO",
            keys(MEMORY, ("fifo", "haste")),
            ITERATIVE,
            theme="usage",
        ),
        *(
            Ordered(
                f"HaSTE's gain over {name} on the mixed workload shrinks here",
                ((NO_GAIN, f"iterative/gain over {over}"), f"mixed/gain over {over}"),
                ITERATIVE,
                unit="%",
                reason=reason,
            )
            for over, name, reason in (("fifo", "FIFO", "grows"), ("ffd-dp", "FFD-DP", "longer"))
        ),
        Ordered(
            "HaSTE-A's makespan is the shortest",
            (f"haste-a/{MAKESPAN}", makespans(("fifo", "ffd-dp", "haste"))),
            ITERATIVE,
            gain_not_given=LOST,
            reason="largest",
            theme="alignment",
        ),
        Ordered(
            "HaSTE-A's average response time is the shortest",
            (f"haste-a/{RESPONSE}", keys(RESPONSE, ("fifo", "ffd-dp", "haste"))),
            ITERATIVE,
            gain_not_given=LOST,
            reason="largest",
            theme="alignment",
        ),
        Ordered(
            "HaSTE-A uses most of the memory",
            (keys(MEMORY, ("fifo", "ffd-dp", "haste")), f"haste-a/{MEMORY}"),
            ITERATIVE,
            reason="largest",
            theme="alignment",
        ),
    ),
    assumptions=(
        "The table of this workload is lost: numbers of tasks and iterations and all requests are ours, "
        "chosen before a scheduler ran on them.",
        "What HaSTE's makespan, response time and memory usage are compared with in the first sentence is "
        "lost; FIFO is our reading.",
        "A gain is the part of the makespan that HaSTE saves, in percent; for it to shrink there has to "
        "be one on the mixed workload.",
        "The word Fair is lost everywhere in our copy, so it can't be told whether Fair ran here too; "
        "DRF, whose name is kept, did not.",
        "A job has one master for all its iterations; the paper's chain of jobs probably has one an "
        "iteration.",
        "HaSTE-A's factor is 1 less the share of iterative jobs among the running, and 0 once they are "
        "the majority: the paper says only that it depends on "
        "that.",
    ),
    reasons={
        "grows": Reason(
            UNKNOWN,
            "HaSTE gains more over FIFO here than on the mixed workload, and we found no fetch rate at which "
            "it gains less.",
            "gains",
        ),
        "longer": Reason(
            PHYSICS,
            "At OMO's fetch rate HaSTE ends after FFD-DP here; where fetching takes as many map times as on "
            "OMO's bed with short maps, its gain shrinks as the paper says.",
            "gains slow",
        ),
        "largest": Reason(
            PHYSICS,
            "FFD-DP starts PageRank and KMeans early too, because their maps are the largest; where fetching "
            "is slow it loses that, and HaSTE-A is the shortest.",
            "slow",
        ),
    },
    thousand_containers=209,
)
