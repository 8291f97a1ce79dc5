"""Which schedulers are run: chosen from the catalogue or written with their parameters; the first is the one
others are compared to.
"""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, State, dcc, html

from engine import CATALOGUE, Policy, SchedulerError, parse
from engine.dashboard import MEASURED, display_name, expand_0_1, guides
from webapp.messages import msg
from webapp.panels.components import CLOSE, allowed_values, attributes, button, icon, policy_address
from webapp.panels.editor import weights
from webapp.url.url_state import MAX_SCHEDULERS


def layout() -> html.Section:
    """The field and the catalogue behind it."""
    openers = [
        _opener("show-composer", "plus", msg("shared.compose_order")),
        _opener("show-policies", "book", msg("panels.schedulers.all_policies")),
    ]
    head = html.Div(
        [html.Label("Schedulers", htmlFor="schedulers"), html.Div(openers)], className="field-head"
    )
    chosen_label = attributes({"aria-label": msg("panels.schedulers.chosen_schedulers")})
    policies = dmc.Drawer(
        [],
        id="policies",
        title=msg("panels.schedulers.all_policies"),
        position="left",
        size="lg",
        closeButtonProps=CLOSE,
    )
    return html.Section(
        [
            head,
            _field(),
            html.P(
                id="schedulers-measured", className="help schedulers-measured", role="status", hidden=True
            ),
            html.Details(
                [
                    html.Summary(msg("panels.schedulers.what_they_do")),
                    html.Ul(id="schedulers-chosen", className="schedulers-chosen", **chosen_label),
                    html.P(msg("panels.schedulers.pick_or_write"), id="schedulers-help", className="help"),
                ],
                id="schedulers-about",
                className="schedulers-about",
            ),
            dcc.Store(id="scheduler-faults"),
            policies,
            weights.layout(),
        ],
        className="schedulers",
        **attributes({"aria-label": "Schedulers"}),
    )


def _opener(id: str, picture: str, label: str) -> html.Button:
    return button([icon(picture), label], id=id, className="link-button")


def _field() -> dmc.TagsInput:
    suggestions = _suggestions()
    names = {name: display_name(name) for group in suggestions for name in group["items"]}
    options = {
        "titles": {name: list(title) for name, title in titles().items()},
        "names": {name: shown for name, shown in names.items() if shown != name},
    }
    return dmc.TagsInput(
        id="schedulers",
        data=suggestions,
        value=[],
        splitChars=[],
        maxTags=MAX_SCHEDULERS,
        acceptValueOnBlur=True,
        clearable=True,
        placeholder=msg("panels.schedulers.add_another"),
        comboboxProps={"shadow": "md"},
        renderOption={"function": "schedulerOption", "options": options},
        **{"aria-describedby": "schedulers-help"},
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
    order, shown = scheduler.order.policy.name, display_name(name)
    title, sentence = titles()[order]
    rules = [part.policy.title.lower() for _, part in scheduler.rules if str(part) in scheduler.name]
    full_title: Any = ", ".join([title, *rules])
    if scheduler.is_measured:
        full_title = html.Strong(full_title)
    else:
        full_title = html.A(full_title, href=policy_address(order), target="_blank")
    named: list[Any] = [html.Strong(shown), " "] if shown != scheduler.name else []
    return html.Li([*named, full_title, " ", html.Code(name), html.Span(sentence)])


def register(app: Dash) -> None:
    """Callbacks: field and draft follow each other; the names are checked and described; the catalogue and
    the dialog of orders open.
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
    for dialog in ("policies", "composer"):
        opened, clicks = Output(dialog, "opened"), Input(f"show-{dialog}", "n_clicks")
        app.clientside_callback(
            ClientsideFunction("gantry", "opened"), opened, clicks, prevent_initial_call=True
        )

    @app.callback(
        Output("policies", "children"), Input("show-policies", "n_clicks"), prevent_initial_call=True
    )
    def catalogue(_clicks: int):
        return _policies()

    @app.callback(
        Output("scheduler-faults", "data"),
        Output("schedulers", "error"),
        Output("schedulers-chosen", "children"),
        Input("schedulers", "value"),
        prevent_initial_call=True,
    )
    def check(sent: list | None):
        names = [name for name in (sent if isinstance(sent, list) else []) if isinstance(name, str)]
        errors = faults(names)
        return errors, " ".join(errors) or None, [line for name in names if (line := chosen_item(name))]


def titles() -> dict[str, tuple[str, str]]:
    """Title and a sentence of every policy, by its name."""
    says = {name: guide.says[0] for name, guide in guides().items()}
    policies = [MEASURED, *(policy for role in CATALOGUE.values() for policy in role.values())]
    return {policy.name: (policy.title, says.get(policy.name, policy.source)) for policy in policies}


def _suggestions() -> list[dict]:
    of_fair = {rule.policy.name for _, rule in parse("fair").rules}
    rules = [*CATALOGUE["reduce start"], *CATALOGUE["admission"]]
    others = [f"fair+{name}" for name in rules if name not in of_fair]
    textbook = [expand_0_1(name) for name in ("fair", "drf", "capacity")]
    return [
        {"group": "Orders", "items": list(CATALOGUE["order"])},
        {
            "group": msg("panels.schedulers.fair_with_another_rule"),
            "items": [*others, "fair(reservations=no, update_ms=0)"],
        },
        {"group": msg("panels.schedulers.textbook_versions"), "items": textbook},
    ]


def _policies() -> list[Any]:
    parts: list[Any] = []
    guided = guides()
    for role, policies in CATALOGUE.items():
        parts.append(html.H3(role.capitalize()))
        for policy in policies.values():
            parts.append(html.Dl(_policy(policy, policy.name in guided), className="policy"))
    return parts


def _policy(policy: Policy, has_page: bool) -> list:
    """A policy and its parameters, as entries of a list of descriptions."""
    title = html.A(policy.title, href=policy_address(policy.name)) if has_page else policy.title
    lines = [html.Dt([html.Code(policy.name), " ", title]), html.Dd(policy.source)]
    for parameter in policy.parameters:
        default = "" if parameter.default is None else parameter.default
        about = msg(
            "panels.schedulers.default",
            meaning=parameter.meaning,
            allowed=allowed_values(parameter),
            source=parameter.source,
        )
        name = html.Code(f"{parameter.name}={default}")
        lines.append(html.Dd([name, about], className="parameter"))
    return lines
