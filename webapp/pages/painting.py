"""What the dashboard shows before any script has run: its head, the answer and the charts, where the server
has what the address asks for. It lies over the page until that has painted the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any
from urllib.parse import unquote

from flask import request
from plotly.io.json import to_json_plotly

from engine import GantryError, presets, quantities
from webapp.figures.ticks import tick_step
from webapp.http import embedding
from webapp.messages import msg
from webapp.pages import main
from webapp.pages.static_html import static_html
from webapp.panels.run import headline, run_routes
from webapp.panels.sections import pixels
from webapp.panels.share import preview, share
from webapp.panels.timeline.viewport import View, render_view
from webapp.report import summary_text
from webapp.report.html import Markup, tag
from webapp.runs.identical_runs import equal_groups
from webapp.runs.saved_tasks import load_task
from webapp.runs.task import Task, build_task
from webapp.runs.warm_up import FIRST_SCHEDULERS, ready
from webapp.url import url_state
from webapp.url.links import link_store
from webapp.url.url_state import RunRequest

COOKIE = "gantry-look"  # what assets/scripts/page/look.ts says of a visitor's last look at the page
MAX_COOKIE_CHARS = 2000
MAX_CONTAINERS = 20_000  # of all runs; more take longer to draw than the page to wake up
MAX_PAINTED = 32  # that are held ready
SIZE = re.compile(r'<svg width="([\d.]+)" height="([\d.]+)"')
STRETCHED = r'<svg viewBox="0 0 \1 \2" preserveAspectRatio="none"'
TICK_PX = 84  # as in assets/scripts/timeline/ruler.ts
PLACES = {"dock": ("below", "right"), "drawer": ("closed", "open"), "rail": ("closed", "open")}
DRAWER_PX = {"size": 240, "side": 500}  # below and at the right
# a visit of which nothing is known is drawn so and stretched to the room there is
STRIPS = {"memory": 34, "vcores": 34}
DESKTOP = {"width": 513, "height": 441, "room": 96, "strips": STRIPS, "columns": 2}
PHONE = {"width": 261, "height": 214, "room": 64, "strips": STRIPS, "columns": 1, "phone": True}


def html(query: dict[str, Any]) -> Markup:
    """Of the address that this request is for; nothing where the server would first have to compute it."""
    seen = url_state.read(query)
    look = _look_of_cookie()
    try:
        task = _task(seen, look)
        if task is None or not ready.is_set() or not task.is_available or _is_large(task):
            return Markup()
    except GantryError:
        return Markup()
    is_exact = look.get("key") == task.key and not seen.present
    if not is_exact:
        look = {key: look[key] for key in ("dark",) if key in look}
        look |= PHONE if "Mobi" in request.user_agent.string else DESKTOP
    link = preview.linked()
    line = to_json_plotly(share.line(link._asdict() if link else None))
    return _painted(task, json.dumps([look, seen.start()]), is_exact, line)


def _look_of_cookie() -> dict[str, Any]:
    """{} where there is none, or one that no page of ours wrote, and in a frame, which opens the same for
    everyone.
    """
    text = "" if embedding.is_embedded() else unquote(request.cookies.get(COOKIE, ""))
    try:
        look = json.loads(text) if len(text) < MAX_COOKIE_CHARS else {}
    except ValueError:
        return {}
    return look if isinstance(look, dict) else {}


def _task(seen: url_state.UrlState, look: dict[str, Any]) -> Task | None:
    """What the page will show; None of what it shows beside something else, be it a complaint."""
    if seen.pinned or seen.optimum or seen.complaints or seen.note:
        return None
    if seen.link:
        link = link_store().find(seen.link)
        return build_task(url_state.request_of_link(link)[0]) if link else None
    if seen.request:
        return build_task(seen.request)
    key = look.get("key", "")
    return load_task(key) if isinstance(key, str) and key else None if "key" in look else _example()


@cache
def _example() -> Task:
    return build_task(RunRequest(presets()[0].scenario.plain(), FIRST_SCHEDULERS))


def _is_large(task: Task) -> bool:
    return sum(len(shown.outcome.run.containers.job) for shown in task.shown) > MAX_CONTAINERS


@lru_cache(maxsize=MAX_PAINTED)
def _painted(task: Task, wanted: str, is_exact: bool, line: str) -> Markup:
    look, seen = json.loads(wanted)
    window = {**(seen["window"] or {}), **(seen["rows"] or {})}
    sent = {
        "window": window,
        "rows": seen["arranged"],
        "highlight": seen["highlight"],
        "colour": seen["colour"],
    }
    view = View.of(look | sent)
    places = [place for place, same in enumerate(equal_groups(task)) if same == place]
    shown = [place for place in places if place not in seen["folded"]] or places
    if look.get("phone") is True:
        shown = shown[:1]
    drawing = render_view(task, replace(view, charts=frozenset(shown)))
    columns = 2 if look.get("columns") == 2 and len(shown) > 1 else 1
    looked = drawing["looked"]
    ticks = _Ticks(looked["x0"], looked["x1"], view)
    says, *others = headline.sentences(task)
    contents = {
        "rail-title": task.scenario.name or msg("shared.untitled"),
        "run-status": "",
        "answer-says": says,
        "ruler": Markup(ticks.row * columns),
        "lanes": Markup("".join(_lanes(task, shown, drawing, view, is_exact))),
        **({"answer-more": tag("summary", "⋯")} if others else {}),
        "left": "",
        "drawer-body": "",
    }
    parts = main.static_parts()
    top = tag("div", static_html(json.loads(line), {}), static_html(parts["top"], contents), cls="top")
    marks = {f"data_{key}": look[key] for key, allowed in PLACES.items() if look.get(key) in allowed}
    workbench = tag(
        "div",
        top,
        static_html(parts["main"], contents),
        cls="workbench",
        data_pane="result",
        data_presenting="" if seen["present"] else None,
        style=f"--drawer-px:{_px(look, 'size')}px;--drawer-side-px:{_px(look, 'side')}px;{ticks.style}",
        **{"data_dock": "below", "data_drawer": "closed", "data_rail": "closed", **marks},
    )
    page = tag("div", static_html(parts["header"], contents), workbench, cls="dashboard")
    scheme = {True: "dark", False: "light"}.get(look.get("dark"))
    return tag(
        "div",
        page,
        id="first-paint",
        cls="first-paint" if is_exact else "first-paint stretched",
        data_columns=columns,
        style=scheme and f"color-scheme:{scheme}",
        inert="",
        aria_hidden="true",
    )


def _lanes(
    task: Task, places: list[int], drawing: dict[str, Any], view: View, is_exact: bool
) -> Iterator[Markup]:
    looked = drawing["looked"]
    first_equal, chips = equal_groups(task), summary_text.verdict_chips(task)
    for place in places:
        chart = drawing["charts"][place]
        drawn = chart["drawn"]
        left = (drawn["x0"] - looked["x0"]) * view.width / (looked["x1"] - looked["x0"])
        top = (drawn["y0"] - looked["y0"]) * view.height / (looked["y1"] - looked["y0"])
        style = f"transform:translate({left:.2f}px,{top:.2f}px)"
        room = {"room": view.margin, "height": view.height, "style": style}
        drawn_lane = run_routes.lane_of(task, place, first_equal, chips[place], chart | room)
        lane = drawn_lane.replace(' id="', ' data-of="')
        yield Markup(lane if is_exact else SIZE.sub(STRETCHED, lane))


def _px(look: dict[str, Any], key: str) -> int:
    return pixels(look.get(key), range(4001), DRAWER_PX[key])


class _Ticks:
    """The ruler of a window as ruler.ts lays it: row: HTML of its times; style: of the lines below them."""

    def __init__(self, first_ms: int, last_ms: int, view: View) -> None:
        scale = view.width / (last_ms - first_ms)
        step = tick_step(TICK_PX / scale)
        first = -(-first_ms // step) * step
        texts = []
        for ms in range(first, last_ms + 1, step):
            place = f"left:{100 * (ms - first_ms) / (last_ms - first_ms):.3f}%"
            texts.append(tag("span", quantities.clock(ms / 1000), style=place))
        self.row = tag("div", *texts, cls="times", style=f"margin-left:{view.margin}px;width:{view.width}px")
        left = (first - first_ms) * scale
        self.style = f"--tick:{100 * step / (last_ms - first_ms):.3f}%;--tick-left:{left:.3f}px"
