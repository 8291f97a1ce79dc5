"""Which schedulers are run: chosen from the catalogue or written with their parameters; the first is the one
others are compared to.
"""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, State, dcc, html

from engine import CATALOGUE, SchedulerError, parse
from engine.dashboard import MEASURED, display_name, expand_0_1, guides
from webapp.messages import msg
from webapp.panels.components import CLOSE, allowed_values, attributes, icon, policy_address
from webapp.panels.editor import weights
from webapp.url.url_state import MAX_SCHEDULERS


def layout() -> html.Section:
    """The field and the catalogue behind it."""
    return html.Section(
        [
            html.Div(
                [
                    html.Label("Schedulers", htmlFor="schedulers"),
                    html.Div(
                        [
                            html.Button(
                                [icon("plus"), msg("shared.compose_order")],
                                id="show-composer",
                                type="button",
                                className="link-button",
                            ),
                            html.Button(
                                [icon("book"), msg("panels.schedulers.all_policies")],
                                id="show-policies",
                                type="button",
                                className="link-button",
                            ),
                        ]
                    ),
                ],
                className="field-head",
            ),
            dmc.TagsInput(
                id="schedulers",
                data=_suggestions(),
                value=[],
                splitChars=[],
                maxTags=MAX_SCHEDULERS,
                acceptValueOnBlur=True,
                clearable=True,
                placeholder=msg("panels.schedulers.add_another"),
                comboboxProps={"shadow": "md"},
                renderOption={
                    "function": "schedulerOption",
                    "options": {
                        "titles": {name: list(title) for name, title in titles().items()},
                        "names": {
                            name: shown
                            for group in _suggestions()
                            for name in group["items"]
                            if (shown := display_name(name)) != name
                        },
                    },
                },
                **{"aria-describedby": "schedulers-help"},
            ),
            html.Ul(
                id="schedulers-chosen",
                className="schedulers-chosen",
                **attributes({"aria-label": msg("panels.schedulers.chosen_schedulers")}),
            ),
            html.P(
                id="schedulers-measured", className="help schedulers-measured", role="status", hidden=True
            ),
            html.P(
                msg("panels.schedulers.pick_from_list_or_write_fair"),
                id="schedulers-help",
                className="help",
            ),
            dcc.Store(id="scheduler-faults"),
            dmc.Drawer(
                _policies(),
                id="policies",
                title=msg("panels.schedulers.all_policies"),
                position="left",
                size="lg",
                closeButtonProps=CLOSE,
            ),
            weights.layout(),
        ],
        className="schedulers",
        **attributes({"aria-label": "Schedulers"}),
    )


def faults(names: list[str]) -> list[str]:
    """What is wrong with these names, one sentence each."""
    errors = []
    for name in names:
        try:
            parse(name)
        except SchedulerError as error:
            errors.append(str(error))
    return errors if names else [msg("panels.schedulers.choose_at_least_one_scheduler")]


def chosen_item(name: str) -> html.Li | None:
    """A chosen scheduler in full: the title of each of its parts and a sentence of its order; None for what
    is no scheduler.
    """
    try:
        scheduler = parse(name)
    except SchedulerError:
        return None
    title, sentence = titles()[scheduler.order.policy.name]
    full_title = ", ".join(
        [title, *(part.policy.title.lower() for _, part in scheduler.rules if str(part) in scheduler.name)]
    )
    title_link = (
        html.Strong(full_title)
        if scheduler.is_measured
        else html.A(full_title, href=policy_address(scheduler.order.policy.name), target="_blank")
    )
    shown = display_name(name)
    named: list[Any] = [html.Strong(shown), " "] if shown != scheduler.name else []
    return html.Li([*named, title_link, " ", html.Code(name), html.Span(sentence)])


def register(app: Dash) -> None:
    """Callbacks: field and draft follow each other; the names are checked and described; the catalogue
    opens.
    """
    app.clientside_callback(
        ClientsideFunction("gantry", "editorSchedulers"),
        Output("schedulers", "value"),
        Input("draft", "data"),
        State("schedulers", "value"),
    )
    app.clientside_callback(
        ClientsideFunction("gantry", "editorChosen"), Input("schedulers", "value"), prevent_initial_call=True
    )
    app.clientside_callback(
        ClientsideFunction("gantry", "opened"),
        Output("policies", "opened"),
        Input("show-policies", "n_clicks"),
        prevent_initial_call=True,
    )

    @app.callback(
        Output("scheduler-faults", "data"),
        Output("schedulers", "error"),
        Output("schedulers-chosen", "children"),
        Input("schedulers", "value"),
        prevent_initial_call=True,
    )
    def check(names: list | None):
        names_ = [name for name in (names if isinstance(names, list) else []) if isinstance(name, str)]
        errors = faults(names_)
        return errors, " ".join(errors) or None, [line for name in names_ if (line := chosen_item(name))]


def titles() -> dict[str, tuple[str, str]]:
    """Title and a sentence of every policy, by its name."""
    guides_by_name = guides()
    policies = [MEASURED, *(policy for role in CATALOGUE.values() for policy in role.values())]
    return {
        policy.name: (
            policy.title,
            guides_by_name[policy.name].says[0] if policy.name in guides_by_name else policy.source,
        )
        for policy in policies
    }


def _suggestions() -> list[dict]:
    orders = list(CATALOGUE["order"])
    fair_rules = {rule.policy.name for _, rule in parse("fair").rules}
    rules = [
        name for role in ("reduce start", "admission") for name in CATALOGUE[role] if name not in fair_rules
    ]
    others = [*(f"fair+{name}" for name in rules), "fair(reservations=no, update_ms=0)"]
    textbook = [expand_0_1(name) for name in ("fair", "drf", "capacity")]
    return [
        {"group": "Orders", "items": orders},
        {"group": msg("panels.schedulers.fair_with_another_rule"), "items": others},
        {"group": msg("panels.schedulers.textbook_versions"), "items": textbook},
    ]


def _policies() -> list[Any]:
    parts: list[Any] = []
    guides_by_name = guides()
    for role, policies in CATALOGUE.items():
        parts.append(html.H3(role.capitalize()))
        for policy in policies.values():
            title = (
                html.A(policy.title, href=policy_address(policy.name))
                if policy.name in guides_by_name
                else policy.title
            )
            lines = [html.Dt([html.Code(policy.name), " ", title]), html.Dd(policy.source)]
            for parameter in policy.parameters:
                default = "" if parameter.default is None else parameter.default
                lines.append(
                    html.Dd(
                        [
                            html.Code(f"{parameter.name}={default}"),
                            msg(
                                "panels.schedulers.default",
                                meaning=parameter.meaning,
                                allowed_values=allowed_values(parameter),
                                source=parameter.source,
                            ),
                        ],
                        className="parameter",
                    )
                )
            parts.append(html.Dl(lines, className="policy"))
    return parts
