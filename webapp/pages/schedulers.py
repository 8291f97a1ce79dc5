"""A page for each scheduler's parts, and one that lists them."""

from __future__ import annotations

from dash import html

from engine import CATALOGUE
from engine.dashboard import guide, guides
from webapp.messages import msg
from webapp.pages import not_found, parts
from webapp.panels.components import policy_address
from webapp.panels.papers import guide as panel

GROUPS = {
    "order": ("Orders", msg("pages.schedulers.which_waiting_requests_gets_free_resources")),
    "reduce start": (msg("shared.reduce_start"), msg("pages.schedulers.when_job_may_ask_for_its")),
    "admission": ("Admission", msg("pages.schedulers.when_jobs_master_may_start")),
}


def index(**_query: str) -> html.Main:
    """All of them, in three groups."""
    sections = []
    for role, (title, description) in GROUPS.items():
        entries = [_entry(role, name) for name in CATALOGUE[role]]
        about = html.P(description, className="quiet")
        sections.append(html.Section([html.H2(title), about, html.Ul(entries, className="policies")]))
    intro = html.P(msg("pages.schedulers.scheduler_has_three_parts_order_rule"))
    return parts.page([html.H1("Schedulers"), intro, *sections], "wide")


def _entry(role: str, name: str) -> html.Li:
    policy, entry = CATALOGUE[role][name], guides().get(name)
    head = html.A(policy.title, href=policy_address(name)) if entry else policy.title
    says = entry.says[0] if entry else policy.source
    return html.Li([html.H3([head, " ", html.Code(name)]), html.P(says)])


def layout(name: str = "", **_query: str) -> html.Main:
    """The page of one policy; for a name that none has, the page that says so."""
    if name not in guides():
        return not_found.layout()
    entry = guide(name)
    kind = html.Span(panel.ROLE_NAMES[entry.role], className="badge")
    head = html.H1([entry.title, " ", html.Code(name), " ", kind])
    return parts.page([head, *panel.layout(entry), _navigation(name)], "wide guide")


def title(name: str = "", **_query: str) -> str:
    """The title of the window."""
    return parts.window_title(guide(name).title if name in guides() else None)


def _navigation(name: str) -> html.Nav:
    """To the page before, to all of them, and to the next."""
    before, after = ((one.title, policy_address(one.name)) if one else None for one in panel.neighbours(name))
    whole = parts.link(msg("shared.all_schedulers"), "/schedulers")
    return parts.ways(before, whole, after, msg("pages.schedulers.other_schedulers"))
