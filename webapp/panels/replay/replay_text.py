"""The sentences of a replay: how far off it is, which way, and what that means for an answer."""

from __future__ import annotations

from engine import Errors, Prediction
from webapp import theme

HELD_OUT, ALL = "held-out", "all"
VIEWS = ((HELD_OUT, "Jobs held out"), (ALL, "All jobs"))  # what the charts and the table show


def shown(of: Prediction, view: str | None) -> Errors:
    """The errors that a view shows; those of all jobs where none was held out."""
    return of.held_out if view != ALL and of.held_out.rows else of.replay


def headline(of: Prediction) -> str:
    """How far off a prediction is, in the median and at 90 %."""
    errors, held = (of.held_out, " held out") if of.held_out.rows else (of.replay, "")
    if len(errors.rows) == 1:
        return f"Of the one job{held}, the simulated finish is {theme.percent(errors.median)} off."
    count = theme.count(len(errors.rows), "jobs")
    return f"Of {count}{held}, the simulated finish is {theme.percent(errors.median)} off in the median, {theme.percent(errors.p90)} at 90 %."


def details(of: Prediction) -> list[str]:
    """Which way it is off, what it was fitted from, and what remains where each job has its own measured times."""
    errors = shown(of, HELD_OUT)
    found = [f"On average a job finishes {_way(errors.bias)}; the last of them {_way(errors.makespan_error)}."]
    if of.held_out.rows:
        found.append(f"What the history does not say was fitted from {theme.count(of.fit.jobs, 'other jobs')}; nothing is fitted to what is judged.")
        own = of.replay
        found.append(
            f"With each job's own measured start-up, all {theme.count(len(own.rows), 'jobs')} are {theme.percent(own.median)} off in the median, "
            f"{theme.percent(own.p90)} at 90 %."
        )
    else:
        found.append("Too few jobs to hold any out: all were fitted and judged, so take it for the least error.")
    return found


def band_sentence(of: Prediction, seconds: float) -> str:
    """What the error means for an answer of so many seconds."""
    kind = "80 % of" if of.band.of >= 10 else "all"
    jobs = theme.count(of.band.of, "jobs")
    return f"± from the replay under {of.scheduler}: a simulated {theme.duration(1000 * seconds)} was {of.band.words(seconds)} measured, for {kind} {jobs} held out."


def _way(share: float) -> str:
    """ "2.3 % too late"."""
    text = theme.percent(abs(share))
    return "on time" if text == theme.percent(0) else f"{text} too {'early' if share < 0 else 'late'}"
