"""Small scenarios for hypothesis: valid by construction, full of ties, tight enough that kills and deadlocks
happen.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from engine.scenario.model import DEFAULT_QUEUE, Scenario
from engine.schedulers.catalogue import CATALOGUE
from engine.schedulers.legacy_names import expand_0_1
from engine.schedulers.policy import ADMISSION, ORDER, REDUCE_START, Parameter

MAX_COPIES = 5
SHORT = [0.0, 0.001, 0.002, 0.003, 0.007, 0.01, 0.0125, 0.1, 0.5, 1.0, 2.5]
SEEDS = st.integers(0, 2**63 - 1)
SPEEDS = st.sampled_from([1.0, 1.0, 1.0, 0.5, 2.0, 0.3, 7.0])
SLOTS = st.sampled_from([None, None, None, 1, 2])
ANY_SLOTS = SLOTS | st.just(0)
MAX_RUNNING = st.sampled_from([None, None, None, None, 0, 1, 1, 2])  # jobs at a time
WEIGHTS = st.sampled_from([1.0, 1.0, 0.5, 2.0, 3.7])
QUEUE_WEIGHTS = st.sampled_from([1.0, 1.0, 0.5, 2.0, 3.7, 0.0])
Names = tuple[str, ...]
QUEUE_NAMES = [
    "root.a",
    "root.b",
    "root.p.x",
    "root.p.y",
    "root.p.q.z",
    "root.p",
    "root",
    DEFAULT_QUEUE,
    "root.B",
]
LISTED_QUEUES = st.lists(st.sampled_from(QUEUE_NAMES), unique=True, max_size=5)
PARENTS_ORDERINGS = st.sampled_from([None, "utilization", "priority-utilization"])
LEAVES_ORDERINGS = st.sampled_from([None, "fifo", "fair", "fair"])
USERS = st.sampled_from([[], [], ["ann"], ["bob", "ann"]])


class Scale(NamedTuple):
    """How large a scenario is: job groups at least, tasks of a job at most, a node's memory and vcores, the
    largest container, no master in so many jobs.
    """

    groups: int
    maps: int
    reduces: int
    memory: tuple[int, int]
    vcores: tuple[int, int]
    largest: int
    masterless: int


SMALL = Scale(1, 4, 2, (2, 8), (1, 8), 8, 1)
# several jobs of more tasks than there is room for: policies have something to choose from
BUSY = Scale(2, 7, 4, (4, 10), (4, 10), 4, 3)


@lru_cache(None, typed=True)
def among(*values: Any) -> SearchStrategy[Any]:
    """One of these. A strategy costs far more to make than to draw from: whatever is drawn from often is made
    once.
    """
    return st.sampled_from(values)


@cache
def perhaps(strategy: SearchStrategy[Any], nones: int = 1) -> SearchStrategy[Any]:
    """It, or so many times None."""
    return st.one_of(*[st.none()] * nones, strategy)


@cache
def seconds(least: float = 0.0) -> SearchStrategy[float]:
    """Times that tie often, and some that do not."""
    few = [value for value in SHORT if value >= least]
    return st.sampled_from(few) | st.integers(int(1000 * least), 3000).map(lambda ms: ms / 1000)


ARRIVALS = st.just(0.0) | seconds()


@cache
def durations(values: int) -> SearchStrategy[Any]:
    """A number or any distribution; a list has so many values."""
    spread = st.builds(
        lambda dist, mean, sd: {"dist": dist, "mean": mean, "sd": sd},
        st.sampled_from(["normal", "lognormal"]),
        seconds(0.001),
        seconds(),
    )
    uniform = st.tuples(seconds(), seconds()).map(
        lambda ends: {"dist": "uniform", "low": min(ends), "high": max(ends)}
    )
    exponential = seconds(0.001).map(lambda mean: {"dist": "exponential", "mean": mean})
    listed = st.lists(seconds(), min_size=values, max_size=values).map(lambda times: {"values": times})
    return st.one_of(seconds(), seconds(), spread, uniform, exponential, listed)


@cache
@st.composite
def clusters(draw: DrawFn, scale: Scale) -> dict:
    """One to five nodes, in up to three groups that may differ in everything; the first group has a slot of
    each kind.
    """
    groups: list[dict] = []
    for number in range(draw(st.integers(1, 3))):
        slots = SLOTS if number == 0 else ANY_SLOTS
        group = {
            "name": draw(among(None, f"n{number}")),
            "count": draw(st.integers(1, 2))
            if number
            else draw(st.integers(1, 1 + 2 * (draw(st.integers(0, 3)) == 0))),
            "memory_mb": draw(st.integers(*scale.memory)),
            "vcores": draw(st.integers(*scale.vcores)),
            "speed": draw(SPEEDS),
            "map_slots": draw(slots),
            "reduce_slots": draw(slots),
        }
        if sum(known["count"] for known in groups) + group["count"] <= 5:
            groups.append(group)
    return {
        "nodes": groups,
        "heartbeat_ms": draw(among(0, 1, 2, 3, 7, 100, 1000)),
        "containers_per_heartbeat": draw(among(None, 1, 2, 3)),
        "user_max_running_apps": draw(MAX_RUNNING),
        "shuffle_mb_s": draw(among(1.0, 3.0, 100.0)),
        "contention": draw(among(0.0, 0.0, 0.1, 0.37, 1.0)),
    }


@cache
@st.composite
def queues(draw: DrawFn) -> list[dict]:
    """Up to five queues, nested or not; the percentages of siblings sum to 100."""
    names = draw(LISTED_QUEUES)
    parents = {_parent(name) for name in _all_queues(names)}
    percentages = _percentages(draw, names)
    listed: list[dict] = []
    for name in names:
        above = next((queue["policy"] for queue in listed if queue["name"] == _parent(name)), None)
        below = [queue["policy"] for queue in listed if _parent(queue["name"]) == name]
        capacity = percentages.get(name)
        listed.append(
            {
                "name": name,
                "weight": draw(QUEUE_WEIGHTS),
                "min_share": draw(shares(4)),
                "max_share": draw(perhaps(shares(12, least=2), 2)),
                "capacity_pct": capacity,
                "max_capacity_pct": draw(
                    perhaps(
                        among(
                            *(
                                share
                                for share in (0.0, 30.0, 30.0, 50.0, 50.0, 100.0)
                                if share >= (capacity or 0.0)
                            )
                        )
                    )
                ),
                "user_limit_factor": draw(perhaps(among(0.0, 0.2, 0.5, 1.0, 1.5, 3.0))),
                "min_user_limit_pct": draw(perhaps(among(0, 1, 20, 33.3, 50, 100))),
                "min_share_preemption_timeout_s": draw(among(None, None, 0.0, 0.02, 1.0)),
                "fair_share_preemption_timeout_s": draw(among(None, None, 0.0, 0.02, 1.0)),
                "fair_share_preemption_threshold": draw(among(None, None, 0.3, 1.0)),
                "allow_preemption_from": draw(among(True, True, True, False)),
                "disable_preemption": draw(among(None, None, None, "yes", "no")),
                "max_running_apps": draw(MAX_RUNNING),
                "policy": draw(among(*_policies(name in parents, above, below))),
                "ordering": draw(PARENTS_ORDERINGS if name in parents else LEAVES_ORDERINGS),
                "size_based_weight": draw(st.booleans()),
                "priority": draw(among(0, 0, -1, 2)),
            }
        )
    return listed


def _parent(name: str) -> str:
    return name.rpartition(".")[0]


def _all_queues(names: list[str]) -> list[str]:
    """The listed queues, what their names imply, and root.default."""
    return list(
        dict.fromkeys(
            ".".join(name.split(".")[:depth])
            for name in [*names, DEFAULT_QUEUE]
            for depth in range(1, name.count(".") + 2)
        )
    )


def _policies(is_parent: bool, above: str | None, below: list[str | None]) -> list[str | None]:
    """Only leaves are fifo; drf never stands under fair."""
    allowed = [None, "fair", "drf"] if is_parent else [None, "fifo", "fair", "drf"]
    return [
        policy
        for policy in allowed
        if not (policy == "drf" and above == "fair") and not (policy == "fair" and "drf" in below)
    ]


def _percentages(draw: DrawFn, names: list[str]) -> dict[str, float]:
    """Capacities for some sibling groups, all or a part of each; a group whose members all have one sums to
    100.
    """
    by_name: dict[str, float] = {}
    everyone = _all_queues(names)
    for parent in sorted({_parent(name) for name in everyone} - {""}):
        siblings = [name for name in everyone if _parent(name) == parent]
        given = [name for name in siblings if name in names and draw(st.booleans())]
        left = 1000
        for name in given[:-1] if len(given) == len(siblings) else given:
            tenths = draw(st.integers(0, left))
            by_name[name] = tenths / 10
            left -= tenths
        if given and len(given) == len(siblings):
            by_name[given[-1]] = left / 10
    return by_name


@cache
def shares(most: int, least: int = 0) -> SearchStrategy[dict]:
    return st.builds(
        lambda memory, vcores: {"memory_mb": memory, "vcores": vcores},
        st.integers(least, most),
        st.integers(least, most),
    )


@cache
def amounts(most: int, largest: int) -> SearchStrategy[int]:
    """Of memory or vcores, seldom much."""
    return st.integers(1, min(3, most)) | st.integers(1, min(largest, most))


@st.composite
def sizes(draw: DrawFn, groups: list[dict], largest: int) -> dict:
    """A container that fits one of these groups' nodes; now and then its memory fits one and its vcores only
    another.
    """
    node = draw(st.sampled_from(groups))
    other = draw(st.sampled_from(groups)) if draw(st.integers(0, 19)) == 0 else node
    return {
        "memory_mb": draw(amounts(node["memory_mb"], largest)),
        "vcores": draw(amounts(other["vcores"], largest)),
    }


@st.composite
def jobs(draw: DrawFn, number: int, nodes: list[dict], leaves: list[str], copies: int, scale: Scale) -> dict:
    """One group of so many copies."""
    maps, reduces = draw(st.integers(1, scale.maps)), draw(st.integers(0, scale.reduces))
    with_map_slot = [node for node in nodes if node["map_slots"] != 0]
    with_reduce_slot = [node for node in nodes if node["reduce_slots"] != 0]
    reduce_stage = {
        "count": reduces,
        "duration_s": draw(durations(max(reduces, 1))),
        **draw(sizes(with_reduce_slot, scale.largest)),
    }
    return {
        "name": draw(among(None, f"j{number}", f"etl-{number + 7}", f"etl_{number + 7}")),
        "queue": draw(among(*leaves)),
        "arrival_s": draw(ARRIVALS),
        "count": copies,
        "interval_s": draw(durations(max(copies - 1, 1))),
        "weight": draw(WEIGHTS),
        "priority": draw(among(0, 0, 0, 1, 5)),
        "min_share": draw(perhaps(shares(4))),
        "input_mb": draw(among(None, None, 0.0, 0.5, 64.0, 128.0, 129.0, 1000.0)),
        "estimate_s": draw(perhaps(seconds(), 3)),
        "am": {**draw(sizes(nodes, scale.largest)), "startup_s": draw(seconds())}
        if draw(st.integers(0, scale.masterless)) == scale.masterless
        else None,
        "maps": {
            "count": maps,
            "duration_s": draw(durations(maps)),
            **draw(sizes(with_map_slot, scale.largest)),
        },
        "reduces": reduce_stage if reduces or draw(st.booleans()) else None,
        "shuffle_mb_per_map": draw(among(0.0, 0.0, 0.01, 0.1, 1.0)),
        "user": draw(among("default", "ann", "bob")),
        "slowstart": draw(among(0.0, 0.05, 0.3, 0.5, 0.8, 1.0)),
        "iterations": draw(among(1, 1, 1, 2)),
    }


@st.composite
def scenarios(draw: DrawFn, scale: Scale = SMALL) -> Scenario:
    """A whole scenario of at most five jobs."""
    cluster, listed = draw(clusters(scale)), draw(queues())
    everyone = _all_queues([queue["name"] for queue in listed])
    leaves = [name for name in everyone if name not in {_parent(queue) for queue in everyone}]
    groups: list[dict] = []
    for number in range(draw(st.integers(scale.groups, 4))):
        copies = draw(among(1, 1, 1, 2, 3))
        if sum(group["count"] for group in groups) + copies <= MAX_COPIES:
            groups.append(draw(jobs(number, cluster["nodes"], leaves, copies, scale)))
    users = [{"name": name, "max_running_apps": draw(among(1, 1, 2, 3))} for name in draw(USERS)]
    if draw(st.booleans()):
        _allocate(draw, cluster, listed, groups)
    return Scenario.of(
        {
            "version": 1,
            "seed": draw(SEEDS),
            "cluster": cluster,
            "queues": listed,
            "users": users,
            "jobs": groups,
        }
    )


def _allocate(draw: DrawFn, cluster: dict, listed: list[dict], groups: list[dict]) -> None:
    """To what requests are rounded, the largest containers, and the queues' parts for masters; nothing is
    refused.
    """
    largest = [max(node[resource] for node in cluster["nodes"]) for resource in ("memory_mb", "vcores")]
    least = [draw(st.integers(1, min(3, most))) for most in largest]
    if draw(st.booleans()):
        size = lambda amounts: dict(zip(("memory_mb", "vcores"), amounts))
        most = [draw(st.integers(max(low, high), high + 2)) for low, high in zip(least, largest)]
        cluster["allocation"] = {
            "minimum": size(least),
            "increment": draw(shares(3, least=1)),
            "maximum": size(most),
        }
    for queue in listed:
        queue["max_am_share"] = draw(among(None, None, -1.0, 0.0, 0.1, 0.3, 0.5, 1.0))
        below = [job for job in groups if f"{job['queue']}.".startswith(f"{queue['name']}.")]
        asked = [part for job in below for part in (job["am"], job["maps"], job["reduces"]) if part]
        needed = {
            key: max([part[key] for part in asked] + [low])
            for key, low in zip(("memory_mb", "vcores"), least)
        }
        more = draw(among(None, 0, 1))
        queue["max_container"] = (
            None if more is None else {key: amount + more for key, amount in needed.items()}
        )


AMOUNTS = [0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 12]
TIMES = (-2.0, -1.0, -0.3, 0.0, 0.3, 0.7, 1.0, 2.0, 5.0)  # a parameter's default, within its limits
# Values of parameters by name, in place of those times the default: a batch lasts seconds and its nodes are
# small.
INSTEAD = {
    "window_s": [0.001, 0.003, 0.01, 0.05, 0.1, 0.3, 1.0],
    "unconditional_s": [0.0, 0.001, 0.02, 0.1, 1.0],
    "vcores": AMOUNTS,
    "memory_mb": AMOUNTS,
}
# And beside them, where something else happens.
ALSO = {
    "alpha": [0.3, 2.0, 3.5],
    "at": [0.4],
    "cold": [0.1, 100.0],
    "ema": [0.3, 0.75],
    "floor": [0.1, 0.7],
    "fraction": [0.1, 0.2, 0.4],
    "heartbeat_s": [0.001, 0.002, 0.01, 0.1],
    "k": [1.0, 0.1, 0.01],
    "k1": [1.0, 5.0],
    "limit": [0.05, 0.1, 0.3, 0.8],
    "preempt": [0.3],
    "node_locality_delay": [0.0, 1.0, 3.0],
    "rack_locality_additional_delay": [0.0, 1.0, 3.0],
    "locality_node": [0.2],
    "locality_rack": [0.3],
    "q": [1.2, 2.0],
    "rate": [0.5, 0.1, 0.001],
    "split_mb": [1.0, 64.0, 0.3],
    "maximum_offswitch_assignments": [2.0, 3.0],
    "update_ms": [1.0, 7.0, 50.0, 500.0],
    "w_memory": [0.5, 3.7],
    "w_vcores": [0.5, 3.7],
}


def values(parameter: Parameter) -> list[float | str]:
    """What a parameter is drawn from: its choices, or numbers around its default (1 without one) within its
    limits, and the words it may have instead.
    """
    if parameter.choices:
        return list(parameter.choices)
    usual = float(parameter.default or 1.0)
    own = [
        *(usual * times for times in TIMES),
        *ALSO.get(parameter.name, ()),
        *([1.0] if parameter.high == 1 else ()),
    ]
    numbers = INSTEAD.get(parameter.name) or dict.fromkeys(own)
    legal = [
        number
        for number in numbers
        if parameter.low <= number <= parameter.high and number != parameter.excluded
    ]
    return legal + ([parameter.none_word] if parameter.none_word else [])


def _known(role: str) -> dict[str, dict[str, list]]:
    """The values of each parameter of each policy of a role."""
    return {
        name: {parameter.name: values(parameter) for parameter in policy.parameters}
        for name, policy in CATALOGUE[role].items()
    }


ORDERS, REDUCE_STARTS, ADMISSIONS = (_known(role) for role in (ORDER, REDUCE_START, ADMISSION))
for order in ("fair", "drf", "capacity"):
    # jobs may kill each other's containers for ever: test_agreement keeps them apart
    ORDERS[order]["preemption"] = ["no"]
# with them the oracle visits every beat, and some of these batches beat every millisecond
ORDERS["capacity"]["reservations"] = ["no"]


@st.composite
def named_schedulers(
    draw: DrawFn,
    orders: Names = (*ORDERS,),
    starts: Names = (*REDUCE_STARTS,),
    admissions: Names = (*ADMISSIONS,),
) -> str:
    """A scheduler by its contract name; no part that would be refused beside the others, and now and then a
    rule left out.
    """
    order = draw(st.sampled_from(orders))
    parameters = draw(_parameters(ORDERS[order]))
    parts = [_part(order, parameters)]
    start, defaults = draw(st.sampled_from(starts)), CATALOGUE[ORDER][order].defaults
    if defaults.is_paired:
        own = defaults.reduce_start
        if start == own:
            parts.append(
                _part(
                    start, {name: value for name, value in parameters.items() if name in REDUCE_STARTS[own]}
                )
            )
    elif draw(st.integers(0, 4)):
        parts.append(_part(start, draw(_parameters(REDUCE_STARTS[start]))))
    admission = draw(st.sampled_from(admissions))
    if draw(st.integers(0, 4)):
        parts.append(_part(admission, draw(_admission(admission, parameters.get("resources") == "memory"))))
    return "+".join(parts)


def _part(name: str, parameters: dict) -> str:
    return (
        f"{name}({', '.join(f'{key}={value}' for key, value in parameters.items())})" if parameters else name
    )


def _parameters(known: dict[str, list]) -> SearchStrategy[dict]:
    """Some of them; the others keep their defaults, but for windows and what comes after minutes, and for
    reservations, which are drawn.
    """
    each = {name: st.sampled_from(values) for name, values in known.items()}
    given = {
        name: each.pop(name) for name in ("window_s", "unconditional_s", "reservations") if name in known
    }
    return st.fixed_dictionaries(given, optional=each)


@st.composite
def _admission(draw: DrawFn, admission: str, memory_only: bool) -> dict:
    """Where only memory must fit, no rule may look at vcores; a reserve is of something."""
    known = ADMISSIONS[admission]
    if admission == "autoadmin" and memory_only:
        return draw(_parameters({"floor": known["floor"]})) | {"resource": "memory"}
    if admission == "reserve":
        names = (
            ["memory_mb"]
            if memory_only
            else draw(st.lists(st.sampled_from(list(known)), min_size=1, unique=True))
        )
        return {name: draw(st.sampled_from(known[name])) for name in names}
    return draw(_parameters(known))


def in_gigabytes(scenario: Scenario) -> Scenario:
    """Every amount of memory 1,024 times as large; beats, each of which counts on a reserved node, in seconds
    or not at all.
    """

    def larger(value: Any) -> Any:
        if isinstance(value, list):
            return [larger(item) for item in value]
        if isinstance(value, dict):
            return {key: item * 1024 if key == "memory_mb" else larger(item) for key, item in value.items()}
        return value

    result = larger(scenario.plain())
    result["cluster"]["heartbeat_ms"] = min(1000, 1000 * scenario.cluster.heartbeat_ms)
    return Scenario.of(result)


def scheduler_text(chosen: dict) -> str:
    """The contract name of such arguments of the oracle."""
    start = "slowstart" if chosen.get("at") is None else f"slowstart(at={chosen['at']!r})"
    return expand_0_1(f"{chosen['order']}(resources={chosen['resources']})+{start}")


def schedulers() -> SearchStrategy[dict]:
    """Arguments of the oracle: order, resources, at."""
    return st.fixed_dictionaries(
        {
            "order": among("fifo", "fair", "drf", "capacity"),
            "resources": among("both", "memory"),
            "at": among(None, None, None, 0.0, 0.4, 1.0),
        }
    )
