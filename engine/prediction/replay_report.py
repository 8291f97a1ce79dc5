"""How well a history is explained and predicted, as a report for people and as JSON values."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any

from engine import quantities
from engine.messages import msg
from engine.prediction.evidence import replayed_noun
from engine.prediction.fit import FittedParameter, HistoryFit
from engine.prediction.prediction import Prediction
from engine.prediction.replay_errors import ReplayErrors

MAX_SHOWN = 10  # jobs, the worst explained


def replay_text(prediction: Prediction) -> str:
    """In words, then the variants, the worst explained jobs, and what was fitted from what."""
    parts = [
        "\n".join(
            [
                msg(
                    "prediction.replay_report.measured_beside_simulated_under", scheduler=prediction.scheduler
                ),
                "",
                *replay_sentences(prediction),
            ]
        )
    ]
    parts.append(_variants(prediction))
    worst = prediction.replay.rows[:MAX_SHOWN]
    heads = (
        "",
        "arrival",
        msg("prediction.replay_report.measured_finish"),
        msg("prediction.replay_report.simulated_finish"),
        msg("prediction.replay_report.error_finish"),
        msg("prediction.replay_report.turnaround"),
    )
    rows = [
        (
            row.name,
            *(quantities.moment(1000 * at) for at in (row.arrival_s, row.measured_s, row.simulated_s)),
            *(quantities.percent(share, signed=True) for share in (row.error, row.turnaround_error)),
        )
        for row in worst
    ]
    title = msg(
        "prediction.replay_report.jobs_explained_worst_each_with_its",
        worst=len(worst),
        all=_count(prediction.replay, replayed_noun(prediction.scenario)),
    )
    parts.append(
        _table(title, heads, rows) + "".join(f"\n{row.name}: {row.reason}" for row in worst if row.reason)
    )
    fit_heads = ("", "value", "90 % interval", replayed_noun(prediction.scenario))
    parts.append(
        _table(fitted_title(prediction), fit_heads, [_fitted(item) for item in prediction.fit.parameters])
    )
    parts.append("\n".join(f"{item.title}: {item.basis}." for item in prediction.fit.parameters))
    return "\n\n".join(parts) + "\n"


def replay_sentences(prediction: Prediction) -> list[str]:
    """How far off it is, and what the band is of, in plain words."""
    replayed, alone, held_out, nouns = (
        prediction.replay,
        prediction.alone,
        prediction.held_out,
        replayed_noun(prediction.scenario),
    )
    one, sentences = nouns.removesuffix("s"), []
    if len(replayed.rows) == 1:
        sentences.append(
            msg("prediction.replay_report.one_with_its_own_measured", one=one, bias=_only(replayed))
        )
    elif replayed.rows:
        sentences.append(
            msg(
                "prediction.replay_report.jobs_each_with_its_own_measured",
                all=_count(replayed, nouns),
                **_accuracy(replayed),
            )
        )
    if alone and alone.turnaround_median is not None:
        percent = quantities.percent(alone.turnaround_median)
        sentences.append(
            msg("prediction.replay_report.one_alone", percent=percent)
            if len(alone.rows) == 1
            else msg(
                "prediction.replay_report.applications_alone",
                applications=_count(alone, "Spark applications"),
                percent=percent,
                percent2=_percent(alone.turnaround_p90),
            )
        )
    if held_out.rows:
        fitted = (
            msg("prediction.replay_report.another_history")
            if prediction.is_elsewhere
            else msg("prediction.replay_report.jobs_before", noun=nouns)
        )
        sentences.append(
            msg("prediction.replay_report.one_was_held_out", one=one, fitted=fitted, bias=_only(held_out))
            if len(held_out.rows) == 1
            else msg(
                "prediction.replay_report.jobs_were_held_out_fitted_to",
                all=_count(held_out, nouns),
                fitted=fitted,
                **_accuracy(held_out),
            )
        )
    if prediction.band.of:
        sentences.append(
            msg(
                "prediction.replay_report.hour_simulated_means_for_finish_for",
                value=prediction.band.words(3600),
                value2=prediction.turnaround_band.words(3600),
                basis=prediction.band.basis,
            )
        )
    return [
        *sentences,
        *(f"{note[:1].upper()}{note[1:]}." for note in (*prediction.notes, *prediction.replay.left_out)),
    ]


def fitted_title(prediction: Prediction) -> str:
    """What was fitted from how many jobs."""
    where = (
        msg("prediction.replay_report.another_history")
        if prediction.is_elsewhere
        else msg("prediction.replay_report.whole_history")
        if prediction.split_s is None
        else msg("prediction.replay_report.first_part")
    )
    return msg(
        "prediction.replay_report.what_history_doesnt_say_fitted_to",
        jobs=quantities.count(prediction.fit.jobs, replayed_noun(prediction.scenario)),
        where=where,
    )


def _variants(prediction: Prediction) -> str:
    """What each part of the fit brings, of those that are held out where any are."""
    heads = ["", msg("prediction.replay_report.all_jobs_median"), "90 %"]
    rows = [
        [item.title, *map(_percent, (item.all_jobs.median, item.all_jobs.p90))]
        for item in prediction.variants
    ]
    replayed = _count(prediction.replay, replayed_noun(prediction.scenario))
    if not prediction.held_out.rows:
        return _table(msg("prediction.replay_report.error_jobs_finish", all=replayed), heads, rows)
    heads += [
        msg("prediction.replay_report.judged_median"),
        "90 %",
        msg("prediction.replay_report.turnaround_median"),
        "90 %",
    ]
    for row, item in zip(rows, prediction.variants):
        errors = item.judged
        row += map(_percent, (errors.median, errors.p90, errors.turnaround_median, errors.turnaround_p90))
    title = msg("prediction.replay_report.error_jobs_finish_and_judged_jobs", all=replayed)
    return _table(title, heads, rows)


def _count(errors: ReplayErrors, nouns: str) -> str:
    return quantities.count(len(errors.rows), nouns)


def _fitted(parameter: FittedParameter) -> tuple[str, ...]:
    text = lambda value: quantities.quantity(value, parameter.unit)
    interval = (
        quantities.NO_VALUE if parameter.low is None else f"{text(parameter.low)} to {text(parameter.high)}"
    )
    return parameter.title, text(parameter.value), interval, f"{parameter.count:,}"


def _percent(share: float | None) -> str:
    return quantities.NO_VALUE if share is None else quantities.percent(share)


def _accuracy(errors: ReplayErrors) -> dict[str, str]:
    """How far off jobs are, of one or more that are compared, for a sentence."""
    assert errors.median is not None and errors.p90 is not None and errors.bias is not None
    return {
        "percent": quantities.percent(errors.median),
        "percent2": quantities.percent(errors.p90),
        "bias": _bias(errors.bias),
    }


def _only(errors: ReplayErrors) -> str:
    """How far off the only one is, with its sign."""
    return _bias(errors.rows[0].error)


def _bias(share: float) -> str:
    return msg(
        "prediction.replay_report.in_simulation",
        share=quantities.percent(abs(share)),
        value="late" if share > 0 else "early",
    )


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
    """As JSON values: shares for errors, seconds, every job. executors_as_they_came: of Spark applications,
    each alone. held_out, bands: None where nothing is held out. fit: of the first part or the other history,
    on_all: of all jobs.
    """
    return {
        "scheduler": prediction.scheduler,
        "in_words": replay_sentences(prediction),
        "replay": _errors(prediction.replay),
        **({"executors_as_they_came": _errors(prediction.alone)} if prediction.alone else {}),
        "held_out": _errors(prediction.held_out) if prediction.held_out.rows else None,
        "judged_from_s": prediction.split_s,
        "bands": {
            "finish": dataclasses.asdict(prediction.band),
            "turnaround": dataclasses.asdict(prediction.turnaround_band),
        }
        if prediction.held_out.rows
        else None,
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
