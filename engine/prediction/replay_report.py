"""How well a history is explained and predicted, as a report for people and as JSON values."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any

from engine.prediction.against_measured import Errors
from engine.prediction.fit import FittedParameter, HistoryFit
from engine.prediction.prediction import Prediction

SHOWN = 10  # jobs, the worst explained
NONE = "–"


def replay_text(found: Prediction) -> str:
    """In words, then the variants, the worst explained jobs, and what was fitted from what."""
    parts = ["\n".join([f"Measured beside simulated, under {found.scheduler}", "", *replay_sentences(found)])]
    heads = ("", "all jobs: median", "90 %", "judged: median", "90 %", "turnaround: median", "90 %")
    rows = [
        (one.title, *map(_percent, (one.all_jobs.median, one.all_jobs.p90, one.judged.median, one.judged.p90)), *map(_percent, _turnaround(one.judged)))
        for one in found.variants
    ]
    parts.append(_table("Error of a job's finish, and of the judged jobs' turnaround", heads, rows))
    worst = found.replay.rows[:SHOWN]
    heads = ("", "arrival", "measured finish", "simulated finish", "error of finish", "of turnaround")
    rows = [(row.name, *map(_seconds, (row.arrival_s, row.measured_s, row.simulated_s)), *map(_signed, (row.error, row.turnaround_error))) for row in worst]
    title = f"Jobs that are explained worst, {len(worst):,} of {len(found.replay.rows):,}, each with its own start-up and durations"
    parts.append(_table(title, heads, rows) + "".join(f"\n{row.name}: {row.reason}" for row in worst if row.reason))
    heads = ("", "value", "90 % interval", "jobs")
    parts.append(_table(fitted_title(found), heads, [_fitted(one) for one in found.fit.parameters]))
    parts.append("\n".join(f"{one.title}: {one.basis}." for one in found.fit.parameters))
    return "\n\n".join(parts) + "\n"


def replay_sentences(found: Prediction) -> list[str]:
    """How far off it is, and what the band is of, in plain words."""
    said = []
    if found.replay.rows:
        said.append(f"Of {len(found.replay.rows):,} jobs, each with its own measured times, half finish within {_percent(found.replay.median)} of what was "
                    f"measured and nine of ten within {_percent(found.replay.p90)}; on average {_bias(found.replay.bias)}.")  # fmt: skip
    if found.held_out.rows:
        fitted = "another history" if found.split_s is None and not found.notes else "the jobs before"
        said.append(f"Of {len(found.held_out.rows):,} jobs that nothing was fitted to, but {fitted}, half finish within {_percent(found.held_out.median)} of "
                    f"what was predicted and nine of ten within {_percent(found.held_out.p90)}; on average {_bias(found.held_out.bias)}.")  # fmt: skip
    if found.band.of:
        said.append(f"An hour that is simulated means {found.band.words(3600)} for a finish, {found.turnaround_band.words(3600)} for a turnaround: "
                    f"{found.band.basis}.")  # fmt: skip
    return [*said, *(f"{note[:1].upper()}{note[1:]}." for note in (*found.notes, *found.replay.left_out))]


def fitted_title(found: Prediction) -> str:
    """What was fitted from how many jobs."""
    where = "another history" if found.split_s is None and not found.notes else "the first part"
    return f"What the history doesn't say, fitted to {found.fit.jobs:,} {'job' if found.fit.jobs == 1 else 'jobs'} of {where}"


def _turnaround(of: Errors) -> tuple[float | None, float | None]:
    return of.turnaround_median, of.turnaround_p90


def _fitted(one: FittedParameter) -> tuple[str, ...]:
    unit = f" {one.unit}" if one.unit not in ("", "share") else ""
    text = lambda value: NONE if value is None else (f"{100 * value:.1f} %" if one.unit == "share" else f"{value:.3g}{unit}")
    between = NONE if one.low is None else f"{text(one.low)} to {text(one.high)}"
    return one.title, text(one.value), between, f"{one.count:,}"


def _percent(share: float | None) -> str:
    return NONE if share is None else f"{100 * share:.1f} %"


def _signed(share: float) -> str:
    return f"{100 * share:+.1f} %"


def _seconds(value: float) -> str:
    return f"{value:,.1f} s"


def _bias(share: float) -> str:
    return f"{100 * abs(share):.1f} % {'late' if share > 0 else 'early'} in the simulation"


def _table(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    rows = [heads, *rows]
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = ["  ".join([row[0].ljust(widths[0]), *(cell.rjust(wide) for cell, wide in zip(row[1:], widths[1:]))]).rstrip() for row in rows]
    return "\n".join([title, "", *lines])


def replay_plain(found: Prediction) -> dict[str, Any]:
    """As JSON values: shares for errors, seconds, every job. fit: of the first part or the other history, on_all: of all jobs."""
    return {
        "scheduler": found.scheduler,
        "in_words": replay_sentences(found),
        "replay": _errors(found.replay),
        "held_out": _errors(found.held_out),
        "judged_from_s": found.split_s,
        "bands": {"finish": dataclasses.asdict(found.band), "turnaround": dataclasses.asdict(found.turnaround_band)},
        "variants": [{"title": one.title, "all_jobs": _errors(one.all_jobs, rows=False), "judged": _errors(one.judged, rows=False)} for one in found.variants],
        "fit": _fit(found.fit),
        "fit_on_all": _fit(found.whole),
        "notes": list(found.notes),
    }


def _errors(of: Errors, rows: bool = True) -> dict[str, Any]:
    names = ("median", "p90", "bias", "turnaround_median", "turnaround_p90", "turnaround_bias", "makespan_error")
    plain: dict[str, Any] = {name: getattr(of, name) for name in names}
    if rows:
        plain |= {"left_out": list(of.left_out), "jobs": [dataclasses.asdict(row) for row in of.rows]}
    return plain


def _fit(of: HistoryFit) -> dict[str, Any]:
    return {"jobs": of.jobs, "until_s": of.until_s, "parameters": [dataclasses.asdict(one) for one in of.parameters]}
