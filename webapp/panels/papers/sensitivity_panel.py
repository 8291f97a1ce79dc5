"""What it takes: sliders of the physics beside the paper's claims, each a lamp that turns as they move."""

from __future__ import annotations

from typing import Any

from dash import ClientsideFunction, Dash, Input, Output, dcc, get_relative_path, html
from flask import jsonify

from engine import Claim, Experiment, Finding, Knob, Printed, knobs_of, named_numbers, outcome, own, paper_experiments, printed_text, recorded, stated
from webapp import theme
from webapp.panels.papers.claims import BADGES, MARKS
from webapp.services import bodies, live_claims
from webapp.services.tasks import works

ADDRESS = "papers/what-it-takes"
PATIENCE_S = 0.25  # a request is held so long, or its asker waits where another process does the work: what takes longer is asked after
NO_VERDICT = "no verdict"
FORMULA = "formula"


def needed(name: str) -> bool:
    """Whether an experiment has the bench: under some reading its verdict is another than that it agrees, and something of it can be moved."""
    known = recorded().get(name)
    agrees = known is not None and all(one.verdict == "agrees" for one in known.readings.values())
    return not agrees and bool(knobs_of(name)) and any(_lit(claim) for claim in paper_experiments()[name].claims)


def layout(name: str, experiment: Experiment) -> list:
    """The sliders, which assets/papers_bench.js makes of `facts`, and a row a claim; nothing where it has no use."""
    if not needed(name):
        return []
    formulas = sum(not _lit(claim) for claim in experiment.claims)
    apart = f" {theme.count(formulas, 'formula claims')} can't move: nothing of them is simulated." if formulas else ""
    seeds = f"over {live_claims.MOVING} seeds while you move, over {live_claims.RESTING} once you rest and that is quick"
    says = f"Move the physics, and every claim is judged again: {seeds}; the page's verdict rests on more.{apart}"
    return [
        dcc.Store(id="bench-facts", data=facts(name)),
        html.Section(
            [
                html.H2("What it takes", id="bench-title"),
                html.P(says, className="quiet"),
                html.Div(
                    [
                        html.Div(
                            [
                                html.Div(id="bench-sliders", className="bench-sliders"),
                                html.Button("Reset to the experiment's own", id="bench-reset", type="button", disabled=True),
                                html.P("", id="bench-error", role="alert", className="deadlock"),
                                html.P("", id="bench-says", role="status", className="bench-says"),
                                html.Details(
                                    [html.Summary("What these are"), html.Ul([html.Li(_help(knob)) for knob in knobs_of(name)])], className="bench-help"
                                ),
                            ],
                            className="bench-hand",
                        ),
                        html.Div(_lamps(experiment), className="bench-room", tabIndex="0", role="region", **{"aria-label": "Claims under these conditions"}),
                    ],
                    className="bench-columns",
                ),
            ],
            id="bench",
            className="bench",
            **{"aria-labelledby": "bench-title"},
        ),
    ]


def facts(name: str) -> dict[str, Any]:
    """What the script needs: the address, the sliders with what the experiment has, and how outcomes look."""
    has = own(name)
    signs = {word: [mark, BADGES.get(word, "open")] for word, mark in MARKS.items()} | {NO_VERDICT: ["–", "open"]}
    readings = [reading.title for reading in paper_experiments()[name].readings]
    return {
        "address": get_relative_path("/" + ADDRESS),
        "experiment": name,
        "knobs": [_knob(knob, has[knob.key]) for knob in knobs_of(name)],
        "signs": signs,
        "readings": readings,
    }


def register(app: Dash) -> None:
    """The sliders, and the address of their movements."""
    app.clientside_callback(ClientsideFunction("gantry", "benchFacts"), Output("bench", "aria-busy"), Input("bench-facts", "data"))

    @app.server.post(app.config.routes_pathname_prefix + ADDRESS)
    def what_it_takes() -> Any:
        asked = bodies.sent()
        return jsonify(answer(asked if isinstance(asked, dict) else {}))


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    """What a movement shows: {readings, seeds}; while it takes longer {work}, to be asked after when {wait} ms are over; why it can't be as {because}.

    asked: {experiment, conditions, resting}, the {work} that is followed, or the one to {cancel}.
    """
    if isinstance(asked.get("cancel"), str):
        works.cancel(asked["cancel"])
        return {}
    name = asked.get("experiment")
    if not isinstance(name, str) or name not in paper_experiments():
        return {"because": "No experiment has this name."}
    conditions = live_claims.conditions_of(name, asked.get("conditions"))
    if conditions is None:
        return {"because": "These conditions are none of this experiment's."}
    key = name, conditions, live_claims.RESTING if asked.get("resting") is True else live_claims.MOVING
    judged = live_claims.found(key)
    if judged is None:
        work = asked.get("work")
        if isinstance(work, str):
            progress = works.progress(work, PATIENCE_S)
        else:
            work, progress = live_claims.start(key, PATIENCE_S)
        judged = live_claims.found(key)
        if judged is None:
            if not progress.under_way:
                return {"because": progress.because or "It was ended: move it again."}
            return {"work": work, "wait": 0 if progress.here else round(1000 * PATIENCE_S)}
    return {"readings": [lamps(findings) for findings in judged], "seeds": seeds_of(judged)}


def lamps(findings: tuple[Finding, ...]) -> dict[str, Any]:
    """How many of the claims that have a say hold, and each lamp in order: its word and Gantry's numbers."""
    lit = [found for found in findings if _lit(found.claim)]
    judged = [found for found in lit if found.judged]
    return {
        "holds": sum(found.agrees for found in judged),
        "of": len(judged),
        "lamps": [[outcome(found) if found.judged else NO_VERDICT, _numbers(found)] for found in lit],
    }


def seeds_of(judged: live_claims.Judged) -> int:
    """Over how many seeds the numbers are: 1 where there is no chance in them."""
    return max((ours.count for findings in judged for found in findings for ours in found.numbers.values()), default=1)


def _lit(claim: Claim) -> bool:
    return claim.basis != FORMULA


def _numbers(found: Finding) -> str:
    return ", ".join(f"{name} {value}".strip() for name, value in named_numbers(found))


def _knob(knob: Knob, has: float | bool | None) -> dict[str, Any]:
    """A slider: its stops as [value, text], that of the experiment with value None, which leaves everything as it has it."""
    stops: list[tuple[Any, str]] = [(value, text(knob, value)) for value in knob.values if value != has]
    own_stop = (None, text(knob, has))
    if has is None:
        stops.insert(0, own_stop)
    else:
        stops.insert(sum(value < has for value, _ in stops), own_stop)
    choice = isinstance(knob.values[0], bool)
    return {"key": knob.key, "title": knob.title, "help": knob.meaning, "choice": choice, "various": has is None, "stops": stops}


def text(knob: Knob, value: float | bool | None) -> str:
    """A stop in words with its unit."""
    if value is None:
        return "as each has it"
    return ("without", "with")[value] if isinstance(value, bool) else f"{theme.number(value)} {knob.unit}".strip()


def _help(knob: Knob) -> str:
    return f"{knob.title}{f' ({knob.unit})' if knob.unit else ''}: {knob.meaning}"


def _lamps(experiment: Experiment) -> html.Table:
    """A row a claim with a lamp for each reading, dark until the script has asked."""
    several = len(experiment.readings) > 1
    heads = [html.Th(head, scope="col") for head in ("Claim", "Paper", *(one.title if several else "Under these conditions" for one in experiment.readings))]
    rows = [
        html.Tr([_what(claim), html.Td(printed_text(claim) if isinstance(claim, Printed) else stated(claim), **{"data-head": "Paper"}), *_cells(experiment)])
        for claim in experiment.claims
        if _lit(claim)
    ]
    return html.Table([html.Thead(html.Tr(heads)), html.Tbody(rows, id="bench-lamps")], className=f"claims bench-claims{' bench-beside' if several else ''}")


def _what(claim: Claim) -> html.Th:
    return html.Th([claim.what, html.Span(claim.where, className="where")], scope="row")


def _cells(experiment: Experiment) -> list[html.Td]:
    several = len(experiment.readings) > 1
    return [html.Td(_dark_lamp(), **{"data-head": one.title if several else "Now"}) for one in experiment.readings]


def _dark_lamp() -> html.Div:
    return html.Div([html.Span("– not judged yet", className="paper-verdict open lamp"), html.Span("", className="lamp-numbers")], className="lamp-cell")
