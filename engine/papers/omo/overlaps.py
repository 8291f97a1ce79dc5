"""Fig. 10, 11 and 12: lazy start, batch finish and both beside Fair and FRESH."""

from __future__ import annotations

from engine import quantities
from engine.papers.judge import average
from engine.papers.omo.bounds import bounds_note
from engine.papers.omo.cloudlab import FAIRS, cases, readings, shown
from engine.papers.omo.fits import LONG_VALUES, SHORT_VALUES
from engine.papers.omo.makespans import (
    BEST,
    MIXED,
    SETTING,
    SIMPLE,
    WORKLOADS,
    change,
    changed,
    changes_picture,
    key,
    makespans,
    picture,
    with_best,
    with_changes,
)
from engine.papers.omo.simulations import MAKESPAN, MAPS, TAIL, Samples, averaged, best, run_cases, spans
from engine.papers.omo.workloads import Values
from engine.papers.omo.yarn import TABLE_6
from engine.papers.schema import (
    CONTRADICTION,
    READING,
    UNKNOWN,
    Experiment,
    Measurement,
    Ordered,
    Printed,
    Reason,
    Similar,
)
from engine.papers.trial import Trial
from engine.schedulers.view import MAP, REDUCE
from engine.simulation.run import Run

LAZY, BATCH, BATCH_ALL = "Lazy Start", "Batch Finish", "Batch Finish, all jobs"
NOTE_SEEDS = range(1, 11)
TAIL_S, OMO_ON_FRESH = 293, 29.3  # printed: Fig. 9, Fig. 12
LAZY_ON_FAIR = {"Terasort": -11.6, "SeqCount": -15.9, "WordCount": -27.8}  # printed: Fig. 10
LAZY_SAYS, BATCH_SAYS, OMO_SAYS = "section V-D2a", "section V-D2b", "section V-D2c"
OTHER_READING = "it is the other reading of which jobs may finish in a batch; the printed rule is judged"
OUR_FRESH = (
    "FRESH's equations can't be had: this compares our stand-in with Fair, and part of it served to fit "
    "the beds"
)


def measure_lazy(calibration: Values, trial: Trial) -> Measurement:
    samples = with_best(makespans((*FAIRS, "FRESH", LAZY), calibration, trial))
    for title in WORKLOADS:
        samples[key(title, "mean Fair")] = averaged(samples, [key(title, name) for name in FAIRS])
        early = [key(title, name) for name in FAIRS[:2]]
        samples[key(title, "Fair-0.05 or Fair-0.2")] = samples[best(samples, early)]
    samples = with_changes(samples, ((BEST, LAZY), ("FRESH", LAZY), ("mean Fair", LAZY)))
    return Measurement(
        samples,
        lambda: (
            picture("Execution time under Fair, FRESH and Lazy Start", samples, (*FAIRS, "FRESH", LAZY)),
            changes_picture(FIGURE_10.claims, samples),
        ),
        lambda: {"tie": _tie_note(), "left": _left_note(samples, calibration)},
    )


def _tie_note() -> str:
    """Fair's slow starts on both beds."""
    rows = []
    for maps, values in (("long", LONG_VALUES), ("short", SHORT_VALUES)):
        samples = makespans(FAIRS[:3], values, Trial(seeds=NOTE_SEEDS), SIMPLE[:1])
        early = min(average(samples[key("Terasort", name)]) for name in FAIRS[:2])
        later = average(samples[key("Terasort", FAIRS[2])])
        rows.append(f"with {maps} maps {early:.0f} s and {later:.0f} s")
    return f"Terasort under the better of Fair-0.05 and Fair-0.2, and under Fair-0.4: {', '.join(rows)}."


def _left_note(samples: Samples, calibration: Values) -> str:
    """What FRESH leaves to gain, by the paper's numbers and on this bed."""
    fresh_s = TABLE_6["OMO"] / (1 - OMO_ON_FRESH / 100)
    built = {title: cases(title, jobs, ["FRESH"], calibration)["FRESH"] for title, jobs in WORKLOADS.items()}
    found = run_cases(built, spans, seeds=NOTE_SEEDS)
    bound_rows = bounds_note(WORKLOADS, calibration, samples, "FRESH")
    shares = {
        title: average(found[f"{title}/{TAIL}"]) / average(found[f"{title}/{MAKESPAN}"])
        for title in WORKLOADS
    }
    left = ", ".join(f"{title} {quantities.percent(share)}" for title, share in shares.items())
    return (
        f"By Table 6 ({TABLE_6['OMO']} s) and Fig. 12 ({OMO_ON_FRESH} %) FRESH takes some {fresh_s:.0f} s "
        f"for Terasort. To hide the {TAIL_S} s of shuffle that Fig. 9 prints would gain "
        f"{quantities.percent(TAIL_S / fresh_s)}. Of FRESH's makespan the shuffle after the "
        f"maps is here: {left}. {bound_rows}"
    )


def begun_before(run: Run) -> dict[str, float]:
    """How many maps there are, and how many start when their job has begun its reduces."""
    c = run.containers
    first = {
        job: int(c.start[(c.kind == REDUCE) & (c.job == job)].min())
        for job in range(len(run.workload.job_names))
    }
    maps = c.kind == MAP
    late = sum(int(start) > first[int(job)] for job, start in zip(c.job[maps], c.start[maps]))
    return {"maps": float(maps.sum()), "late": float(late)}


def measure_batch(calibration: Values, trial: Trial) -> Measurement:
    names = ("Fair-1", "FRESH", BATCH, BATCH_ALL)
    samples = with_changes(
        makespans(names, calibration, trial), (("Fair-1", "FRESH"), ("FRESH", BATCH), ("FRESH", BATCH_ALL))
    )
    return Measurement(
        samples,
        lambda: (
            picture("Execution time under Fair, FRESH and Batch Finish", samples, names),
            changes_picture(FIGURE_11.claims, samples),
        ),
        lambda: {"nobody": _nobody_note(samples, calibration), "all": _all_note(samples)},
    )


def _nobody_note(samples: Samples, calibration: Values) -> str:
    """Whom Algorithm 2 could choose."""
    tried = {title: cases(title, jobs, [BATCH], calibration)[BATCH] for title, jobs in WORKLOADS.items()}
    counted = run_cases(tried, begun_before, seeds=NOTE_SEEDS)
    maps, late = (
        sum(average(counted[f"{title}/{what}"]) for title in WORKLOADS) for what in ("maps", "late")
    )
    changes = [average(samples[change(group, BATCH, "FRESH")]) for group in ("simple", "mixed")]
    return (
        f"Of {maps:.0f} maps of the five workloads {late:.0f} start when their job has begun its reduces: "
        f"so many can Algorithm 2 choose from. Batch Finish changes FRESH's makespan by "
        f"{quantities.percent(changes[0] / 100, True)} and {quantities.percent(changes[1] / 100, True)}."
    )


def _all_note(samples: Samples) -> str:
    simple_pct, mixed_pct = (
        average(samples[change(group, BATCH_ALL, "FRESH")]) for group in ("simple", "mixed")
    )
    return (
        "Tried with the rule for all jobs, also those that have not begun their reduces: "
        f"{quantities.percent(simple_pct / 100, True)} on FRESH with simple workloads, "
        f"{quantities.percent(mixed_pct / 100, True)} with mixed ones."
    )


def measure_omo(calibration: Values, trial: Trial) -> Measurement:
    samples = with_best(makespans((*FAIRS, "FRESH", LAZY, BATCH, "OMO"), calibration, trial))
    samples = with_changes(samples, ((BEST, "OMO"), ("FRESH", "OMO")))
    names = (BEST, "FRESH", LAZY, BATCH, "OMO")
    return Measurement(
        samples,
        lambda: (
            picture("Execution time under Fair, FRESH, Lazy Start, Batch Finish and OMO", samples, names),
            changes_picture(FIGURE_12.claims, samples),
        ),
        lambda: {
            "conflict": _conflict_note(calibration),
            "light": _light_note(),
            "left": " ".join(bounds_note(WORKLOADS, calibration, samples, name) for name in ("FRESH", BEST)),
        },
    )


def _conflict_note(calibration: Values) -> str:
    """What the batches add to lazy start."""
    rows = []
    for title in ("Terasort", "WordCount", "Set B"):
        built = cases(title, WORKLOADS[title], [LAZY, "OMO"], calibration)
        found = run_cases(built, spans, seeds=NOTE_SEEDS)
        apart = [
            average(found[f"OMO/{span}"]) - average(found[f"{LAZY}/{span}"])
            for span in (MAPS, TAIL, MAKESPAN)
        ]
        rows.append(f"{title} {apart[0]:+.0f}, {apart[1]:+.0f} and {apart[2]:+.0f} s")
    return (
        "What the batches add to Lazy Start, to its map phase, to the shuffle left after it and to its "
        f"makespan: {'; '.join(rows)}."
    )


def _light_note() -> str:
    return (
        "The paper prints (Fig. 10) that Lazy Start gains "
        + ", ".join(f"{-number} % with {title}" for title, number in LAZY_ON_FAIR.items())
        + " on Fair: least where the shuffle is heaviest."
    )


def _lazy(title: str, other: str, number: float) -> Printed:
    """By how much Lazy Start alone is shorter, percent; FRESH leaves little to gain on this bed."""
    words, reason = ("the best Fair", "") if other == BEST else (other, "left")
    return changed(
        f"{title}, Lazy Start against {words}",
        change(title, LAZY, other),
        number,
        LAZY_SAYS,
        reason=reason,
        theme="lazy",
    )


ALL_BEST = changed(
    "All workloads, OMO against the best Fair",
    change("all", "OMO", BEST),
    -26,
    OMO_SAYS,
    pairs=len(WORKLOADS),
    reason="left",
    theme="omo",
)
FIGURE_10 = Experiment(
    key="figure-10",
    title="Lazy start alone",
    where="Fig. 10, section V-D2a",
    setting=SETTING + "Fair has 2 slots for maps and 2 for reduces a node and slow start 0.05 to 1; FRESH "
    "(slow start 1) and Lazy Start have containers that "
    "take either kind.",
    notice="Where the shuffle is heavy an early start hides it behind the maps, if reduces have slots of "
    "their own. Lazy Start hides it too, and until then "
    "lets maps have those containers.",
    shows=lambda: shown(
        "Eight Terasort jobs", WORKLOADS["Terasort"], ("FRESH", LAZY), ("Fair-0.05", "Fair-0.6", "Fair-1")
    ),
    readings=readings(measure_lazy),
    claims=(
        *(
            Ordered(
                f"{title}: Fair is best with slow start 0.05 or 0.2",
                (key(title, "Fair-0.05 or Fair-0.2"), tuple(key(title, name) for name in FAIRS[2:])),
                LAZY_SAYS,
                reason="tie",
            )
            for title in SIMPLE[:2]
        ),
        *(_lazy(title, BEST, number) for title, number in (("Terasort", -11.6), ("SeqCount", -15.9))),
        *(_lazy(title, "FRESH", number) for title, number in (("Terasort", -24.5), ("SeqCount", -23.8))),
        Similar(
            "WordCount: Fair is similar with all slow starts",
            tuple(key("WordCount", name) for name in FAIRS),
            LAZY_SAYS,
        ),
        Ordered(
            "WordCount: FRESH also performs well: shorter than Fair's mean",
            (key("WordCount", "FRESH"), key("WordCount", "mean Fair")),
            LAZY_SAYS,
            untestable=OUR_FRESH,
        ),
        changed(
            "WordCount, Lazy Start against Fair's mean",
            change("WordCount", LAZY, "mean Fair"),
            -27.8,
            LAZY_SAYS,
            before=len(FAIRS),
            reason="left",
            theme="lazy",
        ),
        _lazy("WordCount", "FRESH", -15.8),
        *(
            Ordered(
                f"{title}: of all Fair schedulers Fair-1 is the longest",
                (tuple(key(title, name) for name in FAIRS[:-1]), key(title, "Fair-1")),
                LAZY_SAYS,
            )
            for title in MIXED
        ),
        _lazy("Set A", BEST, -18.1),
        _lazy("Set A", "FRESH", -20.2),
        _lazy("Set B", BEST, -15.6),
        _lazy("Set B", "FRESH", -20.7),
    ),
    assumptions=(
        "Lazy Start is OMO without its second step, as the text has it: the algorithm of Batch Finish is "
        "disabled.",
        "The 27.8 % and 15.8 % stand in the paragraph on WordCount and are read as WordCount's, against "
        "the mean of Fair's slow starts; the other numbers "
        "against Fair are read against its best slow start.",
        "The text's Set B has 8 jobs of each benchmark, Table 5's 8 jobs in all: Table 5 is taken.",
    ),
    conflicts=(
        (
            "Set B: the text says that every benchmark consists of 8 jobs, 4 with 20 GB and the remaining "
            "with 10 GB; Table 5 has 4 and 4 jobs in all."
        ),
    ),
    reasons={
        "tie": Reason(
            READING,
            "With long maps every slow start from 0.05 to 0.6 hides the shuffle whole; with short ones the "
            "earliest are the best.",
            "tie",
        ),
        "left": Reason(
            UNKNOWN,
            "Lazy Start can gain on FRESH what FRESH leaves to shuffle after its maps, and on our bed that "
            "is little.",
            "left",
        ),
    },
    thousand_containers=800,
)
FIGURE_11 = Experiment(
    key="figure-11",
    title="Batch finish alone",
    where="Fig. 11, section V-D2b",
    setting=SETTING
    + "Fair-1 has 2 slots for maps and 2 for reduces a node; FRESH and Batch Finish have containers that "
    "take either kind. Slow start is 1 "
    "for all.",
    notice="With slow start 1 no job that has begun its reduces has a map left. So the printed rule, "
    "which looks at such jobs alone, never finds one, and "
    "Batch Finish is fair sharing over all containers. Beside it stands the rule for all jobs.",
    shows=lambda: shown(
        "Eight Terasort jobs", WORKLOADS["Terasort"], ("FRESH", BATCH, BATCH_ALL), ("Fair-1",)
    ),
    readings=readings(measure_batch),
    claims=(
        changed(
            "Simple workloads, FRESH against Fair-1",
            change("simple", "FRESH", "Fair-1"),
            -7.26,
            BATCH_SAYS,
            OUR_FRESH,
            pairs=len(SIMPLE),
        ),
        changed(
            "Mixed workloads, FRESH against Fair-1",
            change("mixed", "FRESH", "Fair-1"),
            -12.3,
            BATCH_SAYS,
            OUR_FRESH,
            pairs=len(MIXED),
        ),
        changed(
            "Simple workloads, Batch Finish against FRESH",
            change("simple", BATCH, "FRESH"),
            -7.1,
            BATCH_SAYS,
            pairs=len(SIMPLE),
            reason="nobody",
            theme="batch",
        ),
        changed(
            "Mixed workloads, Batch Finish against FRESH",
            change("mixed", BATCH, "FRESH"),
            -11,
            BATCH_SAYS,
            pairs=len(MIXED),
            reason="nobody",
            theme="batch",
        ),
        changed(
            "Simple workloads, Batch Finish among all jobs against FRESH",
            change("simple", BATCH_ALL, "FRESH"),
            -7.1,
            BATCH_SAYS,
            OTHER_READING,
            pairs=len(SIMPLE),
        ),
        changed(
            "Mixed workloads, Batch Finish among all jobs against FRESH",
            change("mixed", BATCH_ALL, "FRESH"),
            -11,
            BATCH_SAYS,
            OTHER_READING,
            pairs=len(MIXED),
        ),
    ),
    assumptions=(
        "FRESH's equations can't be read; what runs here keeps what the text says of it: containers of "
        "either kind, fair shares of all that jobs hold, and all containers for maps before the map phase "
        "is finished (section V-D1). Beside Batch Finish that chooses nobody it is the same schedule.",
        "A stand-in that goes by the time that jobs have held containers was run before. With it FRESH's "
        "first job had all containers at first, and began its reduces after a sixth of the map phase.",
    ),
    conflicts=(
        "Algorithm 2 takes only jobs that have begun their reduces, and section V-D2b sets slow start to "
        "1, with which a job begins its reduces when its last "
        "map has ended: then no job is ever chosen, and Batch Finish could gain nothing.",
    ),
    reasons={
        "nobody": Reason(
            CONTRADICTION,
            "Algorithm 2 looks at jobs that have begun their reduces, and with slow start 1 none of these "
            "has a map left: it chooses nobody.",
            "nobody",
        ),
    },
    thousand_containers=400,
)
FIGURE_12 = Experiment(
    key="figure-12",
    title="Lazy start, batch finish and OMO",
    where="Fig. 12, section V-D2c",
    setting=SETTING
    + (
        "Fair:best is native Fair with the slow start that serves it best. FRESH and Batch Finish have "
        "slow start 1."
    ),
    notice=(
        "By the paper Lazy Start gains where there is much to shuffle, and OMO adds batches at the maps' end."
    ),
    shows=lambda: shown("Set A", WORKLOADS["Set A"], ("FRESH", LAZY, BATCH, "OMO"), FAIRS[:2]),
    readings=readings(measure_omo),
    claims=(
        *(
            Ordered(
                f"{title}: Lazy Start is shorter than Batch Finish where the shuffle is heavy",
                (key(title, LAZY), key(title, BATCH)),
                OMO_SAYS,
            )
            for title in SIMPLE[:2]
        ),
        Ordered(
            "WordCount: Batch Finish is shorter than Lazy Start where the shuffle is light",
            (key("WordCount", BATCH), key("WordCount", LAZY)),
            OMO_SAYS,
            reason="conflict",
            theme="batch",
        ),
        *(
            Ordered(
                f"{title}: OMO is shorter than Lazy Start and Batch Finish",
                (key(title, "OMO"), (key(title, LAZY), key(title, BATCH))),
                OMO_SAYS,
                reason="conflict",
                theme="both",
            )
            for title in WORKLOADS
        ),
        *(
            Ordered(
                f"Especially where the shuffle is heavy: OMO gains more on the best Fair with {title} "
                "than with WordCount",
                (change(title, "OMO", BEST), change("WordCount", "OMO", BEST)),
                "section VI",
                reason="light",
            )
            for title in SIMPLE[:2]
        ),
        ALL_BEST,
        changed(
            "All workloads, OMO against FRESH",
            change("all", "OMO", "FRESH"),
            -29.3,
            OMO_SAYS,
            pairs=len(WORKLOADS),
            reason="left",
            theme="omo",
        ),
    ),
    assumptions=(
        "The averages are over the five workloads, each counting the same.",
        "Section VI says that OMO improves on conventional Hadoop especially for heavy-shuffling jobs: "
        "conventional Hadoop is read as Fair:best.",
    ),
    reasons={
        "conflict": Reason(
            UNKNOWN,
            "The batches gain nothing: alone they find no job, and under OMO they end a job's maps sooner "
            "than its reduces expect.",
            "conflict",
        ),
        "light": Reason(
            UNKNOWN,
            "Lazy Start gains most on Fair where the shuffle is light, by the paper's own numbers too, and "
            "OMO follows it here.",
            "light",
        ),
        "left": Reason(
            UNKNOWN,
            "FRESH and the best Fair leave few containers idle on our bed, so that no order of the same "
            "tasks gains much on them.",
            "left",
        ),
    },
    thousand_containers=1000,
)
