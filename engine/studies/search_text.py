"""What a search found in sentences: which setting, how much better than the present one, how sure, and what
it costs of the constraints.
"""

from __future__ import annotations

from math import isnan

from engine import quantities
from engine.messages import msg
from engine.studies.measures import MEASURES
from engine.studies.search_result import ConfirmedTrial, Interval, SearchResult, Trial
from engine.studies.search_space import SCHEDULER
from engine.studies.setting_search import Constraint, Objective


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
    ended = msg("studies.search_text.because_search_was_stopped") if result.is_ended else ""
    scope = (
        msg("studies.search_text.all", count=quantities.count(len(trials), "settings"))
        if result.is_everything
        else f"{len(trials):,} of {quantities.count(search.space.size, 'settings')}{ended}"
    )
    refused = [trial for trial in trials if trial.because]
    sentence = msg(
        "studies.search_text.tried_each_over_where_anything_drawn",
        scope=scope,
        count=quantities.count(search.seeds, "seeds"),
        feasible=result.feasible,
    )
    sentence += (
        msg("studies.search_text.violate_constraint", trials=len(trials) - result.feasible - len(refused))
        if search.constraints
        else ""
    )
    return (
        sentence
        + (
            msg(
                "studies.search_text.without_answer_such_as",
                refused=len(refused),
                words=_words(result, refused[0]),
                because=refused[0].because,
            )
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
            _amount(trial.values[0], MEASURES[metric].unit) for trial in (setting.trial, result.trials[0])
        )
        comparison = (
            msg("studies.search_text.instead_2", present_amount=present_amount)
            if setting.trial.number
            else ""
        )
        return [
            msg(
                "studies.search_text.on_seeds_chose_was_not_run",
                words=_words(result, setting.trial),
                title=_title(metric),
                trial_amount=trial_amount,
                comparison=comparison,
            )
        ]
    if setting.trial.number == 0:
        lines = [msg("studies.search_text.no_tried_setting_better_than_current")]
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
        lines.append(msg("studies.search_text.on_fresh_seeds_has_no_value", missing=setting.missing))
    return lines + [
        constraint_words(objective, setting.estimates[objective.metric])
        for objective in result.search.constraints
    ]


def sure_words(setting: ConfirmedTrial, objective: Objective) -> str:
    """Whether a difference may be luck."""
    difference, title = setting.differences[objective.metric], _title(objective.metric)
    if not difference.count:
        return msg("studies.search_text.present_setting_has_none_to_compare", title=title)
    if isnan(difference.half):
        return msg("studies.search_text.one_pair_runs_says_nothing_how", title=title)
    if setting.is_surely_better(objective):
        return msg(
            "studies.search_text.better",
            title=title,
            value=", and exactly so, as nothing is drawn"
            if not difference.half
            else " for sure: the 95 % interval leaves out zero",
        )
    if objective.sign * difference.mean - difference.half > 0:
        return msg(
            "studies.search_text.worse_than_now",
            title=title,
            value="" if not difference.half else " for sure",
        )
    return (
        f"{title}: "
        f"{'no difference' if not difference.half else 'it may be chance: the 95 % interval contains zero'}."
    )


def constraint_words(constraint: Constraint, estimate: Interval) -> str:
    """Whether a constraint holds on the seeds that nothing was chosen by."""
    unit, broken = MEASURES[constraint.metric].unit, constraint.violation(estimate.mean)
    verdict = (
        msg("studies.search_text.has_no_value")
        if isnan(estimate.mean)
        else "holds"
        if not broken
        else msg("studies.search_text.violated_by", amount=_amount(broken, unit))
    )
    return (
        f"{_title(constraint.metric)} {mean_words(estimate, constraint.metric)}: "
        f"{bound_words(constraint)} {verdict}."
    )


def nothing_words(result: SearchResult) -> list[str]:
    """Where no setting is feasible: what is nearest, and what it breaks."""
    if result.nearest is None:
        because = next(
            (constraint.because for constraint in result.trials), msg("studies.search_text.nothing_was_run")
        )
        return [msg("studies.search_text.none_tried_settings_gave_result", because=because)]
    trial, by_metric = result.nearest, dict(zip(result.search.metrics, result.nearest.values))
    lines = [msg("studies.search_text.no_setting_was_tried_holds_every", words=_words(result, trial))]
    for constraint, violation in zip(result.search.constraints, trial.violations):
        unit = MEASURES[constraint.metric].unit
        verdict = (
            msg("studies.search_text.violated_by_2", amount=_amount(violation, unit))
            if violation
            else "holds"
        )
        lines.append(
            f"  {_title(constraint.metric)} {_amount(by_metric[constraint.metric], unit)}, "
            f"{bound_words(constraint)}: {verdict}"
        )
    return lines


def curve_words(result: SearchResult) -> str:
    """What the trade-off curve is made of."""
    names = [f"{objective.better} {_title(objective.metric)}" for objective in result.search.objectives]
    seeds_phrase = next((words for setting in result.front if (words := over_words(setting))), "")
    if len(result.front) == 1:
        return msg(
            "studies.search_text.one_setting_best_in_both_and",
            names=names[0],
            names2=names[1],
            seeds_phrase=seeds_phrase,
        )
    return msg(
        "studies.search_text.settings_trade_for_no_other_was",
        front=len(result.front),
        names=names[0],
        names2=names[1],
        seeds_phrase=seeds_phrase,
    )


def front_table(result: SearchResult) -> list[str]:
    """A line a setting of the curve, its metrics and their difference from the present setting's."""
    objectives = result.search.objectives
    heads = [
        text
        for objective in objectives
        for text in (_title(objective.metric), msg("studies.search_text.than_now"))
    ] + ["setting"]
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
                else _amount(setting.trial.values[index], unit)
            )
            row.append(difference_words(difference, objective.metric) if difference else quantities.NO_VALUE)
        broken = [
            bound_words(objective)
            for objective in result.search.constraints
            if setting.holds(objective) is False
        ]
        rows.append(
            [
                *row,
                _words(result, setting.trial)
                + "".join(msg("studies.search_text.broken_on_fresh_seeds", words=words) for words in broken),
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
                msg(
                    "studies.search_text.instead_3",
                    name=name,
                    value=_value(trial.changed[dimension.path]),
                    without=without if present is None else _value(present),
                )
            )
    return ", ".join(changes)


def mean_words(interval: Interval, metric: str) -> str:
    """6 min 52 s ± 14 s; the mean alone where it is exact, or where nobody knows how sure it is."""
    return quantities.estimate(interval.mean, interval.half, MEASURES[metric].unit)


def difference_words(difference: Interval, metric: str) -> str:
    """−1 min 30 s ± 14 s."""
    return quantities.estimate(difference.mean, difference.half, MEASURES[metric].unit, is_difference=True)


def over_words(setting: ConfirmedTrial) -> str:
    """Over how many fresh seeds; "" where nothing is drawn."""
    count = max(difference.count for difference in setting.differences.values())
    return msg("studies.search_text.over_fresh_seeds", count=count) if count > 1 else ""


def bound_words(constraint: Constraint) -> str:
    """at most 60 s."""
    return (
        f"at {'least' if constraint.at_most is None else 'most'} "
        f"{_amount(constraint.bound, MEASURES[constraint.metric].unit)}"
    )


def _amount(value: float, unit: str) -> str:
    return quantities.amount(None if isnan(value) else value, unit)


def _comparison(result: SearchResult, setting: ConfirmedTrial, objective: Objective) -> str:
    metric = objective.metric
    estimate, difference, unit = setting.estimates[metric], setting.differences[metric], MEASURES[metric].unit
    present_mean = result.present.estimates[metric].mean
    if not difference.count:
        return f"{_title(metric)} {mean_words(estimate, metric)}"
    return msg(
        "studies.search_text.instead",
        title=_title(metric),
        amount=_amount(estimate.mean, unit),
        amount2=_amount(present_mean, unit),
        difference_words=difference_words(difference, metric),
    )


def _words(result: SearchResult, trial: Trial) -> str:
    return setting_words(result, trial) or msg("studies.search_text.current_setting")


def _title(metric: str) -> str:
    title = MEASURES[metric].title
    return title[:1].lower() + title[1:] if not title[1:2].isupper() else title


def _value(value: float | str) -> str:
    return value if isinstance(value, str) else quantities.number(value, exact=True)
