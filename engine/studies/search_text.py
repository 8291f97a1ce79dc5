"""What a search found in sentences: which setting, how much better than the present one, how sure, and what
it costs of the constraints.
"""

from __future__ import annotations

from math import isnan

from engine.studies.measures import MEASURES
from engine.studies.search_result import ConfirmedTrial, Interval, SearchResult, Trial
from engine.studies.search_space import SCHEDULER
from engine.studies.setting_search import Constraint, Objective

BLANK = "–"
PLUS_MINUS = "±"


def search_text(result: SearchResult) -> str:
    """All of it for a terminal; the curve of two metrics as a table."""
    lines = [tried_words(result)]
    if result.best is None:
        lines += nothing_words(result)
    elif len(result.search.objectives) == 1:
        lines += answer_words(result, result.best)
    else:
        lines += [curve_words(result), "", *front_table(result)]
    return "\n".join(lines) + "\n"


def tried_words(result: SearchResult) -> str:
    """How much was tried, and what came of it."""
    search, trials = result.search, result.trials
    ended = ", as the search was ended" if result.is_ended else ""
    scope = (
        f"all {_count(len(trials), 'setting')}"
        if result.is_everything
        else f"{len(trials):,} of {_count(search.space.size, 'setting')}{ended}"
    )
    refused = [trial for trial in trials if trial.because]
    sentence = (
        f"Tried {scope}, each over {_count(search.seeds, 'seed')} where anything is drawn: "
        f"{result.feasible:,} feasible"
    )
    sentence += (
        f", {len(trials) - result.feasible - len(refused):,} beyond a constraint"
        if search.constraints
        else ""
    )
    return (
        sentence
        + (
            f", {len(refused):,} without an answer, such as {_words(result, refused[0])}: "
            f"{refused[0].because}"
            if refused
            else ""
        )
        + "."
    )


def answer_words(result: SearchResult, setting: ConfirmedTrial) -> list[str]:
    """A setting, its objectives beside the present setting's, how sure that is, and its constraints: a
    sentence each.
    """
    if not setting.estimates:
        metric = result.search.objectives[0].metric
        trial_amount, present_amount = (
            amount(trial.values[0], MEASURES[metric].unit) for trial in (setting.trial, result.trials[0])
        )
        comparison = f" instead of {present_amount}" if setting.trial.number else ""
        return [
            f"{_words(result, setting.trial)}: {_title(metric)} {trial_amount}{comparison} on the seeds "
            "that chose it; it was not run on others."
        ]
    if setting.trial.number == 0:
        lines = ["Nothing that was tried is better than the present setting."]
        lines += [
            f"{_title(objective.metric)} {mean_words(setting.estimates[objective.metric], objective.metric)}."
            for objective in result.search.objectives
        ]
    else:
        parts = [_comparison(result, setting, objective) for objective in result.search.objectives]
        lines = [
            f"{_words(result, setting.trial)}: {'; '.join(parts)}{over_words(setting)}.",
            *(sure_words(setting, objective) for objective in result.search.objectives),
        ]
    if setting.missing:
        lines.append(f"On {setting.missing:,} of the fresh seeds it has no value.")
    return lines + [
        constraint_words(objective, setting.estimates[objective.metric])
        for objective in result.search.constraints
    ]


def sure_words(setting: ConfirmedTrial, objective: Objective) -> str:
    """Whether a difference may be luck."""
    difference, title = setting.differences[objective.metric], _title(objective.metric)
    if not difference.count:
        return f"{title}: the present setting has none to compare with."
    if isnan(difference.half):
        return f"{title}: one pair of runs says nothing of how sure that is."
    if setting.is_surely_better(objective):
        return (
            f"{title}: "
            f"better{', and exactly so, as nothing is drawn' if not difference.half else ' for sure: the 95 % interval leaves out zero'}."
        )
    if objective.sign * difference.mean - difference.half > 0:
        return f"{title}: worse than at present{'' if not difference.half else ' for sure'}."
    return (
        f"{title}: "
        f"{'no difference' if not difference.half else 'it may be luck, as zero lies within the 95 % interval'}."
    )


def constraint_words(constraint: Constraint, estimate: Interval) -> str:
    """Whether a constraint holds on the seeds that nothing was chosen by."""
    unit, broken = MEASURES[constraint.metric].unit, constraint.violation(estimate.mean)
    verdict = (
        "has no value"
        if isnan(estimate.mean)
        else "holds"
        if not broken
        else f"is broken by {amount(broken, unit)}"
    )
    return (
        f"{_title(constraint.metric)} {mean_words(estimate, constraint.metric)}: "
        f"{bound_words(constraint)} {verdict}."
    )


def nothing_words(result: SearchResult) -> list[str]:
    """Where no setting is feasible: what is nearest, and what it breaks."""
    if result.nearest is None:
        because = next((constraint.because for constraint in result.trials), "nothing was run")
        return [f"No setting that was tried has an answer: {because}."]
    trial, by_metric = result.nearest, dict(zip(result.search.metrics, result.nearest.values))
    lines = [f"No setting that was tried holds every constraint; the nearest is {_words(result, trial)}:"]
    for constraint, violation in zip(result.search.constraints, trial.violations):
        unit = MEASURES[constraint.metric].unit
        verdict = f"broken by {amount(violation, unit)}" if violation else "holds"
        lines.append(
            f"  {_title(constraint.metric)} {amount(by_metric[constraint.metric], unit)}, "
            f"{bound_words(constraint)}: {verdict}"
        )
    return lines


def curve_words(result: SearchResult) -> str:
    """What the trade-off curve is made of."""
    names = [f"{objective.better} {_title(objective.metric)}" for objective in result.search.objectives]
    seeds_phrase = next((words for setting in result.front if (words := over_words(setting))), "")
    if len(result.front) == 1:
        return f"One setting is best in both, {names[0]} and {names[1]}{seeds_phrase}:"
    return (
        f"{len(result.front)} settings trade {names[0]} for {names[1]}: no other that was tried is better "
        f"in one and no worse in the other{seeds_phrase}."
    )


def front_table(result: SearchResult) -> list[str]:
    """A line a setting of the curve, its metrics and their difference from the present setting's."""
    objectives = result.search.objectives
    heads = [text for objective in objectives for text in (_title(objective.metric), "than now")] + [
        "setting"
    ]
    rows = []
    for setting in result.front:
        row = []
        for index, objective in enumerate(objectives):
            unit, estimate, difference = (
                MEASURES[objective.metric].unit,
                setting.estimates.get(objective.metric),
                setting.differences.get(objective.metric),
            )
            row.append(
                mean_words(estimate, objective.metric)
                if estimate
                else amount(setting.trial.values[index], unit)
            )
            row.append(difference_words(difference, objective.metric) if difference else BLANK)
        broken = [
            bound_words(objective)
            for objective in result.search.constraints
            if setting.holds(objective) is False
        ]
        rows.append(
            [
                *row,
                _words(result, setting.trial)
                + "".join(f"; {words} is broken on the fresh seeds" for words in broken),
            ]
        )
    widths = [max(len(row[index]) for row in (heads, *rows)) for index in range(len(heads) - 1)]
    return [
        "  ".join([*(text.rjust(width) for text, width in zip(row, widths)), row[-1]])
        for row in (heads, *rows)
    ]


def setting_words(result: SearchResult, trial: Trial) -> str:
    """jobs[*].slowstart 0.8 instead of 0.05, fair instead of fifo; "" for the present setting."""
    space, changes = result.search.space, []
    for dimension, present, without in zip(space.dimensions, space.present, space.without):
        if dimension.path in trial.changed:
            name = "" if dimension.path == SCHEDULER else f"{dimension.path} "
            changes.append(
                f"{name}{_value(trial.changed[dimension.path])} instead of "
                f"{without if present is None else _value(present)}"
            )
    return ", ".join(changes)


def mean_words(interval: Interval, metric: str) -> str:
    """412 ± 14 s; the mean alone where it is exact, or where nobody knows how sure it is."""
    unit = MEASURES[metric].unit
    if not interval.half or isnan(interval.half) or isnan(interval.mean):
        return amount(interval.mean, unit)
    digits = _digits(interval.half, unit)
    number, unit = amount(interval.mean, unit, digits).rsplit(" ", 1)
    return (
        f"{number} {PLUS_MINUS} {amount(interval.half, MEASURES[metric].unit, digits).rsplit(' ', 1)[0]} "
        f"{unit}"
    )


def difference_words(difference: Interval, metric: str) -> str:
    """-90 ± 14 s."""
    return ("+" if difference.mean > 0 else "") + mean_words(difference, metric)


def over_words(setting: ConfirmedTrial) -> str:
    """Over how many fresh seeds; "" where nothing is drawn."""
    count = max(difference.count for difference in setting.differences.values())
    return f" over {count} fresh seeds" if count > 1 else ""


def bound_words(constraint: Constraint) -> str:
    """at most 60 s."""
    return (
        f"at {'least' if constraint.at_most is None else 'most'} "
        f"{amount(constraint.bound, MEASURES[constraint.metric].unit)}"
    )


def amount(value: float, unit: str, digits: int | None = None) -> str:
    """With its unit; digits: after the point, by default one of a share, else so many that it has three."""
    if isnan(value):
        return BLANK
    scaled, word = (100 * value, "%") if unit == "share" else (value, unit)
    if digits is None:
        digits = 1 if unit == "share" else 0 if float(value).is_integer() else _digits(value / 10, unit)
    return f"{scaled:,.{digits}f} {word}"


def _digits(half: float, unit: str) -> int:
    """After the point, that of half an interval two digits or what stands before the point are seen."""
    size = abs(half) * (100 if unit == "share" else 1)
    return 0 if size >= 10 else 1 if size >= 1 else 2


def _comparison(result: SearchResult, setting: ConfirmedTrial, objective: Objective) -> str:
    metric = objective.metric
    estimate, difference, unit = setting.estimates[metric], setting.differences[metric], MEASURES[metric].unit
    present_mean = result.present.estimates[metric].mean
    if not difference.count:
        return f"{_title(metric)} {mean_words(estimate, metric)}"
    return (
        f"{_title(metric)} {amount(estimate.mean, unit)} instead of {amount(present_mean, unit)}, "
        f"{difference_words(difference, metric)}"
    )


def _words(result: SearchResult, trial: Trial) -> str:
    return setting_words(result, trial) or "the present setting"


def _title(metric: str) -> str:
    title = MEASURES[metric].title
    return title[:1].lower() + title[1:] if not title[1:2].isupper() else title


def _value(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.12g}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
