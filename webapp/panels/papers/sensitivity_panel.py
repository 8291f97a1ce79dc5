"""The sensitivity analysis of an experiment: sliders of the test bed's physics, and the claims' lamps, which
follow them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dash import ClientsideFunction, Dash, Input, Output, dcc, html

from engine import GantryError, paper_experiments, quantities
from engine.dashboard import (
    FAILS,
    HOLDS,
    LAMP_WORDS,
    NOT_TESTABLE,
    Claim,
    Experiment,
    Finding,
    SensitivityParameter,
    experiment_conditions,
    named_numbers,
    recorded_states,
    sensitivity_parameters,
)
from webapp.jobs import live_claims
from webapp.jobs.job_manager import Progress
from webapp.messages import msg
from webapp.panels import long_work
from webapp.panels.components import attributes
from webapp.panels.long_work import Begun, LongWork
from webapp.panels.papers.claims import paper_text
from webapp.panels.papers.lamps import LOOKS, SIGNS
from webapp.panels.papers.pieces import column_heads, named_cells
from webapp.panels.progress_text import step_text

INITIAL_WAIT_S = 0.25  # a request waits so long for its result; what takes longer is polled
FORMULA = "formula"


def has_sensitivity_panel(name: str) -> bool:
    """Whether an experiment has the sensitivity analysis: some claim does not hold in all that it says, and
    something of the test bed can be moved.
    """
    states = recorded_states([name]).get(name, [])
    fails = not states or any(FAILS in of_claim.values() for of_claim in states)
    return (
        fails
        and bool(sensitivity_parameters(name))
        and any(map(_is_simulated, paper_experiments()[name].claims))
    )


def layout(name: str, experiment: Experiment) -> list:
    """The sliders, which assets/scripts/papers makes of `facts`, and a row a claim; nothing where it
    has no use.
    """
    if not has_sensitivity_panel(name):
        return []
    formulas = sum(not _is_simulated(claim) for claim in experiment.claims)
    formulas_note = (
        msg(
            "panels.sensitivity_panel.cant_move_nothing_them_simulated",
            count=quantities.count(formulas, "formula claims"),
        )
        if formulas
        else ""
    )
    seeds = msg(
        "panels.sensitivity_panel.over_seeds_while_you_move_over",
        moving=live_claims.MOVING,
        resting=live_claims.RESTING,
    )
    sentence = msg(
        "panels.sensitivity_panel.move_physics_and_every_claim_judged",
        seeds=seeds,
        formulas_note=formulas_note,
    )
    return [
        dcc.Store(id="sensitivity-facts", data=facts(name)),
        html.Details(
            [
                html.Summary(msg("panels.sensitivity_panel.title"), id="sensitivity-title"),
                html.P(sentence, className="quiet"),
                html.Div(
                    [
                        html.Div(
                            [
                                html.Div(id="sensitivity-sliders", className="sensitivity-sliders"),
                                html.Button(
                                    msg("panels.sensitivity_panel.reset_to_experiments_own"),
                                    id="sensitivity-reset",
                                    type="button",
                                    disabled=True,
                                ),
                                html.P("", id="sensitivity-error", role="alert", className="deadlock"),
                                html.P(
                                    "", id="sensitivity-says", role="status", className="sensitivity-says"
                                ),
                                html.Details(
                                    [
                                        html.Summary(msg("panels.sensitivity_panel.what_these")),
                                        html.Ul(
                                            [html.Li(_help(knob)) for knob in sensitivity_parameters(name)]
                                        ),
                                    ],
                                    className="sensitivity-help",
                                ),
                            ],
                            className="sensitivity-hand",
                        ),
                        html.Div(
                            _lamp_table(experiment),
                            className="sensitivity-room",
                            tabIndex="0",
                            role="region",
                            **attributes(
                                {"aria-label": msg("panels.sensitivity_panel.claims_under_these_conditions")}
                            ),
                        ),
                    ],
                    className="sensitivity-columns",
                ),
            ],
            id="sensitivity",
            className="sensitivity folded",
            **attributes({"aria-labelledby": "sensitivity-title"}),
        ),
    ]


def facts(name: str) -> dict[str, Any]:
    """What the script needs: the sliders with what the experiment has, and how outcomes look."""
    experiment_values = experiment_conditions(name)
    signs = {state: [mark, LOOKS[state]] for state, mark in SIGNS.items()}
    return {
        "experiment": name,
        "knobs": [_knob(knob, experiment_values[knob.key]) for knob in sensitivity_parameters(name)],
        "signs": signs,
    }


def register(app: Dash) -> None:
    """The sliders, and the addresses of their movements."""
    app.clientside_callback(
        ClientsideFunction("gantry", "sensitivityFacts"),
        Output("sensitivity", "aria-busy"),
        Input("sensitivity-facts", "data"),
    )

    long_work.register(app, WORK)


def begin(sent: dict) -> Begun:
    """A movement: {experiment, conditions, resting} of the page, untrusted."""
    key = _key(sent)
    asked = {field: sent.get(field) for field in ("experiment", "conditions", "resting")}
    if live_claims.find_judged(key):
        return Begun("", Progress(1, 1, "", "finished"), asked)
    return Begun(*live_claims.start(key, INITIAL_WAIT_S), asked)


def answer(asked: Any, progress: Progress, _sent: dict) -> dict[str, Any]:
    """What a movement shows: {holds, of, lamps, seeds}."""
    if progress.state != "finished" or not (judged := live_claims.find_judged(_key(asked))):
        return {}
    return {"found": {**claim_lamps(judged), "seeds": seeds_of(judged)}}


def _key(sent: Any) -> live_claims.Key:
    sent = sent if isinstance(sent, dict) else {}
    name = sent.get("experiment")
    if not isinstance(name, str) or name not in paper_experiments():
        raise GantryError(msg("panels.sensitivity_panel.no_experiment_has_name"))
    conditions = live_claims.conditions_of(name, sent.get("conditions"))
    if conditions is None:
        raise GantryError(msg("panels.sensitivity_panel.these_conditions_do_not_belong_to"))
    return name, conditions, live_claims.RESTING if sent.get("resting") is True else live_claims.MOVING


ENDED = msg("panels.sensitivity_panel.was_ended_move_again")
WORK = LongWork(
    "sensitivity",
    begin,
    step_text,
    answer,
    not_kept=ENDED,
    cancelled=ENDED,
    poll_s=INITIAL_WAIT_S,
)


def claim_lamps(findings: Sequence[Finding]) -> dict[str, Any]:
    """How many lamps are lit, of those that can be tested, and each claim's in order: what each says and its
    state, and Gantry's numbers.
    """
    shown = [finding for finding in findings if _is_simulated(finding.claim)]
    states = [state for finding in shown for state in finding.states.values()]
    return {
        "holds": states.count(HOLDS),
        "of": len(states) - states.count(NOT_TESTABLE),
        "lamps": [
            [[[LAMP_WORDS[lamp], state] for lamp, state in finding.states.items()], _numbers(finding)]
            for finding in shown
        ],
    }


def seeds_of(findings: Sequence[Finding]) -> int:
    """Over how many seeds the numbers are: 1 where there is no chance in them."""
    return max((estimate.count for finding in findings for estimate in finding.numbers.values()), default=1)


def _is_simulated(claim: Claim) -> bool:
    return claim.basis != FORMULA


def _numbers(finding: Finding) -> str:
    return ", ".join(f"{name} {value}".strip() for name, value in named_numbers(finding))


def _knob(knob: SensitivityParameter, experiment_value: float | bool | None) -> dict[str, Any]:
    """A slider: its stops as [value, text], that of the experiment with value None, which leaves everything
    as it has it.
    """
    stops: list[tuple[Any, str]] = [
        (value, text(knob, value)) for value in knob.values if value != experiment_value
    ]
    experiment_stop = (None, text(knob, experiment_value))
    if experiment_value is None:
        stops.insert(0, experiment_stop)
    else:
        stops.insert(sum(value < experiment_value for value, _ in stops), experiment_stop)
    choice = isinstance(knob.values[0], bool)
    return {
        "key": knob.key,
        "title": knob.title,
        "help": knob.meaning,
        "choice": choice,
        "various": experiment_value is None,
        "stops": stops,
    }


def text(knob: SensitivityParameter, value: float | bool | None) -> str:
    """A stop in words with its unit."""
    if value is None:
        return msg("panels.sensitivity_panel.each_ones_own")
    return (
        ("without", "with")[value]
        if isinstance(value, bool)
        else f"{quantities.number(value)} {knob.unit}".strip()
    )


def _help(knob: SensitivityParameter) -> str:
    return f"{knob.title}{f' ({knob.unit})' if knob.unit else ''}: {knob.meaning}"


def _lamp_table(experiment: Experiment) -> html.Table:
    """A row a claim, whose lamps are dark until the script has asked."""
    heads = ("Claim", "Paper", msg("panels.sensitivity_panel.under_these_conditions"))
    rows = [
        html.Tr(
            [
                html.Th([claim.what, html.Span(claim.where, className="where")], scope="row"),
                *named_cells(heads[1:], [paper_text(claim), html.Div(className="claim-badge-cell")]),
            ]
        )
        for claim in experiment.claims
        if _is_simulated(claim)
    ]
    table = [column_heads(heads), html.Tbody(rows, id="sensitivity-claims")]
    return html.Table(table, className="claims sensitivity-claims")
