"""A random fair-scheduler.xml."""

from __future__ import annotations

from xml.sax.saxutils import quoteattr

from tests.hadoop.loader.drawing import Drawn, element, leaves

PACKAGE = "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.policies."
AMOUNTS = (
    (
        "1024 mb, 1 vcores",
        "4096 mb,4vcores",
        "memory-mb=2048, vcores=2",
        "8192mb, 8 vcores",
        "vcores=3,memory-mb=9000",
        "20480 mb, 10 vcores",
    ),
    (
        "memory-mb=4096",
        "vcores=3",
        "0 mb, 0 vcores",
        "0 mb, 4 vcores",
        "memory=1024,vcores=2",
        "-1 mb, 2 vcores",
        "1024",
        "x",
        "",
        "1024 mb",
        "1024.5 mb, 1.5 vcores",
        "1 gb, 1 vcores",
        "4096 MB 4 VCORES",
        "2 vcores, 1024 mb",
        "memory-mb=1g,vcores=1",
        "memory-mb=1024,vcores=1,yarn.io/gpu=2",
        "memory-mb=-5,vcores=1",
        " 1024 mb,  1  vcores ",
        "1024 mb 1 vcores",
        "1024 mb, 2 cores",
    ),
)
SHARES = (
    ("50%", "25.5%", "50% memory, 25% cpu", "memory-mb=50%, vcores=20%"),
    (
        "0%",
        "200%",
        "50% cpu, 10% memory",
        "50% memory",
        "50% memory,2 vcores",
        "-5%",
        "memory-mb=50%",
        "memory-mb=50%,vcores=2",
        "50 %",
        "% memory, 5% cpu",
    ),
)
MOST = (AMOUNTS[0] + SHARES[0], AMOUNTS[1] + SHARES[1])
POLICY = (
    ("fair", "drf", "fifo", "fair"),
    (
        "FAIR",
        "Drf",
        " fair ",
        "lottery",
        "",
        f"{PACKAGE}FairSharePolicy",
        f"{PACKAGE}DominantResourceFairnessPolicy",
        "FairSharePolicy",
    ),
)
SECONDS = ("5", "10", "60", "300"), ("0", "-1", "1.5", " 30 ", "x", "", "99999999999")
PART = ("0.5", "0.2", "0.8", "1"), ("0", "1.5", "-1", "x", "50%", " 0.4 ", "")
WHOLE = ("1", "2", "10", "50"), ("0", "-1", "2.5", " 3 ", "x", "", "3000000000")
FLAG = ("true", "false"), ("yes", "TRUE", " true ", "1", "")
QUEUE = {
    "minResources": (AMOUNTS[0], AMOUNTS[1] + SHARES[0]),
    "maxResources": MOST,
    "maxContainerAllocation": MOST,
    "maxRunningApps": WHOLE,
    "weight": (
        ("1.0", "2", "0.5", "3"),
        ("0", "2000000", "-1", " 3 ", " 3w ", "1e3", "x", "", "2,5", "0.25f", "NaN"),
    ),
    "schedulingPolicy": POLICY,
    "schedulingMode": (("fair", "drf"), ()),
    "minSharePreemptionTimeout": SECONDS,
    "fairSharePreemptionTimeout": SECONDS,
    "fairSharePreemptionThreshold": PART,
    "allowPreemptionFrom": FLAG,
    "aclSubmitApps": (("*", "alice", "alice,bob dev"), ("", " ")),
    "aclAdministerApps": (("*",), ("",)),
    "maxChildResources": MOST,
    "minMaps": (("3",), ()),
    "maxRunnigApps": (("3",), ()),
}
LEAF = {"maxAMShare": (("0.5", "0.2", "0.8", "1.0", "-1.0"), ("0", "2", "-0.5", "x", "", "50%"))}
TOP = {
    "userMaxAppsDefault": WHOLE,
    "queueMaxAppsDefault": WHOLE,
    "queueMaxAMShareDefault": (("0.5", "0.2", "0.8", "1.0", "-1.0"), ("0", "2", "-0.5", "x", "")),
    "queueMaxResourcesDefault": MOST,
    "defaultQueueSchedulingPolicy": (
        ("fair", "drf"),
        ("fifo", "FAIR", "lottery", "", f"{PACKAGE}FairSharePolicy"),
    ),
    "defaultQueueSchedulingMode": (("fair", "drf"), ("fifo",)),
    "defaultMinSharePreemptionTimeout": SECONDS,
    "defaultFairSharePreemptionTimeout": SECONDS,
    "fairSharePreemptionTimeout": SECONDS,
    "defaultFairSharePreemptionThreshold": PART,
    "reservation-agent": (("x",), ()),
    "poolMaxJobsDefault": (("3",), ()),
}
RULES = (
    "specified",
    "user",
    "primaryGroup",
    "default",
    "reject",
    "nestedUserQueue",
    "secondaryGroupExistingQueue",
)


def fair_file(drawn: Drawn) -> tuple[str, dict[str, list[str]]]:
    """Its text and the tree of queues that it means to have."""
    tree = drawn.tree()
    top = [element(name, text) for name, text in drawn.some_of(TOP, 0.1).items()]
    for user in ("alice", "bob", ""):
        if drawn.chance(0.1) and (user or drawn.is_odd()):
            inner = element("maxRunningApps", drawn.value(*WHOLE)) if drawn.chance(0.9) else ""
            top.append(f"<user name={quoteattr(user)}>{inner}</user>")
    if drawn.chance(0.3):
        top.append(_placement(drawn, tree))
    if drawn.is_odd():
        top.append(
            drawn.choice(
                (
                    "<other>1</other>",
                    "<queue/>",
                    "<queue name=''/>",
                    "<queue name='x.y'/>",
                    "<pool name='p'/>",
                    "text",
                    "<queuePlacementRule/>",
                    "<!-- ours -->",
                    "<user/>",
                )
            )
        )
    if drawn.chance(0.3):
        queues = [_queue(drawn, "root", tree)]
    else:
        queues = [_queue(drawn, f"root.{short}", tree) for short in tree["root"]]
    if drawn.is_odd():
        queues.append(_queue(drawn, drawn.choice((f"root.{tree['root'][0]}", "root.root", "root.B")), tree))
    lines = [*top, *queues]
    drawn.random.shuffle(lines)
    head = '<?xml version="1.0"?>\n' + ("<!DOCTYPE allocations>\n" if drawn.is_odd() else "")
    return f"{head}<allocations>\n" + "\n".join(lines) + "\n</allocations>\n", tree


def _queue(drawn: Drawn, name: str, tree: dict[str, list[str]]) -> str:
    values = drawn.some_of(QUEUE, 0.08)
    if name not in tree or drawn.is_odd():
        values |= drawn.some_of(LEAF, 0.12)
    inner = [element(tag, text) for tag, text in values.items()]
    inner += [_queue(drawn, f"{name}.{short}", tree) for short in tree.get(name, ())]
    drawn.random.shuffle(inner)
    if values and drawn.is_odd():
        tag = drawn.choice(list(values))
        inner.append(element(tag, values[tag]))
    kind = drawn.value(("",), (' type="parent"', ' type="leaf"', " type='x'"))
    short = drawn.value((name.rpartition(".")[2],), (f" {name.rpartition('.')[2]} ",))
    tag = drawn.choice(("queue",) * 9 + ("pool",))
    return f"<{tag} name={quoteattr(short)}{kind}>\n" + "\n".join(inner) + f"\n</{tag}>"


def _placement(drawn: Drawn, tree: dict[str, list[str]]) -> str:
    rules = [_rule(drawn, tree) for _ in range(drawn.random.randint(0, 2))]
    last = drawn.value(("default", "reject", "user"), ("specified", "x", "nestedUserQueue"))
    rules.append(f"<rule name='{last}'/>" if drawn.chance(0.7) else _rule(drawn, tree, last))
    return f"<queuePlacementPolicy>{''.join(rules)}</queuePlacementPolicy>"


def _rule(drawn: Drawn, tree: dict[str, list[str]], name: str = "") -> str:
    name = name or drawn.value(
        ("specified", "specified", "user", "primaryGroup", "secondaryGroupExistingQueue", "nestedUserQueue"),
        (*RULES, "x"),
    )
    create = (
        drawn.choice(("", " create='false'", " create='false'")) if not drawn.is_odd() else " create='no'"
    )
    own = leaves(tree)
    queue = (
        f" queue='{drawn.value((*own, own[0].removeprefix('root.')), ('nosuch', 'root', '', 'x.y'))}'"
        if name == "default" and drawn.chance(0.6)
        else ""
    )
    above = ""
    if name == "nestedUserQueue" and not drawn.is_odd():
        above = drawn.choice(
            (
                "<rule name='primaryGroup' create='false'/>",
                "<rule name='default' queue='root.a'/>",
                "<rule name='specified'/>",
            )
        )
    return f"<rule name='{name}'{create}{queue}>{above}</rule>"
