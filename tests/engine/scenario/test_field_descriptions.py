"""A field carries its words; what shows fields finds a new one by itself."""

from __future__ import annotations

import pytest

from engine.experiments.parameters import tunables
from engine.scenario.field_descriptions import describe_field, described
from engine.scenario.field_types import NotNegative
from engine.scenario.model import Cluster, Job, Master, NodeGroup, Queue, ResourceShare, Scenario, Stage
from tests.phrases import phrase

STAGE = {"count": 1, "memory_mb": 1, "vcores": 1, "duration_s": 1.0}


class WiderMaster(Master):
    """As a master with one more field would be."""

    warmup_s: NotNegative | None = described("Time it warms up.", "s", 1.0)


class WiderJob(Job):
    """As a job with two more fields would be."""

    am: WiderMaster = described("The ApplicationMaster.", within="{} of the master")
    priority_pct: NotNegative | None = described("How urgent it is.", "%", 50.0)


def test_a_field_s_names_are_made_of_its_own_where_none_are_given() -> None:
    words = describe_field("heartbeat_ms", Cluster.model_fields["heartbeat_ms"])
    assert (words.heading, words.name, words.unit) == ("Heartbeat", "heartbeat", "ms")
    assert describe_field("am", Job.model_fields["am"]).heading == "ApplicationMaster"
    assert describe_field("slowstart", Job.model_fields["slowstart"]).name == "slow start"


def test_fields_of_an_object_within_are_named_after_it() -> None:
    maps, least = (
        describe_field("maps", Job.model_fields["maps"]),
        describe_field("min_share", Queue.model_fields["min_share"]),
    )
    assert maps.nested_name("maps", describe_field("memory_mb", Stage.model_fields["memory_mb"])) == phrase(
        "scenario.memory_map"
    )
    assert maps.nested_name("maps", describe_field("count", Stage.model_fields["count"])) == "maps"
    assert least.nested_name(
        "min_share", describe_field("vcores", ResourceShare.model_fields["vcores"])
    ) == phrase("scenario.vcores_below_which_goes_first")


@pytest.mark.parametrize("model", [Cluster, NodeGroup, Queue, ResourceShare, Master, Stage, Job])
def test_every_field_but_a_list_has_a_sentence_of_help(model: type) -> None:
    for key, field in model.model_fields.items():
        assert describe_field(key, field).help.endswith((".", "…")) or key == "nodes", (
            f"{model.__name__}.{key} has no help"
        )


def test_a_new_field_is_offered_as_a_tunable() -> None:
    job = WiderJob.model_validate({"name": "wc", "am": {"memory_mb": 1, "vcores": 1}, "maps": STAGE})
    plain = {
        "version": 1,
        "cluster": {"nodes": [{"count": 1, "memory_mb": 8, "vcores": 8}]},
        "jobs": [{"maps": STAGE}],
    }
    result = {
        tunable.path: tunable
        for tunable in tunables(Scenario.of(plain).model_copy(update={"jobs": [job]}), ["fair"])
    }
    priority, warmup = result["jobs[0].priority_pct"], result["jobs[0].am.warmup_s"]
    assert (priority.title, priority.unit, priority.help, priority.value, priority.low) == (
        "wc: priority",
        "%",
        "How urgent it is.",
        50.0,
        0,
    )
    assert (warmup.title, warmup.unit) == (phrase("scenario.wc_warmup_master"), "s")


def test_a_name_that_says_whose_it_is_says_it_once() -> None:
    master = describe_field("am", Job.model_fields["am"])
    inside = [
        master.nested_name("am", describe_field(key, Master.model_fields[key]))
        for key in ("heartbeat_s", "startup_s")
    ]
    assert inside == [phrase("scenario.heartbeat_master"), phrase("common.start_up_master")]
