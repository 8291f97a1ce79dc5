"""What the page asks for while an exercise is written: what can be asked of its scenario, what is wrong with
it, and a link to it.

Plain routes, as of an exercise that is solved: what is written stays in the browser until it is shared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from dash import Dash, get_relative_path

from engine import CATALOGUE, GantryError, Scenario, parse, quantities, tunables
from engine.dashboard import (
    AskedDecision,
    AskedWait,
    Exercise,
    Suggestions,
    Tunable,
    check_exercise,
    display_name,
    exercise_of_values,
    noun,
    question,
    suggestions,
)
from webapp.classroom.shared_exercises import save_exercise
from webapp.messages import msg
from webapp.panels.components import KIND_NAMES
from webapp.panels.exercises.bounded_runs import bounded_run
from webapp.panels.exercises.json_routes import add_routes
from webapp.panels.papers import static_charts
from webapp.panels.share.export import dashboard_address
from webapp.panels.share.share import qr_code

ADDRESS = "author"
# the rest of an exercise of which the scenario and its schedulers alone are looked at
WITHOUT_WORDS = dict.fromkeys(("title", "learn", "text", "explanation"), "-") | {
    "version": 1,
    "task": {"kind": "predict", "ask": "makespan"},
}
FAULT = re.compile(r"(?P<path>\$|[a-z_]+(?:\[\d+\])?(?:\.[a-z_]+(?:\[\d+\])?)*): (?P<message>.+)")
TASK = "task"  # what a fault is of that a run shows and that names no place


def register(app: Dash) -> None:
    """The addresses; each answers in JSON, what can't be answered with a sentence under `error`."""
    add_routes(app, ADDRESS, {"offers": offers, "check": checked, "share": shared})


def offers(sent: dict[str, Any]) -> dict[str, Any]:
    """{scenario, schedulers, scheduler: its place}: what a task can ask, and what can be changed."""
    values = {key: sent.get(key) for key in ("scenario", "schedulers")}
    exercise = exercise_of_values(WITHOUT_WORDS | values)
    place = sent.get("scheduler")
    names, scenario = exercise.schedulers, exercise.checked_scenario
    known = place if type(place) is int and 0 <= place < len(names) else 0
    nouns = noun(job.framework for job in scenario.jobs)
    found, address = _suggestions(exercise, known), static_charts.address(scenario, names)
    return {
        "scenario": _scenario(scenario, nouns),
        "schedulers": [display_name(one) for one in names],
        "jobs": found.jobs,
        "decisions": [_decision(one, found.terms, nouns) for one in found.decisions],
        "waits": [{"value": one.container, "label": _wait_text(one)} for one in found.waits],
        "metrics": [
            one._asdict() | {"text": quantities.amount(one.present, one.unit)} for one in found.metrics
        ],
        "shares_s": found.shares_s,
        "shares_job": found.shares_job,
        "has_fair_shares": found.has_fair_shares,
        "address": address if "?" in address else "",
        "changes": [
            *_scheduler_changes(names),
            *(_change(one) for one in tunables(scenario, names) if one.value is not None),
        ],
    }


def checked(sent: dict[str, Any]) -> dict[str, Any]:
    """{exercise}: what is wrong with it, by place; else its question and its answer as they are computed."""
    try:
        exercise = exercise_of_values(sent.get("exercise"))
        solution = check_exercise(exercise, bounded_run)
    except GantryError as error:
        return {"faults": list(_faults(error))}
    return {"faults": [], "prompt": question(exercise, bounded_run).prompt, "answer": solution.answer}


def shared(sent: dict[str, Any]) -> dict[str, Any]:
    """{exercise, page: the dashboard's address}: keeps it, unless something is wrong with it; its address and
    that as a picture for cameras.
    """
    said = checked(sent)
    if said["faults"]:
        return said
    name = save_exercise(exercise_of_values(sent["exercise"]))
    path = get_relative_path(f"/exercises/{name}")
    page = dashboard_address(str(sent.get("page", "")))
    address = page + f"exercises/{name}" if page else ""
    code = qr_code(address) if address else None
    picture = None if code is None else code.to_plotly_json()["props"]["src"]
    return said | {"name": name, "path": path, "address": address, "code": picture}


@lru_cache(maxsize=64)  # while somebody chooses, the same is asked for again and again
def _suggestions(exercise: Exercise, place: int) -> Suggestions:
    scheduler = exercise.schedulers[place]
    return suggestions(bounded_run(exercise.checked_scenario, scheduler), scheduler)


def _faults(error: GantryError) -> Iterator[dict[str, str]]:
    for line in str(error).splitlines():
        match = FAULT.fullmatch(line)
        yield match.groupdict() if match else {"path": TASK, "message": line}


def _scenario(scenario: Scenario, nouns: str) -> dict[str, str]:
    nodes = quantities.count(sum(group.count for group in scenario.cluster.nodes), "nodes")
    jobs = quantities.count(sum(job.count for job in scenario.jobs), nouns)
    return {"name": scenario.name, "says": msg("panels.author_routes.scenario", jobs=jobs, nodes=nodes)}


def _container_text(container: str) -> str:
    """ "map 3 of sort"."""
    job, stage, kind, task, *attempt = container.split("/")
    text = (
        msg("panels.author_routes.master", job=job)
        if kind == "am"
        else msg("panels.author_routes.container", kind=KIND_NAMES.get(kind, kind), task=task, job=job)
    )
    if stage != "1":
        text += msg("shared.iteration", stage=stage)
    return text + (msg("shared.attempt", attempt=attempt[0]) if attempt else "")


def _decision(one: AskedDecision, titles: Mapping[str, str], nouns: str) -> dict[str, Any]:
    """titles: of the order's terms by name; nouns: what the scenario's jobs are called together."""
    words = {"at": quantities.moment(one.at_ms), "node": one.node}
    words |= {"container": _container_text(one.container), "count": quantities.count(len(one.jobs), nouns)}
    requests = [
        {
            "job": ask.job,
            "kind": ask.kind,
            "label": msg(
                "panels.author_routes.request", job=ask.job, kind=KIND_NAMES.get(ask.kind, ask.kind)
            ),
            "terms": [{"value": term, "label": titles[term]} for term in ask.terms],
        }
        for ask in one.requests
    ]
    label = msg("panels.author_routes.decision", **words)
    return {"value": one.container, "label": label, "jobs": one.jobs, "requests": requests}


def _wait_text(one: AskedWait) -> str:
    since, name = quantities.moment(one.requested_ms), _container_text(one.container)
    if one.start_ms is None:
        return msg("panels.author_routes.waits_for_ever", container=name, since=since)
    waited = quantities.duration(one.start_ms - one.requested_ms)
    return msg("panels.author_routes.wait", container=name, waited=waited, since=since)


def _change(one: Tunable) -> dict[str, Any]:
    return {
        "path": one.path,
        "group": one.group,
        "title": one.title,
        "unit": one.unit,
        "present": quantities.quantity(one.value, one.unit),
        "value": one.value,
        "low": one.range.first,
        "high": one.range.last,
        "step": one.range.step,
        "choices": [{"value": word, "label": word} for word in one.choices],
    }


def _scheduler_changes(schedulers: list[str]) -> Iterator[dict[str, Any]]:
    for place, name in enumerate(schedulers):
        present = parse(name).name
        names = dict.fromkeys([present, *(parse(order).name for order in CATALOGUE["order"])])
        title = display_name(name)
        yield {
            "path": f"schedulers[{place}]",
            "group": "Schedulers",
            "title": msg("panels.author_routes.scheduler", name=title),
            "unit": "",
            "present": title,
            "value": present,
            "choices": [{"value": one, "label": display_name(one)} for one in names],
        }
