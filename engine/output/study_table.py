"""A study as a table for people: means with their intervals, paired differences, and who is best where, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence

from engine.analysis.metrics import Metric
from engine.output.study_words import about, axes, full_names, missing_lines, origin, value_text
from engine.output.text_columns import block_lines, blocks
from engine.studies.measures import MEASURES
from engine.studies.result import StudyResult
from engine.studies.statistics import Winner, best_points, corrected, differences, estimates, winners

MARK, UNMARKED = " *", "  "
UNSURE = "?"
MOST_NAMED = 6  # points that a sentence names one by one


def study_table(found: StudyResult, metrics: Sequence[str], width: int = 100) -> str:
    """Of each of these metrics a block of means, one of differences, the map of the winner where two parameters vary, and the answer in a sentence;
    then what has no numbers and why, and what makes the same numbers again."""
    study = found.study
    named = [f"{axis.label}: {axis.path}, {len(axis.values)} values" for axis in axes(study)]
    head = [study.name or study.scenario.get("name") or "Study", *named]
    parts = [head, *(lines for key in metrics for lines in _of(found, MEASURES[key], width))]
    notes = [*missing_lines(found), *(f"{name} is {full}" for name, full in full_names(study)), origin(study)]
    return "\n\n".join("\n".join(lines) for lines in [*parts, notes] if lines) + "\n"


def _of(found: StudyResult, metric: Metric, width: int) -> list[list[str]]:
    """The blocks of one metric."""
    study = found.study
    mean = estimates(found, metric.key)
    best = winners(found, metric.key)
    heads = [metric.title, *map(_point_text, study.points)]
    columns = []
    for place, name in enumerate(study.schedulers):
        marks = [MARK if one.is_clear and one.place == place else UNMARKED for one in best]
        cells = [about(metric, *numbers) + mark for *numbers, mark in zip(mean.mean[:, place].tolist(), mean.half[:, place].tolist(), marks)]
        columns.append([name + UNMARKED, *cells])
    lines = [block_lines(heads, block) for block in blocks(columns, width - max(map(len, heads)))]
    lines[-1] += _how_sure(found, any(one.is_clear for one in best))
    if len(study.schedulers) > 1:
        lines += _differences(found, metric, width)
        if len(study.vary) == 2 and metric.better:
            lines.append(_grid(found, metric, best))
    return [*lines, _answer(found, metric, best)]


def _how_sure(found: StudyResult, is_marked: bool) -> list[str]:
    study = found.study
    said = [f"± 95 % interval of each mean (Student's t, {study.seeds} seeds)"] if study.is_random and study.seeds > 1 else []
    if study.is_random and study.seeds == 1:
        said = ["one seed says nothing of how sure a mean is"]
    if not study.is_random:
        said = ["exact: nothing in this scenario is drawn; jitter gives durations a spread"]
    return said + ([f"{MARK.strip()} best beyond doubt at this point"] if is_marked else [])


def _differences(found: StudyResult, metric: Metric, width: int) -> list[list[str]]:
    """Of every scheduler to the first."""
    study = found.study
    comparisons = len(study.points) * (len(study.schedulers) - 1)
    gap = differences(found, metric.key, 0, comparisons)
    heads = ["Difference", *map(_point_text, study.points)]
    columns = []
    for place, name in list(enumerate(study.schedulers))[1:]:
        cells = [about(metric, *numbers, is_difference=True) for numbers in zip(gap.mean[:, place].tolist(), gap.half[:, place].tolist())]
        columns.append([f"{name} - {study.schedulers[0]}", *cells])
    lines = [block_lines(heads, block) for block in blocks(columns, width - max(map(len, heads)))]
    if study.is_random and study.seeds > 1:
        each = f"{100 * corrected(comparisons):.4g} % each, so that all {comparisons} hold at once with 95 % (Bonferroni)" if comparisons > 1 else "95 %"
        lines[-1].append(f"± paired on common seeds, {each}")
    return lines


def _grid(found: StudyResult, metric: Metric, best: Sequence[Winner]) -> list[str]:
    """Who is best where: the first parameter down, the second across; a mark of doubt where the interval of the difference meets zero."""
    first, second = axes(found.study)
    heads = [f"Best, {metric.title.lower()}, and its margin", *(value_text(value) for value in first.values)]
    cells = [_cell(found, metric, one) for one in best]
    rows = [cells[start : start + len(second.values)] for start in range(0, len(cells), len(second.values))]
    columns = [[value_text(value), *column] for value, column in zip(second.values, zip(*rows))]
    lines = block_lines(heads, columns)
    said = [f"down: {first.label}; across: {second.label}"]
    return lines + said + ([f"{UNSURE} not sure: another may be as good"] if any(one.place >= 0 and not one.is_clear for one in best) else [])


def _cell(found: StudyResult, metric: Metric, one: Winner) -> str:
    if one.place < 0:
        return "–"
    margin = about(metric, one.margin, one.half, is_difference=True).lstrip("+").partition(" ±")[0].partition(" ")[0]
    return f"{found.study.schedulers[one.place]} {margin}{'' if one.is_clear else UNSURE}"


def _answer(found: StudyResult, metric: Metric, best: Sequence[Winner]) -> list[str]:
    """Who is best, where, and how sure."""
    study = found.study
    if metric.better is None:
        return [f"{metric.title}: nobody says what is better"]
    lines = []
    if len(study.schedulers) > 1 and not study.vary:
        lines.append(_only(found, metric, best[0]))
    elif len(study.schedulers) > 1:
        parts = []
        for place, name in enumerate(study.schedulers):
            at = [point for point, one in enumerate(best) if one.is_clear and one.place == place]
            parts += [f"{name} is best beyond doubt at {_where(found, at)}"] if at else []
        unsure = [point for point, one in enumerate(best) if not one.is_clear]
        parts += [f"nobody is beyond doubt at {_where(found, unsure)}"] if unsure else []
        lines.append(f"{metric.title}: {'; '.join(parts)}.")
    if study.vary and len(study.points) > 1:
        at = best_points(found, metric.key)
        told = [f"{name} at {_point_text(study.points[point])}" for name, point in zip(study.schedulers, at) if point >= 0]
        without = [name for name, point in zip(study.schedulers, at) if point < 0]
        none = f"no value is best beyond doubt for {', '.join(without)}" if without else ""
        lines.append(f"Best value: {'; '.join(filter(None, (', '.join(told), none)))}.")
    return lines


def _only(found: StudyResult, metric: Metric, one: Winner) -> str:
    names = found.study.schedulers
    if one.place < 0:
        return f"{metric.title}: no scheduler has a number."
    if one.second < 0:
        return f"{metric.title}: only {names[one.place]} has numbers."
    margin = about(metric, one.margin, one.half, is_difference=True).lstrip("+")
    if one.is_clear:
        return f"{metric.title}: {names[one.place]} is best beyond doubt, {margin} before {names[one.second]}."
    return f"{metric.title}: nobody is best beyond doubt; {names[one.place]} is {margin} before {names[one.second]}."


def _where(found: StudyResult, points: Sequence[int]) -> str:
    """Points by their values; runs of neighbours by their ends, too many by their number."""
    study = found.study
    if len(points) == len(study.points):
        return f"all {len(points)} points" if len(points) > 1 else "the one point"
    if len(study.vary) > 1:
        return f"{len(points)} of {len(study.points)} points"
    spans: list[list[int]] = []
    for point in points:
        if spans and point == spans[-1][-1] + 1:
            spans[-1].append(point)
        else:
            spans.append([point])
    if len(spans) > MOST_NAMED:
        return f"{len(points)} of {len(study.points)} points"
    text = lambda point: _point_text(study.points[point])
    return ", ".join(text(span[0]) if len(span) == 1 else f"{text(span[0])} to {text(span[-1])}" for span in spans)


def _point_text(values: Sequence[float | str]) -> str:
    return ", ".join(map(value_text, values)) or "as it is"
