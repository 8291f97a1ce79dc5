"""jobs.csv, without and with what was measured."""

from __future__ import annotations

import csv
import io

from engine import Scenario
from engine.scenario.measured import fingerprint
from tests.engine.output.workloads.helpers import TASK, job, scenario, text_of
from tests.phrases import phrase


def rows(one: Scenario) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text_of(one, "jobs-csv")[0])))


def test_a_row_a_job() -> None:
    given = job(
        name="=a,b",
        maps={"count": 2, **TASK, "duration_s": {"values": [1, 4]}},
        am={**TASK},
        count=2,
        interval_s=3,
    )
    first, second = rows(scenario(given))
    assert (
        first["name"],
        first["maps"],
        first["maps_mean_s"],
        first["reduces"],
        first["reduces_mean_s"],
    ) == ("'=a,b-1", "2", "2.5", "0", "")
    assert (second["arrival_s"], second["am_memory_mb"], second["queue"], second["slowstart"]) == (
        "3.0",
        "1024",
        "root.default",
        "0.05",
    )
    assert "measured_finish_s" not in first
    assert phrase("workloads.times_single_tasks_their_means") in text_of(scenario(given), "jobs-csv")[1]


def test_what_was_measured_stands_behind() -> None:
    plain = scenario(
        job(maps={"count": 1, **TASK, "duration_s": 2}),
        job(name="late", arrival_s=1, maps={"count": 1, **TASK, "duration_s": 2}),
    )
    column = lambda *values: {"job": [0, 1], "kind": values[0]}
    containers = column([1, 1]) | {
        key: [0, 0] for key in ("index", "node", "outcome", "requested_ms", "start_ms", "begin_ms")
    }
    containers |= {"kind": [2, 2], "attempt": [1, 1], "shuffle_end_ms": [-1, -1], "end_ms": [2000, 3000]}
    record = {
        "of": fingerprint(plain),
        "jobs": {"asked_ms": [-1, 5], "finish_ms": [2500, 3500], "failed": [0, 1]},
        "containers": containers,
    }
    one = Scenario.of(plain.plain() | {"measured": record})
    assert [
        (row["measured_asked_s"], row["measured_finish_s"], row["measured_failed"]) for row in rows(one)
    ] == [("", "2.5", "0"), ("0.005", "3.5", "1")]
    other = Scenario.of(one.plain() | {"measured": record | {"of": "0" * 16}})
    text, lost = text_of(other, "jobs-csv")
    assert "measured" not in text and phrase("workloads.what_was_measured_other_nodes") in lost
