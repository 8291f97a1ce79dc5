"""What stands over a chart: the scheduler's name and those of equal runs, what it is pinned from, its
numbers, and its story for those who don't see it.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine import Run, quantities
from engine.dashboard import refusal_reasons
from webapp.figures import describe
from webapp.messages import msg
from webapp.panels.components import full_heading, heading
from webapp.panels.timeline.viewport import Fact, facts
from webapp.report import optimality_gap
from webapp.report.html import Markup, tag
from webapp.report.summary_text import VerdictChip
from webapp.runs.task import ShownRun, Task

SAMPLED = msg("panels.lane_head.too_many_containers_to_draw_one")
STATUS_WORDS = {"deadlock": "Deadlock", "refused": "Refused"}


def _status(run: Run, index: int) -> Markup:
    """Of a run that did not finish; of a deadlock the way to what waits for ever, of refused jobs to the
    first of them.
    """
    if run.status == "finished":
        return _refusals(run, index)
    word, told = STATUS_WORDS[run.status], {"cls": "deadlock", "title": run.because}
    if run.status != "deadlock":
        return tag("strong", word, **told)
    return tag("button", word, type="button", data_waits_at=run.at_ms, data_index=index, **told)


def _refusals(run: Run, index: int) -> Markup:
    refusals = refusal_reasons(run)
    if not refusals:
        return Markup()
    words = msg("panels.lane_head.refused", count=quantities.count(len(refusals), run.noun))
    job, because = next(iter(refusals.items()))
    name = run.workload.job_names[job]
    return tag(
        "button", words, type="button", cls="badge", title=because, data_open_job=name, data_place=index
    )


def lane_head(task: Task, index: int, first_equal: Sequence[int], chip: VerdictChip) -> Markup:
    """HTML; the page's script fills its menu. index: among those shown; first_equal: of each
    of them the first that is equal; chip: the verdict on it.
    """
    shown = task.shown[index]
    run, outcomes = shown.outcome.run, [one.outcome for one in task.shown]
    equals = [
        _equal_tag(task, other)
        for number, other in enumerate(task.shown)
        if first_equal[number] == index != number
    ]
    numbers = [
        tag(
            "div",
            tag("dt", fact.title),
            tag("dd", tag("span", fact.value), _gap_tag(fact), "" if number else _rank_tag(chip)),
        )
        for number, fact in enumerate(facts(shown.outcome, outcomes))
    ]
    label = heading(task, shown)
    fold = {"aria_label": msg("panels.lane_head.charts_of", scheduler=label), "data_fold": index}
    menu_name = {"aria_label": msg("panels.lane_head.menu_of", scheduler=label)}
    summary = tag("summary", "⋯", title=msg("panels.lane_head.download_and_more"), **menu_name)
    parts = [
        tag("button", cls="fold", type="button", **fold),
        tag(
            "h3",
            tag("span", cls="swatch own"),
            tag("span", shown.display_name, cls="label"),
            *equals,
            id=f"name-{index}",
            title=full_heading(task, shown),
        ),
        ""
        if shown.task is task
        else tag(
            "span", msg("panels.lane_head.pinned", value=shown.task.scenario.name or "Untitled"), cls="badge"
        ),
        tag("dl", *numbers, cls="lane-facts"),
        _status(run, index),
        ""
        if run.status == "finished"
        else tag("span", run.because, cls="deadlock-why quiet", aria_hidden="true"),
        tag("span", "sampled", cls="badge sampled", hidden="", title=SAMPLED),
        tag(
            "p",
            describe(
                run,
                shown.outcome.metrics,
                above=optimality_gap.gap_words(shown.outcome, "makespan_s", outcomes),
            ),
            cls="unseen",
            id=f"story-{index}",
        ),
        tag("details", summary, tag("div", cls="menu-entries", role="group"), cls="menu lane-menu"),
    ]
    return Markup("".join(parts))


def _equal_tag(task: Task, other: ShownRun) -> Markup:
    name, full_text = heading(task, other), full_heading(task, other)
    return tag("span", f" = {name}", cls="equal", title=full_text if full_text != name else None)


def _rank_tag(chip: VerdictChip) -> Markup:
    """That it finishes first, or how much later than the best it does."""
    if chip["best"]:
        return tag("span", "★", cls="star", title=msg("panels.lane_head.shortest_makespan"))
    return tag("span", chip["difference"], cls="apart", title=msg("panels.lane_head.compared_with_best"))


def _gap_tag(fact: Fact) -> Markup:
    """How far a number is above the best possible; the page's script fills it anew."""
    return tag("span", fact.beside, cls="far", title=fact.about, data_sign=fact.beside)
