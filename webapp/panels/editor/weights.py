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
    name = html.Code(composed(FIRST, []), id="composed", **attributes({"aria-live": "polite"}))
    its_name = html.Div([html.Span(msg("panels.weights.its_name"), className="quiet"), name])
    return dmc.Modal(
        [
            html.P(msg("panels.weights.order_rule_for_reduces_and_rule"), className="help"),
            html.Div([_part(role, title) for role, title in ROLES.items()], className="composer-parts"),
            html.Div([its_name, dmc.Button("Add", id="composed-add")], className="composed"),
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
    parts = []
    for name in (chosen.get(role, OWN) for role in ROLES):
        values = ", ".join(values_by_policy.get(name, []))
        if name != OWN:
            parts.append(f"{name}({values})" if values else name)
    return parse("+".join(parts)).name


def tunables(policy: Policy | None) -> list:
    """What a policy is, and an input for each of its parameters."""
    if policy is None:
        return []
    entry = guides().get(policy.name)
    about: list[Any] = [policy.source]
    if entry:
        link = html.A(msg("panels.weights.how_works"), href=policy_address(policy.name), target="_blank")
        about = [entry.says[0], " ", link]
    if policy.name == SLIDERS:
        inputs = html.Div(_sliders(policy), className="sliders")
    else:
        inputs = html.Div([_input(policy, one) for one in policy.parameters], className="tunables")
    return [html.P(about, className="help"), inputs]


def register(app: Dash) -> None:
    """Callbacks: a policy's inputs follow the drop-down, the name follows all of them, and Add puts it among
    the schedulers.
    """
    app.clientside_callback(
        ClientsideFunction("gantry", "weights"), Output(VALUE, "children"), Input(WEIGHT, "value")
    )
    for role in ROLES:
        _register_part(app, role)

    @app.callback(
        Output("composed", "children"),
        Output("composed-fault", "children"),
        Output("composed-add", "disabled"),
        inputs={
            "parts": [Input(_part_id(role), "value") for role in ROLES],
            "values": [Input(WEIGHT, "value"), Input(SLIDER, "value")],
        },
        state={"ids": [State(WEIGHT, "id"), State(SLIDER, "id")]},
        prevent_initial_call=True,
    )
    def name(parts: list, values: list, ids: list):
        chosen = {role: part for role, part in zip(ROLES, parts) if isinstance(part, str)}
        inputs = [pair for of_kind in zip(ids, values) for pair in _pairs(*of_kind)]
        try:
            return composed(chosen, inputs), None, False
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


def _register_part(app: Dash, role: str) -> None:
    id = _part_id(role)

    @app.callback(Output(f"tunables-{id}", "children"), Input(id, "value"), prevent_initial_call=True)
    def show(name: Any):
        return tunables(CATALOGUE[role].get(name) if isinstance(name, str) else None)


def _pairs(ids: Any, values: Any) -> list[tuple[Any, Any]]:
    return list(zip(ids, values)) if isinstance(ids, list) and isinstance(values, list) else []


def _part_id(role: str) -> str:
    return f"part-{role.replace(' ', '-')}"


def _part(role: str, title: str) -> html.Section:
    id, policies = _part_id(role), CATALOGUE[role]
    options = [{"value": name, "label": f"{policy.title} ({name})"} for name, policy in policies.items()]
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
    inputs = html.Div(tunables(policies.get(FIRST[role])), id=f"tunables-{id}")
    return html.Section([select, inputs], **attributes({"aria-label": title}))


def _sliders(policy: Policy) -> list:
    """A row a weight: its name, the slider, its value."""
    rows = []
    for parameter in policy.parameters:
        id = {"policy": policy.name, "name": parameter.name}
        meaning = html.Small(parameter.meaning.removeprefix(msg("panels.weights.weight_2")))
        slider = dmc.Slider(
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
        )
        value = html.Output(id={"type": "weight-value", **id}, className="weight-value")
        rows += [html.Span([parameter.name.capitalize(), meaning]), slider, value]
    return rows


def _input(policy: Policy, parameter: Parameter) -> Any:
    """A parameter's input, empty or at its default: a drop-down of its choices, a number, or text where a
    word may stand for one.
    """
    shared: dict[str, Any] = {
        "id": {"type": "tunable", "policy": policy.name, "name": parameter.name},
        "label": parameter.name,
        "description": f"{parameter.meaning}: {allowed_values(parameter)}",
        "size": "sm",
    }
    default = parameter.default
    if parameter.choices:
        options = list(parameter.choices)
        return dmc.Select(
            **shared, data=options, value=default, allowDeselect=False, comboboxProps={"zIndex": 400}
        )
    shared["placeholder"] = default_text(parameter)
    if parameter.none_word:
        return dmc.TextInput(**shared, value="")
    return dmc.NumberInput(**shared, value="" if default is None else default, clampBehavior="none")
