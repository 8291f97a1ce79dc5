"""Costly decisions in sentences, and as JSON has them."""

from __future__ import annotations

from typing import Any

from engine import quantities
from engine.explanation.regret import CostlyDecision, Regret
from engine.explanation.sentences import A_KIND
from engine.messages import msg
from engine.version import VERSION


def decision_sentence(regret: Regret, decision: CostlyDecision) -> str:
    """What was chosen, what would have been, and what that would have given."""
    times = f"{_exact(regret.makespan_s)} → {_exact(decision.makespan_s)}"
    return msg(
        "explanation.regret_text.at_went_to_batch_would_have",
        moment=quantities.moment(1000 * decision.at_s),
        node=decision.node,
        kind_words=A_KIND[decision.kind],
        job=decision.job,
        had=_had(decision),
        saved=_exact(decision.regret_s),
        times=times,
        turnaround=_turnaround(decision),
    )


def _had(decision: CostlyDecision) -> str:
    if not decision.instead_job:
        return msg("explanation.regret_text.had_been_left_empty_then")
    what = msg(
        "explanation.regret_text.a_of",
        kind_words=A_KIND[decision.instead_kind],
        instead_job=decision.instead_job,
    )
    return (
        msg("explanation.regret_text.had_gone_to", what=what)
        if decision.instead
        else msg("explanation.regret_text.had_been_reserved_for", what=what)
    )


def _turnaround(decision: CostlyDecision) -> str:
    change = decision.turnaround_regret_s
    if change is None:
        return ""
    if abs(change) < 0.0005:
        return msg("explanation.regret_text.with_same_mean_turnaround")
    return msg(
        "explanation.regret_text.and_jobs_would_have_taken_on",
        duration=_exact(abs(change)),
        value="less" if change > 0 else "more",
    )


def tried_sentence(regret: Regret) -> str:
    """How many decisions were tried, and what came of them."""
    if not regret.tried:
        return msg("explanation.regret_text.none_decisions_was_tried", placed=regret.placed)
    if regret.is_whole:
        tried = (
            msg("explanation.regret_text.all_decisions_were_tried", placed=regret.placed)
            if regret.placed > 1
            else msg("explanation.regret_text.only_decision_was_tried")
        )
    else:
        tried = msg(
            "explanation.regret_text.decisions_spread_over_run_were_tried",
            tried=regret.tried,
            placed=regret.placed,
        )
    sentences = [
        msg("explanation.regret_text.for_another_job_could_have_been", tried=tried, choices=regret.choices)
    ]
    if regret.choices:
        same = regret.choices - regret.sooner - regret.later - regret.stuck
        parts = [
            (regret.sooner, "sooner"),
            (regret.later, "later"),
            (same, msg("explanation.regret_text.at_same_time")),
            (regret.stuck, msg("explanation.regret_text.never_in_deadlock")),
        ]
        sentences.append(
            msg(
                "explanation.regret_text.with_choice_changed_batch_ends",
                value=", ".join((f"{word} after {count:,}" for count, word in parts if count)),
            )
        )
    return "".join(sentences) + "."


def nothing_sentence(regret: Regret) -> str:
    """Where no choice cost anything; "" where one did, and where none was tried."""
    if regret.costly or not regret.tried:
        return ""
    tried = (
        msg("explanation.regret_text.no_other_single_choice")
        if regret.is_whole
        else msg("explanation.regret_text.no_other_single_choice_those_tried")
    )
    return msg(
        "explanation.regret_text.under_would_have_ended_batch_before",
        scheduler=regret.scheduler,
        tried=tried,
        duration=_exact(regret.makespan_s),
    )


def _exact(seconds: float) -> str:
    return quantities.duration(1000 * seconds, exact=True)


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
    lines = [
        msg(
            "explanation.regret_text.makespan", scheduler=regret.scheduler, duration=_exact(regret.makespan_s)
        ),
        tried_sentence(regret),
    ]
    if not regret.costly:
        return "\n".join(filter(None, [*lines, nothing_sentence(regret)])) + "\n"
    lines.append("")
    for rank, decision in enumerate(regret.costly, 1):
        lines += [f"{rank:>2}. {decision_sentence(regret, decision)}", f"    {decision.container}"]
    return "\n".join(lines) + "\n"
