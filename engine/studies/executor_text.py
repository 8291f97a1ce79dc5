"""The sentences, the table and the JSON values of an application's curve over its executors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import quantities
from engine.messages import msg
from engine.studies.executor_curve import NOTICEABLE, SHOWN, ExecutorCurve, Interval
from engine.studies.measures import OTHERS_TIME, OWN_TIME, STUDY_MEASURES
from engine.version import VERSION

FORMAT = 1
GAP = "  "


def executor_headline(curve: ExecutorCurve, scheduler: int) -> str:
    """From how many executors on more of them no longer help. scheduler: its place in the study."""
    words = {"application": curve.application}
    knee = curve.knee(scheduler)
    own = curve.interval(OWN_TIME)
    if np.isnan(own.mean[:, scheduler]).all():
        return msg("studies.executor_text.never_ends", **words)
    if knee is None:
        return msg("studies.executor_text.one_seed", **words)
    words |= {
        "number": quantities.count(curve.numbers[knee], "executors"),
        "time": _text(own, knee, scheduler, OWN_TIME),
    }
    known = [place for place in range(len(curve.numbers)) if not np.isnan(own.mean[place, scheduler])]
    if len(known) == 1:
        return msg("studies.executor_text.only_one", **words)
    larger = [place for place in known if curve.numbers[place] > curve.numbers[knee]]
    if not larger:
        return msg("studies.executor_text.still_helps", **words)
    best = float(own.mean[larger, scheduler].min())
    words |= {"best": quantities.amount(best, "s"), "percent": quantities.percent(NOTICEABLE)}
    return msg("studies.executor_text.knee", **words)


def sentences(curve: ExecutorCurve, scheduler: int) -> list[str]:
    """What holds now, the critical path, what the others feel from the fewest to the most, what has no value
    and why, and what the intervals are.
    """
    own = [present_text(curve, scheduler), path_text(curve, scheduler)]
    others = [others_text(curve, scheduler), *gap_texts(curve, scheduler)]
    return [*filter(None, [*own, *others]), interval_basis(curve)]


def path_text(curve: ExecutorCurve, scheduler: int) -> str:
    """How long its critical path takes; "" where nothing tells."""
    path = curve.critical_path_s(scheduler)
    return (
        "" if path is None else msg("studies.executor_text.critical_path", time=quantities.amount(path, "s"))
    )


def present_text(curve: ExecutorCurve, scheduler: int) -> str:
    """How many it may have now, and how long it takes then."""
    if curve.present is None:
        return msg("studies.executor_text.no_maximum", application=curve.application)
    number = quantities.count(curve.present, "executors")
    if curve.present not in curve.numbers:
        if curve.is_dynamic:
            return msg("studies.executor_text.present_at_most_not_tried", number=number)
        return msg("studies.executor_text.present_not_tried", number=number)
    time = _text(curve.interval(OWN_TIME), curve.numbers.index(curve.present), scheduler, OWN_TIME)
    if curve.is_dynamic:
        return msg("studies.executor_text.present_at_most", number=number, time=time)
    return msg("studies.executor_text.present", number=number, time=time)


def others_text(curve: ExecutorCurve, scheduler: int) -> str:
    """What the others feel, from the fewest executors to the most."""
    others = curve.interval(OTHERS_TIME)
    known = np.flatnonzero(~np.isnan(others.mean[:, scheduler])).tolist()
    if not known:
        return msg("studies.executor_text.no_others")
    known.sort(key=lambda place: curve.numbers[place])
    text = lambda place: _text(others, place, scheduler, OTHERS_TIME)
    return msg(
        "studies.executor_text.others",
        first=text(known[0]),
        last=text(known[-1]),
        fewest=quantities.count(curve.numbers[known[0]], "executors"),
        most=f"{curve.numbers[known[-1]]:,}",
    )


def gap_texts(curve: ExecutorCurve, scheduler: int) -> list[str]:
    """Why some numbers have no value, by the first reason."""
    because = [
        (curve.numbers[point], sentence)
        for (point, place), sentence in sorted(curve.result.because.items())
        if place == scheduler
    ]
    if not because:
        return []
    first, last = because[0][0], because[-1][0]
    numbers = f"{first:,}" if first == last else f"{first:,} to {last:,}"
    text = because[0][1].strip().rstrip(".")
    return [msg("studies.executor_text.gaps", numbers=numbers, because=text)]


def interval_basis(curve: ExecutorCurve) -> str:
    """What the intervals are."""
    study = curve.result.study
    if curve.bands:
        return f"{curve.says} {msg('studies.executor_text.shared_error')}"
    if not study.is_random:
        return msg("studies.executor_text.exact")
    if study.seeds == 1:
        return msg("studies.executor_text.no_interval")
    seeds = msg("studies.executor_text.seeds", seeds=quantities.count(study.seeds, "seeds"))
    jitter = quantities.percent(study.jitter)
    jittered = [msg("studies.executor_text.jitter", jitter=jitter)] if study.jitter else []
    return " ".join([seeds, *jittered, *([curve.says] if curve.says else [])])


def _text(interval: Interval, place: int, scheduler: int, metric: str) -> str:
    """A mean with its interval."""
    mean, low, high = (float(one[place, scheduler]) for one in interval)
    unit = STUDY_MEASURES[metric].unit
    if math.isnan(mean):
        return quantities.NO_VALUE
    if math.isnan(low) or math.isclose(high - mean, mean - low, abs_tol=1e-9):
        return quantities.estimate(mean, high - mean, unit)
    ends = (quantities.amount(end, unit) for end in (low, high))
    return msg("studies.executor_text.within", mean=quantities.amount(mean, unit), between=" to ".join(ends))


def executor_table(curve: ExecutorCurve) -> str:
    """Of each scheduler the headline, a row a number of executors, and what else there is to say."""
    blocks = []
    for scheduler, name in enumerate(curve.result.study.schedulers):
        heads = ["Executors", *(STUDY_MEASURES[metric].title for metric in SHOWN)]
        rows = [heads]
        for place, number in enumerate(curve.numbers):
            mark = msg("studies.executor_text.now") if number == curve.present else ""
            cells = [_text(curve.interval(metric), place, scheduler, metric) for metric in SHOWN]
            rows.append([f"{number:,}{mark}", *cells])
        widths = [max(map(len, column)) for column in zip(*rows)]
        lines = [GAP.join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
        title = msg("studies.executor_text.under", application=curve.application, scheduler=name)
        said = "\n".join(sentences(curve, scheduler))
        blocks.append(
            "\n\n".join([f"{title}\n{executor_headline(curve, scheduler)}", "\n".join(lines), said])
        )
    return "\n\n".join(blocks) + "\n"


def executor_plain(curve: ExecutorCurve) -> dict[str, Any]:
    """JSON values; what is not known is null."""
    study, intervals = curve.result.study, {metric: curve.interval(metric) for metric in SHOWN}
    schedulers = []
    for scheduler, name in enumerate(study.schedulers):
        knee = curve.knee(scheduler)
        points = [
            {"executors": number, "because": curve.result.because.get((place, scheduler))}
            | {metric: _plain(interval, place, scheduler) for metric, interval in intervals.items()}
            for place, number in enumerate(curve.numbers)
        ]
        schedulers.append(
            {
                "scheduler": name,
                "headline": executor_headline(curve, scheduler),
                "knee": None if knee is None else curve.numbers[knee],
                "critical_path_s": curve.critical_path_s(scheduler),
                "points": points,
                "sentences": sentences(curve, scheduler),
            }
        )
    return {
        "version": FORMAT,
        "engine": VERSION,
        "application": curve.application,
        "executors": curve.present,
        "dynamic": curve.is_dynamic,
        "intervals": interval_basis(curve),
        "schedulers": schedulers,
        "study": study.plain(),
    }


def _plain(interval: Interval, place: int, scheduler: int) -> dict[str, float | None]:
    values = {key: float(getattr(interval, key)[place, scheduler]) for key in Interval._fields}
    return {key: None if math.isnan(value) else value for key, value in values.items()}
