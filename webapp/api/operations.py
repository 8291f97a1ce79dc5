"""What can be asked of the API: a function an operation, whose first sentence its document says."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine import CATALOGUE, GantryError, ScenarioError, json_text
from engine.dashboard import (
    ContainerName,
    Fault,
    StudyResult,
    TooLarge,
    container_count,
    csv_tables,
    study_csv,
    study_plain,
)
from webapp.api.api_records import (
    CheckBody,
    Checked,
    ExplainQuery,
    FaultRecord,
    LinkBody,
    MadeLink,
    ParameterRecord,
    PolicyRecord,
    ResultQuery,
    RunBody,
    RunId,
    Status,
    SweepBody,
    SweepId,
)
from webapp.jobs import run_job, studies
from webapp.jobs.job_manager import TASK_EXPIRED, Progress, job_manager
from webapp.jobs.studies import StudyRequest
from webapp.messages import msg
from webapp.runs import rerun_details
from webapp.runs.run_cache import ResultExpired
from webapp.runs.saved_tasks import load_task, save_task
from webapp.runs.task import ShownRun, Task, build_task
from webapp.runs.task_link import make_link, printable
from webapp.url.url_state import RunRequest, address

INITIAL_WAIT_S = 0.6  # what is done by then is answered at once
FOLLOW_WAIT_S = 0.25
DONE_ALREADY = "0" * 16  # in the place of the work's id
JSON, CSV = "application/json", "text/csv"


class NotFound(GantryError):
    """Nothing of this id is known."""


class NotFinished(GantryError):
    """What is asked for needs a result that is not there."""


@dataclass(frozen=True)
class Reply:
    """What is answered. value: a record, or JSON values; tables: texts of other types in its place, made when
    they are asked for; location: of what was made, after the API's own address, or from / on.
    """

    value: Any
    status: int = 200
    location: str = ""
    texts: Mapping[str, Callable[[], Iterable[str]]] = field(default_factory=dict)


def check(asked: CheckBody) -> Reply:
    """Whether a scenario can be run under these schedulers here, or every fault."""
    try:
        build_task(RunRequest(asked.scenario, asked.schedulers))
    except ScenarioError as error:
        return Reply(Checked(False, 0, fault_records(error.faults)))
    except TooLarge as error:
        return Reply(Checked(False, 0, fault_records([Fault("", str(error))])))
    return Reply(Checked(True, container_count(asked.scenario), []))


def begin_run(asked: RunBody) -> Reply:
    """Begin to run a scenario: 200 where it ended at once, else 202; follow it at Location."""
    task = build_task(RunRequest(asked.scenario, asked.schedulers))
    saved = save_task(task)
    work, progress = run_job.start(task, INITIAL_WAIT_S, saved)
    saved.exception()  # what is asked next may reach another process
    return _begun("runs", _run_status(task, work, progress))


def run_status(id: RunId) -> Reply:
    """How far a run is."""
    task, work = _run_of(id)
    return Reply(_run_status(task, work, job_manager.progress(work, FOLLOW_WAIT_S)))


def cancel_run(id: RunId) -> Reply:
    """End a run that is queued or under way."""
    _, work = _run_of(id)
    job_manager.cancel(work)
    return Reply(None, 204)


def run_result(id: RunId, asked: ResultQuery) -> Reply:
    """The result of a finished run, as JSON or as one of its tables in CSV."""
    task = _finished(id)
    runs = [outcome.run for outcome in task.outcomes()]
    texts = {
        JSON: lambda: json_text(task.scenario, runs),
        CSV: lambda: csv_tables(runs)[f"{asked.table}.csv"],
    }
    return Reply(None, texts=texts)


def explain(id: RunId, asked: ExplainQuery) -> Reply:
    """Why a container of a finished run was placed there and then, or what keeps it."""
    task = _finished(id)
    shown = next((one for one in task.shown if asked.scheduler in ("", one.name)), None)
    if shown is None:
        names = ", ".join(task.names)
        raise GantryError(msg("api.operations.no_such_scheduler", name=asked.scheduler[:80], names=names))
    return Reply(_explained(shown, asked.container))


def begin_sweep(asked: SweepBody) -> Reply:
    """Begin a study of a scenario: 200 where it is there, else 202; follow it at Location."""
    task = build_task(RunRequest(asked.scenario, asked.schedulers))
    request = StudyRequest(
        key=task.key,
        x=asked.vary[0],
        y=asked.vary[1] if len(asked.vary) > 1 else None,
        seeds=asked.seeds,
        jitter=asked.jitter,
        values=asked.values,
    )
    study = studies.checked_study(request, task)
    work, progress = studies.begin_study(task, request, INITIAL_WAIT_S)
    return _begun("sweeps", _sweep_status(f"{studies.study_id(study)}-{work or DONE_ALREADY}", progress))


def sweep_status(id: SweepId) -> Reply:
    """How far a study is."""
    return Reply(_sweep_status(id, _sweep_progress(id, FOLLOW_WAIT_S)))


def cancel_sweep(id: SweepId) -> Reply:
    """End a study that is queued or under way."""
    _sweep_progress(id, 0.0)
    job_manager.cancel(id.split("-")[1])
    return Reply(None, 204)


def sweep_result(id: SweepId) -> Reply:
    """The result of a study: means, intervals and winners as JSON, or its runs as CSV."""
    found = _swept(id)
    if found is None:
        status = sweep_status(id).value
        raise NotFinished(msg("api.operations.not_finished", state=status.state))
    return Reply(study_plain(found), texts={CSV: lambda: study_csv(found)})


def share(asked: LinkBody) -> Reply:
    """Keep a finished run by a link, as Share on the page does."""
    link = make_link(_finished(asked.run), None, printable(asked.sentence), asked.read_only)
    page = f"/{address(link=link.id)}"
    return Reply(MadeLink(link.id, page), 201, page)


def schedulers() -> Reply:
    """Every policy that a scheduler's name may be made of, with its parameters."""
    return Reply(
        [
            PolicyRecord(
                role,
                policy.name,
                policy.title,
                policy.source,
                [
                    ParameterRecord(
                        one.name, one.meaning, one.default, one.choices, _finite(one.low), _finite(one.high)
                    )
                    for one in policy.parameters
                ],
            )
            for role, policies in CATALOGUE.items()
            for policy in policies.values()
        ]
    )


def fault_records(faults: Iterable[Fault]) -> list[FaultRecord]:
    """As JSON has them."""
    return [FaultRecord(fault.path or "$", fault.message) for fault in faults]


def _begun(kind: str, status: Status) -> Reply:
    return Reply(status, 202 if status.state in ("queued", "running") else 200, f"{kind}/{status.id}")


def _run_of(id: str) -> tuple[Task, str]:
    key, work = id.split("-")
    task = load_task(key)
    if task is None:
        raise NotFound(TASK_EXPIRED)
    return task, work


def _run_status(task: Task, work: str, progress: Progress) -> Status:
    """Whatever became of the work, a run is finished where its result is at hand."""
    state, because = progress.state, progress.because
    if state == "finished" or because == TASK_EXPIRED:
        state, because = ("finished", "") if task.is_available else ("failed", TASK_EXPIRED)
    return _status("runs", f"{task.key}-{work}", progress, state, because, len(task.shown))


def _sweep_progress(id: str, wait_s: float) -> Progress:
    """How far the study of this id is; NotFound where neither it nor its result is known."""
    progress = job_manager.progress(id.split("-")[1], wait_s)
    if progress.because == TASK_EXPIRED and _swept(id) is None:
        raise NotFound(TASK_EXPIRED)
    return progress


def _sweep_status(id: str, progress: Progress) -> Status:
    found = _swept(id)
    if found:
        return _status("sweeps", id, progress, "finished", "", found.study.runs)
    is_lost = progress.state == "finished"
    state, because = ("failed", studies.NOT_STORED) if is_lost else (progress.state, progress.because)
    return _status("sweeps", id, progress, state, because, progress.total)


def _status(kind: str, id: str, progress: Progress, state: Any, because: str, steps: int) -> Status:
    is_finished = state == "finished"
    return Status(
        id,
        state,
        steps if is_finished else progress.done,
        steps,
        "" if is_finished else progress.now,
        progress.ahead,
        progress.remaining_s,
        because,
        f"{kind}/{id}/result" if is_finished else None,
    )


def _finished(id: str) -> Task:
    """The task of a run whose result is at hand."""
    task, work = _run_of(id)
    status = _run_status(task, work, job_manager.progress(work))
    if status.because == TASK_EXPIRED:
        raise ResultExpired(TASK_EXPIRED)
    if status.state != "finished":
        raise NotFinished(msg("api.operations.not_finished", state=status.state))
    return task


def _swept(id: str) -> StudyResult | None:
    return studies.find_by_id(id.split("-")[0])


def _explained(shown: ShownRun, name: str) -> dict[str, Any]:
    run = shown.outcome.run
    number = ContainerName.of(run, name).number(run)
    if number is None:
        return rerun_details.never_placed(shown, name)
    return rerun_details.explain_container(shown, number)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
