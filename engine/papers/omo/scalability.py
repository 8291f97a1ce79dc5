"""Fig. 14 and Table 7: OMO with more input, more jobs and more nodes."""

from __future__ import annotations

from engine.papers.measuring import change_pct, series
from engine.papers.omo.beds import SCHEDULERS, cases, on_both
from engine.papers.omo.fits import SET_H
from engine.papers.omo.simulations import MAKESPAN, averaged, side_by_side
from engine.papers.omo.tried import longer_growth, longer_maps, reduces_apart
from engine.papers.omo.workloads import mixed
from engine.papers.schema import Alike, Experiment, Measured, Picture, Printed, Reading, Series, Show
from engine.papers.trial import Trial

INPUTS, COUNTS = {"C": 20, "D": 30, "E": 40}, {"C": 12, "F": 18, "G": 24}
TABLE_7 = {"Fair-0.05": 1885, "Fair-1": 2258, "FRESH": 2037, "OMO": 1238}
SAYS = "section V-D4"


def of(name: str) -> str:
    return f"Set {name}/{MAKESPAN}"


def measure_growth(trial: Trial) -> Measured:
    sets = tuple(dict.fromkeys((*INPUTS, *COUNTS)))
    found = side_by_side({f"Set {name}": cases(f"Set {name}", mixed(name), ["OMO"])["OMO"] for name in sets}, trial=trial)
    for name in ("D", "E"):
        found[f"Set {name} to Set C/times"] = [more / less for more, less in zip(found[of(name)], found[of("C")])]
    found |= {f"Set {name}/s a job": [one / count for one in found[of(name)]] for name, count in COUNTS.items()}
    found |= {f"Set {name}/s a GB": [one / size for one in found[of(name)]] for name, size in INPUTS.items()}
    pictures = [
        Picture(title, "lines", x, "Makespan (s)", (series("OMO", tuple(sizes.values()), found, [of(name) for name in sizes]),))
        for title, x, sizes in (("Input", "Input of a job (GB)", INPUTS), ("Jobs", "Jobs", COUNTS))
    ]
    return Measured(found, lambda: tuple(pictures), lambda: (longer_growth({f"Set {name}": mixed(name) for name in sets}),))


def measure_large(trial: Trial) -> Measured:
    found = side_by_side(_large() | {f"Set A, {name}": case for name, case in cases("Set A", mixed("A"), TABLE_7).items()}, trial=trial)
    for name in ("Set H", "Set A"):
        both = [f"{name}, {one}/{MAKESPAN}" for one in ("Fair-0.05", "FRESH")]
        found[f"{name}, OMO after Fair-default and FRESH/makespan_pct"] = change_pct(averaged(found, both), found[f"{name}, OMO/{MAKESPAN}"])
    names = tuple(TABLE_7)
    bars = series("ours", names, found, [f"Set H, {name}/{MAKESPAN}" for name in names]), Series("paper", names, tuple(TABLE_7.values()), paper=True)
    work, pairs = {"Set H": mixed("H")}, (("Fair-1", "FRESH"), ("Fair-1", "OMO"))
    notes = reduces_apart(work, pairs, 40), longer_maps(work, pairs, 40)
    return Measured(found, lambda: (Picture("Makespan of Set H on 40 nodes", "bars", "", "Makespan (s)", bars),), lambda: notes)


def _large() -> dict:
    return {f"Set H, {name}": case for name, case in cases("Set H on 40 nodes", mixed("H"), TABLE_7, nodes=40).items()}


def _shows_large() -> tuple[Show, ...]:
    made = _large()
    return on_both("Set H on 40 nodes", made["Set H, OMO"].scenario, made["Set H, Fair-1"].scenario)


FIGURE_14 = Experiment(
    key="figure-14",
    title="More input, more jobs",
    where="Fig. 14, section V-D4",
    setting="OMO on 20 nodes: 12 mixed jobs of 20, 30 and 40 GB each (Sets C, D, E), and 12, 18 and 24 of them with 20 GB each (Sets C, F, G).",
    notice="Whether time grows with the work depends on whether the containers are full: more jobs of 20 GB are more maps for the same containers, but also "
    "more reduces, which at first fit beside each other.",
    shows=lambda: tuple(Show(f"Set {name}", cases(f"Set {name}", mixed(name), ["OMO"])["OMO"].scenario, (SCHEDULERS["OMO"],)) for name in ("C", "E", "G")),
    readings=(Reading(measure_growth, "Nothing is fitted."),),
    claims=(
        Printed("30 GB a job against 20 GB", "Set D to Set C/times", 1.6, "times", SAYS),
        Printed("40 GB a job against 20 GB", "Set E to Set C/times", 2.1, "times", SAYS),
        Alike("Time grows in proportion to the input", tuple(f"Set {name}/s a GB" for name in INPUTS), SAYS, unit="s a GB"),
        Alike("Time grows linearly with the number of jobs", tuple(f"Set {name}/s a job" for name in COUNTS), SAYS, unit="s a job"),
    ),
    ours=("Shuffle of 30 and 40 GB is Table 4's in proportion. Linear is read as in proportion: a job takes as many seconds of the makespan in every set.",),
    why="A reduce has 10 GB in every set and computes long with the fit, beside which the maps' part, the one that grows with the work, is small; and with "
    "more jobs there are more reduces at the same time, not longer ones. With longer maps and shorter reduces it grows more nearly in proportion.",
    thousands=700,
)
TABLE_7_EXPERIMENT = Experiment(
    key="table-7",
    title="Set H on 40 nodes",
    where="Table 7, section V-D4",
    setting="24 mixed jobs (Set H: 12 of 20 GB and 12 of 10 GB) on 40 nodes under Fair with slow start 0.05 and 1, FRESH and OMO; and Set A on 20 nodes, for "
    "the text calls the gain consistent with that.",
    notice="Set H on 40 nodes is twice Set A on 20, so the gain of OMO should be about the same.",
    shows=_shows_large,
    readings=(Reading(measure_large, "Nothing is fitted."),),
    claims=(
        Printed("Makespan, Fair-default", f"Set H, Fair-0.05/{MAKESPAN}", 1885, "s", "Table 7", against=(SET_H, 2258)),
        Printed("Makespan, Fair-1", SET_H, 2258, "s", "Table 7"),
        Printed("Makespan, FRESH", f"Set H, FRESH/{MAKESPAN}", 2037, "s", "Table 7", against=(SET_H, 2258)),
        Printed("Makespan, OMO", f"Set H, OMO/{MAKESPAN}", 1238, "s", "Table 7", against=(SET_H, 2258)),
        Printed("OMO against Fair-default and FRESH", "Set H, OMO after Fair-default and FRESH/makespan_pct", -37, "%", SAYS, side=True),
        Alike(
            "The gain is consistent with Set A on 20 nodes",
            ("Set H, OMO after Fair-default and FRESH/makespan_pct", "Set A, OMO after Fair-default and FRESH/makespan_pct"),
            SAYS,
        ),
    ),
    ours=(
        "Fair-default is Fair with Hadoop's own slow start, 0.05. The 37 % is taken against the mean of Fair-default and FRESH, the only reading that "
        "gives it.",
    ),
    conflicts=(
        "The text's 37 % against Fair and FRESH is none of the three changes in Table 7: 1 - 1238 / 1885 = 34.3 %, 1 - 1238 / 2258 = 45.2 %, 1 - 1238 / 2037 "
        "= 39.2 %. Against the mean of 1885 and 2037 it is 36.9 %.",
        "The row of Table 7 is named Set D, its caption and the text say Set H.",
    ),
    why="As in Fig. 12: with the fit reduces compute longer than all maps together, and where containers take either kind several of them share a node and "
    "slow each other. Keeping them apart, or longer maps and shorter reduces, puts FRESH and OMO on the paper's side of Fair-1, OMO not as far as in the "
    "paper.",
    thousands=1000,
)
