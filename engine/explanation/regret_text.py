"""Costly decisions in sentences, and as JSON has them."""

from __future__ import annotations

from typing import Any

from engine.explanation.regret import CostlyDecision, Regret
from engine.explanation.sentences import KIND_WORDS, seconds
from engine.version import VERSION


def decision_sentence(found: Regret, one: CostlyDecision) -> str:
    """What was chosen, what would have been, and what that would have given."""
    times = f"{found.makespan_s:.10g} → {seconds(one.makespan_s)}"
    return (
        f"At {seconds(one.at_s)} {one.node} went to a {KIND_WORDS[one.kind]} of {one.job}; {_had(one)}, "
        f"the batch would have ended {seconds(one.regret_s)} earlier ({times}){_turnaround(one)}."
    )


def _had(one: CostlyDecision) -> str:
    if not one.instead_job:
        return "had it been left empty then"
    what = f"a {KIND_WORDS[one.instead_kind]} of {one.instead_job}"
    return f"had it gone to {what}" if one.instead else f"had it been reserved for {what}"


def _turnaround(one: CostlyDecision) -> str:
    change = one.turnaround_regret_s
    if change is None:
        return ""
    if abs(change) < 0.0005:
        return ", with the same mean turnaround"
    return f", and jobs would have taken {seconds(round(abs(change), 3))} {'less' if change > 0 else 'more'} on average"


def tried_sentence(found: Regret) -> str:
    """How many decisions were tried, and what came of them."""
    if not found.tried:
        return f"None of {found.placed:,} decisions was tried."
    if found.is_whole:
        of = f"All {found.placed:,} decisions were tried" if found.placed > 1 else "The only decision was tried"
    else:
        of = f"{found.tried:,} of {found.placed:,} decisions, spread over the run, were tried"
    said = [f"{of}; for {found.choices:,} another job could have been served"]
    if found.choices:
        same = found.choices - found.sooner - found.later - found.stuck
        parts = [(found.sooner, "sooner"), (found.later, "later"), (same, "at the same time"), (found.stuck, "never, in a deadlock")]
        said.append(f": with that choice changed the batch ends {', '.join(f'{word} after {count:,}' for count, word in parts if count)}")
    return "".join(said) + "."


def nothing_sentence(found: Regret) -> str:
    """Where no choice cost anything; "" where one did, and where none was tried."""
    if found.costly or not found.tried:
        return ""
    tried = "no other single choice" if found.is_whole else "no other single choice of those tried"
    return f"Under {found.scheduler} {tried} would have ended the batch before {seconds(found.makespan_s)}."


def regret_plain(found: Regret) -> dict[str, Any]:
    """As JSON."""
    rows = [one._asdict() | {"sentence": decision_sentence(found, one)} for one in found.costly]
    return {"version": 1, "engine": VERSION, **found._asdict(), "is_whole": found.is_whole, "costly": rows, "summary": tried_sentence(found)}


def regret_text(found: Regret) -> str:
    """For people: the summary, then a sentence a decision with the container's name, as `explain` takes it."""
    lines = [f"{found.scheduler}: makespan {seconds(found.makespan_s)}", tried_sentence(found)]
    if not found.costly:
        return "\n".join(filter(None, [*lines, nothing_sentence(found)])) + "\n"
    lines.append("")
    for place, one in enumerate(found.costly, 1):
        lines += [f"{place:>2}. {decision_sentence(found, one)}", f"    {one.container}"]
    return "\n".join(lines) + "\n"
