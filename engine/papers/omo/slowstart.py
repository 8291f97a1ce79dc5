"""Tables 2 and 3: slow start from 0.5 to 1, on slots of two kinds and on containers that take either."""

from __future__ import annotations

from engine.papers.judge import average
from engine.papers.measuring import series
from engine.papers.omo.fits import (
    AWS,
    AWS_SEEDS,
    AWS_VALUES,
    SIZES,
    SLOWSTARTS,
    TABLE_2,
    TABLE_2_CELLS,
    fixed,
    row_noise,
)
from engine.papers.omo.simulations import (
    MAKESPAN,
    MAPS,
    SEEDS,
    Case,
    Samples,
    dynamic,
    native,
    run_cases,
    spans,
)
from engine.papers.omo.workloads import BEAT_MS, CONTAINERS, WIKI_MAPS, Values, aws
from engine.papers.schema import (
    PHYSICS,
    UNKNOWN,
    Experiment,
    Measurement,
    Picture,
    Printed,
    Reading,
    Reason,
    Series,
    Show,
)
from engine.papers.trial import Trial

REASONS = {  # by size and slow start
    **{("1 job", at): "report" for at in (0.7, 0.9, 1)},
    ("3 jobs", 0.5): "report",
    **{("3 jobs", at): "late" for at in (0.8, 0.9, 1)},
}
LATE_STARTS = (0.8, 0.9, 1)
TABLE_3 = {"1 job": (287, 277, 278, 299, 306, 316), "3 jobs": (255, 234, 262, 310, 335, 358)}


def free(size: str, slowstart: float) -> str:
    """The key of a cell of Table 3."""
    return f"dynamic, {size}, {slowstart:g}/{MAKESPAN}"


def tables(values: Values) -> dict[str, Case]:
    """Both tables' runs, by the names of their samples."""
    cases = {}
    for size, (jobs, nodes) in SIZES.items():
        typed, untyped = (aws(f"Terasort, {size}", jobs, nodes, values, 1, kind) for kind in (True, False))
        for at in SLOWSTARTS:
            cases[_case(fixed(size, at))] = Case(typed, native(at))
            cases[_case(free(size, at))] = Case(untyped, dynamic(at))
    return cases


def measure(trial: Trial) -> Measurement:
    samples = run_cases(tables(AWS_VALUES), trial=trial.at_most(SEEDS))
    return Measurement(
        samples, lambda: tuple(_picture(size, samples) for size in SIZES), lambda: _notes(samples)
    )


def _notes(samples: Samples) -> dict[str, str]:
    maps = run_cases(
        {name: tables(AWS_VALUES)[f"{name}, 1 job, 1"] for name in ("fixed", "dynamic")},
        spans,
        seeds=AWS_SEEDS,
    )
    min_s = WIKI_MAPS * BEAT_MS / 1000 / SIZES["1 job"][1]
    return {
        "report": f"With slow start 1 the maps of one job take {average(maps[f'fixed/{MAPS}']):.0f} s on "
        f"fixed slots and {average(maps[f'dynamic/{MAPS}']):.0f} s "
        f"on dynamic containers; {WIKI_MAPS} maps at one a report take two nodes {min_s:.0f} s "
        "at least. " + _several_note(),
        "late": _late_note(samples),
    }


def _several_note() -> str:
    """What dynamic containers gain where a node is given as many containers a report as it has free."""
    tried = {}
    for name, case in tables(AWS_VALUES).items():
        on = case.scenario.cluster.model_copy(update={"containers_per_heartbeat": CONTAINERS})
        tried[name] = Case(case.scenario.model_copy(update={"cluster": on}), case.scheduler)
    found = run_cases(tried, seeds=AWS_SEEDS)
    rows = ", ".join(f"{_gain_pct(found, '1 job', at):+.1f} % with slow start {at:g}" for at in SLOWSTARTS)
    return (
        "Were all free containers given at a report, dynamic containers would change one job's time by "
        f"{rows}, and that of three jobs by {_gain_pct(found, '3 jobs', 0.5):+.1f} % with 0.5."
    )


def _gain_pct(samples: Samples, size: str, at: float) -> float:
    """By how much dynamic containers are longer than fixed slots, in percent."""
    return 100 * (average(samples[free(size, at)]) / average(samples[fixed(size, at)]) - 1)


def _late_note(samples: Samples) -> str:
    place = {at: SLOWSTARTS.index(at) for at in LATE_STARTS}
    rows = "; ".join(
        f"slow start {at:g}: printed {TABLE_3['3 jobs'][i]} s against {TABLE_2['3 jobs'][i]} s, here "
        f"{average(samples[free('3 jobs', at)]):.0f} s against {average(samples[fixed('3 jobs', at)]):.0f} s"
        for at, i in place.items()
    )
    return f"Three jobs on dynamic containers against fixed slots, {rows}."


def _case(key: str) -> str:
    return key.rpartition("/")[0]


def _picture(size: str, samples: Samples) -> Picture:
    lines = [
        series("fixed slots (Table 2)", SLOWSTARTS, samples, [fixed(size, at) for at in SLOWSTARTS]),
        Series("fixed slots, paper", SLOWSTARTS, TABLE_2[size], paper=True),
        series("dynamic containers (Table 3)", SLOWSTARTS, samples, [free(size, at) for at in SLOWSTARTS]),
        Series("dynamic containers, paper", SLOWSTARTS, TABLE_3[size], paper=True),
    ]
    return Picture(f"Execution time of {size}", "lines", "Slow start", "Execution time (s)", tuple(lines))


def _shows() -> tuple[Show, ...]:
    jobs, nodes = SIZES["1 job"]
    untyped = aws("one Terasort job, dynamic containers", jobs, nodes, AWS_VALUES, 1)
    typed = aws("one Terasort job, fixed slots", jobs, nodes, AWS_VALUES, 1, typed=True)
    return (
        Show(
            "Dynamic containers, slow start 0.5, 0.7 and 1",
            untyped,
            tuple(dynamic(at) for at in (0.5, 0.7, 1)),
        ),
        Show("Fixed slots, slow start 0.5, 0.7 and 1", typed, tuple(native(at) for at in (0.5, 0.7, 1))),
    )


TABLES_2_3 = Experiment(
    key="tables-2-3",
    title="When reduces start, on fixed slots and dynamic containers",
    where="Tables 2 and 3, section IV-C1",
    setting="One Terasort job on 2 nodes and three on 10 (8 GB, 80 maps and 4 reduces each), with slow "
    "start from 0.5 to 1. In Table 2 a node has 2 slots for "
    "maps and 2 for reduces, in Table 3 four containers that take either.",
    notice="With fixed slots an early start takes no slot from the maps: the reduces' would stand empty. "
    "With dynamic containers every reduce that waits for "
    "maps holds a container that could run one. In the paper 0.6 is best there, 0.5 too early and 1 too "
    "late; here a late start costs, and 0.5 costs nothing.",
    shows=_shows,
    readings=(Reading(measure, "Table 2 is fitted, Table 3 predicted with the same parameters.", fit=AWS),),
    claims=(
        *TABLE_2_CELLS,
        *(
            Printed(
                f"{size} on {SIZES[size][1]} nodes, slow start {at:g}, dynamic containers",
                free(size, at),
                cell,
                "s",
                "Table 3",
                noise=row_noise(TABLE_2[size]) * cell,
                against=(fixed(size, at), TABLE_2[size][place]),
                reason=REASONS.get((size, at), ""),
                theme="slow start",
            )
            for size, cells in TABLE_3.items()
            for place, (at, cell) in enumerate(zip(SLOWSTARTS, cells))
        ),
    ),
    assumptions=(
        "The tables print no unit: seconds.",
        "Map and reduce times, what a reduce fetches in a second, and how much tasks on a node slow each "
        "other are fixed from Table 2; Table 3 is predicted.",
        "Table 3's jobs share the containers by all that they hold, as section V-A describes; a node "
        "takes its part of the reduces (the load cap), two.",
        "A reduce that fetches counts on its node as a task that computes does, and its shuffle takes 8 s "
        "more than the fetching, as on CloudLab.",
        "Jobs arrive 2 s apart as in section V; nodes report every 3 s and get one container then; "
        "durations spread by a fifth of their mean.",
    ),
    reasons={
        "report": Reason(
            PHYSICS,
            "Maps are so short that one container a report sets their pace, so that more containers for maps "
            "gain little.",
            "report",
        ),
        "late": Reason(
            UNKNOWN,
            "Reduces that start late run after the maps on either kind of container, so that three jobs take "
            "about as long on both.",
            "late",
        ),
    },
    thousand_containers=40,
)
