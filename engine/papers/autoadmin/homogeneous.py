"""Figure 4.1, Table 4.1: AutoAdmin on equal jobs."""

from __future__ import annotations

from engine.papers.autoadmin.ablations import on_one_node, with_contention, with_late_reduces
from engine.papers.autoadmin.optima import SETTINGS
from engine.papers.autoadmin.reserve_sweep import AUTOADMIN, reserved
from engine.papers.autoadmin.scores import ABOVE, BELOW, SCORE_ASSUMPTIONS, gap, least, measure, score
from engine.papers.autoadmin.static_reservations import ON_ONE_NODE, PLATEAU
from engine.papers.autoadmin.task_times import SAYS, TIMES
from engine.papers.autoadmin.workloads import ASSUMPTIONS, SCORED_JOBS, cell, terasort
from engine.papers.schema import PHYSICS, Experiment, Measurement, Ordered, Reading, Reason, Show
from engine.papers.trial import Trial

# by TC, over AMC
TABLE_4_1 = {
    1: (90.4, 99.6, 89.3, 91.4),
    2: (99.3, 95.6, 99.4, 91.7),
    3: (97.6, 99.2, 96.9, 97.4),
    4: (88.5, 90.5, 99.7, 98.5),
}
SCORES = {cell(task, master): TABLE_4_1[task][master - 1] for task, master in SETTINGS}
# beside the fit's settings, those with the least and the largest optimum of Table 3.1
RISING = (
    cell(1, 3),
    cell(4, 1),
)
MORE_THAN_HALF = Ordered(
    "Perf. Score is above 95 % in more than half of the cases",
    (BELOW, ABOVE),
    "section 4.2.1; Table 4.1",
    unit="settings",
    reason="late",
    theme="near-best",
)


def measured(trial: Trial) -> Measurement:
    scenarios = {cell(*setting): terasort(*setting, SCORED_JOBS, TIMES.values) for setting in SETTINGS}
    changes = {
        "one-node": (ON_ONE_NODE, on_one_node),
        "late": ("With reduces that start after all maps (slowstart 1),", with_late_reduces),
        "no-contention": ("Without contention,", lambda scenario: with_contention(scenario, 0.0)),
    }
    return measure(scenarios, SCORES, changes, trial)[0]


FIG_4_1 = Experiment(
    key="fig-4-1",
    title="AutoAdmin, equal jobs",
    where="Fig. 4.1, Table 4.1",
    setting="72 equal Terasort jobs of 100 MB submitted at once, in 16 settings of masters and tasks of 1 "
    "to 4 vcores: under every static reservation, and "
    "under AutoAdmin. Perf. Score is 100 % when AutoAdmin's makespan is that of the best static "
    "reservation, and less by as much as it is longer.",
    notice=(
        "AutoAdmin does not know the best reservation; it follows Eq. 3.1 with what runs now. A score of "
        "90 % is a makespan 10 % longer than the best."
    ),
    shows=lambda: (
        Show(
            "72 Terasort jobs, TC=1, AMC=1",
            terasort(1, 1, SCORED_JOBS, TIMES.values),
            (reserved(32), AUTOADMIN),
        ),
        Show(
            "72 Terasort jobs, TC=4, AMC=1",
            terasort(4, 1, SCORED_JOBS, TIMES.values),
            (reserved(48), AUTOADMIN),
        ),
    ),
    readings=(Reading(measured, SAYS, fit=TIMES),),
    claims=(
        MORE_THAN_HALF,
        least(min(SCORES.values()), "Table 4.1", "one-node"),
        gap("Table 4.1", "one-node"),
        Ordered(
            "Different requirements need different reservations",
            tuple(f"{one}/optimum" for one in RISING),
            "section 4.2.1; Fig. 4.1",
            unit="vcores",
            theme="optimum",
        ),
        *(score(name, number, "Table 4.1") for name, number in SCORES.items()),
    ),
    assumptions=(
        *ASSUMPTIONS,
        PLATEAU,
        "Min_Makespan of Eq. 4.1 is the shortest mean over the seeds; the paper tells of no repeated "
        "runs. A note gives single runs' scores.",
        SCORE_ASSUMPTIONS,
    ),
    conflicts=(
        'Section 4.2.1 says that AutoAdmin "always obtains the best performance compared to the results '
        'under the static resource reservations" in almost '
        "all settings. By Eq. 4.1 that is a Perf. Score of 100 %; the highest of Table 4.1's 16 is 99.7 "
        "%, the lowest 88.5 %. The table is judged.",
    ),
    reasons={
        "late": Reason(
            PHYSICS,
            "With reduces that start when all maps have ended, more than half of the scores are above 95 %; "
            "an early reduce holds its vcores and waits.",
            "late",
        ),
        "one-node": Reason(
            PHYSICS,
            "AutoAdmin counts the vcores of the whole cluster, so that what it keeps may lie in pieces too "
            "small for a task; on one undivided node its scores come near the paper's.",
            "one-node",
        ),
    },
    unattainable=(
        "TC = AMC = 3 and 4 are one system on nodes of 8 vcores, where Eq. 3.1 keeps room for 10 masters "
        "and for 8: both can't be the best.",
    ),
    thousand_containers=1400,
)
