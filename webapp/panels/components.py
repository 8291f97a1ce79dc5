"""Small pieces that several panels are made of."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import dash_mantine_components as dmc
from dash import get_relative_path, html

from engine import METRICS, VERSION, Parameter, quantities
from engine.dashboard import display_name
from webapp import theme
from webapp.messages import msg
from webapp.runs.task import ShownRun, Task

KIND_NAMES = {"am": "master"}  # of a container's kind, where the engine's is no word
CLOSE = {"aria-label": "Close"}  # of a dialog's or drawer's cross


def attributes(values: Mapping[str, str]) -> dict[str, Any]:
    """HTML attributes whose names are no identifiers ("data-job", "aria-label"), to be given to a component
    after "**"; as Any, for else they would be checked against the component's every argument.
    """
    return dict(values)


def button(content: Any, marks: Mapping[str, str] | None = None, **more: Any) -> html.Button:
    """A button. marks: its attributes whose names are no identifiers."""
    return html.Button(content, type="button", **attributes(marks or {}), **more)


def icon_button(
    picture: str, title: str, marks: Mapping[str, str] | None = None, label: str = "", **more: Any
) -> html.Button:
    """A button that shows an icon alone; label: what a screen reader says, where that is not its title."""
    return button(icon(picture), {"aria-label": label or title, **(marks or {})}, title=title, **more)


def scrolling_table(name: str, head: Sequence[Any], bodies: list[html.Tbody], kind: str) -> html.Div:
    """A table that scrolls sideways by itself; by keyboard once it has the focus. name: what a screen reader
    says of it; kind: its class.
    """
    table = html.Table([html.Thead(html.Tr(list(head))), *bodies])
    return html.Div(table, className=kind, tabIndex="0", role="group", **attributes({"aria-label": name}))


def table_row(title: Any, cells: Iterable[Any], **more: Any) -> html.Tr:
    """A row of a table under its head; cells that are no components become them."""
    cells_ = [cell if isinstance(cell, html.Td) else html.Td(cell) for cell in cells]
    return html.Tr([html.Th(title, scope="row"), *cells_], **more)


def icon(name: str) -> html.Span:
    """A picture from gantry.css; it says nothing to a screen reader."""
    return html.Span(className=f"icon icon-{name}", **attributes({"aria-hidden": "true"}))


COMPARED = tuple(metric for metric in METRICS if metric.compared)


def card_menu(of: str, entries: Sequence[tuple[str, dict[str, str]]]) -> html.Details:
    """A card's menu of downloads (assets/scripts/page/menus.ts). of: what they are of, for a screen
    reader; entries: each title with its attributes.

    Attributes with "href" and "download" make a link, others a button whose data- attributes say to a script
    what is asked.
    """
    items = [
        html.A(title, **attributes(given)) if "href" in given else button(title, given)
        for title, given in entries
    ]
    head = html.Summary(
        icon("down"), title="Download", **attributes({"aria-label": msg("panels.components.download", of=of)})
    )
    return html.Details([head, html.Ul([html.Li(one) for one in items])], className="menu card-menu")


def metric_choice(id: str, label: str, width: int) -> dmc.Select:
    """A choice of one of the metrics that runs are compared by, the first chosen. width: pixels."""
    data = [{"value": metric.key, "label": metric.title} for metric in COMPARED]
    return dmc.Select(
        id=id, label=label, value=data[0]["value"], allowDeselect=False, data=data, size="xs", w=width
    )


def legend(phases: Sequence[theme.Phase], name: str) -> html.Ul:
    """The colours of charts; name: what a screen reader says of it."""
    entries = [
        html.Li([html.Span(className=f"swatch swatch-{phase.key}"), phase.title], title=phase.about)
        for phase in phases
    ]
    return html.Ul(entries, className="legend", **attributes({"aria-label": name}))


def heading(task: Task, shown: ShownRun) -> str:
    """A scheduler's name, as columns and charts are headed; one that is pinned says so."""
    return _with_pinned(task, shown, shown.display_name)


def full_heading(task: Task, shown: ShownRun) -> str:
    """`heading` with the scheduler's full text, for tooltips and files."""
    return _with_pinned(task, shown, shown.name)


def full_headings(task: Task) -> dict[str, str]:
    """The full headings of what a task shows, by `heading`."""
    return {heading(task, shown): full_heading(task, shown) for shown in task.shown}


def scheduler_options(names: Iterable[str]) -> list[dict[str, str]]:
    """What a menu of schedulers offers: the full texts, by their display names."""
    return [{"value": name, "label": display_name(name)} for name in names]


def _with_pinned(task: Task, shown: ShownRun, name: str) -> str:
    return name if shown.task is task else msg("panels.components.pinned", name=name)


def allowed_values(parameter: Parameter) -> str:
    """What a parameter may be: "0 to 1", "at least 0", "both, memory", "0 to 100 or auto"."""
    if parameter.choices:
        return ", ".join(parameter.choices)
    low, high, excluded = parameter.low, parameter.high, parameter.excluded
    if math.isfinite(high):
        text = f"{quantities.number(low)} to {quantities.number(high)}"
    elif math.isfinite(low):
        text = msg("panels.components.at_least", min_text=quantities.number(low))
    else:
        text = msg("panels.components.any_number")
    if excluded is not None:
        text += msg("panels.components.not", excluded=quantities.number(excluded))
    return f"{text} or {parameter.none_word}" if parameter.none_word else text


def default_text(parameter: Parameter) -> str:
    """A parameter's default as one writes it; what it may be left to where it has none."""
    if parameter.default is None:
        return parameter.none_word or quantities.NO_VALUE
    return parameter.default if isinstance(parameter.default, str) else f"{parameter.default:g}"


def policy_address(name: str) -> str:
    """The address of a policy's page."""
    return get_relative_path(f"/schedulers/{name}")


def version() -> html.Small:
    """Which Gantry this is, so that a result can be told from another version's."""
    return html.Small(msg("panels.components.gantry", version=VERSION), className="version")
