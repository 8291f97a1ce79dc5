"""How well a history is explained and predicted, as a report for people and as JSON values."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any

from engine.prediction.fit import FittedParameter, HistoryFit
from engine.prediction.prediction import Prediction
from engine.prediction.replay_errors import ReplayErrors

MAX_SHOWN = 10  # jobs, the worst explained
NONE = "–"


def replay_text(prediction: Prediction) -> str:
    """In words, then the variants, the worst explained jobs, and what was fitted from what."""
    parts = [
        "\n".join(
            [f"Measured beside simulated, under {prediction.scheduler}", "", *replay_sentences(prediction)]
        )
    ]
    heads = ("", "all jobs: median", "90 %", "judged: median", "90 %", "turnaround: median", "90 %")
    rows = [
        (
            item.title,
            *map(_percent, (item.all_jobs.median, item.all_jobs.p90, item.judged.median, item.judged.p90)),
            *map(_percent, _turnaround(item.judged)),
        )
        for item in prediction.variants
    ]
    parts.append(_table("Error of a job's finish, and of the judged jobs' turnaround", heads, rows))
    worst = prediction.replay.rows[:MAX_SHOWN]
    heads = ("", "arrival", "measured finish", "simulated finish", "error of finish", "of turnaround")
    rows = [
        (
            row.name,
            *map(_seconds, (row.arrival_s, row.measured_s, row.simulated_s)),
            *map(_signed, (row.error, row.turnaround_error)),
        )
        for row in worst
    ]
    title = (
        f"Jobs that are explained worst, {len(worst):,} of {len(prediction.replay.rows):,}, each with its "
        "own start-up and durations"
    )
    parts.append(
        _table(title, heads, rows) + "".join(f"\n{row.name}: {row.reason}" for row in worst if row.reason)
    )
    heads = ("", "value", "90 % interval", "jobs")
    parts.append(
        _table(fitted_title(prediction), heads, [_fitted(item) for item in prediction.fit.parameters])
    )
    parts.append("\n".join(f"{item.title}: {item.basis}." for item in prediction.fit.parameters))
    return "\n\n".join(parts) + "\n"


def replay_sentences(prediction: Prediction) -> list[str]:
    """How far off it is, and what the band is of, in plain words."""
    sentences = []
    if prediction.replay.rows:
        sentences.append(f"Of {len(prediction.replay.rows):,} jobs, each with its own measured times, "
                         f"half finish within {_percent(prediction.replay.median)} of what was "
                    f"measured and nine of ten within {_percent(prediction.replay.p90)}; on average "
                    f"{_bias(prediction.replay.bias)}.")  # fmt: skip
    if prediction.held_out.rows:
        fitted = (
            "another history" if prediction.split_s is None and not prediction.notes else "the jobs before"
        )
        sentences.append(f"Of {len(prediction.held_out.rows):,} jobs that nothing was fitted to, but "
                         f"{fitted}, half finish within {_percent(prediction.held_out.median)} of "
                    f"what was predicted and nine of ten within {_percent(prediction.held_out.p90)}; on "
                    f"average {_bias(prediction.held_out.bias)}.")  # fmt: skip
    if prediction.band.of:
        sentences.append(f"An hour that is simulated means {prediction.band.words(3600)} for a finish, "
                         f"{prediction.turnaround_band.words(3600)} for a turnaround: "
                    f"{prediction.band.basis}.")  # fmt: skip
    return [
        *sentences,
        *(f"{note[:1].upper()}{note[1:]}." for note in (*prediction.notes, *prediction.replay.left_out)),
    ]


def fitted_title(prediction: Prediction) -> str:
    """What was fitted from how many jobs."""
    where = "another history" if prediction.split_s is None and not prediction.notes else "the first part"
    return (
        f"What the history doesn't say, fitted to {prediction.fit.jobs:,} "
        f"{'job' if prediction.fit.jobs == 1 else 'jobs'} of {where}"
    )


def _turnaround(errors: ReplayErrors) -> tuple[float | None, float | None]:
    return errors.turnaround_median, errors.turnaround_p90


def _fitted(parameter: FittedParameter) -> tuple[str, ...]:
    unit = f" {parameter.unit}" if parameter.unit not in ("", "share") else ""
    text = lambda value: (
        NONE
        if value is None
        else (f"{100 * value:.1f} %" if parameter.unit == "share" else f"{value:.3g}{unit}")
    )
    between = NONE if parameter.low is None else f"{text(parameter.low)} to {text(parameter.high)}"
    return parameter.title, text(parameter.value), between, f"{parameter.count:,}"


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
    lines = [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(wide) for cell, wide in zip(row[1:], widths[1:]))]
        ).rstrip()
        for row in rows
    ]
    return "\n".join([title, "", *lines])


def replay_plain(prediction: Prediction) -> dict[str, Any]:
    """As JSON values: shares for errors, seconds, every job. fit: of the first part or the other history,
    on_all: of all jobs.
    """
    return {
        "scheduler": prediction.scheduler,
        "in_words": replay_sentences(prediction),
        "replay": _errors(prediction.replay),
        "held_out": _errors(prediction.held_out),
        "judged_from_s": prediction.split_s,
        "bands": {
            "finish": dataclasses.asdict(prediction.band),
            "turnaround": dataclasses.asdict(prediction.turnaround_band),
        },
        "variants": [
            {
                "title": variant.title,
                "all_jobs": _errors(variant.all_jobs, rows=False),
                "judged": _errors(variant.judged, rows=False),
            }
            for variant in prediction.variants
        ],
        "fit": _fit(prediction.fit),
        "fit_on_all": _fit(prediction.whole),
        "notes": list(prediction.notes),
    }


def _errors(errors: ReplayErrors, rows: bool = True) -> dict[str, Any]:
    names = (
        "median",
        "p90",
        "bias",
        "turnaround_median",
        "turnaround_p90",
        "turnaround_bias",
        "makespan_error",
    )
    plain: dict[str, Any] = {name: getattr(errors, name) for name in names}
    if rows:
        plain |= {"left_out": list(errors.left_out), "jobs": [dataclasses.asdict(row) for row in errors.rows]}
    return plain


def _fit(history_fit: HistoryFit) -> dict[str, Any]:
    return {
        "jobs": history_fit.jobs,
        "until_s": history_fit.until_s,
        "parameters": [dataclasses.asdict(parameter) for parameter in history_fit.parameters],
    }
