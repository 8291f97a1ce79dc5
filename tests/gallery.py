"""Runs every experiment again, prints what changed since it was last recorded, and writes the record and the table in engine/README.md anew.

`python -m tests.gallery omo` runs those of one paper, `--maps` draws the maps of the papers' headlines again, `--optimum` looks
for the optima of HaSTE's workloads again, a minute each.
`python -m tests.gallery --fit` also searches the free parameters again and prints what it finds beside what the modules hold.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from engine.papers import PAPERS, paper_experiments, recorded, reproduce_all, verdict_table
from engine.papers.baseline import FOLDER, differences, record, written
from engine.papers.claim_maps import FILE as MAPS
from engine.papers.claim_maps import drawn, maps, recorded_maps
from engine.papers.claim_maps import written as maps_written
from engine.papers.fitting import residual, search
from engine.papers.from_optimum import FILE as OPTIMA
from engine.papers.from_optimum import WORKLOADS, optima_written, searched

README = Path(__file__).parents[1] / "engine" / "README.md"
START, END = "<!-- verdicts: written by make gallery -->\n", "<!-- end of verdicts -->\n"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.gallery", description=__doc__.partition("\n")[0])
    parser.add_argument("paper", nargs="?", choices=[paper.key for paper in PAPERS], help="of this paper alone")
    parser.add_argument("--maps", action="store_true", help="draw the maps of the headlines again, and nothing else")
    parser.add_argument("--optimum", action="store_true", help="look for the optima of HaSTE's workloads again, and nothing else")
    parser.add_argument("--fit", action="store_true", help="search the free parameters again")
    asked = parser.parse_args()
    if asked.maps:
        draw_maps(asked.paper)
        return 0
    if asked.optimum:
        OPTIMA.write_text(optima_written({key: searched(key) for key in WORKLOADS}), "utf-8")
        return 0
    names = [name for name in paper_experiments() if asked.paper in (None, name.partition("/")[0])]
    if asked.fit:
        fit(names)
    new = {}
    for name, result in reproduce_all(names, lambda name: print(f"  {name}", file=sys.stderr)):
        new[name] = record(result)
    kept = {name: one for name, one in recorded().items() if asked.paper in (None, name.partition("/")[0])}
    changed = [line for name in {**kept, **new} for line in differences(name, kept.get(name), new.get(name))]
    print("\n".join(changed) or "nothing changed")
    for paper in dict.fromkeys(name.partition("/")[0] for name in names):
        of = {name.partition("/")[2]: one for name, one in new.items() if name.startswith(f"{paper}/")}
        (FOLDER / f"{paper}.json").write_text(written(of), "utf-8")
    every = {name: {**recorded(), **new}[name] for name in paper_experiments() if name in {**recorded(), **new}}
    README.write_text(with_table(README.read_text("utf-8"), verdict_table(every)), "utf-8")
    return 0


def draw_maps(paper: str | None) -> None:
    """The maps of every headline, or of one paper's."""
    new = {}
    for key, one in maps().items():
        if paper in (None, key):
            print(f"  {one.title}", file=sys.stderr)
            new[key] = drawn(one)
    every = recorded_maps() | new
    MAPS.write_text(maps_written({key: every[key] for key in maps() if key in every}), "utf-8")


def with_table(readme: str, table: str) -> str:
    """The README with this table between its marks."""
    return between(readme, START, END, table)


def between(text: str, start: str, end: str, new: str) -> str:
    """A text with something new between two marks."""
    before, _, rest = text.partition(start)
    _, _, after = rest.partition(end)
    return f"{before}{start}{new}{end}{after}"


def fit(names: list[str]) -> None:
    """Every fit: the values and residual that its module holds, and those that a search from its whole ranges ends with."""
    fits = [reading.fit for name in names for reading in paper_experiments()[name].readings if reading.fit]
    for one in {id(one): one for one in fits}.values():
        print(f"{one.title}: old {one.found}, residual {residual(one, one.found):.4f}")
        values, off = search(one)
        print(f"{one.title}: new {values}, residual {off:.4f}")


if __name__ == "__main__":
    sys.exit(main())
