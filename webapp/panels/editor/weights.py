"""Compose an order: an order, a reduce-start and an admission rule from three drop-downs, weights by sliders,
and the name that comes of it.

What is composed is a scheduler's name and nothing else, so it is run, compared, explained and shared as any
other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import dash_mantine_components as dmc
from dash import ALL, ClientsideFunction, Dash, Input, Output, State, html, no_update

from engine import CATALOGUE, Parameter, Policy, SchedulerError, parse
from engine.dashboard import guides
from webapp.messages import msg
from webapp.panels.components import CLOSE, allowed_values, attributes, default_text, policy_address
from webapp.url.url_state import MAX_SCHEDULERS

ROLES = {"order": "Order", "reduce start": msg("shared.reduce_start"), "admission": "Admission"}
OWN = "own"  # no rule in the name: the order has its own
FIRST = {"order": "weighted", "reduce start": OWN, "admission": OWN}
SLIDERS = "weighted"  # its parameters are weights around 0, the others' are amounts
WEIGHT = {"type": "weight", "policy": ALL, "name": ALL}
SLIDER = {"type": "tunable", "policy": ALL, "name": ALL}
VALUE = {"type": "weight-value", "policy": ALL, "name": ALL}
TOO_MANY = msg("panels.weights.there_schedulers_already_remove_one_first", max_schedulers=MAX_SCHEDULERS)


def layout() -> dmc.Modal:
    """The dialog; it is opened by the button beside the schedulers."""
    return dmc.Modal(
        [
            html.P(
                msg("panels.weights.order_rule_for_reduces_and_rule"),
                className="help",
            ),
            html.Div([_part(role, title) for role, title in ROLES.items()], className="composer-parts"),
            html.Div(
                [
                    html.Div(
                        [
                            html.Span(msg("panels.weights.its_name"), className="quiet"),
                            html.Code(
                                composed(FIRST, []), id="composed", **attributes({"aria-live": "polite"})
                            ),
                        ]
                    ),
                    dmc.Button("Add", id="composed-add"),
                ],
                className="composed",
            ),
            html.P(id="composed-fault", className="composed-fault", role="alert"),
        ],
        id="composer",
        title=msg("shared.compose_order"),
        size="xl",
        zIndex=300,
        closeButtonProps=CLOSE,
    )


def composed(chosen: Mapping[str, str], inputs: Iterable[tuple[Any, Any]]) -> str:
    """The canonical name of the chosen parts; SchedulerError with the reason where they make no sense.

    chosen: a policy's name by role, OWN for none; inputs: pairs of an input's id and its value, of which
    those of other policies and empty ones count nothing.
    """
    values_by_policy: dict[str, list[str]] = {}
    for id, value in inputs:
        if value not in (None, "") and isinstance(id, Mapping):
            values_by_policy.setdefault(str(id.get("policy")), []).append(f"{id.get('name')}={value}")
    names = [chosen[role] for role in ROLES if chosen.get(role, OWN) != OWN]
    return parse(
        "+".join(
            f"{name}({', '.join(values_by_policy[name])})" if name in values_by_policy else name
            for name in names
        )
    ).name


def tunables(policy: Policy | None) -> list:
    """What a policy is, and an input for each of its parameters."""
    if policy is None:
        return []
    entry = guides().get(policy.name)
    help_line = html.P(
        [
            *(
                [
                    entry.says[0],
                    " ",
                    html.A(
                        msg("panels.weights.how_works"), href=policy_address(policy.name), target="_blank"
                    ),
                ]
                if entry
                else [policy.source]
            )
        ],
        className="help",
    )
    inputs = (
        _sliders(policy)
        if policy.name == SLIDERS
        else [_input(policy, parameter) for parameter in policy.parameters]
    )
    return [help_line, html.Div(inputs, className="sliders" if policy.name == SLIDERS else "tunables")]


def register(app: Dash) -> None:
    """Callbacks: the dialog opens, a policy's inputs follow the drop-down, the name follows all of them, and
    Add puts it among the schedulers.
    """
    gantry = lambda name: ClientsideFunction("gantry", name)
    app.clientside_callback(
        gantry("opened"),
        Output("composer", "opened"),
        Input("show-composer", "n_clicks"),
        prevent_initial_call=True,
    )
    app.clientside_callback(gantry("weights"), Output(VALUE, "children"), Input(WEIGHT, "value"))
    parts = {role: f"part-{role.replace(' ', '-')}" for role in ROLES}
    for role, id in parts.items():
        _register_part(app, role, id)

    @app.callback(
        Output("composed", "children"),
        Output("composed-fault", "children"),
        Output("composed-add", "disabled"),
        *(Input(id, "value") for id in parts.values()),
        Input(WEIGHT, "value"),
        Input(SLIDER, "value"),
        State(WEIGHT, "id"),
        State(SLIDER, "id"),
        prevent_initial_call=True,
    )
    def name(
        order: Any,
        reduce_start: Any,
        admission: Any,
        weights: Any,
        amounts: Any,
        weight_ids: Any,
        amount_ids: Any,
    ):
        chosen = {
            role: value
            for role, value in zip(ROLES, (order, reduce_start, admission))
            if isinstance(value, str)
        }
        try:
            return composed(chosen, [*_pairs(weight_ids, weights), *_pairs(amount_ids, amounts)]), None, False
        except SchedulerError as error:
            return None, str(error), True

    @app.callback(
        Output("schedulers", "value", allow_duplicate=True),
        Output("composer", "opened", allow_duplicate=True),
        Output("composed-fault", "children", allow_duplicate=True),
        Input("composed-add", "n_clicks"),
        State("composed", "children"),
        State("schedulers", "value"),
        prevent_initial_call=True,
    )
    def add(clicks: Any, text: Any, current: Any):
        if not clicks or not isinstance(text, str):
            return no_update, no_update, no_update
        names = [one for one in current if isinstance(one, str)] if isinstance(current, list) else []
        if text not in names and len(names) >= MAX_SCHEDULERS:
            return no_update, no_update, TOO_MANY
        return list(dict.fromkeys([*names, text])), False, None


def _register_part(app: Dash, role: str, id: str) -> None:
    @app.callback(Output(f"tunables-{id}", "children"), Input(id, "value"), prevent_initial_call=True)
    def show(name: Any):
        return tunables(CATALOGUE[role].get(name) if isinstance(name, str) else None)


def _pairs(ids: Any, values: Any) -> list[tuple[Any, Any]]:
    return list(zip(ids, values)) if isinstance(ids, list) and isinstance(values, list) else []


def _part(role: str, title: str) -> html.Section:
    id = f"part-{role.replace(' ', '-')}"
    options = [
        {"value": name, "label": f"{policy.title} ({name})"} for name, policy in CATALOGUE[role].items()
    ]
    if FIRST[role] == OWN:
        options.insert(0, {"value": OWN, "label": msg("panels.weights.orders_own")})
    select = dmc.Select(
        id=id,
        label=title,
        data=options,
        value=FIRST[role],
        allowDeselect=False,
        searchable=True,
        maxDropdownHeight=320,
        comboboxProps={"zIndex": 400},
    )
    return html.Section(
        [select, html.Div(tunables(CATALOGUE[role].get(FIRST[role])), id=f"tunables-{id}")],
        **attributes({"aria-label": title}),
    )


def _sliders(policy: Policy) -> list:
    """A row a weight: its name, the slider, its value."""
    rows = []
    for parameter in policy.parameters:
        id = {"policy": policy.name, "name": parameter.name}
        rows += [
            html.Span(
                [
                    parameter.name.capitalize(),
                    html.Small(parameter.meaning.removeprefix(msg("panels.weights.weight_2"))),
                ]
            ),
            dmc.Slider(
                id={"type": "weight", **id},
                min=parameter.low,
                max=parameter.high,
                step=0.5,
                value=parameter.default,
                marks=[{"value": 0}],
                updatemode="drag",
                thumbLabel=msg("panels.weights.weight", name=parameter.name),
                label=None,
                showLabelOnHover=False,
            ),
            html.Output(id={"type": "weight-value", **id}, className="weight-value"),
        ]
    return rows


def _input(policy: Policy, parameter: Parameter) -> Any:
    """A parameter's input, empty or at its default: a drop-down of its choices, a number, or text where a
    word may stand for one.
    """
    id = {"type": "tunable", "policy": policy.name, "name": parameter.name}
    attributes = {
        "id": id,
        "label": parameter.name,
        "description": f"{parameter.meaning}: {allowed_values(parameter)}",
        "size": "sm",
    }
    if parameter.choices:
        return dmc.Select(
            **attributes,
            data=list(parameter.choices),
            value=parameter.default,
            allowDeselect=False,
            comboboxProps={"zIndex": 400},
        )
    if parameter.none_word:
        return dmc.TextInput(**attributes, placeholder=default_text(parameter), value="")
    return dmc.NumberInput(
        **attributes,
        placeholder=default_text(parameter),
        value="" if parameter.default is None else parameter.default,
        clampBehavior="none",
    )
