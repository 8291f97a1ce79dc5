"""What a container is called: its kind, its task and its stage in its framework's words."""

from __future__ import annotations

from engine import Job, Run
from engine.dashboard import EXECUTOR, KINDS, MASTER, TASK
from webapp.messages import msg

KIND_WORDS = dict(zip(KINDS, ("master", "reduce", "map", "executor", "task")))


def job_of_container(run: Run, container: int) -> Job:
    """As the scenario has it."""
    return run.scenario.jobs[run.workload.job_group[run.containers.job[container]]]


def kind_word(run: Run, container: int) -> str:
    """What a container is called."""
    return word_of_kind(job_of_container(run, container).framework, int(run.containers.kind[container]))


def word_of_kind(framework: str, kind: int) -> str:
    """Spark's master is the driver, and what Tez or demand holds a container. kind: an index of KINDS."""
    if kind == MASTER and framework == "spark":
        return "driver"
    is_plain = (framework, kind) in (("demand", TASK), ("tez", EXECUTOR))
    return "container" if is_plain else KIND_WORDS[KINDS[kind]]


def stage_name(run: Run, container: int) -> str:
    """The stage whose task it runs, or that it was asked for; "" where it is no container of a stage."""
    kind, job = run.containers.kind[container], job_of_container(run, container)
    if kind != TASK and (kind != EXECUTOR or job.framework != "tez"):
        return ""
    return job.stage_names[run.containers.stage[container] - 1]


def task_text(run: Run, container: int) -> str:
    """ "driver", "map 3", "task 3 of stage scan"."""
    word = kind_word(run, container)
    if run.containers.kind[container] == MASTER:
        return word
    text, stage = f"{word} {run.containers.index[container]}", stage_name(run, container)
    return msg("figures.container_words.of_stage", task=text, stage=stage) if stage else text
