"""The numbers of the gallery's claims as the papers print them, kept so that a claim is held to its paper
where the paper's text is not at hand.

`python -m tests.engine.papers.as_printed` finds them anew in ../shared/papers and writes as_printed.json; a
number that no paper prints is a KeyError.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

from engine.papers import Experiment, Printed, paper_experiments
from tests.conftest import ROOT

FILE = Path(__file__).with_suffix(".json")
TEXTS = ROOT.parent / "shared" / "papers"
QUOTED = {"haste": ("haste", "saf")}  # SAF quotes a number of HaSTE's


@cache
def kept() -> dict[str, list[str]]:
    """The printed numbers by experiment, as text."""
    return json.loads(FILE.read_text("utf-8"))


def papers(name: str) -> tuple[str, ...]:
    """Whose texts may print the numbers of an experiment."""
    paper = name.partition("/")[0]
    return QUOTED.get(paper, (paper,))


def numbers(text: str) -> set[str]:
    """Every number of a text, without separators of thousands and a zero before the point."""
    result = {_bare(digits.replace(",", "")) for digits in re.findall(r"\d[\d,]*\.?\d*", text)}
    return result | {digits.rstrip(".") for digits in result}


def shapes(number: float) -> set[str]:
    """How a number may be printed: with or without a zero behind the point, a share also in percent."""
    size = abs(number)
    return {_bare(f"{size:g}"), _bare(f"{size:.1f}"), _bare(f"{size:.2f}"), f"{100 * size:g}"}


def _bare(digits: str) -> str:
    return digits.lstrip("0") or "0"


def claimed(one: Experiment) -> list[Printed]:
    return [claim for claim in one.claims if isinstance(claim, Printed)]


def main() -> None:
    result = {}
    for name, one in paper_experiments().items():
        text = numbers("".join((TEXTS / f"{paper}.txt").read_text("utf-8") for paper in papers(name)))
        for claim in claimed(one):
            if not shapes(claim.number) & text:
                raise KeyError(f"{name}: {claim.number:g} is not printed")
        result[name] = sorted({min(shapes(claim.number) & text) for claim in claimed(one)})
    FILE.write_text(
        "{\n"
        + ",\n".join(f" {json.dumps(name)}: {json.dumps(printed)}" for name, printed in result.items())
        + "\n}\n",
        "utf-8",
    )


if __name__ == "__main__":
    main()
