"""Tabs of the drawer: each is computed while it is open, so that what nobody looks at costs nothing."""

from __future__ import annotations

from typing import Any

from dash import dcc, html

from webapp.panels.components import attributes
from webapp.runs import saved_tasks
from webapp.runs.task import Task

CONTENT_WIDTHS, USUAL_PX = range(200, 4001), 700


def tab(key: str, title: str, *content: Any, tools: Any = None) -> html.Section:
    """A tab of the drawer; its title is unseen, for the tab says it. The store open-KEY holds the key of the
    result while the tab is open, else None.
    """
    heading = html.H2(title, id=f"{key}-title", className="unseen")
    head = html.Div([heading] if tools is None else [heading, tools], className="table-head")
    return html.Section(
        [head, dcc.Store(id=f"open-{key}"), *content],
        id=key,
        className="drawer-tab",
        **attributes({"aria-labelledby": f"{key}-title"}),
    )


def task_of_tab(key: Any) -> Task | None:
    """The task whose result an open tab shows; key: what its store holds, which may be anything."""
    return saved_tasks.load_task(key) if isinstance(key, str) else None


def content_width(width: Any) -> int:
    """The room in px for the content of the drawer; width: what the store drawer-width holds, which may be
    anything.
    """
    return pixels(width, CONTENT_WIDTHS, USUAL_PX)


def pixels(sent: Any, allowed: range, default: int) -> int:
    """A whole number of px that is allowed; the usual one for what is none."""
    if isinstance(sent, (int, float)) and abs(sent) < 1e9:
        return min(max(round(sent), allowed[0]), allowed[-1])
    return default
