"""Counts of verdicts: experiments by verdict, and claims by their basis."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.messages import msg
from engine.papers.baseline import NO_VERDICT, Recorded
from engine.papers.gallery import paper_experiments
from engine.papers.judge import VERDICTS
from engine.papers.reporting import counts
from engine.papers.schema import BASES

HELD = ("agrees", "holds")


def holding_claims(names: Iterable[str], records: Mapping[str, Recorded]) -> dict[str, tuple[int, int]]:
    """By basis: claims of these experiments that agree or hold under every reading that judges them, and
    those that any reading judges.
    """
    counts_by_basis = dict.fromkeys(BASES, (0, 0))
    for name in names:
        outcomes = [item.outcomes for item in records[name].readings.values()]
        for claim, claim_outcomes in zip(paper_experiments()[name].claims, zip(*outcomes)):
            judged = [item for item in claim_outcomes if item != NO_VERDICT]
            agree, judged_count = counts_by_basis[claim.basis]
            counts_by_basis[claim.basis] = (
                agree + bool(judged and all(item in HELD for item in judged)),
                judged_count + bool(judged),
            )
    return counts_by_basis


def verdict_table(records: Mapping[str, Recorded]) -> str:
    """How many experiments of each paper came to each verdict, and how many of its claims of each basis hold,
    as a table of Markdown.
    """
    counted = counts({name: verdict.verdict for name, verdict in records.items()})
    rows = {paper: [name for name in records if name.startswith(f"{paper}/")] for paper in counted} | {
        "all": list(records)
    }
    verdicts = {
        **counted,
        "all": {
            verdict: sum(judged_count[verdict] for judged_count in counted.values()) for verdict in VERDICTS
        },
    }
    lines = [
        [
            "paper",
            *VERDICTS,
            "experiments",
            *(msg("papers.verdict_table.claims", basis=basis) for basis in BASES),
        ]
    ]
    for row, names in rows.items():
        of_bases = [
            f"{agree} of {judged_count}" if judged_count else ""
            for agree, judged_count in holding_claims(names, records).values()
        ]
        lines.append(
            [row, *(str(verdicts[row][verdict]) for verdict in VERDICTS), str(len(names)), *of_bases]
        )
    head, *body = ("| " + " | ".join(line) + " |\n" for line in lines)
    return head + "|---|" + "---:|" * (len(lines[0]) - 1) + "\n" + "".join(body)
