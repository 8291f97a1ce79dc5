from __future__ import annotations

import io
from typing import Any

import pytest

from engine.errors import FormatError
from engine.scenario.formats.combined_files import read_files
from engine.scenario.formats.readers import detect
from engine.scenario.formats.scenario_builder import ImportedScenario
from tests.engine.scenario.configuration.files import FAIR
from tests.engine.scenario.history.spark.event_logs import ID, ON_YARN, EventLog, stage_info
from tests.phrases import phrase

FAIR_MODE = ON_YARN | {"spark.scheduler.mode": "FAIR"}
POOLS = b"""<?xml version="1.0"?>
<!-- as Spark's fairscheduler.xml.template -->
<allocations>
  <pool name="etl"><schedulingMode>FAIR</schedulingMode><weight>3</weight><minShare>2</minShare></pool>
  <pool name="default"><schedulingMode>fair</schedulingMode></pool>
  <pool name="unused"><weight>9</weight></pool>
</allocations>
"""


def log_of_pools(
    properties: dict[str, str] = FAIR_MODE, pools: tuple[str, ...] = ("", "etl", "ad/hoc")
) -> EventLog:
    """A job of one stage in each of these pools, one after another."""
    log = EventLog()
    log.begin(properties)
    log.executor("1", 3000)
    for number, pool in enumerate(pools):
        begin = 5000 + 2000 * number
        log.job(number, begin, [stage_info(number)], {"spark.scheduler.pool": pool} if pool else None)
        log.stage(stage_info(number), begin, [1000, 1000])
        log.job_end(number, begin + 1000)
    log.end(3000 + 2000 * len(pools) + 1000)
    return log


def read(log: EventLog, **files: bytes) -> ImportedScenario:
    beside = [(f"conf/{name}.xml", io.BytesIO(data)) for name, data in files.items()]
    return read_files([*beside, (ID, io.BytesIO(log.data))])


def job_of(imported: ImportedScenario) -> dict[str, Any]:
    (job,) = imported.scenario.plain()["jobs"]
    return job


def test_jobs_are_in_the_pools_that_they_name() -> None:
    imported = read(log_of_pools(), fairscheduler=POOLS)
    job = job_of(imported)
    etl = {"name": "etl", "mode": "fair", "weight": 3, "minimum_share": 2}
    assert job["pools"] == [{"name": "ad_hoc"}, {"name": "default", "mode": "fair"}, etl]
    of_stages = [(stage["name"], stage.get("pool")) for stage in job["stages"]]
    assert [pair for pair in of_stages if pair[0][0].isdigit()] == [
        ("0 s0", None),
        ("1 s1", "etl"),
        ("2 s2", "ad_hoc"),
    ]
    assert ("driver before job 1", "etl") in of_stages  # its work is done where its job's stages are
    assert not any("fairscheduler.xml" in note for note in imported.assumptions)


def test_without_their_file_pools_have_the_defaults_and_that_is_told() -> None:
    imported = read(log_of_pools())
    assert job_of(imported)["pools"] == [{"name": "ad_hoc"}, {"name": "default"}, {"name": "etl"}]
    assert phrase("history.pools_without_file", 1, "fairscheduler.xml") in imported.assumptions


def test_the_file_that_the_application_names_counts() -> None:
    named = FAIR_MODE | {"spark.scheduler.allocation.file": "hdfs://n1/conf/mine.xml"}
    other = POOLS.replace(b"<weight>3", b"<weight>7")
    job = job_of(read(log_of_pools(named), fairscheduler=POOLS, mine=other))
    assert [pool.get("weight") for pool in job["pools"]] == [None, None, 7]
    imported = read(log_of_pools(named), fairscheduler=POOLS)
    assert [pool.get("weight") for pool in job_of(imported)["pools"]] == [None, None, None]
    assert phrase("history.pools_without_file", 1, "mine.xml") in imported.assumptions


def test_stages_stand_in_their_order_under_fifo_and_in_one_pool_of_the_defaults() -> None:
    assert "pools" not in job_of(read(log_of_pools(ON_YARN), fairscheduler=POOLS))
    alone = read(log_of_pools(pools=("", "")))
    assert "pools" not in job_of(alone)
    assert not any("fairscheduler.xml" in note for note in alone.assumptions)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b"<weight>3", b"<weight>x", ("weight", "etl", "x", "a whole number of at least 1", 1)),
        (b"<minShare>2", b"<minShare>-2", ("minShare", "etl", "-2", "a whole number of at least 0", 0)),
        (b">FAIR<", b">BEST<", ("schedulingMode", "etl", "BEST", "FIFO or FAIR", "FIFO")),
    ],
)
def test_what_cant_be_read_of_a_pool_is_as_spark_takes_it(
    old: bytes, new: bytes, said: tuple[Any, ...]
) -> None:
    imported = read(log_of_pools(), fairscheduler=POOLS.replace(old, new))
    assert phrase("history.unread_value_of_pool", "conf/fairscheduler.xml", 4, *said) in imported.assumptions


def test_a_file_of_pools_is_told_from_hadoops_and_goes_with_a_log() -> None:
    assert detect(POOLS) == "spark-pools"
    assert detect(FAIR) == "fair-xml"
    with pytest.raises(FormatError, match="^" + phrase("formats.pools_without_log", "pools.xml")):
        read_files([("pools.xml", io.BytesIO(POOLS))])
