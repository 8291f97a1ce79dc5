"""A page for each scheduler's parts, and one that lists them."""

from __future__ import annotations

from dash import get_relative_path, html

from engine import CATALOGUE
from engine.dashboard import guide, guides
from webapp.messages import msg
from webapp.pages import not_found
from webapp.panels.components import attributes, policy_address
from webapp.panels.papers import guide as panel

GROUPS = {
    "order": ("Orders", msg("pages.schedulers.which_waiting_requests_gets_free_resources")),
    "reduce start": (msg("shared.reduce_start"), msg("pages.schedulers.when_job_may_ask_for_its")),
    "admission": ("Admission", msg("pages.schedulers.when_jobs_master_may_start")),
}


def index(**_query: str) -> html.Main:
    """All of them, in three groups."""
    guides_by_name = guides()
    parts = []
    for role, (title, description) in GROUPS.items():
        entries = []
        for name, policy in CATALOGUE[role].items():
            entry = guides_by_name.get(name)
            head = html.A(policy.title, href=policy_address(name)) if entry else policy.title
            entries.append(
                html.Li(
                    [html.H3([head, " ", html.Code(name)]), html.P(entry.says[0] if entry else policy.source)]
                )
            )
        parts.append(
            html.Section(
                [
                    html.H2(title),
                    html.P(description, className="quiet"),
                    html.Ul(entries, className="policies"),
                ]
            )
        )
    return html.Main(
        [
            html.H1("Schedulers"),
            html.P(msg("pages.schedulers.scheduler_has_three_parts_order_rule")),
            *parts,
        ],
        id="results",
        className="prose wide",
    )


def layout(name: str = "", **_query: str) -> html.Main:
    """The page of one policy; for a name that none has, the page that says so."""
    if name not in guides():
        return not_found.layout()
    entry = guide(name)
    kind = html.Span(panel.ROLE_NAMES[entry.role], className="badge")
    return html.Main(
        [html.H1([entry.title, " ", html.Code(name), " ", kind]), *panel.layout(entry), _navigation(name)],
        id="results",
        className="prose wide guide",
    )


def title(name: str = "", **_query: str) -> str:
    """The title of the window."""
    return (
        msg("shared.gantry", title=guide(name).title) if name in guides() else msg("shared.not_found_gantry")
    )


def _navigation(name: str) -> html.Nav:
    """To the page before, to all of them, and to the next."""
    before, after = panel.neighbours(name)
    links = [
        html.A([html.Span("← Previous: "), before.title], href=policy_address(before.name), rel="prev")
        if before
        else html.Span(),
        html.A(msg("shared.all_schedulers"), href=get_relative_path("/schedulers")),
        html.A([html.Span("Next: "), after.title, " →"], href=policy_address(after.name), rel="next")
        if after
        else html.Span(),
    ]
    return html.Nav(
        links, className="ways", **attributes({"aria-label": msg("pages.schedulers.other_schedulers")})
    )
