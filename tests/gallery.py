"""Runs every experiment again, prints what changed since it was last recorded, and writes the record and the
table in engine/docs/numbers/papers.md anew.

`python -m tests.gallery omo` runs those of one paper, `--maps` draws the maps of the papers' headlines again,
`--optimum` looks for the optima of HaSTE's workloads again, a minute each. `python -m tests.gallery --fit`
also searches the free parameters again and prints what it finds beside what the modules hold.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from engine.papers import PAPERS, paper_experiments, recorded, recorded_states, reproduce_all, summary_table
from engine.papers.baseline import FOLDER, as_json, differences, record
from engine.papers.claim_maps import FILE as MAPS
from engine.papers.claim_maps import as_json as maps_written
from engine.papers.claim_maps import compute_map, headline_maps, recorded_maps
from engine.papers.fitting import residual, search
from engine.papers.optimum_comparison import FILE as OPTIMA
from engine.papers.optimum_comparison import WORKLOADS, optima_json, search_optimum

SUMMARY = Path(__file__).parents[1] / "engine" / "docs" / "numbers" / "papers.md"
START, END = "<!-- summary: written by make gallery -->\n", "<!-- end of summary -->\n"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.gallery", description=__doc__.partition("\n")[0])
    parser.add_argument(
        "paper", nargs="?", choices=[paper.key for paper in PAPERS], help="of this paper alone"
    )
    parser.add_argument(
        "--maps", action="store_true", help="draw the maps of the headlines again, and nothing else"
    )
    parser.add_argument(
        "--optimum",
        action="store_true",
        help="look for the optima of HaSTE's workloads again, and nothing else",
    )
    parser.add_argument("--fit", action="store_true", help="search the free parameters again")
    arguments = parser.parse_args()
    if arguments.maps:
        draw_maps(arguments.paper)
        return 0
    if arguments.optimum:
        OPTIMA.write_text(optima_json({key: search_optimum(key) for key in WORKLOADS}), "utf-8")
        return 0
    names = [name for name in paper_experiments() if arguments.paper in (None, name.partition("/")[0])]
    if arguments.fit:
        fit(names)
    new = {}
    for name, result in reproduce_all(names, lambda name: print(f"  {name}", file=sys.stderr)):
        new[name] = record(result)
    previous = {
        name: record_
        for name, record_ in recorded().items()
        if arguments.paper in (None, name.partition("/")[0])
    }
    changed = [
        line for name in {**previous, **new} for line in differences(name, previous.get(name), new.get(name))
    ]
    print("\n".join(changed) or "nothing changed")
    for paper in dict.fromkeys(name.partition("/")[0] for name in names):
        results = {
            name.partition("/")[2]: record_ for name, record_ in new.items() if name.startswith(f"{paper}/")
        }
        (FOLDER / f"{paper}.json").write_text(as_json(results), "utf-8")
    recorded.cache_clear()
    SUMMARY.write_text(with_table(SUMMARY.read_text("utf-8"), summary_table(recorded_states())), "utf-8")
    return 0


def draw_maps(paper: str | None) -> None:
    """The maps of every headline, or of one paper's."""
    new = {}
    for key, claim_map in headline_maps().items():
        if paper in (None, key):
            print(f"  {claim_map.title}", file=sys.stderr)
            new[key] = compute_map(claim_map)
    all_maps = recorded_maps() | new
    MAPS.write_text(maps_written({key: all_maps[key] for key in headline_maps() if key in all_maps}), "utf-8")


def with_table(document: str, table: str) -> str:
    """The document with this table between its marks."""
    return between(document, START, END, table)


def between(text: str, start: str, end: str, new: str) -> str:
    """A text with something new between two marks."""
    before, _, rest = text.partition(start)
    _, _, after = rest.partition(end)
    return f"{before}{start}{new}{end}{after}"


def fit(names: list[str]) -> None:
    """Every fit: the values and residual that its module holds, and those that a search from its whole ranges
    ends with.
    """
    fits = [reading.fit for name in names for reading in paper_experiments()[name].readings if reading.fit]
    for fit_ in {id(fit_): fit_ for fit_ in fits}.values():
        print(f"{fit_.title}: old {fit_.values}, residual {residual(fit_, fit_.values):.4f}")
        values, residual_ = search(fit_)
        print(f"{fit_.title}: new {values}, residual {residual_:.4f}")


if __name__ == "__main__":
    sys.exit(main())
