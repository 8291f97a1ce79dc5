"""The tables one edits like a spreadsheet: columns made from the scenario's models, and the grids that show them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

import dash_ag_grid as dag
import dash_mantine_components as dmc
from dash import html
from pydantic import BaseModel

from engine import Job, NodeGroup, Queue
from webapp.panels.editor.fields import Entry, Group, entries, groups, help_text


@dataclass(frozen=True)
class Table:
    """A list of the scenario as a table. key: its name on the page; path: its JSON path; first: the fields that come first, before all others of the
    model in its order; fresh: a new row."""

    key: str
    title: str
    one: str
    path: str
    model: type[BaseModel]
    first: tuple[str, ...]
    fresh: dict[str, Any]

    def entries(self) -> list[Entry]:
        """The cells of a row, in order."""
        return entries(self.model, self.first)

    def facts(self) -> dict:
        """What the page's scripts need to know of it, as JSON."""
        return {
            "title": self.title,
            "one": self.one,
            "path": self.path,
            "fields": [asdict(entry) for entry in self.entries()],
            "groups": [asdict(group) for group in groups(self.model)],
            "fresh": self.fresh,
        }


TASK = {"memory_mb": 1024, "vcores": 1, "duration_s": 20}
TABLES = (
    Table(
        "nodes",
        "Nodes",
        "node group",
        "cluster.nodes",
        NodeGroup,
        ("name", "count", "memory_mb", "vcores", "speed"),
        {"count": 1, "memory_mb": 8192, "vcores": 8},
    ),
    Table(
        "queues",
        "Queues",
        "queue",
        "queues",
        Queue,
        ("name", "weight", "capacity_pct", "max_capacity_pct", "policy"),
        {"name": "root.queue"},
    ),
    Table(
        "jobs",
        "Jobs",
        "job",
        "jobs",
        Job,
        ("name", "queue", "arrival_s", "maps", "reduces", "slowstart", "shuffle_mb_per_map", "count", "interval_s", "iterations", "am"),
        {"maps": {"count": 10, **TASK}},
    ),
)

THEME = (
    "themeQuartz.withParams({spacing: 5, fontSize: 13, headerFontSize: 12, headerFontWeight: 600, fontFamily: 'inherit', wrapperBorderRadius: 6,"
    " backgroundColor: 'var(--mantine-color-body)', foregroundColor: 'var(--mantine-color-text)', borderColor: 'var(--mantine-color-default-border)',"
    " accentColor: 'var(--mantine-primary-color-filled)', headerBackgroundColor: 'var(--mantine-color-default-hover)', rowHeight: 30, headerHeight: 36,"
    " columnBorder: true, cellHorizontalPadding: 7})"
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
    "cellClassRules": {"editor-empty": "editorIsEmpty(params)", "editor-fault": "editorIsFault(params)", "editor-ours": "editorIsOurs(params)"},
}
WIDTHS = {"text": 100, "queue": 106, "choice": 100, "duration": 116}
PHASES = {"maps": "editor-phase editor-map", "reduces": "editor-phase editor-reduce", "am": "editor-phase editor-master"}


def columns(table: Table) -> list[dict]:
    """AG Grid's column definitions; fields of an object within stand under its heading."""
    titles = {group.path: group for group in groups(table.model)}
    found = []
    for path, members in groupby(table.entries(), key=lambda entry: entry.group):
        made = [_column(entry) for entry in members]
        found += [_heading(titles[path], made)] if path else made
    return found


def _heading(group: Group, members: list[dict]) -> dict:
    return {"headerName": group.title, "headerTooltip": group.help or group.title, "headerClass": PHASES.get(group.path, ""), "children": members}


def _column(entry: Entry) -> dict:
    definition: dict[str, Any] = {"field": entry.path, "headerName": entry.heading, "headerTooltip": help_text(entry), "width": _width(entry)}
    if entry.path == "name":
        definition |= {"pinned": "left", "lockPinned": True}
    if entry.kind in ("whole", "number"):
        definition |= {"type": "rightAligned"}
    if entry.kind in ("queue", "choice"):
        definition |= {"cellEditor": "agSelectCellEditor", "cellEditorParams": {"function": "editorChoices(params)"}}
        definition |= {"cellClass": "editor-choice", "context": entry.empty, "singleClickEdit": True}
    return definition


def _width(entry: Entry) -> int:
    """Wide enough for the longest word of the head (it wraps) and a usual value."""
    return max(WIDTHS.get(entry.kind, 70), 18 + max(8 * len(word) for word in entry.heading.split()))


def grid(table: Table) -> html.Div:
    """The table with its tools above and the help of the focused cell below; scripts fill it."""
    options = {
        "theme": {"function": THEME},
        "context": {"table": table.key},
        "suppressFieldDotNotation": True,
        "rowSelection": {"mode": "multiRow", "checkboxes": True, "headerCheckbox": True, "enableClickSelection": False},
        "selectionColumnDef": {"pinned": "left", "width": 34, "suppressHeaderMenuButton": True, "resizable": False},
        "animateRows": False,
        "suppressHeaderFocus": True,
        "stopEditingWhenCellsLoseFocus": True,
        "enterNavigatesVerticallyAfterEdit": True,
        "tabToNextCell": {"function": "editorTab(params)"},
        "groupHeaderHeight": 26,
        "tooltipShowDelay": 250,
        "popupParent": {"function": "editorPage()"},
        "suppressColumnVirtualisation": True,
        "suppressMultiSort": True,
        "localeText": {"noRowsToShow": f"No {table.one}: add one, or paste rows from a spreadsheet."},
    }
    return html.Div(
        [
            html.Div(
                [
                    _tool(table, "add", "Add", f"A new {table.one} below the focused row (Insert)"),
                    _tool(table, "duplicate", "Duplicate", "The checked rows, or the focused one, once more (Ctrl+D)"),
                    _tool(table, "delete", "Delete", "The checked rows, or the focused one (Ctrl+Delete)"),
                    html.Span(className="editor-spring"),
                    _tool(table, "widen", "Widen", "The table over the whole page; Escape brings it back"),
                ],
                className="editor-tools",
                role="toolbar",
                **{"aria-label": f"{table.title}: rows"},
            ),
            dag.AgGrid(
                id=f"editor-{table.key}",
                className="editor-grid",
                columnDefs=columns(table),
                defaultColDef=EVERY_COLUMN,
                rowData=[],
                getRowId="params.data.id",
                dashGridOptions=options,
                style={"height": "var(--editor-height)"},
            ),
            html.Div(id=f"editor-{table.key}-help", className="editor-help", role="status"),
        ],
        id=f"editor-{table.key}-room",
        className="editor-room",
    )


def _tool(table: Table, action: str, label: str, tip: str) -> dmc.Tooltip:
    button = dmc.Button(label, id=f"editor-{table.key}-{action}", size="compact-xs", variant="default", className=f"editor-{action}")
    return dmc.Tooltip(button, label=tip, openDelay=400, withArrow=True)
