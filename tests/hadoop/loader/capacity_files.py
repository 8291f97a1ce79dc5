"""A random capacity-scheduler.xml."""

from __future__ import annotations

from tests.hadoop.loader.drawing import Drawn, leaves, properties_file

CAPACITY = "yarn.scheduler.capacity."
UTIL = "org.apache.hadoop.yarn.util.resource."
BOOLEANS = ("true", "false"), ("TRUE", " true ", "yes", "")
WHOLE = ("1", "2", "5", "20"), ("0", "-1", "3.0", " 4 ", "x", "")
LEAF = {
    "user-limit-factor": (
        ("1", "2", "0.5", "1.5", "10"),
        ("-1", "0", "0.33f", " 2 ", "1e1", "x", "", "-2", "1,5"),
    ),
    "minimum-user-limit-percent": (
        ("100", "50", "25", "20"),
        ("33.3", "0", "101", "-1", "12.5", "100%", " 50 ", ""),
    ),
    "maximum-am-resource-percent": (("0.1", "0.5", "1", "0.25"), ("0", "1.5", "-0.1", "-1", "50", "50%", "")),
    "ordering-policy": (
        ("fifo", "fair"),
        ("lifo", "FAIR", " fair ", "utilization", "fifo-with-partitions", ""),
    ),
    "ordering-policy.fair.enable-size-based-weight": BOOLEANS,
    "maximum-applications": (("10", "100", "2", "1"), ("0", "-1", "-5", "2.5", "x")),
    "maximum-allocation-mb": (("1024", "2048", "4096", "8192"), ("16384", "0", "-1", "512", "x", "2g")),
    "maximum-allocation-vcores": (("1", "2", "4"), ("8", "0", "-1", "1.5")),
    "config.userless": (("1",), ()),
}
ANY = {
    "state": (("RUNNING", "RUNNING", "STOPPED"), ("running", "stopped", "DRAINING", "OPEN", "")),
    "priority": (("0", "1", "5"), ("-3", "1.5", "x")),
    "disable_preemption": BOOLEANS,
    "max-parallel-apps": WHOLE,
    "acl_submit_applications": (("*", " ", "alice", "bob dev"), ("",)),
    "accessible-node-labels": (("*",), (" ",)),
    "maximum-application-lifetime": (("-1", "3600"), ("x",)),
    "maximum-am-resource-percnt": (("0.3",), ()),
}
PARENT = {"ordering-policy": (("utilization", "priority-utilization"), ("fifo", "fair", "x"))}
WHOLE_SCHEDULER = {
    f"{CAPACITY}maximum-applications": (("10000", "100", "3"), ("0", "-1", "x", "2.5")),
    f"{CAPACITY}maximum-am-resource-percent": (("0.1", "0.2", "0.5", "1"), ("0", "1.5", "-1", "50", "x")),
    f"{CAPACITY}resource-calculator": (
        (f"{UTIL}DefaultResourceCalculator", f"{UTIL}DominantResourceCalculator"),
        (
            "DominantResourceCalculator",
            f"{UTIL}x.DefaultResourceCalculator",
            f" {UTIL}DefaultResourceCalculator ",
        ),
    ),
    f"{CAPACITY}node-locality-delay": (("40", "0", "3"), ("-1", "4.5", "x")),
    f"{CAPACITY}rack-locality-additional-delay": (("-1", "0", "5"), ("-2", "x")),
    f"{CAPACITY}user-limit-factor": LEAF["user-limit-factor"],
    f"{CAPACITY}minimum-user-limit-percent": LEAF["minimum-user-limit-percent"],
    f"{CAPACITY}max-parallel-apps": WHOLE,
    f"{CAPACITY}user.max-parallel-apps": WHOLE,
    f"{CAPACITY}user.alice.max-parallel-apps": WHOLE,
    f"{CAPACITY}per-node-heartbeat.multiple-assignments-enabled": BOOLEANS,
    f"{CAPACITY}per-node-heartbeat.maximum-container-assignments": (("100", "5", "1"), ("0", "-1", "x")),
    f"{CAPACITY}per-node-heartbeat.maximum-offswitch-assignments": (("1", "2"), ("0", "-1", "x")),
    f"{CAPACITY}global-queue-max-application": (("50", "5"), ("0", "-1", "x")),
    f"{CAPACITY}root.maximum-am-resource-percent": (("0.2", "0.6"), ("2",)),
    f"{CAPACITY}root.user-limit-factor": (("2", "3"), ()),
    f"{CAPACITY}legacy-queue-mode.enabled": (("true",), ("false",)),
    f"{CAPACITY}queue-mappings-override.enable": BOOLEANS,
    f"{CAPACITY}lazy-preemption-enabled": BOOLEANS,
    "yarn.scheduler.fair.preemption": BOOLEANS,
    "mapred.capacity-scheduler.maximum-system-jobs": (("3000",), ()),
}
KINDS = ("percent", "percent", "percent", "weight", "resource", "zero")


def capacity_file(drawn: Drawn, nodes_mb: int, nodes_vcores: int) -> tuple[str, dict[str, list[str]]]:
    """Its text and the tree of queues that it means to list."""
    tree, properties = drawn.tree(), {}
    sizes = {"root": (nodes_mb, nodes_vcores)}
    kind = drawn.choice(KINDS[:-1])
    for parent, shorts in tree.items():
        listed = list(shorts)
        if drawn.is_odd():
            listed.insert(drawn.random.randrange(len(listed) + 1), drawn.choice([*listed, "", "x.y"]))
        between = drawn.choice((",", ",", ", ", ",\n    ")) if drawn.odd else ","
        properties[f"{CAPACITY}{parent}.queues"] = between.join(listed) + ("," if drawn.is_odd() else "")
        own = drawn.choice(KINDS[:-1]) if drawn.is_odd() else kind
        own = "zero" if drawn.is_odd() else own
        for short, (capacity, maximum) in zip(shorts, _capacities(drawn, own, len(shorts), sizes[parent])):
            name = f"{parent}.{short}"
            sizes[name] = tuple(max(part // len(shorts), 1) for part in sizes[parent])
            if not drawn.is_odd():
                properties[f"{CAPACITY}{name}.capacity"] = capacity
            if drawn.chance(0.25) or maximum.startswith("[") and drawn.chance(0.7):
                properties[f"{CAPACITY}{name}.maximum-capacity"] = maximum
    for name in [*tree, *leaves(tree)]:
        table = PARENT if name in tree else LEAF
        own_values = drawn.some_of(ANY, 0.06) | drawn.some_of(table, 0.1 if name not in tree else 0.2)
        properties |= {f"{CAPACITY}{name}.{suffix}": text for suffix, text in own_values.items()}
    properties |= drawn.some_of(WHOLE_SCHEDULER, 0.06)
    _add_odd_properties(drawn, tree, properties)
    if drawn.chance(0.2):
        properties[f"{CAPACITY}queue-mappings"] = _mappings(drawn, tree)
    return properties_file(drawn, properties), tree


def _capacities(drawn: Drawn, kind: str, count: int, size: tuple[int, int]) -> list[tuple[str, str]]:
    """(capacity, maximum-capacity) of siblings."""
    if kind == "zero":
        return [(drawn.choice(("0", "0.0")), "100")] * count
    if kind == "weight":
        return [
            (
                drawn.value(("1w", "2w", "0.5w", "3w"), ("0w", "-1w", "xw", " 2w ", "w", "2 w")),
                _maximum(drawn),
            )
            for _ in range(count)
        ]
    if kind == "resource":
        return [_resources(drawn, count, size) for _ in range(count)]
    digits = drawn.choice((0, 0, 0, 1, 2))
    unit = 10**digits
    cuts = sorted(drawn.random.sample(range(1, 100 * unit), count - 1))
    parts = [high - low for low, high in zip([0, *cuts], [*cuts, 100 * unit])]
    if drawn.is_odd():
        parts[0] += drawn.choice((-1, 1, -10, 30)) * unit
    texts = [f"{part / unit:.{digits}f}" for part in parts]
    if drawn.is_odd():
        texts[-1] = drawn.choice((f" {texts[-1]} ", f"{texts[-1]}%", f"{texts[-1]}f", "x", "", "-1"))
    return [(text, _maximum(drawn, parts[place] / unit)) for place, text in enumerate(texts)]


def _maximum(drawn: Drawn, least: float = 0.0) -> str:
    usual = [str(value) for value in (20, 40, 60, 80, 90, 99.5) if value >= least]
    return drawn.value(
        [*usual, "100"], ("-1", "0", "150", "1", "x", "", "100%", "[memory=4096,vcores=4]", "33.33")
    )


def _resources(drawn: Drawn, count: int, size: tuple[int, int]) -> tuple[str, str]:
    memory, vcores = (max(part // (count * drawn.choice((1, 1, 2))), 1) for part in size)
    text = drawn.value(
        (f"[memory={memory},vcores={vcores}]", f"[memory={memory}, vcores={vcores}]"),
        (
            f"[memory={memory}]",
            f"[vcores={vcores}]",
            f"[memory={memory}Mi,vcores={vcores}]",
            f"[memory={memory},vcores=0]",
            f"[memory-mb={memory},vcores={vcores}]",
            f"[memory=1g,vcores={vcores}]",
            f"[memory={memory},vcores={vcores}",
            "[]",
            f"[memory={memory},vcores={vcores},yarn.io/gpu=1]",
            f"[memory=50%,vcores={vcores}]",
            f"[ memory = {memory} , vcores = {vcores} ]",
            f"[memory={10 * memory},vcores={10 * vcores}]",
            f"[Memory={memory},vcores={vcores}]",
        ),
    )
    most = drawn.value(
        (f"[memory={2 * memory},vcores={2 * vcores}]", f"[memory={memory},vcores={vcores}]"),
        ("50", "100", f"[memory={memory // 2},vcores={vcores}]", "[memory=0,vcores=0]"),
    )
    return text, most


def _add_odd_properties(drawn: Drawn, tree: dict[str, list[str]], properties: dict[str, str]) -> None:
    every = [*tree, *leaves(tree)]
    if drawn.is_odd():
        properties[f"{CAPACITY}root.unlisted.capacity"] = "10"
    if drawn.is_odd():
        properties[f"{CAPACITY}{drawn.choice(leaves(tree))}.auto-create-child-queue.enabled"] = "true"
    if drawn.is_odd():
        properties[f"{CAPACITY}{drawn.choice(every)}.auto-queue-creation-v2.enabled"] = "true"
    if drawn.is_odd():
        properties[f"{CAPACITY}root.capacity"] = drawn.choice(("100", "90", "1w", "x"))
    if drawn.is_odd():
        properties[f"{CAPACITY}root.maximum-capacity"] = drawn.choice(("100", "90", "-1"))
    if drawn.is_odd():
        properties[f"{CAPACITY}{drawn.choice(leaves(tree))}.queues"] = drawn.choice(("", " ", ","))
    if drawn.is_odd() and (name := drawn.choice(list(properties))):
        properties["ours.value"] = properties[name]
        properties[name] = drawn.choice(("${ours.value}", "${ours.value}", "${no.such.value}"))


def _mappings(drawn: Drawn, tree: dict[str, list[str]]) -> str:
    every, own = [*leaves(tree), *tree], leaves(tree)
    mappings = []
    for _ in range(drawn.random.randint(1, 3)):
        queue = drawn.value(
            [*own, own[0].rpartition(".")[2]], [*every, "nosuch", "%user", "root.%user", "root"]
        )
        user = drawn.value(("alice", "bob", "%user"), ("carol.d", "", "*"))
        mappings.append(
            drawn.value(
                (f"u:{user}:{queue}", f"u:{user}:{queue}", f"g:{user}:{queue}"),
                (
                    f"u:{user}",
                    f"x:{user}:{queue}",
                    f" u : {user} : {queue} ",
                    f"u:{user}:{queue}:x",
                    "",
                    "u:%user:%primary_group",
                ),
            )
        )
    return drawn.choice((",", ", ", ",\n")).join(mappings)
