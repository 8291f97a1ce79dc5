"""The sentences of a replay: how far off it is, which way, and what that means for an answer."""

from __future__ import annotations

from collections.abc import Sequence

from engine import Prediction, ReplayErrors, Scenario, time_words
from webapp import theme
from webapp.report.summary_text import join_names
from webapp.services import prediction

HELD_OUT, ALL = "held-out", "all"
VIEWS = ((HELD_OUT, "Jobs held out"), (ALL, "All jobs"))  # what the charts and the table show
MIN_JOBS_FOR_80_PERCENT = 10  # jobs held out, from which on the band has 80 % of them and not all
MEASURED = "measured"
NOT_FITTED = "How far off this is: open Replay, and use the fitted cluster in the draft."
NOTHING_JUDGED = "No job of the record could be judged."


def errors_of_view(prediction_: Prediction, view: str | None) -> ReplayErrors:
    """The errors that a view shows."""
    return prediction_.replay if view == ALL else prediction_.held_out


def headline(prediction_: Prediction) -> str:
    """How far off a prediction is, in the median and at 90 %."""
    errors = prediction_.held_out
    if errors.median is None:
        return NOTHING_JUDGED
    if len(errors.rows) == 1:
        return f"Of the one job that is judged, the simulated finish is {theme.percent(errors.median)} off."
    count = theme.count(len(errors.rows), "jobs")
    return (
        f"Of {count} held out, the simulated finish is {theme.percent(errors.median)} off in the median, "
        f"{theme.percent(errors.p90)} at 90 %."
    )


def facts(prediction_: Prediction) -> list[tuple[str, str]]:
    """What stands below the headline: a head and a number or two."""
    errors, replayed = prediction_.held_out, prediction_.replay
    rows = []
    if errors.bias is not None:
        rows += [
            ("On average a job finishes", early_or_late(errors.bias)),
            ("The last one finishes", early_or_late(errors.makespan_error)),
        ]
        rows.append(("Of a job's own time", _median_and_p90(errors.turnaround_median, errors.turnaround_p90)))
    if replayed.median is not None:
        rows.append(
            (
                f"All {theme.count(len(replayed.rows), 'jobs')}, masters' own start-up",
                _median_and_p90(replayed.median, replayed.p90),
            )
        )
    return rows


def basis(prediction_: Prediction) -> str:
    """What it was fitted from, and what is not judged."""
    sentences = []
    if not prediction_.notes:
        sentences.append(
            "Each task computes as long as it was measured to; what no history says was fitted from "
            f"{theme.count(prediction_.fit.jobs, 'other jobs')}, "
            "and nothing to what is judged."
        )
    sentences += [
        _sentence(text)
        for text in dict.fromkeys(
            (*prediction_.notes, *prediction_.held_out.left_out, *prediction_.replay.left_out)
        )
    ]
    return " ".join(sentences)


def band_text(prediction_: Prediction, seconds: float) -> str:
    """What the error means for an answer of so many seconds from the first arrival on; "" without a band."""
    if not prediction_.band.of:
        return ""
    share = "80 % of the" if prediction_.band.of >= MIN_JOBS_FOR_80_PERCENT else "all"
    judged = f"as for {share} {theme.count(prediction_.band.of, 'jobs')} held out"
    return (
        f"± from the replay under {prediction_.scheduler}: what is simulated as {time_words(seconds)} "
        f"would take {prediction_.band.words(seconds)} on the cluster, {judged}."
    )


def answers_text(scenario: Scenario, metric: str, values: Sequence[tuple[str, float | None]]) -> str:
    """Between what times on the cluster each scheduler's number is, by the replay that a scenario carries; ""
    of one without a cluster's record.

    values: by the names of schedulers, of the metric by its key.
    """
    replay_errors = prediction.error_bands_of(scenario)
    if replay_errors is None:
        return NOT_FITTED if scenario.measured else ""
    bands = [
        (name, replay_errors.around(metric, value))
        for name, value in values
        if value is not None and name != MEASURED
    ]
    texts = [f"{name} would take {_range(*band)}" for name, band in bands if band]
    jobs = theme.count(replay_errors.finish[2], "jobs")
    return (
        f"± from the replay under {replay_errors.scheduler} ({jobs} held out): on the cluster "
        f"{join_names(texts)}."
        if texts
        else ""
    )


def _range(low: float, high: float) -> str:
    low, high = time_words(low), time_words(high)
    return low if low == high else f"{low} to {high}"


def early_or_late(share: float) -> str:
    """ "2.3 % too late"."""
    text = theme.percent(abs(share))
    return "on time" if text == theme.percent(0) else f"{text} too {'early' if share < 0 else 'late'}"


def _median_and_p90(median: float, p90: float) -> str:
    return f"{theme.percent(median)} off, {theme.percent(p90)} at 90 %"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}".rstrip(".") + "."
