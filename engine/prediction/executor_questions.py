"""Questions of how many executors Spark applications have, and of what size."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine import quantities
from engine.experiments.executor_total import MAX_EXECUTORS, room_for
from engine.messages import msg
from engine.prediction.changed_executors import (
    FIXED,
    SAME_TASKS,
    change_executors,
    choice_title,
    chosen_executors,
    executors_field,
    fits,
    largest_containers,
    most_executors,
    spark_applications,
)
from engine.prediction.chosen_applications import was
from engine.prediction.question import (
    Choice,
    Question,
    QuestionError,
    QuestionField,
    ScenarioChange,
    Values,
    require_choice,
)
from engine.scenario.applications import MAX_SLOTS, Executors
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import Scheduler

AS_NOW, IN_PROPORTION = "now", "proportion"
LEAST_MEMORY_MB = 450  # below it Spark starts no executor (UnifiedMemoryManager.getMaxMemory)
SHARED_MEMORY = msg("prediction.executor_questions.shared_memory")
OVERHEAD = msg("prediction.executor_questions.overhead_counts")


def _count_fields(scenario: Scenario, scheduler: Scheduler) -> tuple[QuestionField, ...]:
    named = spark_applications(scenario)
    application = executors_field(named, FIXED)
    picked = chosen_executors(named, str(application.default))
    most = max(most_executors(scenario, executors) for _, executors in picked.values())
    room = max(room_for(scenario, executors) for _, executors in picked.values())
    count_title = msg("prediction.executor_questions.count")
    default = 2 * most if 2 * most <= room or most == 1 else most // 2
    count = QuestionField("count", count_title, "", default, 1, MAX_EXECUTORS, whole=True)
    return application, count


def _change_count(scenario: Scenario, scheduler: Scheduler, values: Values) -> ScenarioChange:
    named, count = spark_applications(scenario), values["count"]
    picked = chosen_executors(named, values["application"])
    fixed = [executors.initial_count for _, executors in picked.values() if not executors.dynamic]
    if fixed == [count] * len(picked):
        raise QuestionError(msg("prediction.changed_executors.nothing_changes"))
    before = [was(fixed)] if fixed else []
    if len(fixed) < len(picked):
        before.append(msg("prediction.executor_questions.dynamic_allocation"))
    text = msg(
        "prediction.executor_questions.count_instead",
        application=choice_title(named, values["application"]),
        executors=quantities.count(count, "executors"),
        was=" or ".join(before),
    )

    def counted(executors: Executors) -> Executors:
        return executors.model_copy(update={"dynamic": None, "count": count})

    return change_executors(scenario, scheduler, picked, counted, text, (SAME_TASKS,))


def _resized(executors: Executors, values: Values) -> Executors:
    """With so many cores, as many as now where that is left empty; what else is left empty is in proportion,
    and so is their number by that choice.
    """
    before = executors.vcores
    vcores = values["vcores"] or before
    memory = values["memory_mb"] or max(1, executors.memory_mb * vcores // before)
    own: Values = {"vcores": vcores, "memory_mb": memory}
    if values["overhead_mb"]:
        own["memory_overhead_mb"] = values["overhead_mb"]
    elif executors.memory_overhead_mb is not None:
        own["memory_overhead_mb"] = executors.memory_overhead_mb * memory // executors.memory_mb
    if executors.slots:
        own["slots"] = min(MAX_SLOTS, max(1, executors.slots * vcores // before))
    if values["number"] == AS_NOW:
        return executors.model_copy(update=own)
    if executors.dynamic:
        numbers = {key: getattr(executors.dynamic, key) for key in ("minimum", "initial", "maximum")}
        scaled = {key: math.ceil(count * before / vcores) for key, count in numbers.items() if count}
        own["dynamic"] = executors.dynamic.model_copy(update=scaled)
    else:
        own["count"] = math.ceil(executors.initial_count * before / vcores)
    return executors.model_copy(update=own)


def _size_fields(scenario: Scenario, scheduler: Scheduler) -> tuple[QuestionField, ...]:
    """By default twice as large where that fits, else half as large; of one vcore with half the memory."""
    named = spark_applications(scenario)
    executors = [one for _, one in named.values()]
    now, limits = max(one.vcores for one in executors), largest_containers(scenario)
    twice = {"vcores": 2 * now, "memory_mb": "", "overhead_mb": "", "number": AS_NOW}
    vcores = 2 * now if all(fits(scenario, _resized(one, twice)) for one in executors) else max(1, now // 2)
    memory = max(1, max(one.memory_mb for one in executors) // 2) if vcores == now else ""
    in_proportion = msg("prediction.executor_questions.in_proportion")
    numbers = Choice(IN_PROPORTION, in_proportion), Choice(AS_NOW, msg("prediction.changed_executors.as_now"))
    most_vcores, most_mb = max(limit.vcores for limit in limits), max(limit.memory_mb for limit in limits)
    cores, number = msg("prediction.executor_questions.cores"), msg("prediction.executor_questions.count")
    amounts = [
        QuestionField(key, name, "MB", default, 1, most_mb, whole=True, empty=in_proportion)
        for key, name, default in (
            ("memory_mb", msg("prediction.executor_questions.memory"), memory),
            ("overhead_mb", msg("prediction.executor_questions.overhead"), ""),
        )
    ]
    return (
        executors_field(named),
        QuestionField(
            "vcores",
            cores,
            "",
            vcores,
            1,
            most_vcores,
            whole=True,
            empty=was(one.vcores for one in executors),
            # who asks about memory asks about that alone
            unless=("memory_mb", "overhead_mb"),
        ),
        *amounts,
        QuestionField("number", number, "", IN_PROPORTION, choices=numbers),
    )


def _change_size(scenario: Scenario, scheduler: Scheduler, values: Values) -> ScenarioChange:
    named = spark_applications(scenario)
    picked = chosen_executors(named, values["application"])
    number = require_choice(
        values["number"], (IN_PROPORTION, AS_NOW), msg("prediction.executor_questions.choice_of_number")
    )
    before = [executors for _, executors in picked.values()]
    after = [_resized(executors, values) for executors in before]
    sizes = _size_words(before, after)
    if not sizes:
        raise QuestionError(msg("prediction.changed_executors.nothing_changes"))
    for executors in after:
        if not fits(scenario, executors):
            size = executors.container
            raise QuestionError(
                msg(
                    "prediction.executor_questions.fits_no_node",
                    memory=quantities.memory(size.memory_mb, exact=True),
                    vcores=quantities.vcores(size.vcores),
                )
            )
    numbers = (
        msg("prediction.executor_questions.number_in_proportion")
        if number == IN_PROPORTION and [one.vcores for one in after] != [one.vcores for one in before]
        else msg("prediction.executor_questions.as_many")
    )
    text = msg(
        "prediction.executor_questions.other_size_instead",
        application=choice_title(named, values["application"]),
        sizes=sizes,
        numbers=numbers,
    )
    caveats = [SHARED_MEMORY, SAME_TASKS]
    if any(executors.memory_overhead_mb is not None for executors in after):
        caveats.append(OVERHEAD)
    if any(executors.memory_mb < LEAST_MEMORY_MB for executors in after):
        caveats.insert(0, msg("prediction.executor_questions.too_little_memory", least=LEAST_MEMORY_MB))
    return change_executors(
        scenario, scheduler, picked, lambda executors: _resized(executors, values), text, tuple(caveats)
    )


def _size_words(now: Sequence[Executors], after: Sequence[Executors]) -> str:
    """What changes of their size, in words."""
    changes = []
    for key, words in (
        ("vcores", "{}"),
        ("memory_mb", msg("prediction.executor_questions.of_memory")),
        ("memory_overhead_mb", msg("prediction.executor_questions.of_overhead")),
    ):
        old, new = ({getattr(executors, key) for executors in ones} for ones in (now, after))
        if old != new:
            value, before = words.format(_amounts(new, key)), _amounts(old, key)
            changes.append(msg("prediction.changed_executors.instead", value=value, was=before))
    return ", ".join(changes)


def _amounts(amounts: set[int | None], key: str) -> str:
    """ "2 vcores", "512 MB to 1 GB"; an overhead that is not given is Spark's own."""
    known = sorted(amount for amount in amounts if amount is not None)
    words = [
        quantities.vcores(one) if key == "vcores" else quantities.memory(one, exact=True) for one in known
    ]
    if len(known) < len(amounts):
        words.insert(0, msg("prediction.executor_questions.sparks_own"))
    return words[0] if len(words) == 1 else f"{words[0]} to {words[-1]}"


COUNT = Question(
    "instances",
    msg("prediction.executor_questions.count"),
    msg("prediction.executor_questions.what_do_more_or_fewer_do"),
    _count_fields,
    _change_count,
    "spark",
)
SIZE = Question(
    "executors",
    msg("prediction.executor_questions.size_of_executors"),
    msg("prediction.executor_questions.as_many_or_fewer_and_larger"),
    _size_fields,
    _change_size,
    "spark",
)
