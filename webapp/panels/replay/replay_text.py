"""The sentences of a replay: how far off it is, which way, and what that means for an answer."""

from __future__ import annotations

from collections.abc import Sequence

from engine import Errors, Prediction, Scenario, time_words
from webapp import theme
from webapp.report.summary_text import listed
from webapp.services import prediction

HELD_OUT, ALL = "held-out", "all"
VIEWS = ((HELD_OUT, "Jobs held out"), (ALL, "All jobs"))  # what the charts and the table show
FEW = 10  # jobs held out, from which on the band has 80 % of them and not all
MEASURED = "measured"
NOT_FITTED = "How far off this is: open Replay, and use the fitted cluster in the draft."
NOTHING_JUDGED = "No job of the record could be judged."


def shown(of: Prediction, view: str | None) -> Errors:
    """The errors that a view shows."""
    return of.replay if view == ALL else of.held_out


def headline(of: Prediction) -> str:
    """How far off a prediction is, in the median and at 90 %."""
    errors = of.held_out
    if errors.median is None:
        return NOTHING_JUDGED
    if len(errors.rows) == 1:
        return f"Of the one job that is judged, the simulated finish is {theme.percent(errors.median)} off."
    count = theme.count(len(errors.rows), "jobs")
    return f"Of {count} held out, the simulated finish is {theme.percent(errors.median)} off in the median, {theme.percent(errors.p90)} at 90 %."


def facts(of: Prediction) -> list[tuple[str, str]]:
    """What stands below the headline: a head and a number or two."""
    errors, own = of.held_out, of.replay
    found = []
    if errors.bias is not None:
        found += [("On average a job finishes", way(errors.bias)), ("The last one finishes", way(errors.makespan_error))]
        found.append(("Of a job's own time", _both(errors.turnaround_median, errors.turnaround_p90)))
    if own.median is not None:
        found.append((f"All {theme.count(len(own.rows), 'jobs')}, masters' own start-up", _both(own.median, own.p90)))
    return found


def basis(of: Prediction) -> str:
    """What it was fitted from, and what is not judged."""
    found = []
    if not of.notes:
        found.append(
            f"Each task computes as long as it was measured to; what no history says was fitted from {theme.count(of.fit.jobs, 'other jobs')}, "
            "and nothing to what is judged."
        )
    found += [_sentence(text) for text in dict.fromkeys((*of.notes, *of.held_out.left_out, *of.replay.left_out))]
    return " ".join(found)


def band_text(of: Prediction, seconds: float) -> str:
    """What the error means for an answer of so many seconds from the first arrival on; "" without a band."""
    if not of.band.of:
        return ""
    share = "80 % of the" if of.band.of >= FEW else "all"
    judged = f"as for {share} {theme.count(of.band.of, 'jobs')} held out"
    return f"± from the replay under {of.scheduler}: what is simulated as {time_words(seconds)} would take {of.band.words(seconds)} on the cluster, {judged}."


def answers_text(scenario: Scenario, metric: str, values: Sequence[tuple[str, float | None]]) -> str:
    """Between what times on the cluster each scheduler's number is, by the replay that a scenario carries; "" of one without a cluster's record.

    values: by the names of schedulers, of the metric by its key.
    """
    known = prediction.known(scenario)
    if known is None:
        return NOT_FITTED if scenario.measured else ""
    ends = [(name, known.around(metric, value)) for name, value in values if value is not None and name != MEASURED]
    texts = [f"{name} would take {_span(*both)}" for name, both in ends if both]
    jobs = theme.count(known.finish[2], "jobs")
    return f"± from the replay under {known.scheduler} ({jobs} held out): on the cluster {listed(texts)}." if texts else ""


def _span(low: float, high: float) -> str:
    low, high = time_words(low), time_words(high)
    return low if low == high else f"{low} to {high}"


def way(share: float) -> str:
    """ "2.3 % too late"."""
    text = theme.percent(abs(share))
    return "on time" if text == theme.percent(0) else f"{text} too {'early' if share < 0 else 'late'}"


def _both(median: float, most: float) -> str:
    return f"{theme.percent(median)} off, {theme.percent(most)} at 90 %"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}".rstrip(".") + "."
