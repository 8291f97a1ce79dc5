"""Questions of the jobs: slow start, container sizes, jobs moved in time or to another queue, growth."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from engine import quantities
from engine.experiments.overrides import apply_overrides
from engine.messages import msg
from engine.output.spark_defaults import SPARK_QUEUE
from engine.prediction.changed_executors import BY_APPLICATION
from engine.prediction.evidence import is_mapreduce, only_holds
from engine.prediction.question import (
    Choice,
    Question,
    QuestionError,
    QuestionField,
    ScenarioChange,
    Values,
    leaves,
    queue_names,
    require_choice,
    require_queues,
    short_name,
    to_choices,
    without_record,
)
from engine.scenario.applications import noun
from engine.scenario.formats.unique_names import UniqueNames
from engine.scenario.model import Job, Scenario
from engine.scenario.scenario_limits import MAX_NAME_LENGTH
from engine.schedulers.scheduler import Scheduler

BY_SLOWSTART = ("slowstart", "ramp-up")  # rules that go by it
LATE, EARLY = 0.8, 0.05
SLOWSTART = "mapreduce.job.reduce.slowstart.completedmaps"
MEMORY = {"maps": "mapreduce.map.memory.mb", "reduces": "mapreduce.reduce.memory.mb"}
MAPRED_SITE = "mapred-site.xml"
OTHER_CONTAINER = msg("prediction.job_questions.task_times_those_record_with_containers")
MAX_MINUTES = 1_000_000.0
QUEUE_PROPERTIES = {"mapreduce": "mapreduce.job.queuename", "spark": SPARK_QUEUE, "tez": "tez.queue.name"}
NO_FILE = msg("prediction.job_questions.no_file_clusters_configuration_says_when")


def _slowstart_fields(scenario: Scenario, chosen: Scheduler) -> tuple[QuestionField, ...]:
    _require_slowstart(scenario, chosen)
    now = _most_common(job.slowstart for job in scenario.jobs if job.reduces)
    return (
        QuestionField(
            "slowstart",
            msg("shared.slow_start"),
            msg("prediction.job_questions.maps"),
            EARLY if now >= LATE else LATE,
            0,
            1,
        ),
    )


def _require_slowstart(scenario: Scenario, chosen: Scheduler) -> None:
    rule = chosen.reduce_start.policy.name
    if rule not in BY_SLOWSTART:
        raise QuestionError(
            msg("prediction.job_questions.starts_reduces_by_which_looks_at", name=chosen.name, rule=rule)
        )
    if not any(job.reduces and job.reduces.count for job in scenario.jobs):
        raise QuestionError(msg("prediction.job_questions.no_job_has_reduces_slow_start"))


def _most_common(values: Any) -> Any:
    return Counter(values).most_common(1)[0][0]


def _change_slowstart(scenario: Scenario, chosen: Scheduler, values: Values) -> ScenarioChange:
    _require_slowstart(scenario, chosen)
    at = values["slowstart"]
    scheduler = chosen
    if chosen.reduce_start.given.get("at") is not None:
        _, (scheduler,) = apply_overrides({}, [chosen], [("schedulers[0].slowstart.at", at)])
        before = {chosen.reduce_start.number("at")}
    else:
        before = {job.slowstart for job in scenario.jobs if job.reduces}
    plain = without_record(scenario)
    plain["jobs"] = [
        {**plain_job, "slowstart": at} if is_mapreduce(job) else plain_job
        for job, plain_job in zip(scenario.jobs, plain["jobs"])
    ]
    was = (
        quantities.number(min(before), exact=True)
        if len(before) == 1
        else f"{quantities.number(min(before), exact=True)} to {quantities.number(max(before), exact=True)}"
    )
    caveat = msg("prediction.job_questions.read_by_each_job_when_submitted", slowstart=SLOWSTART)
    return ScenarioChange(
        plain,
        scheduler,
        msg(
            "prediction.job_questions.slow_start_instead",
            format_number=quantities.number(at, exact=True),
            was=was,
        ),
        (caveat,),
        properties={SLOWSTART: f"{at:g}"},
        file=MAPRED_SITE,
    )


def _sizes(scenario: Scenario, kind: str) -> Counter:
    """How many tasks ask for so much memory."""
    sizes: Counter = Counter()
    for job in scenario.jobs:
        stage = getattr(job, kind)
        if stage and stage.count and is_mapreduce(job):
            sizes[stage.memory_mb] += stage.count * job.count
    return sizes


def _size_fields(scenario: Scenario, chosen: Scheduler) -> tuple[QuestionField, ...]:
    allocation = scenario.cluster.allocation
    max_mb = max(group.memory_mb for group in scenario.cluster.nodes)
    min_mb = 1
    if allocation:
        min_mb, max_mb = allocation.minimum.memory_mb, min(max_mb, allocation.maximum.memory_mb)
    fields = []
    for kind, title in (
        ("maps", msg("prediction.job_questions.memory_map")),
        ("reduces", msg("prediction.job_questions.memory_reduce")),
    ):
        if sizes := _sizes(scenario, kind):
            now = sizes.most_common(1)[0][0]
            default = now // 2 if now // 2 >= min_mb else min(max_mb, 2 * now)
            fields.append(QuestionField(f"{kind}_mb", title, "MB", default, 1, max_mb, whole=True))
    if not fields:
        raise QuestionError(msg("prediction.job_questions.no_job_has_tasks_there_no"))
    return tuple(fields)


def _change_sizes(scenario: Scenario, chosen: Scheduler, values: Values) -> ScenarioChange:
    plain, phrases, properties = without_record(scenario), [], {}
    for kind, name in MEMORY.items():
        if f"{kind}_mb" not in values:
            continue
        memory_mb, before = values[f"{kind}_mb"], _sizes(scenario, kind)
        sized = [bool((job.get(kind) or {}).get("count")) and not job.get("x_other") for job in plain["jobs"]]
        plain["jobs"] = [
            {**job, kind: {**job[kind], "memory_mb": memory_mb}} if has_tasks else job
            for job, has_tasks in zip(plain["jobs"], sized)
        ]
        sizes = [quantities.memory(size, exact=True) for size in sorted(before)]
        was = sizes[0] if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
        phrases.append(
            msg(
                "prediction.job_questions.per_instead",
                memory=quantities.memory(memory_mb, exact=True),
                kind=kind[:-1],
                was=was,
            )
        )
        properties[name] = str(memory_mb)
    return ScenarioChange(
        plain,
        chosen,
        msg("prediction.job_questions.containers", phrases=" and ".join(phrases)),
        (OTHER_CONTAINER,),
        properties=properties,
        file=MAPRED_SITE,
    )


def _group_of(job: Any) -> str | None:
    group = (job.model_extra or {}).get("x_group")
    return group[:MAX_NAME_LENGTH] if isinstance(group, str) else None


def _selections(scenario: Scenario) -> dict[str, tuple[str, list[int]]]:
    """What jobs can be moved together: those that recur, of a queue, of a user, or one; each with its title
    and its jobs.
    """
    selections: dict[str, tuple[str, list[int]]] = {}
    for job_index, job in enumerate(scenario.jobs):
        group = _group_of(job)
        keys = (
            [("group", group, msg("prediction.job_questions.recurs", group=group))]
            if group
            else [
                (
                    "job",
                    job.name or f"job{job_index + 1}",
                    _single(job, job.name or f"job{job_index + 1}"),
                )
            ]
        )
        keys += [
            ("queue", job.queue, msg("prediction.job_questions.queue", short_name=short_name(job.queue))),
            ("user", job.user, msg("shared.user", user=job.user)),
        ]
        for kind, name, title in keys:
            selections.setdefault(f"{kind}:{name}", (title, []))[1].append(job_index)
    every = len(scenario.jobs)
    rank = lambda entry: (
        ["group", "queue", "user", "job"].index(entry[0].partition(":")[0]),
        -len(entry[1][1]),
    )
    return dict(
        sorted(
            ((key, entry) for key, entry in selections.items() if len(entry[1]) < every or every == 1),
            key=rank,
        )
    ) or {"all": (msg("prediction.job_questions.all_jobs"), list(range(every)))}


def _single(job: Job, name: str) -> str:
    if job.framework == "mapreduce":
        return msg("prediction.job_questions.job", name=name)
    return msg("prediction.job_questions.application", name=name)


def _shift_fields(scenario: Scenario, chosen: Scheduler) -> tuple[QuestionField, ...]:
    selections = _selections(scenario)
    choices = tuple(
        Choice(choice.value, selections[choice.value][0]) for choice in to_choices(list(selections))
    )
    return (
        QuestionField("jobs", "Jobs", "", choices[0].value, choices=choices),
        QuestionField(
            "by_min",
            msg("prediction.job_questions.submitted_later_by"),
            "min",
            30.0,
            -MAX_MINUTES,
            MAX_MINUTES,
        ),
    )


def _shift(scenario: Scenario, chosen: Scheduler, values: Values) -> ScenarioChange:
    selections = _selections(scenario)
    title, job_indices = selections[require_choice(values["jobs"], list(selections), "choice of jobs")]
    by, moved, plain = values["by_min"], set(job_indices), without_record(scenario)
    early = sum(scenario.jobs[job_index].arrival_s + 60 * by < 0 for job_index in job_indices)
    at = lambda job: round(max(0.0, job.arrival_s + 60 * by), 3)
    plain["jobs"] = [
        {**plain_job, "arrival_s": at(job)} if job_index in moved else plain_job
        for job_index, (plain_job, job) in enumerate(zip(plain["jobs"], scenario.jobs, strict=True))
    ]
    caveats = [msg("prediction.job_questions.moved_jobs_turnaround_counts_from_its"), NO_FILE]
    if early:
        caveats.append(
            msg(
                "prediction.job_questions.them_would_be_submitted_before_record",
                early=early,
                value="is" if early == 1 else "are",
            )
        )
    shifted = [scenario.jobs[job_index] for job_index in job_indices]
    jobs = quantities.count(sum(job.count for job in shifted), noun(job.framework for job in shifted))
    return ScenarioChange(
        plain,
        chosen,
        msg(
            "prediction.job_questions.submitted",
            upper=title[:1].upper(),
            title=title[1:],
            jobs=jobs,
            by=quantities.duration(60_000 * abs(by)),
            value="later" if by >= 0 else "earlier",
        ),
        tuple(caveats),
    )


def _movable(scenario: Scenario, chosen: Scheduler) -> tuple[dict[str, tuple[str, list[int]]], list[str]]:
    """What jobs can be moved to another queue, and the leaf queues; a queue's own move when it is drained."""
    require_queues(chosen)
    names = leaves(queue_names(scenario))
    if len(names) < 2:
        raise QuestionError(msg("prediction.job_questions.no_other_queue"))
    selections = _selections(scenario)
    own = {key: entry for key, entry in selections.items() if not key.startswith("queue:")}
    return own or selections, names


def _move_fields(scenario: Scenario, chosen: Scheduler) -> tuple[QuestionField, ...]:
    selections, names = _movable(scenario, chosen)
    choices = to_choices(list(selections), lambda key: selections[key][0])
    kind = choices[0].value.partition(":")[0]
    default = max(
        (choice.value for choice in choices if choice.value.partition(":")[0] == kind),
        key=lambda key: sum(scenario.jobs[index].task_count for index in selections[key][1]),
    )
    now = {scenario.jobs[index].queue for index in selections[default][1]}
    to = next((name for name in names if name not in now), names[0])
    return (
        QuestionField("jobs", "Jobs", "", default, choices=choices),
        QuestionField(
            "to", msg("prediction.job_questions.to_queue"), "", to, choices=to_choices(names, short_name)
        ),
    )


def _move(scenario: Scenario, chosen: Scheduler, values: Values) -> ScenarioChange:
    selections, names = _movable(scenario, chosen)
    title, job_indices = selections[require_choice(values["jobs"], list(selections), "choice of jobs")]
    to = require_choice(values["to"], names, msg("shared.leaf_queue"))
    moved = {index: scenario.jobs[index] for index in job_indices if scenario.jobs[index].queue != to}
    if not moved:
        raise QuestionError(msg("prediction.job_questions.already_there", queue=short_name(to)))
    plain, jobs = without_record(scenario), moved.values()
    plain["jobs"] = [
        {**job, "queue": to} if index in moved else job for index, job in enumerate(plain["jobs"])
    ]
    set_by = dict.fromkeys(QUEUE_PROPERTIES.get(job.framework, "") for job in jobs)
    properties = " or ".join(f"{name}={to}" for name in set_by if name)
    caveats = (
        [msg("prediction.job_questions.set_when_submitted", properties=properties)] if properties else []
    )
    spark = {
        job.name or f"job{index + 1}": {QUEUE_PROPERTIES["spark"]: to}
        for index, job in moved.items()
        if job.is_spark
    }
    return ScenarioChange(
        plain,
        chosen,
        msg(
            "prediction.job_questions.in_queue_instead",
            upper=title[:1].upper(),
            title=title[1:],
            to=short_name(to),
            was=" and ".join(dict.fromkeys(short_name(job.queue) for job in jobs)),
        ),
        (*caveats, *([BY_APPLICATION] if spark else [])),
        spark=spark,
    )


def _growth_fields(scenario: Scenario, chosen: Scheduler) -> tuple[QuestionField, ...]:
    return (QuestionField("growth_pct", msg("prediction.job_questions.growth_jobs"), "%", 20.0, 1, 1000),)


def _grow(scenario: Scenario, chosen: Scheduler, values: Values) -> ScenarioChange:
    """Copies of jobs drawn by the scenario's seed: of each that recurs so many more as the percentage says,
    of the others together.
    """
    plain, share = without_record(scenario), values["growth_pct"] / 100
    groups: dict[str | None, list[int]] = {}
    for job_index, job in enumerate(scenario.jobs):
        if not only_holds(job):
            groups.setdefault(_group_of(job), []).extend([job_index] * job.count)
    count = sum(map(len, groups.values()))
    if not count:
        raise QuestionError(msg("prediction.job_questions.every_job_stands_for_other_applications"))
    # one job at least
    share, names, draw, copies = (
        max(share, 1 / count),
        UniqueNames(),
        random.Random(scenario.seed),
        [],
    )
    for job_index, job in enumerate(scenario.jobs):
        names.claim(job.name or f"job{job_index + 1}", job.count)
    carry = 0.5  # so that the copies in all are the nearest whole number: 20 % of 14 jobs are 3
    for job_indices in groups.values():
        carry += share * len(job_indices)
        copies_wanted = int(carry + 1e-9)
        drawn: list[int] = []
        carry -= copies_wanted
        while len(drawn) < copies_wanted:
            drawn += draw.sample(job_indices, min(len(job_indices), copies_wanted - len(drawn)))
        first, last = (
            min(scenario.jobs[job_index].arrival_s for job_index in job_indices),
            max(scenario.jobs[job_index].arrival_s for job_index in job_indices),
        )
        copies += [
            _copy(plain["jobs"][job_index], names, job_index, round(draw.uniform(first, last), 3))
            for job_index in drawn
        ]
    plain["jobs"] = [*plain["jobs"], *copies]
    how = (
        msg("prediction.job_questions.each_job_recurs_in_proportion_and")
        if len(groups) > 1
        else msg("prediction.job_questions.all_jobs_alike")
    )
    caveats = (
        msg(
            "prediction.job_questions.copies_drawn_with_seed_as_large",
            copies=len(copies),
            seed=scenario.seed,
            how=how,
        ),
        NO_FILE,
    )
    return ScenarioChange(
        plain,
        chosen,
        msg(
            "prediction.job_questions.about_more_jobs_in_addition_to",
            growth_pct=values["growth_pct"],
            jobs=noun(job.framework for job in scenario.jobs),
            copies=len(copies),
            value="copy" if len(copies) == 1 else "copies",
            count=count,
        ),
        caveats,
    )


def _copy(job: dict[str, Any], names: UniqueNames, job_index: int, arrival_s: float) -> dict[str, Any]:
    fields = {key: value for key, value in job.items() if key not in ("count", "interval_s", "x_id")}
    return {
        **fields,
        "name": names.claim(f"{job.get('name') or f'job{job_index + 1}'}.copy"),
        "arrival_s": arrival_s,
    }


SLOWSTART_QUESTION = Question(
    "slowstart",
    msg("shared.slow_start"),
    msg("prediction.job_questions.would_reduces_start_later_leave_room"),
    _slowstart_fields,
    _change_slowstart,
)
SIZES = Question(
    "containers",
    msg("prediction.job_questions.container_sizes"),
    msg("prediction.job_questions.would_smaller_or_larger_containers_finish"),
    _size_fields,
    _change_sizes,
)
SHIFT = Question(
    "shift",
    msg("prediction.job_questions.jobs_moved_in_time"),
    msg("prediction.job_questions.who_gains_when_some_jobs_submitted"),
    _shift_fields,
    _shift,
)
MOVE = Question(
    "queue",
    msg("prediction.job_questions.in_another_queue"),
    msg("prediction.job_questions.who_gains_when_moved"),
    _move_fields,
    _move,
)
GROWTH = Question(
    "growth", "Growth", msg("prediction.job_questions.can_cluster_run_many_more_jobs"), _growth_fields, _grow
)
