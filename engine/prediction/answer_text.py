"""An answer as a small report for people, and as JSON values."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from engine import quantities
from engine.messages import msg
from engine.prediction.answer import JOB, Answer, Gain, MetricChange

MAX_SHOWN = 5  # who gains and who loses, of each kind
NO_ESTIMATE = msg("prediction.answer_text.does_not_end")


def compared_text(metric: MetricChange) -> str:
    """One metric: "2 h 20 min (2 h 10 min to 2 h 40 min) before, 1 h 50 min (…) after: 30 min shorter, 21 %,
    larger than the band".
    """
    if metric.key != "makespan_s" and metric.before_s is None and metric.after_s is None:
        return no_time_words(metric)
    before, after = (time_text(seconds, metric) for seconds in (metric.before_s, metric.after_s))
    verdict = f", {metric.verdict}" if metric.verdict else ""
    return msg(
        "prediction.answer_text.before_after",
        before=before,
        after=after,
        change_words=change_words(metric),
        verdict=verdict,
    )


def time_text(seconds: float | None, metric: MetricChange) -> str:
    """The time with its band."""
    if seconds is None:
        return no_time_words(metric)
    return quantities.rough_duration(1000 * seconds) + (
        f" ({metric.band.words(seconds)})" if metric.band else ""
    )


def no_time_words(metric: MetricChange) -> str:
    """Why a metric has no time: the batch does not end, or no job of both runs finishes in both."""
    return (
        NO_ESTIMATE if metric.key == "makespan_s" else msg("prediction.answer_text.no_job_finishes_in_both")
    )


def change_words(metric: MetricChange) -> str:
    """ "30 min shorter, 21 %", as simulated."""
    change = metric.change_s
    if change is None:
        return msg("prediction.answer_text.nothing_to_compare")
    if change == 0:
        return msg("prediction.answer_text.no_change")
    share = f", {quantities.percent(abs(change) / metric.before_s)}" if metric.before_s else ""
    return f"{quantities.rough_duration(1000 * abs(change))} {'shorter' if change < 0 else 'longer'}{share}"


def gain_text(gain: Gain, noun: str) -> str:
    """ "root.etl, 12 jobs: 1 h 10 min each instead of 1 h 30 min"; to the millisecond where these would be
    the same. noun: what its jobs are called.
    """
    jobs = msg("prediction.answer_text.jobs", jobs=gain.jobs, noun=noun) if gain.jobs > 1 else ""
    suffix = " each" if gain.jobs > 1 else ""
    times_ms = (1000 * gain.before_s, 1000 * gain.after_s)
    before, after = map(quantities.rough_duration, times_ms)
    if before == after:
        before, after = (quantities.duration(ms, exact=True) for ms in times_ms)
    return msg(
        "prediction.answer_text.instead", name=gain.name, jobs=jobs, after=after, suffix=suffix, before=before
    )


def cost_text(answer: Answer) -> str:
    """ "12.80 EUR instead of 10.24 EUR, nodes for as long as the batch takes"; "" without a price."""
    if not answer.cost or not answer.price:
        return ""
    before, after = answer.cost
    now = answer.price.words(after) if after is not None else NO_ESTIMATE
    return msg(
        "prediction.answer_text.instead_for_all_nodes_as_long", now=now, before=answer.price.words(before)
    )


def scope_text(answer: Answer) -> str:
    """Which jobs are compared, where that is not all."""
    parts = [
        msg("prediction.answer_text.added", added=answer.added) if answer.added else "",
        msg("prediction.answer_text.left_out", left_out=answer.left_out) if answer.left_out else "",
    ]
    changes = " and ".join(part for part in parts if part)
    return (
        msg(
            "prediction.answer_text.compared_jobs_in_both_and_end",
            compared=quantities.count(answer.compared, answer.noun),
            changes=changes,
        )
        if changes
        else ""
    )


def answer_text(answer: Answer) -> str:
    """All of it: the change, times, who gains, cost, what it rests on, and the configuration."""
    lines = []
    for file in answer.files:
        lines += ["", f"{file.name}{'' if file.whole else ', to be put into it'}:", file.text.rstrip()]
    return comparison_text(answer, answer.caveats) + "".join(f"{line}\n" for line in lines)


def comparison_text(answer: Answer, caveats: Sequence[str]) -> str:
    """The change, times, who gains, cost, and what it rests on with these caveats."""
    under = (
        msg("shared.under", scheduler=answer.scheduler) if answer.scheduler == answer.scheduler_after else ""
    )
    lines = [f"{answer.title}{under}", ""]
    width = max(len(metric.title) for metric in answer.metrics)
    lines += [f"{metric.title:<{width}}  {compared_text(metric)}" for metric in answer.metrics]
    if cost := cost_text(answer):
        lines.append(f"{'Cost':<{width}}  {cost}")
    for kind in answer.kinds:
        word = answer.noun.removesuffix("s") if kind == JOB else kind
        gain = msg("prediction.answer_text.gain_by", kind=word)
        lose = msg("prediction.answer_text.lose_by", kind=word)
        lines += _ranked(gain, answer.gainers(kind), answer.noun)
        lines += _ranked(lose, answer.losers(kind), answer.noun)
    notes = [answer.stuck, scope_text(answer), *answer.meanings, answer.says, *caveats]
    lines += ["", *(note for note in notes if note)]
    return "\n".join(lines) + "\n"


def _ranked(title: str, gains: Sequence[Gain], noun: str) -> list[str]:
    remainder = (
        [msg("prediction.answer_text.and_more", gains=len(gains) - MAX_SHOWN)]
        if len(gains) > MAX_SHOWN
        else []
    )
    return (
        ["", title, *(f"  {gain_text(gain, noun)}" for gain in gains[:MAX_SHOWN]), *remainder]
        if gains
        else []
    )


def answer_plain(answer: Answer) -> dict[str, Any]:
    """As JSON values: every job; bands in seconds; money as numbers of the given price."""
    metrics = [
        {
            "key": metric.key,
            "title": metric.title,
            "before_s": metric.before_s,
            "after_s": metric.after_s,
            "before_band_s": _around(metric, metric.before_s),
            "after_band_s": _around(metric, metric.after_s),
            "larger_than_band": metric.beyond,
        }
        for metric in answer.metrics
    ]
    return {
        "question": answer.key,
        "change": answer.title,
        "scheduler": answer.scheduler,
        "scheduler_after": answer.scheduler_after,
        "metrics": metrics,
        "gains": {kind: [dataclasses.asdict(gain) for gain in gains] for kind, gains in answer.gains.items()},
        "jobs": {"compared": answer.compared, "added": answer.added, "left_out": answer.left_out},
        "cost": {"before": answer.cost[0], "after": answer.cost[1]} if answer.cost else None,
        "band_covers": answer.says,
        "caveats": list(answer.caveats),
        "files": [file._asdict() for file in answer.files],
        "stuck": answer.stuck or None,
    }


def _around(metric: MetricChange, seconds: float | None) -> list[float] | None:
    return (
        None
        if metric.band is None or seconds is None
        else [round(end, 3) for end in metric.band.around(seconds)]
    )
