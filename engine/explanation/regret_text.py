"""Costly decisions in sentences, and as JSON has them."""

from __future__ import annotations

from typing import Any

from engine.explanation.regret import CostlyDecision, Regret
from engine.explanation.sentences import KIND_WORDS, seconds
from engine.version import VERSION


def decision_sentence(regret: Regret, decision: CostlyDecision) -> str:
    """What was chosen, what would have been, and what that would have given."""
    times = f"{regret.makespan_s:.10g} → {seconds(decision.makespan_s)}"
    return (
        f"At {seconds(decision.at_s)} {decision.node} went to a {KIND_WORDS[decision.kind]} of "
        f"{decision.job}; {_had(decision)}, "
        f"the batch would have ended {seconds(decision.regret_s)} earlier ({times}){_turnaround(decision)}."
    )


def _had(decision: CostlyDecision) -> str:
    if not decision.instead_job:
        return "had it been left empty then"
    what = f"a {KIND_WORDS[decision.instead_kind]} of {decision.instead_job}"
    return f"had it gone to {what}" if decision.instead else f"had it been reserved for {what}"


def _turnaround(decision: CostlyDecision) -> str:
    change = decision.turnaround_regret_s
    if change is None:
        return ""
    if abs(change) < 0.0005:
        return ", with the same mean turnaround"
    return (
        f", and jobs would have taken {seconds(round(abs(change), 3))} {'less' if change > 0 else 'more'} "
        "on average"
    )


def tried_sentence(regret: Regret) -> str:
    """How many decisions were tried, and what came of them."""
    if not regret.tried:
        return f"None of {regret.placed:,} decisions was tried."
    if regret.is_whole:
        tried = (
            f"All {regret.placed:,} decisions were tried"
            if regret.placed > 1
            else "The only decision was tried"
        )
    else:
        tried = f"{regret.tried:,} of {regret.placed:,} decisions, spread over the run, were tried"
    sentences = [f"{tried}; for {regret.choices:,} another job could have been served"]
    if regret.choices:
        same = regret.choices - regret.sooner - regret.later - regret.stuck
        parts = [
            (regret.sooner, "sooner"),
            (regret.later, "later"),
            (same, "at the same time"),
            (regret.stuck, "never, in a deadlock"),
        ]
        sentences.append(
            ": with that choice changed the batch ends "
            f"{', '.join(f'{word} after {count:,}' for count, word in parts if count)}"
        )
    return "".join(sentences) + "."


def nothing_sentence(regret: Regret) -> str:
    """Where no choice cost anything; "" where one did, and where none was tried."""
    if regret.costly or not regret.tried:
        return ""
    tried = "no other single choice" if regret.is_whole else "no other single choice of those tried"
    return f"Under {regret.scheduler} {tried} would have ended the batch before {seconds(regret.makespan_s)}."


def regret_plain(regret: Regret) -> dict[str, Any]:
    """As JSON."""
    rows = [
        decision._asdict() | {"sentence": decision_sentence(regret, decision)} for decision in regret.costly
    ]
    return {
        "version": 1,
        "engine": VERSION,
        **regret._asdict(),
        "is_whole": regret.is_whole,
        "costly": rows,
        "summary": tried_sentence(regret),
    }


def regret_text(regret: Regret) -> str:
    """For people: the summary, then a sentence a decision with the container's name, as `explain` takes
    it.
    """
    lines = [f"{regret.scheduler}: makespan {seconds(regret.makespan_s)}", tried_sentence(regret)]
    if not regret.costly:
        return "\n".join(filter(None, [*lines, nothing_sentence(regret)])) + "\n"
    lines.append("")
    for rank, decision in enumerate(regret.costly, 1):
        lines += [f"{rank:>2}. {decision_sentence(regret, decision)}", f"    {decision.container}"]
    return "\n".join(lines) + "\n"
