"""What a container did, in words: the text under the pointer."""

from __future__ import annotations

import numpy as np

from engine import Containers, Run, quantities
from engine.dashboard import (
    EXECUTOR,
    FAILED,
    KILLED,
    LOST,
    NONE,
    REDUCE,
    RUNNING,
    TASK,
    TaskRuns,
    fetching_ms,
    requests_of,
    slots_of_jobs,
    stage_fetching_ms,
)
from webapp.figures.container_words import job_of_container, kind_word, task_text
from webapp.figures.plotly_arrays import shortened
from webapp.messages import msg

WASTED_WORDS = {KILLED: "killed", FAILED: "failed", LOST: msg("figures.tooltips.lost_with_its_node")}


def container_lines(run: Run, container: int) -> list[str]:
    """Lines about this container (an index into run.containers): the first names it, the others say what it
    did. Plain text: who writes markup escapes it.
    """
    work = run.workload
    job, stage, kind, _, attempt, node, requested, start, _, end, outcome, begin = (
        int(field[container]) for field in run.containers
    )
    request = requests_of(work, run.containers, container)
    task = shortened(task_text(run, container))
    if work.job_iterations[job] > 1:
        task += msg("shared.iteration", stage=stage)
    if attempt > 1:
        task += msg("shared.attempt", attempt=attempt)
    rack = work.node_racks[node]
    where = shortened(work.node_names[node]) + (f" in {shortened(rack)}" if rack else "")
    lines = [
        f"{shortened(work.job_names[job])} {task}",
        f"{where}: {quantities.memory(int(work.request_memory[request]))}, "
        f"{quantities.vcores(int(work.request_vcores[request]))}",
        msg(
            "figures.tooltips.requested_at_waited",
            moment=quantities.moment(requested),
            start=quantities.duration(start - requested),
        ),
    ]
    until = run.at_ms if end == NONE else end
    begin = min(max(begin, start), until)
    if begin > start:
        lines.append(_span("launching", start, begin))
    if _fetches(run, container) and (begin < until or start == until):
        lines += _shuffle_lines(run, container, begin, until)
    elif kind == EXECUTOR:
        lines += _holder_lines(run, container, begin, until)
    elif begin < until or start == until:
        lines.append(_span(_work_word(run, container), begin, until))
    c = run.containers
    of_task = (c.job == job) & (c.kind == kind) & (c.index == c.index[container]) & (c.stage == stage)
    if attempt > 1 and (first_attempt := _running_attempt(c, of_task, container)):
        lines.append(
            msg("figures.tooltips.speculative_second_attempt_to_attempt", first_attempt=first_attempt)
        )
    if outcome in WASTED_WORDS:
        word, lasted = WASTED_WORDS[outcome], quantities.duration(until - start)
        lines.append(msg("figures.tooltips.after_work_wasted", wasted_words=word, until=lasted))
    if outcome == RUNNING:
        lines.append(msg("figures.tooltips.never_ends_deadlock"))
    return lines


def _fetches(run: Run, container: int) -> bool:
    """Whether it reads what others have written before it computes."""
    if run.containers.kind[container] != TASK:
        return bool(run.containers.kind[container] == REDUCE)
    stage = int(run.containers.stage[container])
    return bool(job_of_container(run, container).stages[stage - 1].after)


def _shuffle_lines(run: Run, container: int, begin: int, until: int) -> list[str]:
    """How long it fetched and waited, and what it did then."""
    shuffle_end = int(run.containers.shuffle_end[container])
    if shuffle_end == NONE:
        return [_span("shuffle", begin, until)]
    work, is_task = _work_word(run, container), bool(run.containers.kind[container] == TASK)
    return _fetched_lines((begin, shuffle_end, until), fetching_ms(run, container), work, is_task)


def _fetched_lines(times: tuple[int, int, int], fetching: int, work: str, is_task: bool) -> list[str]:
    """times: when it began, had all that it reads, and ended, ms."""
    begin, shuffle_end, until = times
    told = quantities.duration(fetching), quantities.duration(shuffle_end - begin - fetching)
    if is_task:
        parts = msg("figures.tooltips.fetching_waiting_for_stages", fetching=told[0], waited=told[1])
    else:
        parts = msg("figures.tooltips.fetching_waiting_for_maps", fetching=told[0], waited=told[1])
    return [_span("shuffle", begin, shuffle_end), parts, _span(work, shuffle_end, until)]


def _work_word(run: Run, container: int) -> str:
    """What it does; a container of demand is held."""
    word = kind_word(run, container)
    return "held" if word == "container" else word


def task_lines(run: Run, task: int) -> list[str]:
    """Lines about this task (an index into run.tasks) of a container that runs several: what it is, and from
    when to when; of one of Tez when it fetched and waited.
    """
    assert run.tasks is not None
    container, slot, stage, index, attempt, start, end, outcome, shuffle_end = (
        int(field[task]) for field in run.tasks
    )
    group = job_of_container(run, container)
    name = shortened(group.stage_names[stage - 1])
    if group.framework == "tez":
        words = msg("figures.container_words.of_stage", task=f"task {index}", stage=name)
    else:
        words = msg("figures.tooltips.task_stage", index=index, stage=name, slot=slot)
    if attempt > 1:
        words += msg("shared.attempt", attempt=attempt)
    until = run.at_ms if end == NONE else end
    if group.framework != "tez" or not group.stages[stage - 1].after:
        lines = [words, _span("task", start, until)]
    elif shuffle_end == NONE:
        lines = [words, _span("shuffle", start, until)]
    else:
        fetching = stage_fetching_ms(run, group, stage, shuffle_end - start)
        lines = [words, *_fetched_lines((start, shuffle_end, until), fetching, "task", True)]
    job = run.containers.job
    of_task = (run.tasks.stage == stage) & (run.tasks.index == index)
    of_task &= job[run.tasks.container] == job[container]
    if attempt > 1 and (first_attempt := _running_attempt(run.tasks, of_task, task)):
        lines.append(
            msg("figures.tooltips.speculative_second_attempt_to_attempt", first_attempt=first_attempt)
        )
    if outcome in WASTED_WORDS:
        lasted = quantities.duration(until - start)
        lines.append(
            msg("figures.tooltips.after_work_wasted", wasted_words=WASTED_WORDS[outcome], until=lasted)
        )
    return lines


def _holder_lines(run: Run, container: int, begin: int, until: int) -> list[str]:
    """How long an executor has been registered, or Tez has held a container, and what ran in it."""
    if begin == until:
        return []
    tasks = 0 if run.tasks is None else int((run.tasks.container == container).sum())
    counted = quantities.count(tasks, "tasks")
    if job_of_container(run, container).framework == "tez":
        return [_span("held", begin, until), counted]
    slots = int(slots_of_jobs(run)[run.containers.job[container]])
    ran = msg("figures.tooltips.tasks_in_slots", tasks=counted, slots=quantities.count(slots, "slots"))
    return [_span("registered", begin, until), ran]


def _running_attempt(attempts: Containers | TaskRuns, of_task: np.ndarray, own: int) -> int | None:
    """The first of the attempts of a task that ran when one of them started; None without one. of_task: bool,
    which are of the task.
    """
    since = attempts.start[own]
    runs = (attempts.start <= since) & ((attempts.end > since) | (attempts.end == NONE))
    earlier = np.flatnonzero(of_task & runs & (attempts.attempt < attempts.attempt[own]))
    return int(attempts.attempt[earlier].min()) if len(earlier) else None


def _span(what: str, start: int, end: int) -> str:
    return (
        f"{what} {quantities.duration(end - start)}, {quantities.moment(start)} to {quantities.moment(end)}"
    )
