"""What Gantry makes of a case, beside what Hadoop does: value by value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from engine.scenario.queue_validation import ROOT
from tests.hadoop.loader.gantry_answers import Answer

MOST = {2**31 - 1, 2**63 - 1}  # Integer.MAX_VALUE and Long.MAX_VALUE: no limit
REFUSED = "refused"
CLOSE = 1e-6  # floats of Java against doubles
# Gantry's name of what it has of CapacityScheduler's settings
SETTINGS = {
    "capacity": {
        "node-locality-delay": "node_locality_delay",
        "rack-locality-additional-delay": "rack_locality_additional_delay",
    },
    "fair": {
        "update-interval-ms": "update_ms",
        "locality.threshold.node": "locality_node",
        "locality.threshold.rack": "locality_rack",
        "cluster-utilization-threshold": "utilization_threshold",
        "waitTimeBeforeKill": "wait_before_kill_ms",
        "waitTimeBeforeNextStarvationCheck": "starvation_check_ms",
    },
}
MONITOR = {
    "monitoring-interval": "monitoring_interval_ms",
    "max-wait-before-kill": "max_wait_before_kill_ms",
    "total-preemption-per-round": "total_preemption_per_round",
    "max-ignored-over-capacity": "max_ignored_over_capacity",
    "natural-termination-factor": "natural_termination_factor",
}
# with no node labels it orders as the other does
SAME_ORDERS = {"fifo-with-partitions": "fifo"}
# a number below 0 lets through what 0 does: nothing, or one master
NOT_BELOW_0 = {
    "max-parallel-apps",
    "minimum-user-limit-percent",
    "maximum-applications-per-user",
    "maximum-am-resource-percent",
}
MAXIMA = ("maximum-resource", "absolute-maximum-capacity")  # of which a queue has no more than its parent
CALCULATORS = {"memory": "DefaultResourceCalculator", "both": "DominantResourceCalculator"}


class Compared(NamedTuple):
    """One value of a case: of which kind, where (a queue, a job, "" for the whole), as Hadoop has it and as
    Gantry does.
    """

    kind: str
    where: str
    hadoop: Any
    gantry: Any

    @property
    def is_same(self) -> bool:
        return _is_same(self.hadoop, self.gantry)


def compare(family: str, hadoop: Answer, gantry: Answer) -> Iterator[Compared]:
    """All values of the case; of one that a side refuses, that alone."""
    refusals = tuple(answer.get("refused", "") for answer in (hadoop, gantry))
    if any(refusals):
        yield Compared(REFUSED, "", bool(refusals[0]), bool(refusals[1]))
        return
    yield Compared(REFUSED, "", False, False)
    yield from _settings(family, hadoop["settings"], gantry["settings"])
    queues = _capacity_queues(hadoop) if family == "capacity" else hadoop["queues"]
    for queue in dict.fromkeys([*queues, *gantry["queues"]]):
        theirs, ours = queues.get(queue), gantry["queues"].get(queue)
        yield Compared("queue", queue, theirs is not None, ours is not None)
        if theirs is not None and ours is not None:
            for kind, value in theirs.items():
                if kind in ours:
                    yield Compared(kind, queue, value, ours[kind])
    for place, ((queue, refusal), ours) in enumerate(zip(hadoop["jobs"], gantry["jobs"], strict=True)):
        # no job of a scenario is in root, and each names its queue by the whole path
        if queue != ROOT and "to ambiguous queue" not in refusal:
            yield Compared("placement", str(place), None if refusal else queue, ours)


def _capacity_queues(hadoop: Answer) -> dict[str, Answer]:
    """Hadoop's queues as they decide, without those of an empty name, which take no job: nothing is asked of
    what may be preempted where there is no monitor, and root's own maximum bears on those below it alone.
    """
    queues: dict[str, Answer] = {}
    for name, values in hadoop["queues"].items():
        if name.endswith("."):
            continue
        own = {key: max(value, 0) if key in NOT_BELOW_0 else value for key, value in values.items()}
        own["ordering"] = SAME_ORDERS.get(own["ordering"], own["ordering"])
        if above := queues.get(name.rpartition(".")[0]):
            own |= {key: _least(own[key], above[key]) for key in MAXIMA}
        if not hadoop["settings"]["preemption"]:
            del own["disable-preemption"]
        queues[name] = own
    queues[ROOT] = {key: value for key, value in queues[ROOT].items() if key != MAXIMA[1]}
    return queues


def _least(one: Any, other: Any) -> Any:
    return list(map(min, one, other)) if isinstance(one, list) else min(one, other)


def _settings(family: str, theirs: Answer, ours: Answer) -> Iterator[Compared]:
    for key in ("minimum", "maximum", *(("increment",) if family == "fair" else ())):
        yield Compared(f"{key}-allocation", "", theirs[key], ours.get(key))
    for user in ours["users"]:
        if (most := theirs["users"][user]) is not None:
            yield Compared("maximum of a user", user, most, ours["users"].get(user))
    for kind, name in SETTINGS[family].items():
        if theirs[kind] is not None:  # it can't be read, and is not until it is used
            yield Compared(kind, "", theirs[kind], ours[name])
    if family == "fair":
        yield Compared("preemption", "", theirs["preemption"], ours["preemption"])
        yield Compared("assignments of a heartbeat", "", _assigned(theirs), ours["assigned"])
        return
    monitor = theirs["preemption"]
    yield Compared("calculator", "", theirs["calculator"], CALCULATORS[ours["resources"]])
    yield Compared("preemption", "", bool(monitor and not monitor["observe-only"]), ours["preemption"])
    for kind, name in MONITOR.items() if monitor and ours["preemption"] else ():
        yield Compared(kind, "", monitor[kind], ours[name])
    yield Compared("assignments of a heartbeat", "", _assigned_off_switch(theirs), ours["assigned"])


def _assigned(theirs: Answer) -> Any:
    """Containers a heartbeat, half: no more than half of what is free, None: no limit."""
    if not theirs["assignmultiple"]:
        return 1
    if theirs["dynamic.max.assign"]:
        return "half"
    return theirs["max.assign"] if theirs["max.assign"] > 0 else None


def _assigned_off_switch(theirs: Answer) -> Any:
    """Where every assignment is off-switch."""
    if not theirs["assign-multiple"]:
        return 1
    limits = [one for one in (theirs["assign-most"],) if one > 0]
    return max(1, min([*limits, theirs["assign-off-switch"]]))


def _is_same(theirs: Any, ours: Any) -> bool:
    if isinstance(theirs, list) and isinstance(ours, list):
        return len(theirs) == len(ours) and all(map(_is_same, theirs, ours))
    if isinstance(theirs, str) and isinstance(ours, str):
        return theirs.lower() == ours.lower()
    if isinstance(theirs, bool) or isinstance(ours, bool) or not isinstance(theirs, int | float):
        return type(theirs) is type(ours) and theirs == ours
    if ours is None:
        return theirs in MOST
    return isinstance(ours, int | float) and abs(theirs - ours) <= CLOSE * max(abs(theirs), abs(ours))
