"""What a search found in sentences: which setting, how much better than the present one, how sure, and what it costs of the constraints."""

from __future__ import annotations

from math import isnan

from engine.studies.measures import MEASURES
from engine.studies.search_result import Found, Interval, SearchResult, Trial
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
    of = f"all {_count(len(trials), 'setting')}" if result.is_everything else f"{len(trials):,} of {_count(search.space.size, 'setting')}{ended}"
    refused = [one for one in trials if one.because]
    said = f"Tried {of}, each over {_count(search.seeds, 'seed')} where anything is drawn: {result.feasible:,} feasible"
    said += f", {len(trials) - result.feasible - len(refused):,} beyond a constraint" if search.constraints else ""
    return said + (f", {len(refused):,} without an answer, such as {_words(result, refused[0])}: {refused[0].because}" if refused else "") + "."


def answer_words(result: SearchResult, found: Found) -> list[str]:
    """A setting, its objectives beside the present setting's, how sure that is, and its constraints: a sentence each."""
    if not found.estimates:
        metric = result.search.objectives[0].metric
        there, now = (amount(trial.values[0], MEASURES[metric].unit) for trial in (found.trial, result.trials[0]))
        beside = f" instead of {now}" if found.trial.number else ""
        return [f"{_words(result, found.trial)}: {_title(metric)} {there}{beside} on the seeds that chose it; it was not run on others."]
    if found.trial.number == 0:
        lines = ["Nothing that was tried is better than the present setting."]
        lines += [f"{_title(one.metric)} {mean_words(found.estimates[one.metric], one.metric)}." for one in result.search.objectives]
    else:
        parts = [_beside(result, found, one) for one in result.search.objectives]
        lines = [f"{_words(result, found.trial)}: {'; '.join(parts)}{over_words(found)}.", *(sure_words(found, one) for one in result.search.objectives)]
    if found.missing:
        lines.append(f"On {found.missing:,} of the fresh seeds it has no value.")
    return lines + [constraint_words(one, found.estimates[one.metric]) for one in result.search.constraints]


def sure_words(found: Found, objective: Objective) -> str:
    """Whether a difference may be luck."""
    apart, title = found.differences[objective.metric], _title(objective.metric)
    if not apart.count:
        return f"{title}: the present setting has none to compare with."
    if isnan(apart.half):
        return f"{title}: one pair of runs says nothing of how sure that is."
    if found.is_surely_better(objective):
        return f"{title}: better{', and exactly so, as nothing is drawn' if not apart.half else ' for sure: the 95 % interval leaves out zero'}."
    if objective.sign * apart.mean - apart.half > 0:
        return f"{title}: worse than at present{'' if not apart.half else ' for sure'}."
    return f"{title}: {'no difference' if not apart.half else 'it may be luck, as zero lies within the 95 % interval'}."


def constraint_words(constraint: Constraint, known: Interval) -> str:
    """Whether a constraint holds on the seeds that nothing was chosen by."""
    unit, broken = MEASURES[constraint.metric].unit, constraint.violation(known.mean)
    verdict = "has no value" if isnan(known.mean) else "holds" if not broken else f"is broken by {amount(broken, unit)}"
    return f"{_title(constraint.metric)} {mean_words(known, constraint.metric)}: {bound_words(constraint)} {verdict}."


def nothing_words(result: SearchResult) -> list[str]:
    """Where no setting is feasible: what is nearest, and what it breaks."""
    if result.nearest is None:
        because = next((one.because for one in result.trials), "nothing was run")
        return [f"No setting that was tried has an answer: {because}."]
    near, of = result.nearest, dict(zip(result.search.metrics, result.nearest.values))
    lines = [f"No setting that was tried holds every constraint; the nearest is {_words(result, near)}:"]
    for one, violation in zip(result.search.constraints, near.violations):
        unit = MEASURES[one.metric].unit
        verdict = f"broken by {amount(violation, unit)}" if violation else "holds"
        lines.append(f"  {_title(one.metric)} {amount(of[one.metric], unit)}, {bound_words(one)}: {verdict}")
    return lines


def curve_words(result: SearchResult) -> str:
    """What the trade-off curve is made of."""
    names = [f"{one.better} {_title(one.metric)}" for one in result.search.objectives]
    over = next((words for found in result.front if (words := over_words(found))), "")
    if len(result.front) == 1:
        return f"One setting is best in both, {names[0]} and {names[1]}{over}:"
    return f"{len(result.front)} settings trade {names[0]} for {names[1]}: no other that was tried is better in one and no worse in the other{over}."


def front_table(result: SearchResult) -> list[str]:
    """A line a setting of the curve, its metrics and their difference from the present setting's."""
    objectives = result.search.objectives
    heads = [text for one in objectives for text in (_title(one.metric), "than now")] + ["setting"]
    rows = []
    for found in result.front:
        row = []
        for place, one in enumerate(objectives):
            unit, known, apart = MEASURES[one.metric].unit, found.estimates.get(one.metric), found.differences.get(one.metric)
            row.append(mean_words(known, one.metric) if known else amount(found.trial.values[place], unit))
            row.append(difference_words(apart, one.metric) if apart else BLANK)
        broken = [bound_words(one) for one in result.search.constraints if found.holds(one) is False]
        rows.append([*row, _words(result, found.trial) + "".join(f"; {words} is broken on the fresh seeds" for words in broken)])
    widths = [max(len(row[place]) for row in (heads, *rows)) for place in range(len(heads) - 1)]
    return ["  ".join([*(text.rjust(width) for text, width in zip(row, widths)), row[-1]]) for row in (heads, *rows)]


def setting_words(result: SearchResult, trial: Trial) -> str:
    """jobs[*].slowstart 0.8 instead of 0.05, fair instead of fifo; "" for the present setting."""
    space, found = result.search.space, []
    for one, present, without in zip(space.dimensions, space.present, space.without):
        if one.path in trial.changed:
            name = "" if one.path == SCHEDULER else f"{one.path} "
            found.append(f"{name}{_value(trial.changed[one.path])} instead of {without if present is None else _value(present)}")
    return ", ".join(found)


def mean_words(known: Interval, metric: str) -> str:
    """412 ± 14 s; the mean alone where it is exact, or where nobody knows how sure it is."""
    unit = MEASURES[metric].unit
    if not known.half or isnan(known.half) or isnan(known.mean):
        return amount(known.mean, unit)
    digits = _digits(known.half, unit)
    number, unit = amount(known.mean, unit, digits).rsplit(" ", 1)
    return f"{number} {PLUS_MINUS} {amount(known.half, MEASURES[metric].unit, digits).rsplit(' ', 1)[0]} {unit}"


def difference_words(apart: Interval, metric: str) -> str:
    """-90 ± 14 s."""
    return ("+" if apart.mean > 0 else "") + mean_words(apart, metric)


def over_words(found: Found) -> str:
    """Over how many fresh seeds; "" where nothing is drawn."""
    count = max(one.count for one in found.differences.values())
    return f" over {count} fresh seeds" if count > 1 else ""


def bound_words(constraint: Constraint) -> str:
    """at most 60 s."""
    return f"at {'least' if constraint.at_most is None else 'most'} {amount(constraint.bound, MEASURES[constraint.metric].unit)}"


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


def _beside(result: SearchResult, found: Found, objective: Objective) -> str:
    metric = objective.metric
    known, apart, unit = found.estimates[metric], found.differences[metric], MEASURES[metric].unit
    then = result.present.estimates[metric].mean
    if not apart.count:
        return f"{_title(metric)} {mean_words(known, metric)}"
    return f"{_title(metric)} {amount(known.mean, unit)} instead of {amount(then, unit)}, {difference_words(apart, metric)}"


def _words(result: SearchResult, trial: Trial) -> str:
    return setting_words(result, trial) or "the present setting"


def _title(metric: str) -> str:
    title = MEASURES[metric].title
    return title[:1].lower() + title[1:] if not title[1:2].isupper() else title


def _value(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.12g}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
