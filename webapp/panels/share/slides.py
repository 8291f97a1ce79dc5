"""Slides of a lesson: a picture of the charts at 16:9, and Play as an animated one.

The page's script (assets/scripts/page/save.ts) paints the drawing, as it does those of single charts, so that
letters are the page's own; of what it has painted the server makes the animation.
"""

from __future__ import annotations

import base64
import io
from typing import Annotated

from dash import html
from msgspec import Meta
from PIL import Image

from engine import GantryError
from engine.quantities import NO_VALUE
from webapp.figures.animation import animation
from webapp.figures.slide import HEIGHT, MAX_CHARTS, WIDTH, Panel, draw_slide
from webapp.figures.timeline import colouring
from webapp.jobs.page_request import PageRequest
from webapp.messages import msg
from webapp.panels.components import button, heading
from webapp.panels.menu import menu
from webapp.panels.run import headline
from webapp.panels.run.lane_head import STATUS_WORDS
from webapp.panels.timeline.viewport import View, bounds, facts, rows_of_chart
from webapp.report import summary_text
from webapp.runs import run_cache
from webapp.runs.identical_runs import equal_groups
from webapp.runs.task import Task

SLIDES = (
    ("png", msg("panels.slides.picture"), msg("panels.slides.picture_what")),
    ("gif", msg("panels.slides.animation"), msg("panels.slides.animation_what")),
)
NOT_A_SLIDE = msg("panels.slides.not_a_slide")
Px = Annotated[int, Meta(ge=0, le=WIDTH)]
Time = Annotated[int, Meta(ge=-(10**15), le=10**15)]


class Animation(PageRequest, frozen=True):
    """What the page sends of a slide that it has painted. picture: a PNG in base64, WIDTH x 2 HEIGHT px: the
    slide, below it the same without what the runs drew; boxes: as Slide has them; window, played: ms.
    """

    picture: Annotated[str, Meta(max_length=12_000_000)]
    boxes: Annotated[tuple[tuple[Px, Px, Px, Px], ...], Meta(max_length=MAX_CHARTS)]
    window: tuple[Time, Time]
    played: tuple[Time, Time]
    dark: bool

    def __post_init__(self) -> None:
        if not self.window[0] <= self.played[0] < self.played[1] <= self.window[1]:
            raise GantryError(NOT_A_SLIDE)


def layout() -> html.Details:
    """The menu of slides."""
    entries = [button([title, html.Small(about)], {"data-slide": format}) for format, title, about in SLIDES]
    return menu("show-slides", "Slides", entries, "present", msg("panels.slides.for_a_lesson"))


def draw(task: Task, sent: dict) -> dict:
    """The slide of what is looked at: {name, svg, boxes, window}; {says} where it has no room for the charts.
    sent: with columns, of charts beside each other.
    """
    view, first_equal = View.of(sent), equal_groups(task)
    window = view.window or bounds(task)
    places = [place for place in view.drawn_charts(len(task.shown)) if first_equal[place] == place]
    if not 1 <= len(places) <= MAX_CHARTS:
        return {"says": msg("panels.slides.no_room", count=len(places), most=MAX_CHARTS)}
    outcomes, chips = [shown.outcome for shown in task.shown], summary_text.verdict_chips(task)
    headings = [heading(task, shown) for shown in task.shown]
    panels = []
    for place in places:
        shown, outcome, chip = task.shown[place], outcomes[place], chips[place]
        rank = "★" if chip["best"] else chip["difference"]
        told = [(fact.title, fact.value) for fact in facts(outcome, outcomes) if fact.value != NO_VALUE]
        if status := STATUS_WORDS.get(outcome.run.status) or rank:
            told.insert(1 if rank else 0, ("", status))
        panels.append(
            Panel(
                " = ".join(name for name, first in zip(headings, first_equal) if first == place),
                chip["place"],
                told,
                outcome.scene,
                outcome.split if view.strips else None,
                rows_of_chart(task, shown, view),
                colouring.colouring(outcome.run, view.colour),
            )
        )
    drawn = draw_slide(
        panels,
        window,
        name=task.scenario.name,
        sentence=next(iter(headline.sentences(task)), ""),
        columns=2 if sent.get("columns") == 2 and len(places) > 1 else 1,
        strips=dict(view.strips),
        highlight=view.highlight,
        dark=view.dark,
    )
    return {"name": task.scenario.name, "svg": drawn.svg, "boxes": drawn.boxes, "window": window}


def animate(task: Task, sent: dict) -> dict:
    """The animation of a slide as the page has painted it: {gif: in base64}; {says} of what is none."""
    try:
        asked = Animation.of(sent)
        full, empty = _painted(asked.picture)
    except GantryError as error:
        return {"says": str(error)}
    with run_cache.answer_slot():
        made = animation(full, empty, asked.boxes, asked.window, asked.played, asked.dark)
    return {"gif": base64.b64encode(made).decode("ascii")}


def _painted(picture: str) -> tuple[Image.Image, Image.Image]:
    """The two pictures that were sent as one; GantryError for what is none."""
    try:
        image = Image.open(io.BytesIO(base64.b64decode(picture)), formats=["PNG"])
        if image.size != (WIDTH, 2 * HEIGHT):
            raise GantryError(NOT_A_SLIDE)
        both = image.convert("RGB")
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):  # of base64 and of Pillow
        raise GantryError(NOT_A_SLIDE) from None
    return both.crop((0, 0, WIDTH, HEIGHT)), both.crop((0, HEIGHT, WIDTH, 2 * HEIGHT))
