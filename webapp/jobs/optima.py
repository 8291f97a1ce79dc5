"""The search for the optimum of what is shown, as a piece of work; what it found is kept, and stands among
the runs of whoever asks for it by its id.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, Literal, get_args

from msgspec import structs

from engine import find_optimum, summary
from engine.dashboard import OPTIMUM, NoBound, SearchProgress, check_optimum, names_of, progress_text
from webapp import settings
from webapp.jobs.job_manager import Cancelled, JobControl, Progress, job_manager, job_type
from webapp.jobs.job_queue import new_id
from webapp.jobs.page_request import PageRequest
from webapp.messages import msg
from webapp.runs import run_cache, saved_tasks
from webapp.runs.cache import shared_cache
from webapp.runs.outcome import OptimumRecord, Outcome
from webapp.runs.run_cache import save_optimum
from webapp.runs.saved_tasks import KEY_PATTERN, require_task, save_task
from webapp.runs.task import Task, with_optimum

Seconds = Literal[10, 60, 300]
SECONDS = get_args(Seconds)  # that one may look for it; the first is the default
KEEP_PROGRESS_S = 3600
ONLY_MEASURED_SHOWN = msg("jobs.optima.optimum_searched_next_to_simulated_scheduler")
NONE_FINISHES = msg("jobs.optima.search_for_optimum_begins_with_run")


class OptimumRequest(PageRequest, frozen=True):
    """Of which task it is wanted, and how long it is looked for."""

    key: str
    seconds: Seconds


class OptimumSearch(PageRequest, frozen=True, array_like=True):
    """A search. work: its piece of work, "" where what it would find is there; whole, part: under which ids
    that is kept, and what had been found when it was ended."""

    work: str
    whole: str
    part: str


def why_no_optimum(task: Task) -> str:
    """Why the optimum of what is shown can't be looked for, as a sentence; "" where it can."""
    if not task.simulated:
        return ONLY_MEASURED_SHOWN
    try:
        check_optimum(task.scenario, task.simulated)
    except NoBound as error:
        return f"{str(error)[:1].upper()}{str(error)[1:]}."
    finishes = any(task.outcome(name).run.status == "finished" for name in names_of(task.simulated))
    return "" if finishes else NONE_FINISHES


def task_with_optimum(task: Task, id: Any) -> Task:
    """The task with the optimum of this id among its runs, where that was found of it; as it is where the id
    is of something else. It may be anything.

    Raises ResultExpired where the id is none that is kept.
    """
    if not isinstance(id, str) or not KEY_PATTERN.fullmatch(id) or not task.simulated:
        return task
    candidate = with_optimum(task, id)
    planned = candidate.outcome(OPTIMUM).planned
    return candidate if planned and set(planned.beside) == set(names_of(task.simulated)) else task


def begin_search(request: OptimumRequest, task: Task, timeout_s: float) -> tuple[OptimumSearch, Progress]:
    """Look for it, a step a second, unless somebody has looked for so long already."""
    search = OptimumSearch("", _optimum_id(task, request.seconds), new_id())
    if _is_stored(task, search.whole):
        return search, Progress(request.seconds, request.seconds, "", "finished")
    arguments = request.plain() | {"whole": search.whole, "part": search.part}
    work, progress = job_manager.start(
        "optimum", arguments, request.seconds, request.seconds, timeout_s, after=save_task(task)
    )
    return structs.replace(search, work=work), progress


def found_optimum_id(request: OptimumRequest, search: OptimumSearch) -> str:
    """The id of what a search that has ended found, "" where that is nothing."""
    task = saved_tasks.load_task(request.key)
    return next((id for id in (search.whole, search.part) if task and _is_stored(task, id)), "")


def search_history(search: OptimumSearch) -> tuple[SearchProgress, ...]:
    """What a search that is under way has known after how long."""
    history = shared_cache.get(f"optimum-way:{search.part}", changes=True)
    return history if isinstance(history, tuple) else ()


@job_type("optimum")
def _do_search(arguments: dict, control: JobControl) -> None:
    """Ended before its time, it keeps the best so far."""
    request = OptimumRequest.of(arguments)
    task = require_task(request.key)
    history: list[SearchProgress] = []

    def heard(progress: SearchProgress) -> None:
        history.append(progress)
        control.report(min(int(progress.seconds), request.seconds), progress_text(progress))
        shared_cache.put(f"optimum-way:{arguments['part']}", tuple(history), KEEP_PROGRESS_S, changes=True)

    compared = [
        (scheduler, task.outcome(scheduler.name, control.cancel_token).run) for scheduler in task.simulated
    ]
    seconds = min(request.seconds, settings.max_seconds() / 2)
    optimum = find_optimum(task.scenario, compared, seconds, heard, cancel_token=control.cancel_token)
    is_ended = control.cancelled()
    record = OptimumRecord(optimum, names_of(task.simulated), tuple(history))
    outcome = Outcome(optimum.run, summary(optimum.run), record)
    save_optimum(task.scenario, arguments["part" if is_ended else "whole"], outcome)
    if is_ended:
        raise Cancelled


def _is_stored(task: Task, id: str) -> bool:
    try:
        return with_optimum(task, id).outcome(OPTIMUM).planned is not None
    except run_cache.ResultExpired:
        return False


def _optimum_id(task: Task, seconds: int) -> str:
    text = json.dumps([task.scenario.digest, names_of(task.simulated), seconds])
    return hashlib.sha256(text.encode()).hexdigest()[:16]
