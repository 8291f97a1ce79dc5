"""Runs as the page's script asks for them: begun, followed while they take long, cancelled; an answer has the
result and the first drawing of its charts.

Plain routes, not callbacks: what was asked for is seen in the time it takes to run and draw it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dash import Dash

from engine import GantryError, ScenarioError, quantities
from engine.dashboard import OPTIMUM, display_name, names_of
from webapp import theme
from webapp.http.fault_text import error_text
from webapp.jobs import optima, run_job
from webapp.jobs.job_manager import Progress
from webapp.messages import msg
from webapp.panels import long_work
from webapp.panels.compare.scenario_differences import NOTICE_LINES, task_differences
from webapp.panels.components import full_heading, heading
from webapp.panels.long_work import Begun, LongWork
from webapp.panels.progress_text import step_text
from webapp.panels.run import headline
from webapp.panels.run.lane_head import lane_head
from webapp.panels.timeline.lane import lane
from webapp.panels.timeline.viewport import View, bounds, render_view
from webapp.report import summary_text
from webapp.report.html import Markup
from webapp.report.summary_text import VerdictChip
from webapp.runs import rerun_details, saved_tasks
from webapp.runs.identical_runs import equal_groups
from webapp.runs.run_cache import ResultExpired
from webapp.runs.task import Task, build_task, with_pinned
from webapp.url import url_state
from webapp.url.url_state import RunRequest

INITIAL_WAIT_S = 0.6  # a run that takes longer is polled
MAX_RERUNS = 3  # times that this process repeats work whose result no cache kept
KEPT_KEYS = ("link", "why")  # of a request, for its answer
OPENING_REASONS = ("link", "draft", "example")  # why something is run as the page opens


def register(app: Dash) -> None:
    """The addresses."""
    long_work.register(app, WORK)


def begin(sent: dict) -> Begun:
    """Runs what is asked for: {scenario, schedulers, optimum, pinned, spare, why, link, look}. spare:
    the fallback that is run where that can't be."""
    try:
        task, note = _with_pinned(*_with_optimum(build_task(RunRequest.of(sent)), sent), sent.get("pinned"))
    except GantryError as error:
        try:
            task, _ = _with_pinned(build_task(RunRequest.of(sent.get("spare"))), "", sent.get("pinned"))
        except GantryError:
            raise GantryError(_refusal(error, sent)) from None
        note = msg("panels.run_routes.shown_instead", refusal=_refusal(error, sent))
    return _begin(task, {"note": note, "request": {key: sent.get(key) for key in KEPT_KEYS}})


def _begin(task: Task, asked: dict) -> Begun:
    kept_result = saved_tasks.save_task(task)
    id, progress = run_job.start(task, INITIAL_WAIT_S, kept_result, is_local="again" in asked)
    kept_result.exception()  # what the page asks next may reach another process
    return Begun(id, progress, {**asked, "key": task.key})


def answer(asked: Any, progress: Progress, sent: dict) -> dict[str, Any] | Begun:
    """The result with the first drawing of its charts once that is there; sent: with the page's look."""
    if progress.state != "finished":
        return {}
    if not isinstance(asked, dict) or not all(isinstance(asked.get(key), str) for key in ("key", "note")):
        raise ResultExpired(saved_tasks.TASK_EXPIRED)
    task = saved_tasks.require_task(asked["key"])
    again = asked.get("again", 0)
    # the cache is away: what another process has made is made here
    if not task.is_available and type(again) is int and again in range(MAX_RERUNS):
        return _begin(task, {**asked, "again": again + 1})
    kept = asked.get("request")
    request_ = kept if isinstance(kept, dict) else {}
    charts = chart_heads(task)
    view = View.of(sent.get("look"))
    distinct = frozenset(chart["place"] for chart in charts if chart["same"] is None)  # equal runs stand once
    view = replace(
        view, charts=distinct & view.charts if view.charts and distinct & view.charts else distinct
    )
    return {
        "says": f"{asked['note']} {status_sentence(task)}".strip(),
        "result": result(task, charts, request_),
        "drawn": render_view(task, view),
    }


WORK = LongWork(
    "run",
    begin,
    step_text,
    answer,
    cancelled=msg("shared.cancelled_previous_result_still_shown"),
    poll_s=0.25,
)


def result(task: Task, charts: list[dict[str, Any]], request_: dict) -> dict[str, Any]:
    """What the page keeps of a run. charts: as `chart_heads` gives them; request_: its link and why it was
    run.
    """
    first, last = bounds(task)
    differences = task_differences(task)
    link = request_.get("link")
    link = link if isinstance(link, str) and url_state.LINK_ID.fullmatch(link) else None
    return {
        "key": task.key,
        "schedulers": list(names_of(task.schedulers)),
        "display_names": _display_names(task),
        "name": task.scenario.name,
        "whole": {"x0": first, "x1": last},
        "link": link,
        "why": request_.get("why"),
        "random": task.random,
        "pinned": task.pinned.link if task.pinned else None,
        "differences": differences[:NOTICE_LINES],
        "more_differences": len(differences[NOTICE_LINES:]),
        "optimum": task.optimum or None,
        "address": "" if request_.get("why") == "example" else url_state.result_query(task.request, link),
        "verdict": headline.sentences(task),
        "charts": charts,
    }


def chart_heads(task: Task) -> list[dict[str, Any]]:
    """Of each chart what stands around it: names, numbers, what it is equal to."""
    first_equal, chips = equal_groups(task), summary_text.verdict_chips(task)
    heads = []
    for index, (shown, chip) in enumerate(zip(task.shown, chips, strict=True)):
        is_drawn = first_equal[index] == index
        heads.append(
            {
                "place": index,
                "colour": chip["place"] % len(theme.SCHEDULERS),
                "name": shown.display_name,
                "full": full_heading(task, shown),
                "label": heading(task, shown),
                "pinned": None if shown.task is task else shown.task.scenario.name or "Untitled",
                "same": None if is_drawn else first_equal[index],
                "makespan": chip["makespan"],
                "deadlock": chip["deadlock"],
                "lane": lane_of(task, index, first_equal, chip) if is_drawn else None,
                "signals": rerun_details.has_signals(shown.scheduler),
            }
        )
    return heads


def lane_of(
    task: Task,
    index: int,
    first_equal: Sequence[int],
    chip: VerdictChip,
    drawing: dict[str, Any] | None = None,
) -> Markup:
    """The lane of one of those shown. first_equal: of `equal_groups`; chip: of its `verdict_chips`; drawing:
    as of `lane`.
    """
    head = lane_head(task, index, first_equal, chip)
    return lane(index, chip["place"] % len(theme.SCHEDULERS), heading(task, task.shown[index]), head, drawing)


def _display_names(task: Task) -> dict[str, str]:
    """How the page's scripts show the schedulers of a task and of what is pinned, by their texts."""
    names = (*task.names, *names_of(task.pinned.schedulers if task.pinned else ()))
    return {name: display_name(name) for name in names}


def status_sentence(task: Task) -> str:
    """One sentence for the status line."""
    outcomes = [outcome.outcome for outcome in task.shown]
    stuck = [display_name(outcome.run.scheduler) for outcome in outcomes if outcome.run.status == "deadlock"]
    containers = sum(len(outcome.run.containers.job) for outcome in outcomes)
    schedulers = quantities.count(
        sum(outcome.run.scheduler != OPTIMUM for outcome in outcomes), "schedulers"
    ) + (msg("panels.run_routes.and_optimum") if task.optimum else "")
    text = f"{task.scenario.name or 'Untitled'}: {schedulers}, {quantities.count(containers, 'containers')}."
    return (
        msg("panels.run_routes.ended_in_deadlock", text=text, stuck=summary_text.separated(stuck))
        if stuck
        else text
    )


def _with_optimum(task: Task, sent: dict) -> tuple[Task, str]:
    """The task with the optimum that was found of it, and a sentence where a page opens with one that is no
    longer there; of other inputs it says nothing.
    """
    try:
        return optima.task_with_optimum(task, sent.get("optimum")), ""
    except GantryError as error:
        return task, str(error) if sent.get("why") in OPENING_REASONS else ""


def _with_pinned(task: Task, note: str, pinned: Any) -> tuple[Task, str]:
    """The task beside what is pinned, and `note`, or a sentence where that can't be run here."""
    if not pinned:
        return task, note
    try:
        return with_pinned(task, build_task(RunRequest.of(pinned))), note
    except GantryError as error:
        return task, msg("panels.run_routes.pinned_scenario_cant_be_run", refusal=_refusal(error, pinned))


def _refusal(error: GantryError, asked: Any) -> str:
    """Faults of what was asked for as one sentence for the status line."""
    if not isinstance(error, ScenarioError):
        return str(error)
    more = msg("panels.run_routes.and_more", faults=len(error.faults) - 1) if len(error.faults) > 1 else ""
    return msg(
        "panels.run_routes.not_run", error_text=error_text(error, RunRequest.of(asked).scenario), more=more
    )
