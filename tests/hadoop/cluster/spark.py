"""Spark on the cluster: the application and the client, which are built against pyspark's jars, and how they
are started. pyspark is an extra of Gantry's that only this needs.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from pathlib import Path
from typing import Any

from tests.hadoop.cluster.batches import SparkSubmission
from tests.hadoop.cluster.configuration import JVM
from tests.hadoop.cluster.daemons import EVENT_LOGS, LIBRARIES, start
from tests.hadoop.referee import run

SOURCES = Path(__file__).parent / "spark_client"
BUILT = LIBRARIES.parent / "spark"
MISSING = (
    "pyspark is not in this environment, so no application of Spark can be run; make cluster installs it, as "
    "requirements-spark.txt pins it."
)
# what Spark's scripts open, of what its client needs
OPENED = [
    f"--add-opens=java.base/{name}=ALL-UNNAMED"
    for name in ("java.lang.invoke", "java.nio", "java.util.concurrent", "sun.nio.ch")
]
DYNAMIC = {
    "spark.dynamicAllocation.enabled": "true",
    "spark.dynamicAllocation.maxExecutors": 10,
    "spark.dynamicAllocation.executorIdleTimeout": "8s",
    "spark.dynamicAllocation.shuffleTracking.enabled": "true",
    "spark.dynamicAllocation.shuffleTracking.timeout": "20s",
}


def home() -> Path | None:
    """pyspark's folder, which is a whole Spark; None without it."""
    found = importlib.util.find_spec("pyspark")
    return Path(found.origin).parent if found and found.origin else None


def build() -> None:
    """The application and its client, into build/. RuntimeError with the compiler's words."""
    shutil.rmtree(BUILT, ignore_errors=True)
    sources = map(str, sorted(SOURCES.rglob("*.java")))
    run(["javac", "-d", str(BUILT / "classes"), "-cp", f"{home()}/jars/*", *sources])
    run(["jar", "cf", str(BUILT / "spark.jar"), "-C", str(BUILT / "classes"), "."])


def start_client(
    work: Path, applications: list[SparkSubmission], zero_ms: int, **given: Any
) -> subprocess.Popen:
    """Submits applications, each at its time after zero_ms, with what `build` left. given: as `start` takes
    it.
    """
    (work / "spark").symlink_to(str(home()))  # event logs name this folder instead of the environment's
    jar = BUILT / "spark.jar"
    shared = _properties(work)
    (work / "spark.tsv").write_text("".join(_line(one, shared) for one in applications), "utf-8")
    return start(
        work,
        "spark-client",
        "gantry.cluster.SparkClient",
        600,
        *OPENED,
        classpath=[work / "lib" / "cluster.jar", jar, work / "spark" / "jars" / "*"],
        environment={"SPARK_HOME": work / "spark", "HADOOP_CONF_DIR": work / "conf"},
        arguments=(str(work / "spark.tsv"), str(jar), str(zero_ms)),
        **given,
    )


def _properties(work: Path) -> dict[str, Any]:
    """What all applications are submitted with; a container is of 512 + 384 MB, which YARN makes 1,024."""
    java = f"{JVM} -Djdk.net.hosts.file={work / 'hosts'}"
    return {
        "spark.yarn.jars": f"local:{work}/spark/jars/*",
        "spark.yarn.stagingDir": f"file://{work}/staging",
        "spark.yarn.appMasterEnv.SPARK_LOCAL_HOSTNAME": "localhost",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": f"file://{work / EVENT_LOGS}",
        "spark.ui.enabled": "false",
        "spark.driver.memory": "512m",
        "spark.driver.extraJavaOptions": java,
        "spark.executor.memory": "512m",
        "spark.executor.cores": 1,
        "spark.executor.extraJavaOptions": java,
    }


def _line(one: SparkSubmission, shared: dict[str, Any]) -> str:
    own = {"spark.executor.instances": one.executors} if one.executors else DYNAMIC
    words = (f"{name}={value}" for name, value in {**shared, **own}.items())
    return "\t".join((str(one.arrival_s), one.name, one.user, one.queue, one.steps, *words)) + "\n"
