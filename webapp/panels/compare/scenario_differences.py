"""What differs between a result and the other scenario that stands beside it: a line a change, in the words
of the editor's forms; the entries of lists are found by their names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import zip_longest
from typing import Any, NamedTuple

from dash import Dash, Input, Output, ctx, html, no_update
from pydantic import BaseModel

from engine import Scenario, quantities
from engine.dashboard import ApplicationStage, FieldDescription, describe_field, display_name, names_of
from webapp.messages import msg
from webapp.panels.components import button
from webapp.panels.editor.fields import empty_note, nested
from webapp.panels.sections import task_of_tab
from webapp.report import summary_text
from webapp.runs.task import Task

MAX_NAMES = 3  # of entries that are changed alike, in one line
FIRST_LINES = 50  # of the panel, until all are asked for
NOTICE_LINES = 12
MAX_VALUES = 6  # of a list of numbers
MAX_CACHED = 4
IDENTICAL = msg("shared.scenarios_do_not_differ")


class Entries(NamedTuple):
    """A list of the scenario. many: what they are; stem: of the names of entries without one, numbered."""

    many: str
    stem: str = ""
    key: str = "name"


LISTS = {
    "nodes": Entries(msg("panels.scenario_differences.node_groups"), "node"),
    "outages": Entries("Outages", key="node"),
    "queues": Entries("Queues"),
    "users": Entries("Users"),
    "jobs": Entries("Jobs", "job"),
}
OWN_LINES = {*LISTS, "cluster", "measured", "version"}  # what the walk through the fields leaves to others


Named = tuple[str, int]  # an entry's name, and the how manyeth of that name it is


class Change(NamedTuple):
    """A field's name in a sentence, and both of its values as text."""

    name: str
    before: str
    after: str


@lru_cache(maxsize=MAX_CACHED)
def task_differences(task: Task, max_names: int | None = MAX_NAMES) -> tuple[str, ...]:
    """From the scenario that a task is compared with to its own; empty where there is none."""
    if task.pinned is None:
        return ()
    schedulers = [names_of(one.schedulers) for one in (task.pinned, task)]
    texts = [", ".join(map(display_name, names)) for names in schedulers]
    lines = (
        [_line("Schedulers", Change("schedulers", *texts))]
        if set(schedulers[0]) != set(schedulers[1])
        else []
    )
    return (*lines, *scenario_differences(task.pinned.scenario, task.scenario, max_names))


def scenario_differences(before: Scenario, after: Scenario, max_names: int | None = MAX_NAMES) -> list[str]:
    """A line a change. max_names: of entries that are changed alike; None for all."""
    clusters = before.cluster, after.cluster
    lines = [_line("Cluster", change) for change in _changes(*clusters)]
    if len(before.cluster.nodes) == len(after.cluster.nodes) == 1:
        pair = before.cluster.nodes[0], after.cluster.nodes[0]
        lines += [_line("Nodes", change) for change in _changes(*pair)]
    else:
        lines += _list_lines("nodes", *clusters, max_names)
    lines += _list_lines("outages", *clusters, max_names)
    lines += _list_lines("queues", before, after, max_names)
    queues = {old: new for (old, _), (new, _) in _renamed("queues", before, after).items()}
    jobs = [job.model_copy(update={"queue": queues.get(job.queue, job.queue)}) for job in before.jobs]
    lines += _list_lines("users", before, after, max_names)
    # a job that followed its queue's name has not moved
    lines += _list_lines("jobs", before.model_copy(update={"jobs": jobs}), after, max_names)
    if before.measured != after.measured:
        lines.append(msg("panels.scenario_differences.recorded_run"))
    return [*lines, *(_line("Scenario", change) for change in _changes(before, after))]


def _list_lines(key: str, before: BaseModel, after: BaseModel, max_names: int | None) -> Iterator[str]:
    """Of one list: what is renamed, removed and added, what is changed, whether the order is another."""
    nouns = LISTS[key]
    old, new = (_by_name(getattr(owner, key), nouns) for owner in (before, after))
    yield from _name_lines(key, before, after, max_names)
    both = [name for name in new if name in old]
    changed: dict[Change, list[Named]] = {}
    for name in both:
        if old[name] != new[name]:
            for change in _changes(old[name], new[name], skipped=nouns.key):
                changed.setdefault(change, []).append(name)
    for change, names in changed.items():
        is_all = 1 < len(names) == len(new)
        every = msg("panels.scenario_differences.all", count=f"{len(names):,}", entries=nouns.many.lower())
        yield _line(every if is_all else _subject(nouns, names, max_names), change)
    if both != [name for name in old if name in new]:
        yield msg("panels.scenario_differences.order", entries=nouns.many)


def _name_lines(key: str, before: BaseModel, after: BaseModel, max_names: int | None) -> Iterator[str]:
    """Of one list: what is renamed, removed and added."""
    nouns, renamed = LISTS[key], _renamed(key, before, after)
    old, new = (_by_name(getattr(owner, key), nouns) for owner in (before, after))
    if renamed:
        names = _names_text(list(renamed.values()), max_names)
        subject = _subject(nouns, list(renamed), max_names)
        yield msg("panels.scenario_differences.renamed", subject=subject, names=names)
    if removed := [name for name in old if name not in new and name not in renamed]:
        yield msg("panels.scenario_differences.removed", subject=_subject(nouns, removed, max_names))
    known = set(renamed.values())
    if added := [name for name in new if name not in old and name not in known]:
        yield msg("panels.scenario_differences.added", subject=_subject(nouns, added, max_names))


def _renamed(key: str, before: BaseModel, after: BaseModel) -> dict[Named, Named]:
    """Of one list the entries that have another name and are alike in all else: the new name by the old."""
    nouns = LISTS[key]
    if nouns.key != "name":
        return {}  # of an outage the node is more than a name
    old, new = (_by_name(getattr(owner, key), nouns) for owner in (before, after))
    added: dict[str, list[Named]] = {}
    for name in reversed([name for name in new if name not in old]):
        added.setdefault(new[name].model_dump_json(exclude={"name"}), []).append(name)
    removed = (
        (name, entry.model_dump_json(exclude={"name"})) for name, entry in old.items() if name not in new
    )
    return {name: added[alike].pop() for name, alike in removed if added.get(alike)}


def _by_name(entries: Sequence[Any], nouns: Entries) -> dict[Named, Any]:
    """The entries by their names."""
    found: dict[Named, Any] = {}
    counts: Counter[str] = Counter()
    for index, entry in enumerate(entries):
        name = getattr(entry, nouns.key) or f"{nouns.stem}{index + 1}"
        counts[name] += 1
        found[name, counts[name]] = entry
    return found


def _subject(nouns: Entries, named: Sequence[Named], max_names: int | None) -> str:
    """ "Job wc1", "Jobs wc1, wc2, wc3 and 5 more"."""
    many = nouns.many if len(named) > 1 else nouns.many.removesuffix("s")
    return f"{many} {_names_text(named, max_names)}"


def _names_text(named: Sequence[Named], max_names: int | None) -> str:
    names = [name for name, _ in named]
    shown = names[:max_names]
    if (more := len(names) - len(shown)) > 1:
        return msg("panels.scenario_differences.and_more", names=", ".join(shown), more=more)
    return summary_text.join_names(names)


def _line(subject: str, change: Change) -> str:
    name = "" if change.name == subject.lower() else f" {change.name}"
    return f"{subject}:{name} {change.before} → {change.after}"


def _changes(
    before: BaseModel,
    after: BaseModel,
    owner: tuple[str, FieldDescription] | None = None,
    skipped: str = "",
) -> Iterator[Change]:
    """Of the fields of one object and of those within; owner: the field that holds it; skipped: a field by
    whose value the two were found.
    """
    for key, words, is_object, empty in _fields(type(after)):
        old, new = getattr(before, key), getattr(after, key)
        if key == skipped or old == new:
            continue
        if not is_object:
            name = owner[1].nested_name(owner[0], words) if owner else words.name
            texts = _value_texts(old, new, words, empty)
            if texts[0] != texts[1]:
                yield Change(name, *texts)
        elif old is None or new is None:
            given = words.heading if words.heading.lower() != words.name else words.name
            yield Change(given, _object_text(old), _object_text(new))
        else:
            yield from _changes(old, new, (key, words))


@cache
def _fields(model: type[BaseModel]) -> list[tuple[str, FieldDescription, bool, str]]:
    """Of each field its key, its words, whether it holds an object, and what it says without a value."""
    return [
        (key, describe_field(key, field), nested(field) is not None, empty_note(field))
        for key, field in model.model_fields.items()
        if key not in OWN_LINES
    ]


def _object_text(value: BaseModel | None) -> str:
    """All that an object holds: "4, memory 1 GB, vcores 1"."""
    if value is None:
        return msg("shared.none")
    parts = []
    for key, words, is_object, _ in _fields(type(value)):
        held = getattr(value, key)
        if held is not None:
            text = _object_text(held) if is_object else _value_text(held, words.unit, "")
            parts.append(text if key == "count" else f"{words.name} {text}")
    return ", ".join(parts)


def _value_texts(old: Any, new: Any, words: FieldDescription, empty: str) -> tuple[str, str]:
    """Both values, to as many digits as tell them apart; times to the millisecond, finer is no difference."""
    texts = _value_text(old, words.unit, empty), _value_text(new, words.unit, empty)
    if texts[0] != texts[1] or (words.unit in ("s", "ms") and not isinstance(new, BaseModel)):
        return texts
    old_list, new_list = (
        value if isinstance(value, list) else getattr(value, "values", None) for value in (old, new)
    )
    if old_list and new_list:
        count = sum(one != other for one, other in zip_longest(old_list, new_list))
        return texts[0], msg("panels.scenario_differences.other_values", count=f"{count:,}")
    return f"{old} {words.unit}".rstrip(), f"{new} {words.unit}".rstrip()


def _value_text(value: Any, unit: str, empty: str) -> str:
    """A value with its unit, unless that is what the field's name counts."""
    if value is None:
        return empty or msg("shared.none")
    if isinstance(value, BaseModel):
        return summary_text.duration_text(value.model_dump())
    if isinstance(value, list):
        ending = ["…"] if len(value) > MAX_VALUES else []
        return ", ".join([*map(_item_text, value[:MAX_VALUES]), *ending])
    if isinstance(value, str):
        return value or quantities.NO_VALUE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if unit in ("s", "ms"):
        return quantities.duration(value * (1000 if unit == "s" else 1), exact=True)
    if unit == "MB":
        return quantities.memory(value, exact=True)
    return quantities.number(value, exact=True) + (f" {unit}" if unit in ("%", "x", "MB/s") else "")


def _item_text(item: Any) -> str:
    """Of a list a number, a name, or a stage: "join 120 × 15 s after read"."""
    if not isinstance(item, ApplicationStage):
        return item if isinstance(item, str) else f"{item:g}"
    duration = _value_text(item.duration_s, "s", "")
    stage = {"name": item.name or "", "tasks": f"{item.tasks:,}", "duration": duration}
    if not item.after:
        return msg("panels.scenario_differences.stage", **stage).strip()
    after = summary_text.join_names(item.after)
    return msg("panels.scenario_differences.stage_after", after=after, **stage).strip()


def layout() -> html.Section:
    """Room for the list, in the tab of differences."""
    return html.Section(
        [
            html.Div(id="scenario-differences-room"),
            button(msg("panels.scenario_differences.show_all"), id="all-differences", hidden=True),
        ],
        id="scenario-differences",
    )


def content(task: Task, is_all: bool) -> tuple[list[Any], bool]:
    """The list, or its first lines and names; whether that is all."""
    if task.pinned is None:
        return [], True
    lines = task_differences(task, None if is_all else MAX_NAMES)
    shown = lines if is_all else lines[:FIRST_LINES]
    of = task.pinned.scenario.name or msg("shared.untitled")
    title = html.H3(msg("panels.scenario_differences.compared_with", name=of))
    if not lines:
        return [title, html.P(IDENTICAL)], True
    cut = [msg("panels.scenario_differences.first_of", shown=len(shown), lines=len(lines))]
    says = html.P(cut if len(shown) < len(lines) else [], className="help")
    return [title, html.Ul([html.Li(line) for line in shown]), says], shown == task_differences(task, None)


def register(app: Dash) -> None:
    """The callback that fills it while its tab is open."""

    @app.callback(
        Output("scenario-differences-room", "children"),
        Output("all-differences", "hidden"),
        Input("open-difference", "data"),
        Input("all-differences", "n_clicks"),
        prevent_initial_call=True,
    )
    def fill(key: str | None, _clicks: Any):
        task = task_of_tab(key)
        return [no_update] * 2 if task is None else content(task, ctx.triggered_id == "all-differences")
