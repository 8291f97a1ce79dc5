"""Runs every experiment again, prints what changed since it was last recorded, and writes the record and the table in engine/README.md anew.

`python -m tests.gallery --fit` also searches the free parameters again and prints what it finds beside what the modules hold.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from engine.papers import paper_experiments, recorded, reproduce_all, verdict_table
from engine.papers.baseline import FILE, differences, record, written
from engine.papers.fitting import residual, search

README = Path(__file__).parents[1] / "engine" / "README.md"
START, END = "<!-- verdicts: written by make gallery -->\n", "<!-- end of verdicts -->\n"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.gallery", description=__doc__.partition("\n")[0])
    parser.add_argument("--fit", action="store_true", help="search the free parameters again")
    if parser.parse_args().fit:
        fit()
    new = {}
    for name, result in reproduce_all(list(paper_experiments()), lambda name: print(f"  {name}", file=sys.stderr)):
        new[name] = record(result)
    old = recorded() if FILE.exists() else {}
    changed = [line for name in {**old, **new} for line in differences(name, old.get(name), new.get(name))]
    print("\n".join(changed) or "nothing changed")
    FILE.write_text(written(new), "utf-8")
    README.write_text(with_table(README.read_text("utf-8"), verdict_table({name: one.verdict for name, one in new.items()})), "utf-8")
    return 0


def with_table(readme: str, table: str) -> str:
    """The README with this table between its marks."""
    return between(readme, START, END, table)


def between(text: str, start: str, end: str, new: str) -> str:
    """A text with something new between two marks."""
    before, _, rest = text.partition(start)
    _, _, after = rest.partition(end)
    return f"{before}{start}{new}{end}{after}"


def fit() -> None:
    """Every fit: the values and residual that its module holds, and those that a search from its whole ranges ends with."""
    for one in {id(experiment.fit): experiment.fit for experiment in paper_experiments().values() if experiment.fit}.values():
        print(f"{one.title}: old {one.found}, residual {residual(one, one.found):.4f}")
        values, off = search(one)
        print(f"{one.title}: new {values}, residual {off:.4f}")


if __name__ == "__main__":
    sys.exit(main())
