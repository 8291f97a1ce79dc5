"""What a policy's page shows: how it works, where it comes from, and two small cases, run now, on which it
wins and loses.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from dash import ALL, ClientsideFunction, Dash, Input, Output, State, dcc, get_relative_path, html, no_update

from engine import CATALOGUE, GantryError, quantities
from engine.dashboard import (
    Case,
    CaseMeasurement,
    Guide,
    checked_against_hadoop,
    guide,
    guides,
    labels,
    measure,
)
from webapp import theme
from webapp.messages import msg
from webapp.panels.components import allowed_values, card_menu, default_text, legend, policy_address
from webapp.panels.papers import downloads, mathml, static_charts
from webapp.panels.papers.pieces import column_heads, region

WIDTHS = range(240, 2001)
ROLE_NAMES = {
    "order": "order",
    "reduce start": "reduce-start rule",
    "admission": msg("panels.guide.admission_rule"),
}


def layout(entry: Guide) -> list:
    """Everything below the title."""
    colours = [
        html.Span("Colours: ", className="quiet"),
        legend(theme.USUAL_PHASES, msg("shared.colours_charts")),
    ]
    return [
        dcc.Store(id="guide-look"),
        html.P(" ".join(entry.says), className="says"),
        *_facts(entry),
        html.Div(colours, className="case-legend"),
        _cases(entry, 0),
        *(piece for number, one in enumerate(entry.variants, start=1) for piece in _variant(one, number)),
    ]


def all_cases(entry: Guide) -> list[Case]:
    """The cases of a page in their order: where it wins and loses, then those of its variants."""
    return [case for part in (entry, *entry.variants) for case in part.cases]


def neighbours(name: str) -> tuple[Guide | None, Guide | None]:
    """The guides before and after this one in the order of the catalogue."""
    entries: list[Guide | None] = [None, *guides().values(), None]
    place = entries.index(guide(name))
    return entries[place - 1], entries[place + 1]


def register(app: Dash) -> None:
    """The cases are run and drawn once the page knows how wide it is and whether it is dark."""
    cases = {"type": "case", "name": ALL, "place": ALL}
    app.clientside_callback(
        ClientsideFunction("gantry", "guideLook"), Output("guide-look", "data"), Input("guide-look", "id")
    )

    @app.callback(
        Output(cases, "children"), Input("guide-look", "data"), State(cases, "id"), prevent_initial_call=True
    )
    def show(look: Any, ids: list):
        width = static_charts.clamped_width(look.get("width"), WIDTHS) if isinstance(look, dict) else None
        if width is None:
            return [no_update] * len(ids)
        return [_case_content(case_id, look.get("dark") is True, width) for case_id in ids]


def _case_content(id: Any, dark: bool, width: int) -> Any:
    try:
        name, index = id["name"], int(id["place"])
        case = all_cases(guide(name))[index]
    except (KeyError, TypeError, ValueError, IndexError):
        return no_update
    title = msg("panels.guide.where", name=name, value="loses" if index % 2 else "wins")
    try:
        charts = static_charts.schedules(title, case.scenario, case.schedulers, dark, width)
        measured_ = measured(name, index)
    except GantryError as error:
        return html.P(str(error), className="deadlock")
    file = f"{name}-case-{index + 1}"
    return [
        card_menu(msg("panels.guide.case"), [*downloads.chart(file), downloads.case(file, case, measured_)]),
        _numbers(case, measured_),
        *charts,
    ]


@lru_cache(maxsize=128)
def measured(name: str, index: int) -> CaseMeasurement:
    """What a case's numbers are, run once in each process."""
    return measure(all_cases(guide(name))[index])


def _numbers(case: Case, measured_: CaseMeasurement) -> html.Div:
    """Both numbers and their difference, with its interval where there are several seeds."""
    metric, unit = case.metric, case.metric.unit
    is_better = (measured_.share < 0) == (metric.better == "smaller")
    difference = f"{quantities.percent(abs(measured_.share))} {'less' if measured_.share < 0 else 'more'}"
    about_metric: list[Any] = [html.Span(metric.title, title=metric.formula)]
    if measured_.half is not None:
        change = abs(measured_.mean - measured_.against)
        spread = quantities.estimate(change, measured_.half, unit, is_difference=True).removeprefix("+")
        seeds_text = msg("panels.guide.mean_seeds_they_differ_by_and", seeds=case.seeds, spread=spread)
        about_metric.append(seeds_text)
    values = zip(labels(case.schedulers), case.schedulers, (measured_.mean, measured_.against))
    pairs: list[tuple[Any, Any]] = [
        (html.Code(name, title=full_name), quantities.amount(value, unit))
        for name, full_name, value in values
    ]
    pairs.append(("Difference", html.Span(difference, className="better" if is_better else "worse")))
    facts = html.Dl([html.Div([html.Dt(head), html.Dd(value)]) for head, value in pairs], className="facts")
    full_names: list[Any] = [
        msg("panels.guide.in_full"),
        html.Code(case.scheduler),
        " and ",
        html.Code(case.against),
        msg("panels.guide.name_alone_takes_hadoops_default_rules"),
    ]
    return html.Div(
        [html.P(about_metric, className="case-metric"), facts, html.P(full_names, className="quiet")]
    )


def _facts(entry: Guide) -> list:
    """Formula, source, parameters, and what is assumed."""
    return [
        html.H2("Formula"),
        _formula(entry),
        html.H2("Source"),
        html.P(entry.source),
        *_checked(entry.name),
        *_parameters(entry),
        html.H2(msg("shared.what_assumed")),
        _assumptions(entry),
    ]


def _formula(entry: Guide) -> html.Div:
    """The lines, and beside them what their symbols mean."""
    lines = html.Ul(
        [html.Li(mathml.text(line, entry.symbols)) for line in entry.formula], className="formula"
    )
    if not entry.symbols:
        return html.Div(lines, className="formulas")
    body = [
        html.Tr(
            [
                html.Th(mathml.symbol(one.name), scope="row"),
                html.Td([*mathml.text(one.meaning, entry.symbols), one.unit and f" ({one.unit})"]),
                html.Td(one.source),
            ]
        )
        for one in entry.symbols
    ]
    table = html.Table([column_heads(("Symbol", "Meaning (unit)", "Source")), html.Tbody(body)])
    return html.Div([lines, html.Div(table, className="parameters symbols")], className="formulas")


def _assumptions(entry: Guide) -> html.Ul:
    return html.Ul([html.Li(mathml.text(line, entry.symbols)) for line in entry.assumptions])


def _parameters(entry: Guide) -> list:
    """The table of a policy's parameters, if it has any."""
    parameters = CATALOGUE[entry.role][entry.name].parameters
    if not parameters:
        return []
    rows = [(one.name, default_text(one), allowed_values(one), one.meaning, one.source) for one in parameters]
    headings = ("Parameter", "Default", msg("panels.guide.allowed_values"), msg("shared.what"), "Source")
    body = [html.Tr([html.Td(html.Code(name)), *map(html.Td, others)]) for name, *others in rows]
    csv = downloads.table(f"{entry.name}-parameters", headings, rows)
    title = [html.H2("Parameters"), card_menu(msg("panels.guide.parameters"), [csv])]
    table = html.Table([column_heads(headings), html.Tbody(body)])
    return [html.Div(title, className="paper-title"), region("Parameters", table, "parameters")]


def _checked(name: str) -> list:
    """On how many decisions it was compared with Hadoop's own scheduler, for those that were."""
    report = checked_against_hadoop()
    identical, decisions = report.of_order(name)
    if not decisions:
        return []
    counts = (
        msg("panels.guide.all_decisions", decisions=decisions)
        if identical == decisions
        else msg("panels.guide.decisions", identical=identical, decisions=decisions)
    )
    link = html.A(msg("shared.checked_against_hadoop"), href=get_relative_path("/checked-against-hadoop"))
    text = msg("panels.guide.same_as_hadoop_s_own_scheduler", hadoop=report.hadoop, counts=counts)
    return [html.P([link, text])]


def _variant(entry: Guide, number: int) -> list:
    """A way to use the policy that has cases of its own."""
    return [
        html.H2([entry.title, " ", html.Code(entry.name)], id=f"variant-{number}", className="variant"),
        html.P(" ".join(entry.says)),
        _formula(entry),
        html.P(entry.source),
        _assumptions(entry),
        _cases(entry, 2 * number),
    ]


def _cases(entry: Guide, first: int) -> html.Div:
    """Both cases beside each other; first: the place of the first of them on the page."""
    policy = entry.name.partition("(")[0]  # a variant's name has parameters too
    titles = (msg("panels.guide.where_wins"), msg("panels.guide.where_loses"))
    sections = []
    for place, (title, case) in enumerate(zip(titles, entry.cases), start=first):
        id = {"type": "case", "name": policy, "place": str(place)}
        room = html.Div(html.P("Running…", className="quiet"), id=id, className="case-room")
        address = static_charts.address(case.scenario, case.schedulers)
        link = html.P(html.A(msg("panels.guide.open_case_in_dashboard"), href=address))
        sections.append(html.Section([html.H2(title), html.P(case.story), room, link], className="card case"))
    return html.Div(sections, className="cases")


def links(names: list[str]) -> list:
    """Links to the pages of policies, a comma between them; those without a page are left out."""
    links_ = [html.A(name, href=policy_address(name)) for name in dict.fromkeys(names) if name in guides()]
    return [piece for link in links_ for piece in (", ", link)][1:]
