"""Tables whose columns are the schedulers: AG Grids that mark the best and say the difference to the
first.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import dash_ag_grid as dag
from dash import html

from engine import quantities
from engine.dashboard import Metric
from webapp import theme
from webapp.messages import msg
from webapp.panels.components import COMPARED, button, icon

NARROW_PX = 560
EQUALS = " = "  # between the names of runs that are equal
WIDE_LETTERS, NARROW_LETTERS = 24, 13  # of a title, on a line of its column
WRAPPED: dict[str, Any] = {"wrapHeaderText": True, "autoHeaderHeight": True}
UNITS = ("s", "share", "x", "MB")
OPTIONS = {
    "theme": {"function": "themeQuartz"},
    "domLayout": "autoHeight",
    "suppressFieldDotNotation": True,
    "suppressColumnVirtualisation": True,
    "ensureDomOrder": True,
    "tooltipShowDelay": 300,
    "tabToNextCell": {"function": "editorTab(params)"},
    "rowHeight": 30,
}


def grid(
    key: str,
    title_head: str,
    rows: list[dict[str, Any]],
    heads: Sequence[str],
    *,
    width_px: int,
    colour_indices: Sequence[int | None] = (),
    page_size: int = 0,
    two_lines: bool = False,
    head_tooltips: Sequence[str] = (),
    full_names: Mapping[str, str] = {},
    extra_columns: Sequence[dict[str, Any]] = (),
) -> dag.AgGrid:
    """The table `key`-grid. rows: {title, about, s0, s1, …} with cells {value, text, percent, best}, which
    assets/scripts/compare/tables.ts draws; one with `above`, and what that means as `about`, has it on a line
    of its own; else `about` is the text's tooltip.

    heads: of s0, s1, …; colour_indices: of the schedulers they are, None of what is none; head_tooltips:
    theirs; full_names: the full texts, for files and tooltips, of the display names among the heads and the
    rows' titles; extra_columns: after them;
    width_px: the room there is; page_size: rows to a page, 0: all; two_lines: the difference stands below.
    """
    is_narrow = width_px < NARROW_PX
    two_lines = two_lines or is_narrow
    columns: list[dict[str, Any]] = [
        {
            "field": f"s{index}",
            "headerName": head,
            "flex": 1,
            "minWidth": 90 if is_narrow else 180,
            "type": "rightAligned",
            "cellDataType": False,
            "cellRenderer": "Compared",
            "cellClass": "two-lines" if two_lines else "one-line",
            "headerClass": "ag-right-aligned-header",
            "comparator": {"function": "comparedOrder"},
        }
        | WRAPPED
        for index, head in enumerate(heads)
    ]
    for column, head in zip(columns, heads, strict=True):
        if (full_text := _in_full(head, full_names)) != head:
            column |= {"headerTooltip": full_text, "context": {"full": full_text}}
    for column, index in zip(columns, colour_indices, strict=False):
        if index is not None:
            column["headerClass"] += f" of-scheduler scheduler-{index % len(theme.SCHEDULERS)}"
    for column, text in zip(columns, head_tooltips, strict=False):
        column["headerTooltip"] = text
    title = {
        "field": "title",
        "headerName": title_head,
        "pinned": "left",
        "width": 108 if is_narrow else 204,
        "tooltipField": "about",
        "wrapText": True,
        "cellClass": "row-title",
    }
    shown = []
    for row in rows:
        if (full_text := _in_full(row["title"], full_names)) != row["title"]:
            row = row | {"about": full_text, "full": full_text}
        shown.append(row | {"px": _height(row, two_lines, is_narrow)})
    paged = paging(page_size) if len(rows) > page_size > 0 else {}
    return dag.AgGrid(
        id=f"{key}-grid",
        rowData=shown,
        columnDefs=[title | WRAPPED, *columns, *extra_columns],
        getRowId="params.data.title",
        defaultColDef={"sortable": True, "resizable": True},
        dashGridOptions=OPTIONS | paged | {"getRowHeight": {"function": "params.data.px"}},
        style={"height": None},
    )


def paging(size: int) -> dict[str, Any]:
    """A grid's options for pages of so many rows."""
    return {"pagination": True, "paginationPageSize": size, "paginationPageSizeSelector": False}


def chosen_metric(key: str | None) -> Metric:
    """The metric that a `metric_choice` names, the first for anything else."""
    return next((metric for metric in COMPARED if metric.key == key), COMPARED[0])


def _in_full(head: str, full_names: Mapping[str, str]) -> str:
    return EQUALS.join(full_names.get(name, name) for name in head.split(EQUALS))


def _height(row: dict[str, Any], two_lines: bool, narrow: bool) -> int:
    """px of a row: of its cells' lines, and in a narrow column of its title's."""
    has_above = any(isinstance(cell, dict) and cell.get("above") for cell in row.values())
    lines = len(textwrap.wrap(row["title"], NARROW_LETTERS if narrow else WIDE_LETTERS))
    return max((42 if two_lines else 30) + (16 if has_above else 0), 8 + 17 * lines)


def tools(key: str, *before: Any) -> html.Div:
    """Copy and CSV of the table `key`-grid, after what else belongs to it."""
    copied = msg("panels.metric_tables.copy_table_as_sorted_to_clipboard")
    saved = msg("panels.metric_tables.download_table_as_sorted_as_csv")
    copy = button([icon("copy"), "Copy"], {"data-copy": key}, title=copied)
    save = button([icon("down"), "CSV"], {"data-csv": key}, title=saved)
    return html.Div([*before, copy, save], className="tools")


def value_text(number: float | None, unit: str) -> str:
    """A metric's value in a row whose title names what is counted: things without their noun, all else with
    its unit.
    """
    if unit in UNITS or number is None:
        return quantities.amount(number, unit)
    return quantities.count(number, "").strip()
