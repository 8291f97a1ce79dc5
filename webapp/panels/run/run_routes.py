"""Runs as the page's script asks for them: begun, followed while they take long, cancelled; an answer has the result and the first drawing of its charts.

Plain routes, not callbacks: what was asked for is seen in the time it takes to run and draw it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dash import Dash
from flask import Response, jsonify

from engine import OPTIMUM, GantryError, ScenarioError
from webapp import theme
from webapp.panels.components import heading
from webapp.panels.progress_text import step_text
from webapp.panels.run import headline
from webapp.panels.run.lane_head import lane_head
from webapp.panels.timeline.viewport import View, bounds, drawn
from webapp.report import summary_text
from webapp.services import bodies, optima, replays, runs, url_state
from webapp.services.fault_text import error_text
from webapp.services.runs import Task
from webapp.services.same_runs import equal_groups
from webapp.services.tasks import FORGOTTEN, Progress, works
from webapp.services.url_state import Asked

PATIENCE_S = 0.6  # a shorter run is answered at once; a longer one is followed
FOLLOW_S = 0.25  # between two answers about a longer one, unless it ends
SLOWLY_S = 1.0  # the same while it waits for its turn
MOST_AGAIN = 3  # times that work is done here whose results nobody kept
KEPT = ("link", "why")  # of a request, for its answer
OPENS = ("link", "draft", "example")  # why something is run as the page opens


def register(app: Dash) -> None:
    """The routes."""
    prefix = f"{app.config.routes_pathname_prefix}runs"

    @app.server.post(f"{prefix}/<act>")
    def run(act: str) -> Response | tuple[str, int]:
        try:
            sent = bodies.sent()
        except GantryError as error:
            return jsonify({"says": f"Not run: {error}."})
        acts = {"start": start, "follow": follow, "cancel": cancel}
        if act not in acts or not isinstance(sent, dict):
            return "Expected a JSON object.", 400
        return jsonify(acts[act](sent))


def start(sent: dict) -> dict[str, Any]:
    """Runs what is asked for: {scenario, schedulers, optimum, pinned, spare, base, why, link, look}. spare: what is run where that can't be; base: the key
    of what it was changed from."""
    try:
        task, note = _beside(*_with_optimum(runs.task(Asked.of(sent)), sent), sent.get("pinned"))
    except GantryError as error:
        try:
            task, _ = _beside(runs.task(Asked.of(sent.get("spare"))), "", sent.get("pinned"))
        except GantryError:
            return {"says": _refusal(error, sent)}
        note = f"{_refusal(error, sent)} Shown instead:"
    return _begun(task, {"note": note, "request": {key: sent.get(key) for key in KEPT}, "base": sent.get("base")}, sent.get("look"))


def follow(sent: dict) -> dict[str, Any]:
    """How far a piece of work is: {work, look}; with its result once that is there."""
    work = sent.get("work")
    if not isinstance(work, dict) or not all(isinstance(work.get(key), str) for key in ("id", "key", "note")):
        return {"says": runs.FORGOTTEN}
    return _answer(work, works.progress(work["id"], FOLLOW_S), sent.get("look"))


def _begun(task: Task, work: dict, look: Any) -> dict[str, Any]:
    kept, base = runs.keep(task), runs.shown_by({"key": work.get("base")})
    what = {"key": task.key} | ({"base": base.key} if base else {})
    try:
        name, progress = works.start("run", what, len(task.shown), task.seconds, PATIENCE_S, after=kept, here="again" in work)
    except GantryError as error:
        return {"says": str(error)}
    kept.exception()  # what the page asks next may reach another process
    return _answer({**work, "id": name, "key": task.key}, progress, look)


def cancel(sent: dict) -> dict[str, Any]:
    """Ends a piece of work: {id}."""
    works.cancel(str(sent.get("id")))
    return {}


def _answer(work: dict, progress: Progress, look: Any) -> dict[str, Any]:
    if progress.state == "failed":
        return {"says": progress.because} | ({"lost": True} if progress.because == FORGOTTEN else {})
    if progress.state == "cancelled":
        return {"says": progress.because, "lost": True} if progress.because else {"says": "Cancelled; the previous result is still shown."}
    if progress.under_way:
        waits = progress.state == "queued"
        percent = 100 * (progress.done + 0.3 * (not waits)) / max(progress.of, 1)
        return {"says": step_text(progress), "work": work, "percent": percent, "wait": 0 if progress.here else round(1000 * (SLOWLY_S if waits else FOLLOW_S))}
    task = runs.known(work["key"])
    if task is None:
        return {"says": runs.FORGOTTEN}
    again = work.get("again", 0)
    if not task.at_hand and type(again) is int and again < MOST_AGAIN:  # the cache is away: what another process has made is made here
        return _begun(task, {**work, "again": again + 1}, look)
    asked = work.get("request") if isinstance(work.get("request"), dict) else {}
    charts = places(task)
    view = View.of(look)
    own = frozenset(one["place"] for one in charts if one["same"] is None)  # equal runs stand once
    view = replace(view, charts=own & view.charts if view.charts and own & view.charts else own)
    return {"says": f"{work['note']} {says(task)}".strip(), "result": result(task, charts, asked), "drawn": drawn(task, view)}


def result(task: Task, charts: list[dict[str, Any]], asked: dict) -> dict[str, Any]:
    """What the page keeps of a run. charts: as `places` gives them; asked: its link and why it was run."""
    first, last = bounds(task)
    link = asked.get("link")
    link = link if isinstance(link, str) and url_state.LINK.fullmatch(link) else None
    return {
        "key": task.key,
        "schedulers": list(task.schedulers),
        "name": task.scenario.name,
        "whole": {"x0": first, "x1": last},
        "link": link,
        "why": asked.get("why"),
        "random": task.random,
        "pinned": task.pinned.link if task.pinned else None,
        "optimum": task.optimum or None,
        "address": "" if asked.get("why") == "example" else url_state.of_result(Asked(task.scenario.plain(), task.schedulers), link),
        "verdict": headline.sentences(task),
        "charts": charts,
    }


def places(task: Task) -> list[dict[str, Any]]:
    """Of each chart what stands around it: names, numbers, what it is equal to."""
    same = equal_groups(task)
    found = []
    for place, (shown, chip) in enumerate(zip(task.shown, summary_text.verdict_chips(task), strict=True)):
        found.append(
            {
                "place": place,
                "colour": chip["place"] % len(theme.SCHEDULERS),
                "name": shown.name,
                "label": heading(task, shown),
                "pinned": None if shown.task is task else shown.task.scenario.name or "Untitled",
                "same": None if same[place] == place else same[place],
                "makespan": chip["makespan"],
                "apart": chip["difference"],
                "best": chip["best"],
                "deadlock": chip["deadlock"],
                "above": chip["above"],
                "about": chip["about"],
                "head": lane_head(task, place, same) if same[place] == place else None,
                "signals": replays.has_signals(shown.name),
            }
        )
    return found


def says(task: Task) -> str:
    """One sentence for the status line."""
    outcomes = [one.outcome for one in task.shown]
    stuck = [one.run.scheduler for one in outcomes if one.run.status != "finished"]
    containers = sum(len(one.run.containers.job) for one in outcomes)
    by = theme.count(sum(one.run.scheduler != OPTIMUM for one in outcomes), "schedulers") + (" and the optimum" if task.optimum else "")
    text = f"{task.scenario.name or 'Untitled'}: {by}, {theme.count(containers, 'containers')}."
    return f"{text} {', '.join(stuck)} ended in a deadlock." if stuck else text


def _with_optimum(task: Task, sent: dict) -> tuple[Task, str]:
    """The task with the optimum that was found of it, and a sentence where a page opens with one that is no longer there; of other inputs it says nothing."""
    try:
        return optima.beside_optimum(task, sent.get("optimum")), ""
    except GantryError as error:
        return task, str(error) if sent.get("why") in OPENS else ""


def _beside(task: Task, note: str, pinned: Any) -> tuple[Task, str]:
    """The task beside what is pinned, and `note`, or a sentence where that can't be run here."""
    if not pinned:
        return task, note
    try:
        return runs.beside(task, runs.task(Asked.of(pinned))), note
    except GantryError as error:
        return task, f"The pinned scenario can't be run: {_refusal(error, pinned)}"


def _refusal(error: GantryError, asked: Any) -> str:
    """Faults of what was asked for as one sentence for the status line."""
    if not isinstance(error, ScenarioError):
        return str(error)
    more = f" (and {len(error.faults) - 1} more)" if len(error.faults) > 1 else ""
    return f"Not run: {error_text(error, Asked.of(asked).scenario)}{more}."
