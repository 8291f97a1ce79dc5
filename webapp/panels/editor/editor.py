"""The rail's editor: what the user composes. The draft lives in the page's state (assets/scripts/editor/);
the server checks it and opens files.
"""

from __future__ import annotations

from typing import Any

from dash import ClientsideFunction, Dash, Input, Output, dcc, get_relative_path, html

from engine.dashboard import READABLE, SUFFIXES
from webapp import settings, theme
from webapp.messages import msg
from webapp.panels.components import attributes, button
from webapp.panels.editor import check, configuration, conversion, files, form, workload_menu
from webapp.panels.editor.tables import TABLES, Framework, Table, action, dialog
from webapp.runs.warm_up import FIRST_SCHEDULERS

# beside which list what is made of it stands
SECTION_MENUS = {"queues": (conversion, configuration), "jobs": (workload_menu,)}


def layout() -> html.Section:
    """The whole editor, readable at 340 px and wider. The page around it holds the stores draft, load and
    faults.
    """
    tables = [
        _section(table.key, table.title, _rows(table), table.key in ("nodes", "jobs")) for table in TABLES
    ]
    settings_form = html.Div(id="editor-settings", className="editor-form")
    label = msg("panels.editor.editor_cluster_queues_and_jobs")
    return html.Section(
        [
            dcc.Store(id="editor-facts", data=facts()),
            dcc.Download(id="editor-download"),
            _bar(),
            html.Div(id="editor-title", className="editor-title"),
            html.Details(html.Summary(id="editor-about"), className="editor-about"),
            check.status(),
            _assumptions(),
            *tables,
            _section("settings", msg("panels.editor.cluster_and_seed"), [settings_form], False),
            html.Div(id="editor-message", className="editor-message", role="status"),
            dialog(),
        ],
        id="editor",
        className="editor",
        style={f"--editor-{phase.key}": f"light-dark({phase.light}, {phase.dark})" for phase in theme.PHASES},
        **attributes({"aria-label": label, "aria-busy": "true"}),
    )


def facts() -> dict:
    """What the page's scripts need: tables, fields, presets, first schedulers, and the addresses they ask."""
    asked = {
        "check": check,
        "open": files,
        "write": configuration,
        "convert": conversion,
        "workload": workload_menu,
    }
    return {
        "tables": {table.key: table.facts() for table in TABLES},
        **form.facts(),
        "presets": files.facts(),
        "schedulers": list(FIRST_SCHEDULERS),
        "addresses": {name: get_relative_path(f"/{module.ADDRESS}") for name, module in asked.items()},
        "max_bytes": settings.max_file_bytes(),
        "accept": ",".join(SUFFIXES),
    }


def register(app: Dash) -> None:
    """All callbacks of the editor."""
    for part in (check, files, configuration, conversion, workload_menu):
        part.register(app)
    app.clientside_callback(
        ClientsideFunction("gantry", "editorStart"),
        Output("editor", "aria-busy"),
        Input("editor-facts", "data"),
    )
    app.clientside_callback(ClientsideFunction("gantry", "editorLoad"), Input("load", "data"))


def _bar() -> html.Div:
    open_help = msg(
        "panels.editor.also_gzip_or_drop_or_folder",
        upper=READABLE[:1].upper(),
        readable=READABLE[1:],
        history_note=msg("panels.editor.history_any_number_files_or_archive"),
        size_limit=msg("panels.editor.up_to_mb", mb=settings.max_file_bytes() // 2**20),
    )
    new = msg("panels.editor.empty_scenario_undo_restores")
    tools = [
        button("New", {"data-preset": "new"}, id="editor-new", title=new, className="editor-button"),
        files.menu(),
        action("open", "Open", open_help, id="editor-open"),
        action("save", "Save", msg("panels.editor.scenario_as_file"), id="editor-save"),
        html.Span(className="editor-spring"),
        action("undo", "Undo", msg("shared.nothing_to_undo"), id="editor-undo", disabled=True),
        action("redo", "Redo", msg("shared.nothing_to_redo"), id="editor-redo", disabled=True),
    ]
    return html.Div(tools, className="editor-bar", role="toolbar", **attributes({"aria-label": "Scenario"}))


def _assumptions() -> html.Details:
    """What a file of another tool does not say and was assumed, or says and is not modelled; a script fills
    the list.
    """
    limits = html.A(msg("shared.limits_model"), href=get_relative_path("/model"))
    return html.Details(
        [html.Summary(id="editor-assumed-summary"), html.Div(id="editor-assumed"), html.P(limits)],
        id="editor-assumed-room",
        className="editor-assumed",
        hidden=True,
        open=True,
    )


def _rows(table: Table) -> list:
    """A list's lines, and what adds one."""
    whole = msg("panels.editor.all_them_as_spreadsheet_over_whole")
    add = [html.Strong(table.adds), html.Small(table.begins_with)] if table.begins else table.adds
    tools: list[Any] = [
        action("add", add, msg("panels.editor.new", one=table.one), id=f"editor-{table.key}-add"),
        *(_adds_of(table, framework) for framework in table.frameworks[1:]),
        action("table", "Table", whole, id=f"editor-{table.key}-table"),
    ]
    if table.key in SECTION_MENUS:
        menus = [module.menu() for module in SECTION_MENUS[table.key]]
        tools += [html.Span(className="editor-spring"), *menus]
    rows = html.Div(id=f"editor-{table.key}", className="editor-lines")
    bar = html.Div(tools, className="editor-bar")
    return [_basis(), rows, bar] if table.key == "queues" else [rows, bar]


def _adds_of(table: Table, framework: Framework) -> html.Button:
    """What adds a row of a framework that is not the default."""
    words = [html.Strong(framework.adds), html.Small(framework.about)]
    own = attributes({"data-framework": framework.key})
    return action("add", words, framework.about, id=f"editor-{table.key}-add-{framework.key}", **own)


def _basis() -> html.Div:
    """What the bars of the queues show; a script says which is chosen."""
    tips = {
        "weight": msg("panels.editor.steady_fair_shares_by_weight_and"),
        "capacity": msg("panels.editor.guaranteed_and_maximum_capacities_capacity"),
    }
    buttons = [
        button(f"by {key}", {"data-basis": key, "aria-pressed": "false"}, title=tip)
        for key, tip in tips.items()
    ]
    return html.Div(
        [html.Span(msg("panels.editor.part_cluster")), *buttons],
        id="editor-queues-basis",
        className="queue-basis",
        role="group",
    )


def _section(key: str, title: str, body: list, opened: bool) -> html.Details:
    head = html.Summary(
        [
            html.Span(title, className="editor-section-title"),
            html.Span(id=f"editor-{key}-summary", className="editor-section-summary"),
            html.Span(id=f"editor-{key}-faults", className="editor-badge", hidden=True),
        ]
    )
    return html.Details(
        [head, *body],
        id=f"editor-{key}-section",
        className="editor-section",
        open=opened,
        **attributes({"data-section": key}),
    )
