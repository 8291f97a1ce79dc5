"""The cluster's configuration files, as an administrator would write them for four small nodes on one
machine, and free ports for it.
"""

from __future__ import annotations

import socket
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

SCHEDULERS = ("fair", "capacity")
# each NodeManager has an address of its own on loopback
HOSTS = {f"node{number}": f"127.0.0.{1 + number}" for number in range(1, 5)}
MEMORY_MB, VCORES = 4096, 4
JVM = (
    "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto -XX:-UsePerfData "
    "-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
    " -Djava.net.preferIPv4Stack=true"
)
OPENED = " --add-opens=java.base/java.lang=ALL-UNNAMED"
CLASS = "org.apache.hadoop.yarn.server.resourcemanager.scheduler."
SERVICES = (
    "yarn.resourcemanager.address",
    "yarn.resourcemanager.scheduler.address",
    "yarn.resourcemanager.resource-tracker.address",
    "yarn.resourcemanager.admin.address",
    "yarn.resourcemanager.webapp.address",
    "mapreduce.jobhistory.address",
    "mapreduce.jobhistory.admin.address",
    "mapreduce.jobhistory.webapp.address",
)
FAIR = (
    '<?xml version="1.0"?>\n<allocations>\n<queue name="a"><weight>2.0</weight></queue>\n<queue '
    'name="b"><weight>1.0</weight></queue>\n</allocations>\n'
)
LOG = """log4j.rootLogger=INFO,F
log4j.appender.F=org.apache.log4j.FileAppender
log4j.appender.F.File=${log.file}
log4j.appender.F.layout=org.apache.log4j.PatternLayout
log4j.appender.F.layout.ConversionPattern=%d{ISO8601} %p %c{1}: %m%n
"""


class Addresses(NamedTuple):
    """Where the ResourceManager and the JobHistoryServer answer, "localhost:port"."""

    manager: str
    history: str


def write(work: Path, scheduler: str) -> Addresses:
    """The files of a cluster in a folder of its own: conf/ and hosts."""
    conf = work / "conf"
    conf.mkdir()
    services = dict(zip(SERVICES, (f"localhost:{port}" for port in _free_ports(len(SERVICES)))))
    loopback = f"127.0.0.1 localhost\n127.0.0.1 {socket.gethostname()}\n"
    (work / "hosts").write_text(
        loopback + "".join(f"{address} {host}\n" for host, address in HOSTS.items()), "utf-8"
    )
    (conf / "log4j.properties").write_text(LOG, "utf-8")
    _site(conf / "core-site.xml", _core(work))
    _site(
        conf / "yarn-site.xml",
        _yarn(work, scheduler) | {key: services[key] for key in SERVICES if key.startswith("yarn.")},
    )
    _site(
        conf / "mapred-site.xml",
        _mapred(work, scheduler) | {key: services[key] for key in SERVICES if key.startswith("mapreduce.")},
    )
    if scheduler == "fair":
        (conf / "fair-scheduler.xml").write_text(FAIR, "utf-8")
    else:
        _site(conf / "capacity-scheduler.xml", _capacity())
    return Addresses(
        services["yarn.resourcemanager.webapp.address"], services["mapreduce.jobhistory.webapp.address"]
    )


def _free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        return [
            stack.enter_context(socket.create_server(("127.0.0.1", 0))).getsockname()[1] for _ in range(count)
        ]


def _site(path: Path, values: dict[str, object]) -> None:
    rows = "".join(
        f"<property><name>{key}</name><value>{escape(str(value))}</value></property>\n"
        for key, value in values.items()
    )
    path.write_text(f'<?xml version="1.0"?>\n<configuration>\n{rows}</configuration>\n', "utf-8")


def _core(work: Path) -> dict[str, object]:
    return {
        "fs.defaultFS": "file:///",
        "hadoop.tmp.dir": work / "tmp",
        "fs.permissions.umask-mode": "000",
        "hadoop.security.authorization": "false",
        "hadoop.prometheus.endpoint.enabled": "true",
    }


def _yarn(work: Path, scheduler: str) -> dict[str, object]:
    manager, node = "yarn.resourcemanager.", "yarn.nodemanager."
    chosen = {"fair": "fair.FairScheduler", "capacity": "capacity.CapacityScheduler"}[scheduler]
    return {
        manager + "hostname": "localhost",
        manager + "scheduler.class": CLASS + chosen,
        manager + "nodemanagers.heartbeat-interval-ms": 1000,
        "yarn.scheduler.minimum-allocation-mb": 512,
        "yarn.scheduler.maximum-allocation-mb": MEMORY_MB,
        "yarn.resource-types.memory-mb.increment-allocation": 512,
        **(
            {"yarn.scheduler.fair.allocation.file": work / "conf" / "fair-scheduler.xml"}
            if scheduler == "fair"
            else {"yarn.scheduler.configuration.store.class": "memory"}
        ),
        node + "hostname": "${node.host}",
        **{
            node + name: "${node.host}:0"
            for name in ("address", "localizer.address", "webapp.address", "collector-service.address")
        },
        node + "local-dirs": work / "nodes" / "${node.host}" / "local",
        node + "log-dirs": work / "nodes" / "${node.host}" / "logs",
        node + "log.retain-seconds": 86400,
        node + "resource.memory-mb": MEMORY_MB,
        node + "resource.cpu-vcores": VCORES,
        node + "aux-services": "mapreduce_shuffle",
        node + "aux-services.mapreduce_shuffle.class": "org.apache.hadoop.mapred.ShuffleHandler",
        node + "disk-health-checker.max-disk-utilization-per-disk-percentage": 99,
        node + "vmem-check-enabled": "false",
        node + "pmem-check-enabled": "false",
        node + "env-whitelist": "JAVA_HOME",
        "yarn.application.classpath": work / "lib" / "*",
    }


def _mapred(work: Path, scheduler: str) -> dict[str, object]:
    java = f"{JVM}{OPENED} -Djdk.net.hosts.file={work / 'hosts'}"
    return {
        "mapreduce.framework.name": "yarn",
        "mapreduce.application.classpath": work / "lib" / "*",
        "yarn.app.mapreduce.am.staging-dir": work / "staging",
        "yarn.app.mapreduce.am.command-opts": f"-Xmx200m {java}",
        "yarn.app.mapreduce.am.resource.mb": 1024,
        "yarn.app.mapreduce.am.resource.cpu-vcores": 1,
        "mapreduce.map.java.opts": f"-Xmx128m {java}",
        "mapreduce.reduce.java.opts": f"-Xmx128m {java}",
        "mapreduce.map.memory.mb": 1024,
        "mapreduce.reduce.memory.mb": 1024,
        "mapreduce.task.io.sort.mb": 10,
        "mapreduce.map.speculative": "false",
        "mapreduce.reduce.speculative": "false",
        "mapreduce.shuffle.port": 0,
        "mapreduce.jobhistory.intermediate-done-dir": work / "history" / "intermediate",
        "mapreduce.jobhistory.done-dir": work / "history" / "done",
        "mapreduce.jobhistory.move.interval-ms": 2000,
        "mapreduce.jobhistory.jhist.format": "binary"
        if scheduler == "fair"
        else "json",  # both are met in the field: binary is Hadoop 3's default
    }


def _capacity() -> dict[str, object]:
    root = "yarn.scheduler.capacity.root."
    leaves = {
        root + f"{name}.{key}": value
        for name in "ab"
        for key, value in (("maximum-capacity", 100), ("user-limit-factor", 10))
    }
    shares = {root + "queues": "a,b", root + "a.capacity": 60, root + "b.capacity": 40}
    return {
        **shares,
        **leaves,
        "yarn.scheduler.capacity.maximum-am-resource-percent": 0.5,
        "yarn.scheduler.capacity.node-locality-delay": -1,
    }
