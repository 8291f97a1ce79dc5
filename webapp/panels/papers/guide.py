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
from webapp.panels.components import (
    allowed_values,
    attributes,
    card_menu,
    default_text,
    legend,
    policy_address,
)
from webapp.panels.papers import downloads, static_charts

WIDTHS = range(240, 2001)
ROLE_NAMES = {
    "order": "order",
    "reduce start": "reduce-start rule",
    "admission": msg("panels.guide.admission_rule"),
}


def layout(entry: Guide) -> list:
    """Everything below the title."""
    return [
        dcc.Store(id="guide-look"),
        html.P(" ".join(entry.says), className="says"),
        *_facts(entry),
        html.Div(
            [
                html.Span("Colours: ", className="quiet"),
                legend(theme.USUAL_PHASES, msg("shared.colours_charts")),
            ],
            className="case-legend",
        ),
        _cases(entry, 0),
        *(
            piece
            for number, variant in enumerate(entry.variants, start=1)
            for piece in _variant(variant, number)
        ),
    ]


def all_cases(entry: Guide) -> list[Case]:
    """The cases of a page in their order: where it wins and loses, then those of its variants."""
    return [case for part in (entry, *entry.variants) for case in part.cases]


def neighbours(name: str) -> tuple[Guide | None, Guide | None]:
    """The guides before and after this one in the order of the catalogue."""
    names = list(guides())
    index = names.index(name)
    return guide(names[index - 1]) if index else None, guide(names[index + 1]) if index + 1 < len(
        names
    ) else None


def address(case: Case) -> str:
    """Where the dashboard shows a case under both of its schedulers."""
    return static_charts.address(case.scenario, case.schedulers)


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
    try:
        charts = static_charts.schedules(
            msg("panels.guide.where", name=name, value="loses" if index % 2 else "wins"),
            case.scenario,
            case.schedulers,
            dark,
            width,
        )
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
        about_metric.append(
            msg("panels.guide.mean_seeds_they_differ_by_and", seeds=case.seeds, spread=spread)
        )
    names = zip(labels(case.schedulers), case.schedulers)
    pairs: list[tuple[Any, Any]] = [
        (html.Code(name, title=full), quantities.amount(value, unit))
        for (name, full), value in zip(names, (measured_.mean, measured_.against))
    ]
    pairs.append(("Difference", html.Span(difference, className="better" if is_better else "worse")))
    full_names: list[Any] = [
        msg("panels.guide.in_full"),
        html.Code(case.schedulers[0]),
        " and ",
        html.Code(case.schedulers[1]),
        msg("panels.guide.name_alone_takes_hadoops_default_rules"),
    ]
    facts = html.Dl([html.Div([html.Dt(head), html.Dd(value)]) for head, value in pairs], className="facts")
    return html.Div(
        [html.P(about_metric, className="case-metric"), facts, html.P(full_names, className="quiet")]
    )


def _facts(entry: Guide) -> list:
    """Formula, source, parameters, and what is assumed."""
    policy = CATALOGUE[entry.role].get(entry.name)
    parts = [
        html.H2("Formula"),
        html.Ul([html.Li(line) for line in entry.formula], className="formula"),
        html.H2("Source"),
        html.P(entry.source),
    ]
    parts += _checked(entry.name)
    if policy and policy.parameters:
        rows = [(p.name, default_text(p), allowed_values(p), p.meaning, p.source) for p in policy.parameters]
        headings = ("Parameter", "Default", msg("panels.guide.allowed_values"), msg("shared.what"), "Source")
        body = [html.Tr([html.Td(html.Code(name)), *map(html.Td, others)]) for name, *others in rows]
        table = [html.Thead(html.Tr([html.Th(head, scope="col") for head in headings])), html.Tbody(body)]
        menu = card_menu(
            msg("panels.guide.parameters"), [downloads.table(f"{entry.name}-parameters", headings, rows)]
        )
        parts += [
            html.Div([html.H2("Parameters"), menu], className="paper-title"),
            html.Div(
                html.Table(table),
                className="parameters",
                tabIndex="0",
                role="region",
                **attributes({"aria-label": "Parameters"}),
            ),
        ]
    return [
        *parts,
        html.H2(msg("shared.what_assumed")),
        html.Ul([html.Li(line) for line in entry.assumptions]),
    ]


def _checked(name: str) -> list:
    """On how many decisions it was compared with Hadoop's own scheduler, for those that were."""
    report = checked_against_hadoop()
    agreement = report.of_order(name)
    if not agreement.decisions:
        return []
    counts = (
        msg("panels.guide.all_decisions", decisions=agreement.decisions)
        if agreement.identical == agreement.decisions
        else msg("panels.guide.decisions", identical=agreement.identical, decisions=agreement.decisions)
    )
    link = html.A(msg("shared.checked_against_hadoop"), href=get_relative_path("/checked-against-hadoop"))
    return [
        html.P(
            [link, msg("panels.guide.same_as_hadoop_s_own_scheduler", hadoop=report.hadoop, counts=counts)]
        )
    ]


def _variant(entry: Guide, number: int) -> list:
    """A way to use the policy that has cases of its own."""
    head = html.H2([entry.title, " ", html.Code(entry.name)], id=f"variant-{number}", className="variant")
    lines = [
        html.P(" ".join(entry.says)),
        html.Ul([html.Li(line) for line in entry.formula], className="formula"),
        html.P(entry.source),
    ]
    return [
        head,
        *lines,
        html.Ul([html.Li(line) for line in entry.assumptions]),
        _cases(entry, 2 * number, entry.name.partition("(")[0]),
    ]


def _cases(entry: Guide, first: int, name: str = "") -> html.Div:
    """Both cases beside each other; first: the place of the first of them on the page; name: of the policy,
    if it is not the guide's.
    """
    sections = []
    for index, (title, case) in enumerate(
        ((msg("panels.guide.where_wins"), entry.wins), (msg("panels.guide.where_loses"), entry.loses)),
        start=first,
    ):
        waiting = html.P("Running…", className="quiet")
        sections.append(
            html.Section(
                [
                    html.H2(title),
                    html.P(case.story),
                    html.Div(
                        waiting,
                        id={"type": "case", "name": name or entry.name, "place": str(index)},
                        className="case-room",
                    ),
                    html.P(html.A(msg("panels.guide.open_case_in_dashboard"), href=address(case))),
                ],
                className="card case",
            )
        )
    return html.Div(sections, className="cases")


def links(names: list[str]) -> list:
    """Links to the pages of policies, a comma between them; those without a page are left out."""
    with_page = [name for name in dict.fromkeys(names) if name in guides()]
    return [
        piece
        for index, name in enumerate(with_page)
        for piece in ([", "] if index else []) + [html.A(name, href=policy_address(name))]
    ]
