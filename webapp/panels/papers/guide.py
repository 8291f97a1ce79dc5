"""What a policy's page shows: how it works, where it comes from, and two small cases, run now, on which it wins and loses."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from dash import ALL, ClientsideFunction, Dash, Input, Output, State, dcc, get_relative_path, html, no_update

from engine import CATALOGUE, Case, GantryError, Guide, Measured, checked_against_hadoop, guide, guides, labels, measure
from webapp import theme
from webapp.panels.components import about, card_menu, default, legend, values
from webapp.panels.papers import downloads, static_charts

WIDTHS = range(240, 2001)
ROLE_WORDS = {"order": "order", "reduce start": "reduce-start rule", "admission": "admission rule"}


def layout(entry: Guide) -> list:
    """Everything below the title."""
    return [
        dcc.Store(id="guide-look"),
        html.P(" ".join(entry.says), className="says"),
        *_facts(entry),
        html.Div([html.Span("Colours: ", className="quiet"), legend(theme.USUAL, "Colours of the charts")], className="case-legend"),
        _cases(entry, 0),
        *(piece for number, one in enumerate(entry.variants, start=1) for piece in _variant(one, number)),
    ]


def every_case(entry: Guide) -> list[Case]:
    """The cases of a page in their order: where it wins and loses, then those of its variants."""
    return [case for one in (entry, *entry.variants) for case in one.cases]


def neighbours(name: str) -> tuple[Guide | None, Guide | None]:
    """The guides before and after this one in the order of the catalogue."""
    names = list(guides())
    place = names.index(name)
    return guide(names[place - 1]) if place else None, guide(names[place + 1]) if place + 1 < len(names) else None


def address(case: Case) -> str:
    """Where the dashboard shows a case under both of its schedulers."""
    return static_charts.address(case.scenario, case.schedulers)


def register(app: Dash) -> None:
    """The cases are run and drawn once the page knows how wide it is and whether it is dark."""
    cases = {"type": "case", "name": ALL, "place": ALL}
    app.clientside_callback(ClientsideFunction("gantry", "guideLook"), Output("guide-look", "data"), Input("guide-look", "id"))

    @app.callback(Output(cases, "children"), Input("guide-look", "data"), State(cases, "id"), prevent_initial_call=True)
    def show(look: Any, ids: list):
        width = static_charts.fitting(look.get("width"), WIDTHS) if isinstance(look, dict) else None
        if width is None:
            return [no_update] * len(ids)
        return [_shown(one, look.get("dark") is True, width) for one in ids]


def _shown(id: Any, dark: bool, width: int) -> Any:
    try:
        name, place = id["name"], int(id["place"])
        case = every_case(guide(name))[place]
    except (KeyError, TypeError, ValueError, IndexError):
        return no_update
    try:
        drawn = static_charts.schedules(f"{name}: where it {'loses' if place % 2 else 'wins'}", case.scenario, case.schedulers, dark, width)
        found = measured(name, place)
    except GantryError as error:
        return html.P(str(error), className="deadlock")
    file = f"{name}-case-{place + 1}"
    return [card_menu("this case", [*downloads.chart(file), downloads.case(file, case, found)]), _numbers(case, found), *drawn]


@lru_cache(maxsize=128)
def measured(name: str, place: int) -> Measured:
    """What a case's numbers are, run once in each process."""
    return measure(every_case(guide(name))[place])


def _numbers(case: Case, found: Measured) -> html.Div:
    """Both numbers and their difference, with its interval where there are several seeds."""
    metric, unit = case.metric, case.metric.unit
    good = (found.share < 0) == (metric.better == "smaller")
    words = f"{theme.percent(abs(found.share))} {'less' if found.share < 0 else 'more'}"
    of = [html.Span(metric.title, title=metric.formula)]
    if found.half is not None:
        off = f"{theme.amount(abs(found.mean - found.against), unit)} ± {theme.amount(found.half, unit)}"
        of.append(f", mean of {case.seeds} seeds; they differ by {off} (95 %), and the charts show the first")
    names = zip(labels(case.schedulers), case.schedulers)
    pairs = [(html.Code(name, title=full), theme.amount(value, unit)) for (name, full), value in zip(names, (found.mean, found.against))]
    pairs.append(("Difference", html.Span(words, className="better" if good else "worse")))
    full = ["In full: ", html.Code(case.schedulers[0]), " and ", html.Code(case.schedulers[1]), ". A name alone takes Hadoop's default rules."]
    facts = html.Dl([html.Div([html.Dt(head), html.Dd(value)]) for head, value in pairs], className="facts")
    return html.Div([html.P(of, className="case-metric"), facts, html.P(full, className="quiet")])


def _facts(entry: Guide) -> list:
    """Formula, source, parameters, and what is assumed."""
    policy = CATALOGUE[entry.role].get(entry.name)
    parts = [html.H2("Formula"), html.Ul([html.Li(line) for line in entry.formula], className="formula"), html.H2("Source"), html.P(entry.source)]
    parts += _checked(entry.name)
    if policy and policy.parameters:
        rows = [(p.name, default(p), values(p), p.meaning, p.source) for p in policy.parameters]
        heads = ("Parameter", "Default", "May be", "What it is", "Source")
        body = [html.Tr([html.Td(html.Code(name)), *map(html.Td, others)]) for name, *others in rows]
        table = [html.Thead(html.Tr([html.Th(head, scope="col") for head in heads])), html.Tbody(body)]
        menu = card_menu("the parameters", [downloads.table(f"{entry.name}-parameters", heads, rows)])
        parts += [
            html.Div([html.H2("Parameters"), menu], className="paper-title"),
            html.Div(html.Table(table), className="parameters", tabIndex="0", role="region", **{"aria-label": "Parameters"}),
        ]
    return [*parts, html.H2("What is assumed"), html.Ul([html.Li(line) for line in entry.ours])]


def _checked(name: str) -> list:
    """On how many decisions it was compared with Hadoop's own scheduler, for those that were."""
    found = checked_against_hadoop()
    one = found.of_order(name)
    if not one.decisions:
        return []
    many = f"all {one.decisions:,} decisions" if one.identical == one.decisions else f"{one.identical:,} of {one.decisions:,} decisions"
    way = html.A("Checked against Hadoop", href=get_relative_path("/checked-against-hadoop"))
    return [html.P([way, f": the same as Hadoop {found.hadoop}'s own scheduler in {many} compared."])]


def _variant(entry: Guide, number: int) -> list:
    """A way to use the policy that has cases of its own."""
    head = html.H2([entry.title, " ", html.Code(entry.name)], id=f"variant-{number}", className="variant")
    lines = [html.P(" ".join(entry.says)), html.Ul([html.Li(line) for line in entry.formula], className="formula"), html.P(entry.source)]
    return [head, *lines, html.Ul([html.Li(line) for line in entry.ours]), _cases(entry, 2 * number, entry.name.partition("(")[0])]


def _cases(entry: Guide, first: int, name: str = "") -> html.Div:
    """Both cases beside each other; first: the place of the first of them on the page; name: of the policy, if it is not the guide's."""
    found = []
    for place, (title, case) in enumerate((("Where it wins", entry.wins), ("Where it loses", entry.loses)), start=first):
        waiting = html.P("Running…", className="quiet")
        found.append(
            html.Section(
                [
                    html.H2(title),
                    html.P(case.story),
                    html.Div(waiting, id={"type": "case", "name": name or entry.name, "place": str(place)}, className="case-room"),
                    html.P(html.A("Open this case in the dashboard", href=address(case))),
                ],
                className="card case",
            )
        )
    return html.Div(found, className="cases")


def links(names: list[str]) -> list:
    """Links to the pages of policies, a comma between them; those without a page are left out."""
    known = [name for name in dict.fromkeys(names) if name in guides()]
    return [piece for place, name in enumerate(known) for piece in ([", "] if place else []) + [html.A(name, href=about(name))]]
