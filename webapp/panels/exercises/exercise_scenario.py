"""An exercise's scenario in a sentence and small tables; what of it may be changed is marked."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from dash import html

from engine import Scenario, quantities
from engine.dashboard import Exercise, Question, guides
from webapp.messages import msg
from webapp.panels.components import attributes, policy_address
from webapp.panels.papers.pieces import column_heads, region
from webapp.report.summary_text import duration_text

DEFAULT_QUEUE = "root.default"
MAX_VALUES = 8  # durations of tasks told one by one
ENTRY = re.compile(r"(?P<list>cluster\.nodes|queues|jobs)\[(?P<place>\d+|\*)\]\.(?P<key>\w+)")

Changes = dict[str, set[str]]  # the fields of a list that may be changed, by an entry's place, "*" for all


class Column(NamedTuple):
    """Of a table of entries. keys: the fields it tells; text: of an entry's JSON values, "" where it has
    nothing of it; a column without any is left out.
    """

    title: str
    keys: tuple[str, ...]
    text: Callable[[dict[str, Any]], str]


def layout(exercise: Exercise, question: Question) -> html.Section:
    """Beside the question."""
    scenario = exercise.checked_scenario
    values, can_change = scenario.model_dump(), _can_change(exercise)
    tables = [
        region(title, html.Table(rows(columns, entries, can_change.get(key, {}))), "exercise-table")
        for title, rows, columns, key, entries in (
            ("Nodes", _table, NODE_COLUMNS, "cluster.nodes", values["cluster"]["nodes"]),
            ("Queues", _table, QUEUE_COLUMNS, "queues", values["queues"]),
            ("Jobs", _list, JOB_COLUMNS, "jobs", values["jobs"]),
        )
        if entries
    ]
    title = html.H2("Scenario", id="exercise-scenario-title")
    names = [piece for name in exercise.schedulers for piece in (", ", _scheduler(name))][1:]
    schedulers = html.P([msg("panels.exercise_scenario.under"), *names, "."])
    content = [
        title,
        html.P(f"{_heartbeat(scenario)} {_fetching(scenario)}".strip()),
        schedulers,
        *tables,
        _locks(exercise, question),
    ]
    label = attributes({"aria-labelledby": "exercise-scenario-title"})
    return html.Section(content, className="exercise-scenario card", **label)


def _scheduler(name: str) -> html.A | html.Code:
    """By its name, which leads to its page if it has one."""
    return html.A(name, href=policy_address(name)) if name in guides() else html.Code(name)


def _heartbeat(scenario: Scenario) -> str:
    number = sum(group.count for group in scenario.cluster.nodes)
    nodes = quantities.count(number, "nodes")
    if not scenario.cluster.heartbeat_ms:
        if number == 1:
            return msg("panels.exercise_scenario.node_at_once", nodes=nodes)
        return msg("panels.exercise_scenario.nodes_at_once", nodes=nodes)
    every = quantities.duration(scenario.cluster.heartbeat_ms)
    if number == 1:
        return msg("panels.exercise_scenario.node_heartbeat", nodes=nodes, every=every)
    return msg("panels.exercise_scenario.nodes_heartbeat", nodes=nodes, every=every)


def _fetching(scenario: Scenario) -> str:
    """How fast a reduce fetches, where one has something to fetch."""
    if not any(job.reduces and job.shuffle_mb_per_map for job in scenario.jobs):
        return ""
    return msg("panels.exercise_scenario.fetches", rate=f"{scenario.cluster.shuffle_mb_s:g} MB/s")


def _locks(exercise: Exercise, question: Question) -> html.P:
    """What may be changed, by the titles of the form's fields; all else is locked."""
    if exercise.task.kind != "reach":
        return html.P(msg("panels.exercise_scenario.all_locked"), className="quiet")
    names = ", ".join(field.title for field in question.fields)
    return html.P(msg("panels.exercise_scenario.may_change", names=names), className="quiet")


def _can_change(exercise: Exercise) -> dict[str, Changes]:
    """The fields that may be changed, by their list."""
    found: dict[str, Changes] = {}
    for change in exercise.change:
        if exercise.task.kind == "reach" and (entry := ENTRY.match(change.path)):
            found.setdefault(entry["list"], {}).setdefault(entry["place"], set()).add(entry["key"])
    return found


def _table(columns: Sequence[Column], entries: Sequence[dict[str, Any]], can_change: Changes) -> list:
    """A row an entry, without the columns that no entry has anything of."""
    cells = [_cells(columns, entry, place, can_change) for place, entry in enumerate(entries)]
    shown = [place for place in range(len(columns)) if any(row[place] for row in cells)]
    body = [
        html.Tr(
            [
                html.Th(row[0], scope="row"),
                *(html.Td(row[place] or quantities.NO_VALUE) for place in shown[1:]),
            ]
        )
        for row in cells
    ]
    return [column_heads(columns[place].title for place in shown), html.Tbody(body)]


def _list(columns: Sequence[Column], entries: Sequence[dict[str, Any]], can_change: Changes) -> list:
    """The same of entries with much to tell: a row an entry, in it a line for each column but the first."""
    body = []
    for place, entry in enumerate(entries):
        name, *rest = _cells(columns, entry, place, can_change)
        lines = [
            html.Div([html.Span(column.title), html.Span(cell)])
            for column, cell in zip(columns[1:], rest, strict=True)
            if cell
        ]
        body.append(html.Tr([html.Th(name, scope="row"), html.Td(lines, className="exercise-lines")]))
    return [column_heads((columns[0].title, msg("panels.exercise_scenario.tasks"))), html.Tbody(body)]


def _cells(columns: Sequence[Column], entry: dict[str, Any], place: int, can_change: Changes) -> list[list]:
    """What each column says of an entry, nothing where it has nothing of it; with a mark where that may be
    changed.
    """
    free = can_change.get("*", set()) | can_change.get(str(place), set())
    cells = []
    for column in columns:
        text = column.text({**entry, "place": place})
        mark = html.Span(msg("panels.exercise_scenario.can_change"), className="badge")
        cells.append([text, *([" ", mark] if free & set(column.keys) else [])] if text else [])
    return cells


def _named(kind: str) -> Callable[[dict[str, Any]], str]:
    """The name of an entry and how many there are of it."""

    def text(entry: dict[str, Any]) -> str:
        name = entry["name"] or f"{kind}{entry['place'] + 1}"
        return f"{entry['count']:,} × {name}" if entry["count"] > 1 else name

    return text


def _stage(key: str) -> Callable[[dict[str, Any]], str]:
    def text(job: dict[str, Any]) -> str:
        stage = job[key]
        if not stage or not stage["count"]:
            return ""
        return msg(
            "panels.exercise_scenario.stage",
            count=f"{stage['count']:,}",
            duration=_duration(stage["duration_s"]),
            size=_size(stage),
        )

    return text


def _duration(value: Any) -> str:
    """All of a short list of values, for they may be what is asked about; of a long one its range."""
    listed = value.get("values", ()) if isinstance(value, dict) else ()
    if not listed:
        return duration_text(value)
    if len(listed) <= MAX_VALUES:
        return f"{', '.join(f'{one:g}' for one in listed)} s"
    return msg("panels.exercise_scenario.spread", low=f"{min(listed):g}", high=f"{max(listed):g}")


def _size(entry: dict[str, Any]) -> str:
    return f"{quantities.memory(entry['memory_mb'])}, {quantities.vcores(entry['vcores'])}"


def _unless(key: str, default: Any, text: Callable[[Any], str]) -> Callable[[dict[str, Any]], str]:
    """A field's text where it is not its default."""
    return lambda entry: "" if entry[key] in (None, default) else text(entry[key])


def _arrival(job: dict[str, Any]) -> str:
    at = quantities.moment(round(1000 * job["arrival_s"]))
    if job["count"] == 1:
        return at
    if job["interval_s"] == 0:
        return msg("panels.exercise_scenario.together", at=at)
    return msg("panels.exercise_scenario.every", at=at, interval=duration_text(job["interval_s"]))


_plain = "{:g}".format
NODE_COLUMNS = (
    Column("Nodes", ("name", "count"), _named("node")),
    Column("Memory", ("memory_mb",), lambda node: quantities.memory(node["memory_mb"])),
    Column("Vcores", ("vcores",), lambda node: f"{node['vcores']:,}"),
    Column("Rack", ("rack",), _unless("rack", None, str)),
    Column("Speed", ("speed",), _unless("speed", 1, "{:g} x".format)),
    Column("Joins", ("joins_s",), _unless("joins_s", 0, lambda at: quantities.moment(round(1000 * at)))),
)
QUEUE_COLUMNS = (
    Column("Queue", (), lambda queue: queue["name"]),
    Column("Weight", ("weight",), lambda queue: _plain(queue["weight"])),
    Column("Guaranteed", ("capacity_pct",), _unless("capacity_pct", None, "{:g} %".format)),
    Column("At most", ("max_capacity_pct",), _unless("max_capacity_pct", None, "{:g} %".format)),
    Column("Jobs at once", ("max_running_apps",), _unless("max_running_apps", None, str)),
)
JOB_COLUMNS = (
    Column("Job", ("name", "count"), _named("job")),
    Column("Arrives", ("arrival_s", "interval_s"), _arrival),
    Column("Queue", ("queue",), _unless("queue", DEFAULT_QUEUE, str)),
    Column("Master", ("am",), lambda job: _size(job["am"]) if job["am"] else ""),
    Column("Maps", ("maps",), _stage("maps")),
    Column("Reduces", ("reduces",), _stage("reduces")),
    Column("Map output", ("shuffle_mb_per_map",), _unless("shuffle_mb_per_map", 0, "{:g} MB".format)),
    Column("Slow start", ("slowstart",), lambda job: _plain(job["slowstart"]) if job["reduces"] else ""),
    Column("Weight", ("weight",), _unless("weight", 1, _plain)),
    Column("Priority", ("priority",), _unless("priority", 0, str)),
    Column("Iterations", ("iterations",), _unless("iterations", 1, str)),
)
