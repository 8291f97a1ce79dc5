"""All verdicts counted: experiments by verdict, and claims by what they rest on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.papers.baseline import NO_VERDICT, Recorded
from engine.papers.gallery import paper_experiments
from engine.papers.judge import VERDICTS
from engine.papers.reporting import counts
from engine.papers.schema import BASES

HELD = ("agrees", "holds")


def held(names: Iterable[str], records: Mapping[str, Recorded]) -> dict[str, tuple[int, int]]:
    """By basis: claims of these experiments that agree or hold under every reading that judges them, and those that any reading judges."""
    found = dict.fromkeys(BASES, (0, 0))
    for name in names:
        outcomes = [one.outcomes for one in records[name].readings.values()]
        for claim, each in zip(paper_experiments()[name].claims, zip(*outcomes)):
            judged = [one for one in each if one != NO_VERDICT]
            agree, of = found[claim.basis]
            found[claim.basis] = (agree + bool(judged and all(one in HELD for one in judged)), of + bool(judged))
    return found


def verdict_table(records: Mapping[str, Recorded]) -> str:
    """How many experiments of each paper came to each verdict, and how many of its claims of each basis hold, as a table of Markdown."""
    counted = counts({name: one.verdict for name, one in records.items()})
    rows = {paper: [name for name in records if name.startswith(f"{paper}/")] for paper in counted} | {"all": list(records)}
    verdicts = {**counted, "all": {one: sum(of[one] for of in counted.values()) for one in VERDICTS}}
    lines = [["paper", *VERDICTS, "experiments", *(f"{basis} claims" for basis in BASES)]]
    for row, names in rows.items():
        of_bases = [f"{agree} of {of}" if of else "" for agree, of in held(names, records).values()]
        lines.append([row, *(str(verdicts[row][one]) for one in VERDICTS), str(len(names)), *of_bases])
    head, *rest = ("| " + " | ".join(line) + " |\n" for line in lines)
    return head + "|---|" + "---:|" * (len(lines[0]) - 1) + "\n" + "".join(rest)
