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
from webapp import theme
from webapp.messages import msg
from webapp.panels.components import attributes, icon

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
    assets/tables.js draws; one with `above`, and what that means as `about`, has it on a line of its own.

    heads: of s0, s1, …; places: of the schedulers they are, for their colours, None of what is none; about:
    their tooltips; full_names: the full texts, for files and tooltips, of the display names among the heads
    and the rows' titles; further: columns after them;
    room: pixels there are; page: rows to a page, 0: all; two_lines: the difference stands below.
    """
    two_lines = two_lines or width_px < NARROW_PX
    width = 204 if width_px >= NARROW_PX else 108
    title: dict[str, Any] = {
        "field": "title",
        "headerName": title_head,
        "pinned": "left",
        "width": width,
        "tooltipField": "about",
    }
    title |= {"wrapText": True, "cellClass": "row-title"} | WRAPPED
    cells: dict[str, Any] = {
        "flex": 1,
        "minWidth": 180 if width_px >= NARROW_PX else 90,
        "type": "rightAligned",
        "cellDataType": False,
        "cellRenderer": "Compared",
    }
    cells |= {
        "cellClass": "two-lines" if two_lines else "one-line",
        "headerClass": "ag-right-aligned-header",
    } | WRAPPED
    cells |= {"comparator": {"function": "comparedOrder"}}
    columns = [title] + [
        {"field": f"s{index}", "headerName": head} | cells for index, head in enumerate(heads)
    ]
    for column, head in zip(columns[1:], heads, strict=False):
        if (full_text := _in_full(head, full_names)) != head:
            column |= {"headerTooltip": full_text, "context": {"full": full_text}}
    for column, index in zip(columns[1:], colour_indices, strict=False):
        if index is not None:
            column["headerClass"] = msg(
                "panels.metric_tables.ag_right_aligned_header_scheduler_scheduler",
                index=index % len(theme.SCHEDULERS),
            )
    for column, text in zip(columns[1:], head_tooltips, strict=False):
        column["headerTooltip"] = text
    paged = (
        {"pagination": True, "paginationPageSize": page_size, "paginationPageSizeSelector": False}
        if len(rows) > page_size > 0
        else {}
    )
    heights = {"getRowHeight": {"function": "params.data.px"}}
    titles = [_in_full(row["title"], full_names) for row in rows]
    rows = [
        row | ({} if full_text == row["title"] else {"about": full_text, "full": full_text})
        for row, full_text in zip(rows, titles, strict=True)
    ]
    rows = [row | {"px": _height(row, two_lines, narrow=width_px < NARROW_PX)} for row in rows]
    return dag.AgGrid(
        id=f"{key}-grid",
        rowData=rows,
        columnDefs=[*columns, *extra_columns],
        getRowId="params.data.title",
        defaultColDef={"sortable": True, "resizable": True},
        dashGridOptions=OPTIONS | paged | heights,
        style={"height": None},
    )


def _in_full(head: str, full_names: Mapping[str, str]) -> str:
    return EQUALS.join(full_names.get(name, name) for name in head.split(EQUALS))


def _height(row: dict[str, Any], two_lines: bool, narrow: bool) -> int:
    """px of a row: of its cells' lines, and in a narrow column of its title's."""
    has_above = any(isinstance(cell, dict) and cell.get("above") for cell in row.values())
    lines = len(textwrap.wrap(row["title"], NARROW_LETTERS if narrow else WIDE_LETTERS))
    return max((42 if two_lines else 30) + (16 if has_above else 0), 8 + 17 * lines)


def tools(key: str, *before: Any) -> html.Div:
    """Copy and CSV of the table `key`-grid, after what else belongs to it."""
    buttons = [
        html.Button(
            [icon("copy"), "Copy"],
            type="button",
            title=msg("panels.metric_tables.copy_table_as_sorted_to_clipboard"),
            **attributes({"data-copy": key}),
        ),
        html.Button(
            [icon("down"), "CSV"],
            type="button",
            title=msg("panels.metric_tables.download_table_as_sorted_as_csv"),
            **attributes({"data-csv": key}),
        ),
    ]
    return html.Div([*before, *buttons], className="tools")


def value_text(number: float | None, unit: str) -> str:
    """A metric's value in a row whose title names what is counted: things without their noun, all else with
    its unit.
    """
    return (
        quantities.amount(number, unit)
        if unit in UNITS or number is None
        else quantities.count(number, "").strip()
    )
