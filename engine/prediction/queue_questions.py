"""Questions of queues and of the scheduler: another weight or capacity, a limit, a queue drained, another
scheduler.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine import quantities
from engine.messages import msg
from engine.prediction.question import (
    Question,
    QuestionError,
    QuestionField,
    ScenarioChange,
    Values,
    is_capacity,
    leaves,
    queue_names,
    require_choice,
    require_queues,
    short_name,
    to_choices,
    without_record,
)
from engine.scenario.applications import noun
from engine.scenario.configuration.configuration_reader import CAPACITY_XML, FAIR_XML, SITE_XML
from engine.scenario.field_types import MAX_NUMBER
from engine.scenario.model import Scenario
from engine.schedulers.catalogue import CATALOGUE
from engine.schedulers.policy import ORDER, REDUCE_START
from engine.schedulers.scheduler import Scheduler, default_rule, parse

NOWHERE = "none"
OTHER_SCHEDULER = msg("prediction.queue_questions.task_times_those_record_they_depend")
DIGITS = 3  # of a percentage that is scaled


def file_of(chosen: Scheduler) -> str:
    """The kind of the file that has the queues."""
    return CAPACITY_XML if is_capacity(chosen) else FAIR_XML


def _siblings(scenario: Scenario, queue: str) -> list[str]:
    above = queue.rpartition(".")[0]
    return [name for name in queue_names(scenario) if name.rpartition(".")[0] == above]


def _capacities(scenario: Scenario, queue: str) -> dict[str, float]:
    """Percentages of the queue and its siblings: as given, the rest in equal parts of what is left."""
    capacities = dict.fromkeys(_siblings(scenario, queue)) | {
        entry.name: entry.capacity_pct
        for entry in scenario.queues
        if entry.name in _siblings(scenario, queue)
    }
    empty = [name for name, value in capacities.items() if value is None]
    remaining = 100 - sum(value for value in capacities.values() if value is not None)
    return {name: remaining / len(empty) if value is None else value for name, value in capacities.items()}


def _by_use(scenario: Scenario, names: list[str]) -> list[str]:
    """Queues with the most jobs first, what is in a parent counted with it."""
    used = [job.queue for job in scenario.jobs for _ in range(min(job.count, 1000))]
    return sorted(
        names, key=lambda name: -sum(queue == name or queue.startswith(f"{name}.") for queue in used)
    )


def _with_siblings(scenario: Scenario) -> list[str]:
    names = [name for name in queue_names(scenario) if len(_siblings(scenario, name)) > 1]
    if not names:
        raise QuestionError(msg("prediction.queue_questions.no_two_queues_share_anything_there"))
    return _by_use(scenario, names)


def _queue(plain: dict[str, Any], name: str, **fields: Any) -> None:
    """The queue with these fields, listed where it was only implied."""
    queues = plain.get("queues", [])
    if not any(queue["name"] == name for queue in queues):
        queues = [*queues, {"name": name}]
    plain["queues"] = [{**queue, **fields} if queue["name"] == name else queue for queue in queues]


def _share_fields(scenario: Scenario, chosen: Scheduler) -> tuple[QuestionField, ...]:
    require_queues(chosen)
    names = _with_siblings(scenario)
    first = QuestionField("queue", "Queue", "", names[0], choices=to_choices(names, short_name))
    if is_capacity(chosen):
        return first, QuestionField(
            "capacity_pct",
            "Capacity",
            "%",
            min(95.0, float(round(1.5 * _capacities(scenario, names[0])[names[0]]))),
            0,
            100,
        )
    doubled = min(2 * _weight(scenario, names[0]), MAX_NUMBER)
    return first, QuestionField("weight", "Weight", "", doubled, 0, MAX_NUMBER)


def _weight(scenario: Scenario, queue: str) -> float:
    return next((entry.weight for entry in scenario.queues if entry.name == queue), 1.0)


def _change_share(scenario: Scenario, chosen: Scheduler, values: Values) -> ScenarioChange:
    require_queues(chosen)
    queue, plain = (
        require_choice(
            values["queue"],
            _with_siblings(scenario),
            msg("prediction.queue_questions.queue_with_sibling"),
        ),
        without_record(scenario),
    )
    if not is_capacity(chosen):
        _queue(plain, queue, weight=values["weight"])
        title = msg(
            "prediction.queue_questions.queue_has_weight_instead",
            short_name=short_name(queue),
            format_number=quantities.number(values["weight"], exact=True),
            format_number2=quantities.number(_weight(scenario, queue), exact=True),
        )
        return ScenarioChange(plain, chosen, title, files=(FAIR_XML,))
    before, capacity_pct = _capacities(scenario, queue), values["capacity_pct"]
    others_total = sum(before.values()) - before[queue]
    others = {
        name: round(
            (100 - capacity_pct) * (value / others_total if others_total else 1 / (len(before) - 1)), DIGITS
        )
        for name, value in before.items()
        if name != queue
    }
    widest = max(others, key=lambda name: others[name])
    others[widest] = round(
        100 - capacity_pct - sum(value for name, value in others.items() if name != widest), DIGITS + 3
    )
    max_capacities = {entry.name: entry.max_capacity_pct for entry in scenario.queues}
    raised = []
    for name, value in {queue: capacity_pct, **others}.items():
        _queue(plain, name, capacity_pct=value)
        if max_capacities.get(name) is not None and max_capacities[name] < value:
            _queue(plain, name, max_capacity_pct=value)
            raised.append(short_name(name))
    changes = ", ".join(
        msg(
            "prediction.queue_questions.instead_2",
            short_name=short_name(name),
            format_number=quantities.number(value, exact=True),
            format_number2=quantities.number(before[name], exact=True),
        )
        for name, value in others.items()
    )
    caveats = (
        msg("prediction.queue_questions.its_sibling_queues_scaled_to", changes=changes),
        *(
            (msg("prediction.queue_questions.maximum_raised_to_capacity", raised=", ".join(raised)),)
            if raised
            else ()
        ),
    )
    return ScenarioChange(
        plain,
        chosen,
        msg(
            "prediction.queue_questions.queue_has_capacity_instead",
            short_name=short_name(queue),
            format_number=quantities.number(capacity_pct, exact=True),
            format_number2=quantities.number(before[queue], exact=True),
        ),
        caveats,
        (CAPACITY_XML,),
    )


def _limit_fields(scenario: Scenario, chosen: Scheduler) -> tuple[QuestionField, ...]:
    require_queues(chosen)
    names = _by_use(scenario, queue_names(scenario))
    title = msg(
        "prediction.queue_questions.maximum_share",
        value="its parent" if is_capacity(chosen) else "the cluster",
    )
    capacity = _capacity_pct(scenario, names[0]) if is_capacity(chosen) else 0
    most = 100.0 if _limit(scenario, chosen, names[0]) < 100 else max(50.0, capacity)
    return (
        QuestionField("queue", "Queue", "", names[0], choices=to_choices(names, short_name)),
        QuestionField("most_pct", title, "%", most, 1, 100),
    )


def _capacity_pct(scenario: Scenario, queue: str) -> float:
    """What its file says, 0 where it says nothing."""
    return next((entry.capacity_pct for entry in scenario.queues if entry.name == queue), None) or 0.0


def _limit(scenario: Scenario, chosen: Scheduler, queue: str) -> float:
    """The largest part that it may hold now, in percent; under fair the smaller of its memory and vcores."""
    entry = next((entry for entry in scenario.queues if entry.name == queue), None)
    if entry is None:
        return 100.0
    if is_capacity(chosen):
        return 100.0 if entry.max_capacity_pct is None else entry.max_capacity_pct
    if entry.max_share is None:
        return 100.0
    parts = [100 * getattr(entry.max_share, key) / total for key, total in _totals(scenario).items()]
    return min(100.0, *parts)


def _totals(scenario: Scenario) -> dict[str, int]:
    return {
        key: sum(group.count * getattr(group, key) for group in scenario.cluster.nodes)
        for key in ("memory_mb", "vcores")
    }


def _change_limit(scenario: Scenario, chosen: Scheduler, values: Values) -> ScenarioChange:
    require_queues(chosen)
    queue, limit_pct, plain = (
        require_choice(values["queue"], queue_names(scenario), "queue"),
        values["most_pct"],
        without_record(scenario),
    )
    now = _limit(scenario, chosen, queue)
    if is_capacity(chosen):
        capacity_pct = _capacity_pct(scenario, queue)
        if limit_pct < capacity_pct:
            raise QuestionError(
                msg(
                    "prediction.queue_questions.largest_part_its_parent_must_be",
                    short_name=short_name(queue),
                    format_number=quantities.number(capacity_pct, exact=True),
                )
            )
        _queue(plain, queue, max_capacity_pct=limit_pct)
    else:
        share = {key: max(1, int(limit_pct * total / 100)) for key, total in _totals(scenario).items()}
        _queue(plain, queue, max_share=None if limit_pct == 100 else share)
    limit_base = (
        msg("prediction.queue_questions.its_parent")
        if is_capacity(chosen)
        else msg("prediction.queue_questions.cluster")
    )
    return ScenarioChange(
        plain,
        chosen,
        msg(
            "prediction.queue_questions.queue_holds_at_most_instead",
            short_name=short_name(queue),
            format_number=quantities.number(limit_pct, exact=True),
            limit_base=limit_base,
            format_number2=quantities.number(round(now, 1), exact=True),
        ),
        files=(file_of(chosen),),
    )


def _drain_fields(scenario: Scenario, chosen: Scheduler) -> tuple[QuestionField, ...]:
    used = {job.queue for job in scenario.jobs}
    if len(used) < 2:
        raise QuestionError(msg("prediction.queue_questions.all_jobs_in_one_queue_without"))
    names = _by_use(scenario, [name for name in leaves(queue_names(scenario)) if name in used])
    where = to_choices(
        [NOWHERE, *leaves(queue_names(scenario))],
        lambda name: (
            msg("prediction.queue_questions.left_out") if name == NOWHERE else f"to {short_name(name)}"
        ),
    )
    return QuestionField(
        "queue", "Queue", "", names[-1], choices=to_choices(names, short_name)
    ), QuestionField("to", msg("prediction.queue_questions.its_jobs"), "", NOWHERE, choices=where)


def _drain(scenario: Scenario, chosen: Scheduler, values: Values) -> ScenarioChange:
    used, names = {job.queue for job in scenario.jobs}, leaves(queue_names(scenario))
    queue, to = (
        require_choice(
            values["queue"],
            [name for name in names if name in used],
            msg("prediction.queue_questions.queue_with_jobs"),
        ),
        values["to"],
    )
    plain = without_record(scenario)
    drained = [job for job in scenario.jobs if job.queue == queue]
    job_count = sum(job.count for job in drained)
    jobs = quantities.count(job_count, noun(job.framework for job in drained))
    if to == NOWHERE:
        if used == {queue}:
            raise QuestionError(
                msg("prediction.queue_questions.all_jobs_in_without_them_none", short_name=short_name(queue))
            )
        plain["jobs"] = [
            plain_job
            for plain_job, job in zip(plain["jobs"], scenario.jobs, strict=True)
            if job.queue != queue
        ]
        title = msg(
            "prediction.queue_questions.queue_drained_its_left_out",
            short_name=short_name(queue),
            jobs=jobs,
            value="is" if job_count == 1 else "are",
        )
    else:
        if require_choice(to, names, msg("shared.leaf_queue")) == queue:
            raise QuestionError(
                msg(
                    "prediction.queue_questions.jobs_must_go_to_another_queue",
                    short_name=short_name(queue),
                    nowhere=NOWHERE,
                )
            )
        plain["jobs"] = [
            {**plain_job, "queue": to} if job.queue == queue else plain_job
            for plain_job, job in zip(plain["jobs"], scenario.jobs, strict=True)
        ]
        title = msg(
            "prediction.queue_questions.queue_drained_its_to",
            short_name=short_name(queue),
            jobs=jobs,
            value="goes" if job_count == 1 else "go",
            short_name2=short_name(to),
        )
    caveat = msg("prediction.queue_questions.takes_no_job_from_beginning_its")
    if is_capacity(chosen):
        return ScenarioChange(
            plain,
            chosen,
            title,
            (caveat,),
            properties={f"yarn.scheduler.capacity.{queue}.state": "STOPPED"},
            file="capacity-scheduler.xml",
        )
    return ScenarioChange(
        plain,
        chosen,
        title,
        (
            caveat,
            msg("prediction.queue_questions.only_capacityscheduler_can_stop_queue_with"),
        ),
    )


def _scheduler_fields(scenario: Scenario, chosen: Scheduler) -> tuple[QuestionField, ...]:
    now = chosen.order.policy.name
    names = [name for name in CATALOGUE[ORDER] if name not in (now, "weighted")]
    return (
        QuestionField(
            "scheduler",
            "Scheduler",
            "",
            "fair" if now == "capacity" else "capacity",
            choices=to_choices(names),
        ),
    )


def _change_scheduler(scenario: Scenario, chosen: Scheduler, values: Values) -> ScenarioChange:
    """The rule for reduces stays where it is none that the present order brings."""
    new_scheduler = parse(values["scheduler"])
    default_reduce_start = default_rule(chosen.order, REDUCE_START)
    if (
        chosen.reduce_start != default_reduce_start
        and "+" not in values["scheduler"]
        and not new_scheduler.order.policy.defaults.is_paired
    ):
        new_scheduler = replace(new_scheduler, reduce_start=chosen.reduce_start)
    if new_scheduler.is_measured:
        raise QuestionError(msg("prediction.queue_questions.measured_what_cluster_did_name_scheduler"))
    caveats = [OTHER_SCHEDULER]
    if scenario.queues and new_scheduler.knows_queues and is_capacity(new_scheduler) != is_capacity(chosen):
        what = (
            msg("prediction.queue_questions.capacities_and_maximum_capacities")
            if is_capacity(new_scheduler)
            else msg("prediction.queue_questions.weights_minimum_and_maximum_shares")
        )
        caveats.append(msg("prediction.queue_questions.queues_go_by_their_there_what", what=what))
    files = ()
    if new_scheduler.order.policy.name in ("fair", "drf", "capacity", "fifo"):
        files = (
            SITE_XML,
            *((file_of(new_scheduler),) if new_scheduler.knows_queues else ()),
        )
    else:
        caveats.append(
            msg(
                "prediction.queue_questions.hadoop_has_no_scheduler_there_no",
                name=new_scheduler.order.policy.name,
            )
        )
    return ScenarioChange(
        without_record(scenario),
        new_scheduler,
        msg("prediction.queue_questions.instead", name=new_scheduler.name, name2=chosen.name),
        tuple(caveats),
        files,
    )


SHARE = Question(
    "share",
    msg("prediction.queue_questions.queues_weight_or_capacity"),
    msg("prediction.queue_questions.who_gains_when_queue_given_more"),
    _share_fields,
    _change_share,
)
LIMIT = Question(
    "limit",
    msg("prediction.queue_questions.queues_limit"),
    msg("prediction.queue_questions.what_does_queues_limit_cost_and"),
    _limit_fields,
    _change_limit,
)
DRAIN = Question(
    "drain",
    msg("prediction.queue_questions.queue_drained"),
    msg("prediction.queue_questions.what_do_others_gain_when_queue"),
    _drain_fields,
    _drain,
)
SCHEDULER = Question(
    "scheduler",
    msg("prediction.queue_questions.another_scheduler"),
    msg("prediction.queue_questions.would_another_scheduler_finish_earlier"),
    _scheduler_fields,
    _change_scheduler,
)
