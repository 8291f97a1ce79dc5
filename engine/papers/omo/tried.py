"""Changes to CloudLab's test bed that test a reason for a difference. No verdict rests on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.papers.judge import mean
from engine.papers.measuring import change_pct
from engine.papers.omo.beds import FAIRS, cases
from engine.papers.omo.fits import CLOUDLAB_BED
from engine.papers.omo.simulations import MAKESPAN, MAPS, TAIL, Case, at_most, averaged, side_by_side, spans
from engine.papers.omo.workloads import Benchmark, Values, simple

TRIED_SEEDS = range(1, 11)
CONTENTIONS = (0.0, 0.25, 0.5, 0.75)
LONGER_MAPS = {**CLOUDLAB_BED, "map_s": 60.0, "reduce_s": 320.0}  # Set H takes as long under Fair-1 as with the fit, and 293 s stay; 36 s don't


def reduces_apart(workloads: Mapping[str, list[Benchmark]], pairs: Sequence[tuple[str, str]], nodes: int = 20) -> str:
    """What becomes of these changes of the makespan when reduces are kept apart."""
    made = {name: case if name.partition(", ")[2] in FAIRS else at_most(case, 1) for name, case in _cases(workloads, pairs, nodes).items()}
    return "Tried with at most one reduce on a node where containers take either kind: " + _changes(made, workloads, pairs)


def longer_maps(workloads: Mapping[str, list[Benchmark]], pairs: Sequence[tuple[str, str]], nodes: int = 20) -> str:
    """What becomes of them with longer maps and shorter reduces."""
    return _longer() + ": " + _changes(_cases(workloads, pairs, nodes, LONGER_MAPS), workloads, pairs)


def longer_growth(sets: Mapping[str, list[Benchmark]]) -> str:
    """How the makespan of OMO grows from the first set to the others with longer maps."""
    found = side_by_side({name: cases(name, jobs, ["OMO"], values=LONGER_MAPS)["OMO"] for name, jobs in sets.items()}, seeds=TRIED_SEEDS)
    first, *others = (mean(found[f"{name}/{MAKESPAN}"]).mean for name in sets)
    rows = ", ".join(f"{name} {time / first:.2f} times" for name, time in zip(list(sets)[1:], others))
    return f"{_longer()}: against {next(iter(sets))}, {rows}."


def contentions(benchmark: str) -> str:
    """What becomes of FRESH's map phase under other contentions. Two maps on a node take as long as with the fit, so Fair's runs stay."""
    two, rows = CLOUDLAB_BED["map_s"] * (1 + CLOUDLAB_BED["contention"]), []
    for contention in CONTENTIONS:
        values = {**CLOUDLAB_BED, "contention": contention, "map_s": two / (1 + contention)}
        found = side_by_side(cases("contention", simple(benchmark), ("Fair-1", "FRESH"), values=values), spans, seeds=TRIED_SEEDS)
        rows.append(f"{mean(change_pct(found[f'Fair-1/{MAPS}'], found[f'FRESH/{MAPS}'])).mean:+.1f} % with contention {contention:g}")
    return f"Tried with other contentions, two maps on a node taking as long as before: map phase of FRESH against Fair-1 {', '.join(rows)} ({benchmark})."


def _longer() -> str:
    found = side_by_side(cases("eight Terasort jobs", simple("Terasort"), ("Fair-1", "Fair-0.05"), values=LONGER_MAPS), spans, seeds=TRIED_SEEDS)
    left = {name: mean(found[f"{name}/{TAIL}"]).mean for name in ("Fair-1", "Fair-0.05")}
    times = f"maps of {LONGER_MAPS['map_s']:.0f} s and reduces of {LONGER_MAPS['reduce_s']:.0f} s"
    return f"Tried with {times} (eight Terasort jobs then leave {left['Fair-1']:.0f} s of shuffle under Fair-1 and {left['Fair-0.05']:.0f} s under Fair-0.05)"


def _cases(workloads: Mapping[str, list[Benchmark]], pairs: Iterable[tuple[str, str]], nodes: int, values: Values = CLOUDLAB_BED) -> dict[str, Case]:
    names = tuple(dict.fromkeys(name for pair in pairs for name in pair))
    return {f"{title}, {name}": case for title, jobs in workloads.items() for name, case in cases(title, jobs, names, nodes, values).items()}


def _changes(made: Mapping[str, Case], workloads: Mapping[str, list[Benchmark]], pairs: Sequence[tuple[str, str]]) -> str:
    found = side_by_side(made, seeds=TRIED_SEEDS)
    rows = []
    for before, name in pairs:
        each = {title: change_pct(found[f"{title}, {before}/{MAKESPAN}"], found[f"{title}, {name}/{MAKESPAN}"]) for title in workloads}
        rows.append(f"{name} {mean(averaged(each, list(each))).mean:+.1f} % against {before}")
    over = f", mean of {', '.join(workloads)}" if len(workloads) > 1 else ""
    return "makespan of " + ", ".join(rows) + over + "."
