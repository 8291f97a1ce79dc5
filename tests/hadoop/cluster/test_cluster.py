"""The real cluster's room without a cluster: batches, configuration, what the client says, and what is said
where something is missing.
"""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import tarfile
import urllib.request
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

from engine import read
from engine.collect.gantry_collect import main as collected
from engine.collect.single_file import FILE, single_file_program
from engine.scenario.formats.combined_files import read_files
from tests.conftest import ROOT
from tests.hadoop import referee
from tests.hadoop.cluster import spark
from tests.hadoop.cluster.__main__ import main
from tests.hadoop.cluster.batches import BATCHES, KINDS, applications_of, jobs_of
from tests.hadoop.cluster.configuration import HOSTS, MEMORY_MB, SCHEDULERS, SERVICES, _free_ports, write
from tests.hadoop.cluster.daemons import LIBRARIES, PROJECT, StartupError, cluster, start
from tests.hadoop.cluster.prediction_accuracy import RECORDED, SPARK
from tests.hadoop.cluster.run import _follow_client, _submitted, run
from tests.hadoop.referee import MISSING, NotFetched, can_run
from tests.waiting import MAX_WAIT_S, until


def values(path: Path) -> dict[str, str]:
    return {one.findtext("name"): one.findtext("value") for one in ElementTree.parse(path).getroot()}


@pytest.mark.parametrize("name", BATCHES)
def test_a_batch_is_in_order_and_fits_the_cluster(name):
    submitted, jobs = BATCHES[name], jobs_of(name)
    assert [one.arrival_s for one in submitted] == sorted(one.arrival_s for one in submitted)
    assert len({one.name for one in submitted}) == len(submitted)
    assert {one.queue for one in submitted} == {"a", "b"}
    assert {job.kind for job in jobs} == set(KINDS) or applications_of(name)
    assert all(max(job.map_mb, job.reduce_mb) <= MEMORY_MB for job in jobs)
    assert all(0 <= job.slowstart <= 1 and job.maps > 0 for job in jobs)


@pytest.mark.parametrize("name", ["quick-spark", *SPARK])
def test_applications_are_fixed_and_dynamic_and_read_only_stages_before(name):
    applications = applications_of(name)
    assert {one.executors > 0 for one in applications} == {True, False}
    for one in applications:
        stages = [step.split("=") for step in one.steps.split()]
        names = [stage for stage, _ in stages]
        for place, (stage, work) in enumerate(stages):
            *read, _tasks = work.split("x")[0].split(":") if stage != "pause" else [work]
            assert place or not read
            assert set("+".join(read).split("+")) - {""} <= set(names[:place])


@pytest.mark.parametrize("first", ["mixed", "equal"])
def test_the_second_batch_of_a_kind_is_another_as_large(first):
    one, other = BATCHES[first], BATCHES[f"{first}-b"]
    assert len({job[4:] for job in one} & {job[4:] for job in other}) < len(one) / 2
    assert len(one) == len(other)
    sizes = [{size for job in batch for size in (job.map_mb, job.reduce_mb)} for batch in (one, other)]
    assert sizes[0] == sizes[1]
    assert (sizes[0] == {1024}) == (first == "equal")


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_the_configuration_has_free_ports_and_stays_in_its_folder(tmp_path, scheduler):
    addresses = write(tmp_path, scheduler)
    sites = {path.name: values(path) for path in (tmp_path / "conf").glob("*-site.xml")}
    assert sorted(sites) == ["core-site.xml", "mapred-site.xml", "yarn-site.xml"]
    everything = {key: value for site in sites.values() for key, value in site.items()}
    assert len({everything[name] for name in SERVICES}) == len(SERVICES)
    assert everything["yarn.resourcemanager.webapp.address"] == addresses.manager
    assert scheduler in everything["yarn.resourcemanager.scheduler.class"]
    assert str(ROOT) not in "".join(path.read_text() for path in (tmp_path / "conf").iterdir())
    assert all(f"{address} {host}\n" in (tmp_path / "hosts").read_text() for host, address in HOSTS.items())


def test_the_queues_are_those_of_the_batches(tmp_path):
    write(tmp_path, "fair")
    queues = ElementTree.parse(tmp_path / "conf" / "fair-scheduler.xml").getroot()
    assert {one.get("name"): one.findtext("weight") for one in queues} == {"a": "2.0", "b": "1.0"}


def test_what_the_client_says_is_told_and_kept():
    told = []
    lines = [
        "zero\t1000\n",
        "submitted\tone\tjob_1_0001\tann\ta\t1000\t1001\t1200\n",
        "ended\tone\tjob_1_0001\tfalse\n",
        "failed\ttwo\tno space left\n",
    ]
    done = _follow_client(lines, 2, told.append)
    assert done["submissions"] == [["one", "job_1_0001", "ann", "a", "1000", "1001", "1200"]]
    assert done["unsuccessful"] == ["one", "two"]
    assert told[-1].endswith("2 of 2 applications have ended, two did not succeed: no space left")


def test_without_java_a_sentence_says_so(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "tests.hadoop.cluster", "--to", str(tmp_path)],
        cwd=ROOT,
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("Java or Maven is not on this machine, so no Hadoop cluster can be started")
    assert done.stderr.count("\n") == 1


def test_without_pyspark_a_sentence_says_so(monkeypatch, capsys):
    monkeypatch.setattr(spark, "home", lambda: None)
    monkeypatch.setattr("tests.hadoop.cluster.__main__.can_run", lambda: True)
    monkeypatch.setattr(sys, "argv", ["cluster", "--batches", "spark"])
    assert main() == 1
    assert capsys.readouterr().err == spark.MISSING + "\n"


@pytest.fixture
def own_temporary(tmp_path, monkeypatch):
    """Where the cluster's folder stands."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    return tmp_path / "temporary"


def processes_in(folder: Path) -> list[int]:
    rows = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if str(folder).encode() in path.read_bytes():
                rows.append(int(path.parent.name))
        except OSError:
            continue
    return rows


@pytest.mark.cluster
@pytest.mark.everything
@pytest.mark.skipif(not can_run(), reason=MISSING)
def test_one_small_batch_on_a_real_cluster(tmp_path, own_temporary):
    try:
        done = run("fair", "quick", tmp_path / "run", lambda text: None)
    except NotFetched as error:
        pytest.skip(str(error))
    assert (done["jobs"], done["unsuccessful"]) == (5, [])
    assert not os.listdir(own_temporary)
    assert not processes_in(own_temporary)


@pytest.mark.cluster
@pytest.mark.everything
@pytest.mark.skipif(not can_run(), reason=MISSING)
@pytest.mark.skipif(not spark.home(), reason=spark.MISSING)
def test_spark_beside_mapreduce_on_a_real_cluster(tmp_path, own_temporary):
    try:
        done = run("capacity", "quick-spark", tmp_path / "run", lambda text: None)
    except NotFetched as error:
        pytest.skip(str(error))
    assert (done["jobs"], done["unsuccessful"]) == (3, [])
    assert not processes_in(own_temporary)
    path = tmp_path / "run" / "rest.tar.gz"
    brought = read_files([(path.name, io.BytesIO(path.read_bytes()))]).scenario
    assert {job.name: job.framework for job in brought.jobs} == {
        "fixed-1": "spark",
        "dynamic-1": "spark",
        "sleep-1": "mapreduce",
    }


@pytest.mark.cluster
@pytest.mark.everything
@pytest.mark.skipif(not can_run(), reason=MISSING)
def test_an_interrupt_ends_everything(own_temporary):
    with pytest.raises(KeyboardInterrupt), cluster("capacity") as running:
        assert running.value("cluster/metrics")["clusterMetrics"]["activeNodes"] == len(HOSTS)
        assert len(processes_in(own_temporary)) == 6
        raise KeyboardInterrupt
    assert not os.listdir(own_temporary)
    assert not processes_in(own_temporary)


@pytest.mark.cluster
@pytest.mark.skipif(not can_run(), reason=MISSING)
def test_a_daemon_that_ends_at_once_is_told_with_its_last_words(own_temporary, monkeypatch):
    monkeypatch.setattr("tests.hadoop.cluster.daemons.HISTORY", "gantry.cluster.Nothing")
    with (
        pytest.raises(
            StartupError, match="historyserver ended with 1 as it started:[^$]*ClassNotFoundException"
        ),
        cluster("fair"),
    ):
        pass
    assert not processes_in(own_temporary)


@pytest.mark.cluster
@pytest.mark.everything
@pytest.mark.skipif(not can_run(), reason=MISSING)
def test_sampled_queue_metrics_hold_what_the_applications_were_billed(tmp_path, own_temporary):
    out, script = tmp_path / "samples.jsonl", tmp_path / FILE
    script.write_bytes(single_file_program())
    with cluster("capacity") as running:
        manager = f"http://{running.addresses.manager}"
        call = [sys.executable, "-I", script, "--rm", manager, "--metrics", "10", "--out", out]
        sampling = subprocess.Popen(call, stderr=subprocess.PIPE, text=True)
        until(out.exists)
        _submitted(running, "quick", lambda text: None)
        billed = Counter()
        for app in running.value("cluster/apps")["apps"]["app"]:
            billed[app["queue"]] += app["memorySeconds"]
        count = len(out.read_text().splitlines())
        until(lambda: len(out.read_text().splitlines()) > count + 1)  # the metrics are renewed every 10 s
        sampling.send_signal(signal.SIGINT)
        assert sampling.wait(MAX_WAIT_S) == 0, sampling.stderr.read()
    held = Counter()
    for job in read("queue-jmx", out.open("rb")).scenario.jobs:
        held[job.queue] += job.count * job.maps.count * job.maps.memory_mb * job.maps.duration_s
    assert set(held) == set(billed) == {"root.a", "root.b"}
    for queue, seconds in billed.items():
        assert held[queue] == pytest.approx(seconds, rel=0.15)


@pytest.mark.cluster
@pytest.mark.everything
@pytest.mark.skipif(not can_run(), reason=MISSING)
@pytest.mark.skipif(not spark.home(), reason=spark.MISSING)
def test_event_logs_come_from_sparks_history_server_as_they_are(tmp_path):
    try:
        referee.build(PROJECT)
    except NotFetched as error:
        pytest.skip(str(error))
    write(tmp_path, "fair")
    logs = tmp_path / "logs"
    logs.mkdir()
    with tarfile.open(RECORDED / "fair-spark-1.tar.gz") as archive:
        for entry in archive:
            if "/spark/" in entry.name:
                (logs / Path(entry.name).name).write_bytes(archive.extractfile(entry).read())
    (port,) = _free_ports(1)
    server = start(
        tmp_path,
        "spark-history",
        "org.apache.spark.deploy.history.HistoryServer",
        400,
        *spark.OPENED,
        f"-Dspark.history.fs.logDirectory=file://{logs}",
        f"-Dspark.history.ui.port={port}",
        classpath=[LIBRARIES / "cluster.jar", spark.home() / "jars" / "*"],
    )
    try:
        address = f"http://localhost:{port}"
        until(lambda: len(_answer(f"{address}/api/v1/applications")) == len(applications_of("spark")))
        archive = tmp_path / "collected.tar.gz"
        assert collected(["--spark", address, "--from", "2026-01-01", "--out", str(archive), "--quiet"]) == 0
    finally:
        server.stdin.close()
        server.wait()
    with tarfile.open(archive) as brought:
        for path in logs.iterdir():
            assert brought.extractfile(f"collected/spark/{path.name}").read() == path.read_bytes()


def _answer(address: str) -> list:
    """What a server answers in JSON; nothing while it does not answer."""
    try:
        with urllib.request.urlopen(address, timeout=MAX_WAIT_S) as answer:
            return json.load(answer)
    except OSError:
        return []
