"""The contract's result as JSON and CSV text, in chunks: a million containers are never a million objects.

Times are seconds, milliseconds / 1000 as the shortest text that reads back as the same number; what there is
not is null, in CSV empty. The same runs give the same bytes. In CSV a text that a spreadsheet would take for
a formula, one that begins with = + - @ of either width, a tab or a line's end, gets an apostrophe before it,
which makes it text there; numbers stay as they are.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from engine.analysis.metrics import METRICS, summary
from engine.analysis.stage_times import StageTimes, stages_of_jobs
from engine.codes import JOB_OUTCOMES, KINDS, NONE, OUTCOMES, TAKEN, TEZ
from engine.messages import msg
from engine.scenario.model import Scenario
from engine.simulation.refused_jobs import refusal_reasons
from engine.simulation.run import Run
from engine.version import VERSION

FORMAT = 1
ROWS_PER_CHUNK = 20_000  # to a chunk
# what a formula begins with, to one spreadsheet or another (OWASP, "CSV Injection")
FORMULA = (
    "=",
    "+",
    "-",
    "@",
    "\t",
    "\r",
    "\n",
    "＝",  # in full width, as Excel reads them where letters are so
    "＋",
    "－",
    "＠",
)
JOBS = ("name", "arrival_s", "start_s", "maps_end_s", "shuffle_end_s", "finish_s", "outcome", "because")
CONTAINERS = (
    "job",
    "stage",
    "kind",
    "index",
    "attempt",
    "node",
    "requested_s",
    "start_s",
    "shuffle_end_s",
    "end_s",
    "outcome",
    "begin_s",
)
TASKS = (
    "job",
    "executor",
    "slot",
    "stage",
    "index",
    "attempt",
    "node",
    "start_s",
    "end_s",
    "outcome",
)
# where Tez runs: the stage that the container was asked for, and when the task had what it reads
TASKS_OF_TEZ = (*TASKS, "executor_stage", "shuffle_end_s")
STAGES = ("name", "start_s", "end_s")  # of a job


def result(scenario: Scenario, runs: Sequence[Run]) -> dict[str, Any]:
    """The contract's result as dicts and lists; for many containers `json_text` needs far less memory."""
    return json.loads("".join(json_text(scenario, runs)))


def json_text(scenario: Scenario, runs: Iterable[Run]) -> Iterator[str]:
    """The contract's result (`--json`), one job or container a line. runs: of this scenario, each looked at
    once.
    """
    yield f'{{"version":{FORMAT},"engine":{_json(VERSION)},"scenario":"{scenario.digest}",\n "runs":['
    for number, run in enumerate(runs):
        head: dict[str, Any] = {"scheduler": run.scheduler, "status": run.status}
        if run.status == "deadlock":
            head["stuck"] = {"at_s": run.at_ms / 1000, "because": run.because}
        elif run.because:
            head["because"] = run.because
        yield f"{',' if number else ''}\n  {_json(head)[:-1]},\n"
        yield msg("output.result_format.metrics_jobs", json=_json(summary(run)))
        (count, cells), stages = _job_columns(run, _json, "null"), stages_of_jobs(run)
        more = [("stages", _stages(stages))] if any(stages) else []
        fields, cells = (*JOBS, *(name for name, _ in more)), [*cells, *(column for _, column in more)]
        yield from _rows((count, cells), _json_row(fields), ",")
        yield '],\n   "containers":['
        yield from _rows(_container_columns(run, _json, "null"), _json_row(CONTAINERS), ",")
        if run.tasks is not None:
            yield '],\n   "tasks":['
            of_tasks = _task_fields([run])
            yield from _rows(_task_columns(run, _json, "null", of_tasks), _json_row(of_tasks), ",")
        yield "]}"
    yield "]}\n"


def csv_tables(runs: Sequence[Run]) -> dict[str, Iterator[str]]:
    """File name -> its text: runs.csv, jobs.csv and containers.csv, columns as in the JSON after the run's
    scheduler; and tasks.csv where executors ran some.
    """
    with_tasks = [run for run in runs if run.tasks is not None]
    fields = _task_fields(with_tasks)
    task_columns = partial(_task_columns, fields=fields)
    return {
        "runs.csv": _runs_csv(runs),
        "jobs.csv": _csv(runs, JOBS, _job_columns),
        "containers.csv": _csv(runs, CONTAINERS, _container_columns),
        **({"tasks.csv": _csv(with_tasks, fields, task_columns)} if with_tasks else {}),
    }


Columns = Sequence[Callable[[slice], list]]  # each gives its cells of some rows, as text or as numbers


def _rows(columns: tuple[int, Columns], template: str, between: str) -> Iterator[str]:
    """All rows by one template, a chunk at a time, each on a line of its own."""
    count, cells = columns
    for begin in range(0, count, ROWS_PER_CHUNK):
        part = slice(begin, min(begin + ROWS_PER_CHUNK, count))
        flat = tuple(chain.from_iterable(zip(*(column(part) for column in cells), strict=True)))
        yield ("" if begin == 0 else between) + between.join([template] * (part.stop - begin)) % flat


def _job_columns(run: Run, text: Callable[[str], str], nothing: str) -> tuple[int, Columns]:
    names, outcomes = run.workload.job_names, [nothing, *map(text, JOB_OUTCOMES)]
    code = (run.jobs.finish != NONE) * (1 + run.jobs.failed.astype(np.int64))
    code = np.where(run.jobs.refused == TAKEN, code, len(JOB_OUTCOMES))
    reasons = refusal_reasons(run)
    cells = [
        lambda part: [text(name) for name in names[part]],
        *(_seconds(times, nothing) for times in run.jobs[:5]),
    ]
    return len(names), [
        *cells,
        lambda part: [outcomes[outcome] for outcome in code[part].tolist()],
        lambda part: [
            text(reasons[job]) if job in reasons else nothing for job in range(part.start, part.stop)
        ],
    ]


def _container_columns(run: Run, text: Callable[[str], str], nothing: str) -> tuple[int, Columns]:
    c, work = run.containers, run.workload
    return len(c.job), [
        _names(c.job, work.job_names, text),
        lambda part: c.stage[part].tolist(),
        _names(c.kind, KINDS, text),
        lambda part: c.index[part].tolist(),
        lambda part: c.attempt[part].tolist(),
        _names(c.node, work.node_names, text),
        *(_seconds(times, nothing) for times in (c.requested, c.start, c.shuffle_end, c.end)),
        _names(c.outcome, OUTCOMES, text),
        _seconds(c.begin, nothing),
    ]


def _task_fields(runs: Iterable[Run]) -> Sequence[str]:
    """The fields of the tasks of all of these."""
    return TASKS_OF_TEZ if any((run.workload.job_framework == TEZ).any() for run in runs) else TASKS


def _task_columns(
    run: Run, text: Callable[[str], str], nothing: str, fields: Sequence[str]
) -> tuple[int, Columns]:
    assert run.tasks is not None
    tasks, c, work = run.tasks, run.containers, run.workload
    job = c.job[tasks.container]
    stage_names = [job.stage_names for job in run.scenario.jobs]
    first = np.cumsum([0, *map(len, stage_names)])
    stage = first[work.job_group[job]] + tasks.stage - 1
    of_tez = lambda part: c.stage[tasks.container[part]].tolist(), _seconds(tasks.shuffle_end, nothing)
    return len(tasks.container), [
        _names(job, work.job_names, text),
        lambda part: c.index[tasks.container[part]].tolist(),
        lambda part: tasks.slot[part].tolist(),
        _names(stage, list(chain.from_iterable(stage_names)), text),
        lambda part: tasks.index[part].tolist(),
        lambda part: tasks.attempt[part].tolist(),
        _names(c.node[tasks.container], work.node_names, text),
        *(_seconds(times, nothing) for times in (tasks.start, tasks.end)),
        _names(tasks.outcome, OUTCOMES, text),
        *(of_tez if fields is TASKS_OF_TEZ else ()),
    ]


def _stages(stages: list[list[StageTimes]]) -> Callable[[slice], list]:
    """Of each job its stages with their times, null of a MapReduce job."""
    seconds = lambda ms: None if ms == NONE else ms / 1000
    row = lambda stage: dict(zip(STAGES, (stage.name, seconds(stage.start), seconds(stage.end))))
    return lambda part: [_json([*map(row, of_job)] or None) for of_job in stages[part]]


def _names(codes: np.ndarray, names: Sequence[str], text: Callable[[str], str]) -> Callable[[slice], list]:
    quoted_names = [text(name) for name in names]
    return lambda part: [quoted_names[code] for code in codes[part].tolist()]


def _seconds(times: np.ndarray, nothing: str) -> Callable[[slice], list]:
    def cells(part: slice) -> list:
        seconds = (times[part] / 1000).tolist()
        for index in np.flatnonzero(times[part] == NONE).tolist():
            seconds[index] = nothing
        return seconds

    return cells


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _json_row(fields: Sequence[str]) -> str:
    return "\n    {" + ",".join(f'"{field}":%s' for field in fields) + "}"


def _csv(
    runs: Sequence[Run], fields: Sequence[str], columns: Callable[..., tuple[int, Columns]]
) -> Iterator[str]:
    yield ",".join(["scheduler", *fields]) + "\n"
    for run in runs:
        row = csv_text(run.scheduler).replace("%", "%%") + ",%s" * len(fields) + "\n"
        yield from _rows(columns(run, csv_text, ""), row, "")


def _runs_csv(runs: Sequence[Run]) -> Iterator[str]:
    keys = [metric.key for metric in METRICS]
    yield ",".join(["scheduler", "status", "stuck_at_s", "stuck_because", *keys]) + "\n"
    for run in runs:
        stuck = [str(run.at_ms / 1000), csv_text(run.because or "")] if run.status == "deadlock" else ["", ""]
        numbers = ["" if number is None else str(number) for number in summary(run).values()]
        yield ",".join([csv_text(run.scheduler), run.status, *stuck, *numbers]) + "\n"


def csv_text(text: str) -> str:
    """A text as a field of CSV (RFC 4180, 2.5 to 2.7), inert in a spreadsheet."""
    text = f"'{text}" if text.startswith(FORMULA) else text
    return '"' + text.replace('"', '""') + '"' if any(mark in text for mark in ',"\r\n') else text
