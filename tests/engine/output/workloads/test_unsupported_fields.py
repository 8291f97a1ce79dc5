"""Whatever is set and not held is told, also fields that come later."""

from __future__ import annotations

from engine import Scenario
from engine.dashboard import Notes
from engine.output.workloads.unsupported_fields import non_default_fields, note_unsupported
from tests.engine.output.workloads.helpers import job, scenario
from tests.phrases import phrase


def test_every_field_that_is_set_is_found() -> None:
    one = scenario(
        job(weight=2, am={"memory_mb": 1, "vcores": 1, "startup_s": 5}), job(name="b", weight=3), contention=1
    )
    result = non_default_fields(one)
    assert result["cluster.contention"] == ("contention", 1)
    assert result["jobs.weight"] == ("weight", 2)
    assert result["jobs.am.startup_s"] == (phrase("common.start_up_master"), 1)
    assert "jobs.slowstart" not in result and "cluster.heartbeat_ms" not in result


def test_what_is_kept_is_not_told() -> None:
    one = scenario(job(weight=2, queue="root.a"), contention=1)
    told = lambda *kept: (notes := Notes(), note_unsupported(one, frozenset(kept), notes), notes.sentences())[
        -1
    ]
    assert told("jobs", "nodes", "queues", "cluster") == []
    assert told("jobs.maps", "jobs.name", "jobs.queue", "nodes", "queues") == [
        "contention",
        "weight, of 1 job",
    ]


def test_limits_of_users_and_outages_are_told() -> None:
    data = scenario(job()).plain() | {"users": [{"name": "ann", "max_running_apps": 1}]}
    data["cluster"]["outages"] = [{"node": "n-1", "lost_s": 5}]
    notes = Notes()
    note_unsupported(Scenario.of(data), frozenset({"jobs", "nodes"}), notes)
    assert notes.sentences()[0] == "outages" and any(
        "of 1 user" in sentence for sentence in notes.sentences()
    )
