"""The sentences of a replay: how far off it is, which way, and what that means for an answer."""

from __future__ import annotations

from collections.abc import Sequence

from engine import Scenario, quantities
from engine.dashboard import Prediction, ReplayErrors, display_name, replayed_noun
from webapp.jobs import prediction
from webapp.messages import msg
from webapp.report.summary_text import join_names

HELD_OUT, ALL = "held-out", "all"
# what the charts and the table show
VIEWS = (
    (HELD_OUT, msg("panels.replay_text.jobs_held_out")),
    (ALL, msg("panels.replay_text.all_jobs")),
)
MIN_JOBS_FOR_80_PERCENT = 10  # jobs held out, from which on the band has 80 % of them and not all
MEASURED = "measured"
NOT_FITTED = msg("panels.replay_text.how_far_off_open_measured_and")
NOTHING_JUDGED = msg("panels.replay_text.no_job_record_could_be_judged")


def errors_of_view(prediction_: Prediction, view: str | None) -> ReplayErrors:
    """The errors that a view shows; of all jobs where none is held out."""
    return prediction_.replay if view == ALL or not prediction_.held_out.rows else prediction_.held_out


def headline(prediction_: Prediction) -> str:
    """How far off a prediction is, in the median and at 90 %."""
    errors = prediction_.held_out
    if errors.median is None or errors.p90 is None:
        return NOTHING_JUDGED
    half, most = quantities.percent(errors.median), quantities.percent(errors.p90)
    if len(errors.rows) == 1:
        one = replayed_noun(prediction_.scenario).removesuffix("s")
        return msg("panels.replay_text.one_job_judged_simulated_finish_off", one=one, percent=half)
    count = quantities.count(len(errors.rows), replayed_noun(prediction_.scenario))
    return msg(
        "panels.replay_text.held_out_simulated_finish_off_in", count=count, percent=half, percent2=most
    )


def facts(prediction_: Prediction) -> list[tuple[str, str]]:
    """What stands below the headline: a head and a number or two."""
    errors, replayed = prediction_.held_out, prediction_.replay
    rows = []
    if errors.bias is not None and errors.makespan_error is not None:
        rows += [
            (msg("panels.replay_text.on_average_job_finishes"), early_or_late(errors.bias)),
            (msg("panels.replay_text.last_one_finishes"), early_or_late(errors.makespan_error)),
        ]
    if errors.turnaround_median is not None and errors.turnaround_p90 is not None:
        off = _median_and_p90(errors.turnaround_median, errors.turnaround_p90)
        rows.append((msg("shared.jobs_own_time"), off))
    if replayed.median is not None and replayed.p90 is not None:
        count = quantities.count(len(replayed.rows), replayed_noun(prediction_.scenario))
        head = msg("panels.replay_text.all_with_each_applicationmasters_own_startup", count=count)
        rows.append((head, _median_and_p90(replayed.median, replayed.p90)))
    return rows


def basis(prediction_: Prediction) -> str:
    """What it was fitted from, and what is not judged."""
    sentences = []
    if prediction_.held_out.rows:
        count = quantities.count(prediction_.fit.jobs, f"other {replayed_noun(prediction_.scenario)}")
        sentences.append(msg("panels.replay_text.each_task_computes_as_long_as", count=count))
    left_out = (*prediction_.held_out.left_out, *prediction_.replay.left_out)
    return " ".join([*sentences, *map(_sentence, dict.fromkeys((*prediction_.notes, *left_out)))])


def band_text(prediction_: Prediction, seconds: float) -> str:
    """What the error means for an answer of so many seconds from the first arrival on; "" without a band."""
    if not prediction_.band.of:
        return ""
    share = msg("panels.replay_text.of_the") if prediction_.band.of >= MIN_JOBS_FOR_80_PERCENT else "all"
    count = quantities.count(prediction_.band.of, replayed_noun(prediction_.scenario))
    judged = msg("panels.replay_text.as_for_held_out", share=share, count=count)
    return msg(
        "panels.replay_text.from_replay_under_what_simulated_as",
        scheduler=display_name(prediction_.scheduler),
        duration=quantities.rough_duration(1000 * seconds),
        seconds=prediction_.band.words(seconds),
        judged=judged,
    )


def answers_text(scenario: Scenario, metric: str, values: Sequence[tuple[str, float | None]]) -> str:
    """Between what times on the cluster each scheduler's number is, by the replay that a scenario carries; ""
    of one without a cluster's record.

    values: by the names of schedulers, of the metric by its key.
    """
    replay_errors = prediction.error_bands_of(scenario)
    if replay_errors is None:
        return NOT_FITTED if scenario.measured else ""
    texts = [
        msg("panels.replay_text.would_take", name=display_name(name), range=_range(*band))
        for name, value in values
        if value is not None and name != MEASURED and (band := replay_errors.around(metric, value))
    ]
    if not texts:
        return ""
    return msg(
        "panels.replay_text.from_replay_under_held_out_on",
        scheduler=display_name(replay_errors.scheduler),
        jobs=quantities.count(replay_errors.finish[2], replayed_noun(scenario)),
        join_names=join_names(texts),
    )


def _range(low: float, high: float) -> str:
    start, end = quantities.rough_duration(1000 * low), quantities.rough_duration(1000 * high)
    return start if start == end else f"{start} to {end}"


def early_or_late(share: float) -> str:
    """ "2.3 % too late"."""
    text = quantities.percent(abs(share))
    if text == quantities.percent(0):
        return msg("panels.replay_text.on_time")
    return msg("panels.replay_text.too", text=text, value="early" if share < 0 else "late")


def _median_and_p90(median: float, p90: float) -> str:
    half, most = quantities.percent(median), quantities.percent(p90)
    return msg("panels.replay_text.off_at", percent=half, percent2=most)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}".rstrip(".") + "."
