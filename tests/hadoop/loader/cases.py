"""Cases for Hadoop's loader and Gantry's reader: the files of a cluster, its nodes, and jobs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tests.hadoop.loader.capacity_files import BOOLEANS, WHOLE, capacity_file
from tests.hadoop.loader.drawing import Drawn, encoded, leaves, properties_file
from tests.hadoop.loader.fair_files import fair_file

PACKAGE = "org.apache.hadoop.yarn.server.resourcemanager.scheduler."
CLASSES = {name: f"{PACKAGE}{name}.{name.title()}Scheduler" for name in ("capacity", "fair")}
NODES = 10
USERS = ("alice", "bob", "carol.d")
MONITOR = "yarn.resourcemanager.monitor.capacity.preemption."
SITE = {
    "yarn.scheduler.minimum-allocation-mb": (
        ("1024", "512", "256", "2048"),
        ("0", "-1", "10000", " 1024 ", "x", "1g", ""),
    ),
    "yarn.scheduler.minimum-allocation-vcores": (("1", "1", "2"), ("0", "-1", "5", "1.5")),
    "yarn.scheduler.maximum-allocation-mb": (("8192", "4096", "16384"), ("0", "-1", "x", "512")),
    "yarn.scheduler.maximum-allocation-vcores": (("4", "8", "2"), ("0", "-1", "x")),
    "yarn.nodemanager.resource.memory-mb": (("8192", "4096", "16384"), ()),
    "yarn.nodemanager.resource.cpu-vcores": (("8", "4", "16"), ()),
    "yarn.resourcemanager.nodemanagers.heartbeat-interval-ms": (("1000", "3000"), ()),
    "yarn.acl.enable": (("false",), ()),
    "yarn.resourcemanager.hostname": (("rm",), ()),
}
FAIR_SITE = {
    "yarn.scheduler.fair.preemption": BOOLEANS,
    "yarn.scheduler.fair.preemption.cluster-utilization-threshold": (
        ("0.8", "0.5", "1"),
        ("0", "1.5", "-1", "x", ""),
    ),
    "yarn.scheduler.fair.assignmultiple": BOOLEANS,
    "yarn.scheduler.fair.max.assign": (("-1", "2", "5"), ("0", "x")),
    "yarn.scheduler.fair.dynamic.max.assign": BOOLEANS,
    "yarn.scheduler.fair.locality.threshold.node": (("0.5", "-1"), ("1.5", "0", "x")),
    "yarn.scheduler.fair.locality.threshold.rack": (("0.5", "-1"), ("1.5", "0")),
    "yarn.scheduler.fair.update-interval-ms": (("500", "1000"), ("0", "-1", "x", "0.5")),
    "yarn.scheduler.fair.waitTimeBeforeKill": (("15000", "5000"), ("0", "-1", "x")),
    "yarn.scheduler.fair.waitTimeBeforeNextStarvationCheck": (("10000", "1000"), ("0", "-1")),
    "yarn.scheduler.fair.allow-undeclared-pools": BOOLEANS,
    "yarn.scheduler.fair.user-as-default-queue": BOOLEANS,
    "yarn.scheduler.fair.sizebasedweight": BOOLEANS,
    "yarn.scheduler.fair.continuous-scheduling-enabled": BOOLEANS,
    "yarn.scheduler.increment-allocation-mb": (("1024", "512"), ("0", "x", "-1")),
    "yarn.scheduler.increment-allocation-vcores": (("1", "2"), ("0",)),
    "yarn.resource-types.memory-mb.increment-allocation": (("1024", "512"), ("0", "1g", "x")),
    "yarn.scheduler.capacity.maximum-applications": WHOLE,
}
CAPACITY_SITE = {
    "yarn.resourcemanager.scheduler.monitor.enable": BOOLEANS,
    f"{MONITOR}observe_only": BOOLEANS,
    f"{MONITOR}monitoring_interval": (("3000", "1000"), ("0", "-1", "x", "1.5")),
    f"{MONITOR}max_wait_before_kill": (("15000", "5000"), ("0", "-1", "x")),
    f"{MONITOR}total_preemption_per_round": (("0.1", "0.5", "1"), ("0", "2", "-1", "x")),
    f"{MONITOR}max_ignored_over_capacity": (("0.1", "0.2"), ("0", "2", "-1")),
    f"{MONITOR}natural_termination_factor": (("0.2", "1"), ("0", "2", "-1")),
    "yarn.scheduler.fair.preemption": BOOLEANS,
}
CLASS_ODD = (
    "FairScheduler",
    f" {CLASSES['fair']} ",
    f"{PACKAGE}fair.CapacityScheduler",
    f"{PACKAGE}x.XScheduler",
    "java.lang.String",
    "",
)


class Case(NamedTuple):
    """files: by their names, yarn-site.xml first; node: [MB, vcores] of each of the ten; jobs: (user, the
    queue that the client names, default where it names none).
    """

    id: str
    family: str
    files: dict[str, bytes]
    node: list[int]
    jobs: list[tuple[str, str]]


def cases(seed: str, count: int, family: str) -> Iterator[Case]:
    """So many of a scheduler."""
    for number in range(count):
        yield make_case(family, f"{seed}/{family}/{number}")


def make_case(family: str, name: str) -> Case:
    """The case of this name, always the same."""
    drawn = Drawn(name)
    site = {"yarn.resourcemanager.scheduler.class": CLASSES[family]}
    if drawn.chance(0.1) and drawn.is_odd():
        site["yarn.resourcemanager.scheduler.class"] = drawn.choice(CLASS_ODD)
    site |= drawn.some_of(SITE, 0.15) | drawn.some_of(FAIR_SITE if family == "fair" else CAPACITY_SITE, 0.1)
    node = [
        int(site.get(f"yarn.nodemanager.resource.{key}", 8192 if key == "memory-mb" else 8))
        for key in ("memory-mb", "cpu-vcores")
    ]
    files = {"yarn-site.xml": encoded(drawn, properties_file(drawn, site))}
    own, tree = (
        fair_file(drawn) if family == "fair" else capacity_file(drawn, NODES * node[0], NODES * node[1])
    )
    if drawn.chance(0.1):
        other = (
            capacity_file(drawn, NODES * node[0], NODES * node[1]) if family == "fair" else fair_file(drawn)
        )
        files[f"{'capacity' if family == 'fair' else 'fair'}-scheduler.xml"] = encoded(drawn, other[0])
    files[f"{family}-scheduler.xml"] = encoded(drawn, own)
    every = leaves(tree)
    queues = (
        "default",
        every[0],
        every[-1],
        every[0].rpartition(".")[2],
        drawn.choice([*tree]),
        drawn.choice(("root.nosuch", "nosuch", "root.x.y")),
    )
    if family == "fair" and "default" in tree["root"]:  # in Gantry, who names none is there already
        queues = tuple("root.default" if queue == "default" else queue for queue in queues)
    jobs = [(drawn.choice(USERS), queue) for queue in queues]
    return Case(name, family, files, node, jobs)
