"""The lists of a scenario: node groups, queues and jobs, as lines with a form and as tables one edits like a
spreadsheet.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from itertools import groupby
from typing import Any

import dash_ag_grid as dag
from dash import html
from pydantic import BaseModel

from engine import Job, NodeGroup, Queue
from engine.dashboard import fields_without_meaning, stage_fields_without_meaning
from webapp.messages import msg
from webapp.panels.components import attributes, button
from webapp.panels.editor.fields import Entry, Group, entries, groups, help_text


@dataclass(frozen=True)
class Framework:
    """What a row may be of. key: the value of its field `framework`; adds: the button that adds such a row,
    with a sentence; fresh: a new one; words: what of fields it says in other words, by their paths.
    """

    key: str
    adds: str
    about: str
    fresh: dict[str, Any]
    words: dict[str, dict[str, str]] = field(default_factory=dict)

    def facts(self) -> dict:
        """What the page's scripts need to know of it, as JSON; lacks: paths of fields that it does not
        have.
        """
        lacks = fields_without_meaning(self.key)
        if "stages" not in lacks:
            lacks += [f"stages.{key}" for key in stage_fields_without_meaning(self.key)]
        return {"fresh": self.fresh, "lacks": lacks, "words": self.words}


@dataclass(frozen=True)
class Table:
    """A list of the scenario. key: its name on the page; one: a row; path: its JSON path; first: the fields
    that come first, before all others of the model in its order; adds: the button that adds a row; fresh: a
    new row; begins: the first row of a list that must have one; begins_with: that row in words; frameworks:
    what a row may be of, the first being the default.
    """

    key: str
    title: str
    one: str
    path: str
    model: type[BaseModel]
    first: tuple[str, ...]
    adds: str
    fresh: dict[str, Any]
    begins: dict[str, Any] | None = None
    begins_with: str = ""
    frameworks: tuple[Framework, ...] = ()

    def entries(self) -> list[Entry]:
        """The cells of a row, in order."""
        return entries(self.model, self.first)

    def groups(self) -> list[Group]:
        """The objects within a row."""
        return groups(self.model)

    def facts(self) -> dict:
        """What the page's scripts need to know of it, as JSON."""
        return {
            "title": self.title,
            "one": self.one,
            "path": self.path,
            "fields": [asdict(entry) for entry in self.entries()],
            "groups": [asdict(group) for group in self.groups()],
            "fresh": self.fresh,
            "begins": self.begins,
            "frameworks": {one.key: one.facts() for one in self.frameworks},
            "grid": grid(self).to_plotly_json(),
        }


NODE = {"memory_mb": 8192, "vcores": 8}
MAPS = {"count": 10, "memory_mb": 1024, "vcores": 1, "duration_s": 20}
REDUCES = {"count": 2, "memory_mb": 1024, "vcores": 1, "duration_s": 30}
MASTER = {"memory_mb": 1024, "vcores": 1}
STAGE = {"name": "stage1", "tasks": 20, "duration_s": 10}
SPARK = {
    "framework": "spark",
    "am": MASTER,
    "executors": {"memory_mb": 2048, "vcores": 2, "count": 4},
    "stages": [STAGE],
}
DAG = {"framework": "stages", "am": MASTER, "stages": [{**STAGE, "memory_mb": 1024, "vcores": 1}]}
TEZ = {"framework": "tez", "am": MASTER, "stages": [{**STAGE, "memory_mb": 1024, "vcores": 1}]}
HELD = {"name": "stage1", "tasks": 4, "memory_mb": 2048, "vcores": 1, "duration_s": 300}
DEMAND = {"framework": "demand", "stages": [HELD]}
DEMAND_WORDS = {
    "stages.tasks": {"title": "Containers", "help": msg("panels.tables.containers_held"), "unit": ""},
    "stages.duration_s": {
        "title": msg("panels.tables.held_for"),
        "help": msg("panels.tables.held_for_about"),
    },
}
WORK = ("maps", "reduces", "slowstart", "shuffle_mb_per_map")
REPETITION = ("count", "interval_s", "iterations")
TABLES = (
    Table(
        "nodes",
        "Nodes",
        msg("panels.tables.node_group"),
        "cluster.nodes",
        NodeGroup,
        ("name", "count", "memory_mb", "vcores", "speed"),
        msg("panels.tables.add_nodes"),
        {"count": 1, **NODE},
        {"count": 8, **NODE},
        msg("panels.tables.nodes_begin"),
    ),
    Table(
        "queues",
        "Queues",
        "queue",
        "queues",
        Queue,
        ("name", "weight", "capacity_pct", "max_capacity_pct", "policy"),
        msg("panels.tables.add_queue"),
        {"name": "root.queue"},
    ),
    Table(
        "jobs",
        "Jobs",
        "job",
        "jobs",
        Job,
        (
            "name",
            "queue",
            "arrival_s",
            *WORK,
            *REPETITION,
            "am",
            "executors",
            "containers",
            "pools",
            "stages",
        ),
        msg("panels.tables.add_job"),
        {"maps": MAPS},
        {"maps": MAPS, "reduces": REDUCES},
        msg("panels.tables.job_begins"),
        (
            Framework("mapreduce", msg("panels.tables.add_job"), "", {"maps": MAPS}),
            Framework("spark", msg("panels.tables.add_spark"), msg("panels.tables.spark_begins"), SPARK),
            Framework("tez", msg("panels.tables.add_tez"), msg("panels.tables.tez_begins"), TEZ),
            Framework("stages", msg("panels.tables.add_dag"), msg("panels.tables.dag_begins"), DAG),
            Framework(
                "demand",
                msg("panels.tables.add_demand"),
                msg("panels.tables.demand_begins"),
                DEMAND,
                DEMAND_WORDS,
            ),
        ),
    ),
)

THEME = (
    "themeQuartz.withParams({spacing: 5, fontSize: 13, headerFontSize: 12, headerFontWeight: 600, "
    "fontFamily: 'inherit', wrapperBorderRadius: 6, backgroundColor: 'var(--mantine-color-body)', "
    "foregroundColor: 'var(--mantine-color-text)', borderColor: 'var(--mantine-color-default-border)', "
    "accentColor: 'var(--mantine-primary-color-filled)', headerBackgroundColor: "
    "'var(--mantine-color-default-hover)', rowHeight: 30, columnBorder: true, cellHorizontalPadding: 7})"
)
EVERY_COLUMN = {
    "editable": True,
    "sortable": False,
    "resizable": True,
    "suppressMovable": True,
    "suppressHeaderMenuButton": True,
    "cellDataType": False,
    "wrapHeaderText": True,
    "suppressSpanHeaderHeight": True,  # else the pinned columns have a row of headings without any
    "cellEditor": "agTextCellEditor",
    "valueFormatter": {"function": "editorShown(params)"},
    "tooltipValueGetter": {"function": "editorTooltip(params)"},
    "suppressKeyboardEvent": {"function": "editorOwnKey(params)"},
    "cellClassRules": {
        "editor-empty": "editorIsEmpty(params)",
        "editor-fault": "editorIsFault(params)",
        "editor-is-assumed": "editorIsAssumed(params)",
    },
}
CHOICE_COLUMN = {
    "cellEditor": "agSelectCellEditor",
    "cellEditorParams": {"function": "editorChoices(params)"},
    "cellClass": "editor-choice",
    "singleClickEdit": True,
}
WIDTHS = {"text": 100, "queue": 106, "choice": 100, "duration": 116, "rows": 180}
PHASES = {
    "maps": "editor-phase editor-map",
    "reduces": "editor-phase editor-reduce",
    "am": "editor-phase editor-master",
}


def columns(table: Table) -> list[dict]:
    """AG Grid's column definitions; fields of an object within stand under its heading."""
    objects = {group.path: group for group in table.groups()}
    definitions = []
    for path, entries_ in groupby(table.entries(), key=lambda entry: entry.group):
        members = [_column(entry) for entry in entries_]
        if group := objects.get(path):
            head = {"headerName": group.title, "headerTooltip": group.help or group.title}
            members = [{**head, "headerClass": PHASES.get(path, ""), "children": members}]
        definitions += members
    return definitions


def _column(entry: Entry) -> dict:
    definition: dict[str, Any] = {
        "field": entry.path,
        "headerName": entry.heading,
        "headerTooltip": help_text(entry),
        "width": _width(entry),
    }
    if entry.kind == "rows":
        definition |= {"editable": False}
    if entry.path == "name":
        definition |= {"pinned": "left", "lockPinned": True}
    if entry.kind in ("whole", "number"):
        definition |= {"type": "rightAligned"}
    if entry.kind in ("queue", "choice"):
        definition |= CHOICE_COLUMN | {"context": entry.empty}
    return definition


def _width(entry: Entry) -> int:
    """Wide enough for the longest word of the head and for the head on two lines or three, in a wide typeface
    too, and for a usual value.
    """
    words = [9 * len(word) for word in entry.heading.split()]
    return max(WIDTHS.get(entry.kind, 70), 18 + max(words), 18 + 9 * len(entry.heading) // 2)


def grid(table: Table) -> dag.AgGrid:
    """The table over the whole page; it is made once it is opened, and scripts fill it."""
    options = {
        "theme": {"function": THEME},
        "context": {"table": table.key},
        "suppressFieldDotNotation": True,
        "rowSelection": {
            "mode": "multiRow",
            "checkboxes": True,
            "headerCheckbox": True,
            "enableClickSelection": False,
        },
        "selectionColumnDef": {
            "pinned": "left",
            "width": 34,
            "suppressHeaderMenuButton": True,
            "resizable": False,
        },
        "animateRows": False,
        "suppressHeaderFocus": True,
        "stopEditingWhenCellsLoseFocus": True,
        "enterNavigatesVerticallyAfterEdit": True,
        "tabToNextCell": {"function": "editorTab(params)"},
        "groupHeaderHeight": 26,
        "tooltipShowDelay": 250,
        "popupParent": {"function": "editorDialog()"},
        "suppressColumnVirtualisation": True,
        "suppressMultiSort": True,
        "localeText": {"noRowsToShow": msg("panels.tables.no_add_one_or_paste_rows", one=table.one)},
    }
    return dag.AgGrid(
        id=f"editor-{table.key}-grid",
        className="editor-grid",
        columnDefs=columns(table),
        defaultColDef=EVERY_COLUMN,
        rowData=[],
        getRowId="params.data.id",
        dashGridOptions=options,
        style={"height": "100%"},
    )


def dialog() -> html.Dialog:
    """Where a table opens; Escape and Close bring the page back."""
    head = [
        html.H2(id="editor-table-title"),
        action("add", "Add", msg("panels.tables.new_row_below_focused_one_insert")),
        action("duplicate", "Duplicate", msg("panels.tables.checked_rows_or_focused_one_once")),
        action("delete", "Delete", msg("panels.tables.checked_rows_or_focused_one_ctrl")),
        html.Span(className="editor-spring"),
        action("close", "Close", msg("panels.tables.back_to_page_escape")),
    ]
    return html.Dialog(
        [
            html.Div(head, className="editor-bar"),
            html.Div(id="editor-table-room", className="editor-room"),
            html.Div(id="editor-table-help", className="editor-help", role="status"),
            html.Div(id="editor-table-message", className="editor-message", role="status"),
        ],
        id="editor-table",
        className="editor-table",
        **attributes({"aria-labelledby": "editor-table-title"}),
    )


def action(name: str, label: Any, tip: str, **more: Any) -> html.Button:
    """A small button whose work a script does; `name` is what it does."""
    return button(label, {"data-action": name}, title=tip, className="editor-button", **more)
