"""A ResourceManager's diagnostics are recognized, with their numbers and what would change it."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Scenario, diagnose, presets
from engine.explanation.diagnostics import NoSuchQueue
from engine.explanation.hadoop_sentences import NUMBERS, SENTENCES
from engine.explanation.pasted_text import MAX_DIAGNOSTICS
from tests.engine.explanation.lines import ACTIVATED, ADDED, activated, cluster, masters, share
from tests.examples import examples
from tests.phrases import phrase

LINES = Path(__file__).with_name("hadoop_lines.txt")
VALUES = {
    "queue": "root.q1",
    "application": "application_1_0007",
    "user": "ann",
    "type": "memory-mb",
    "parent": "root",
}
VALUES |= dict.fromkeys(("requested", "maximum", "configured"), "<memory:2048, vCores:1>")
VALUES |= {"number": "2", "number2": "3", "limit": "2", "name": "n", "kind": "MAP", "node": "host1:8041"}
VALUES |= {"label": "gpu", "sum": "1.1", "attempts": " in previous 5 milliseconds", "property": "a.b"}


@pytest.mark.parametrize("sentence", SENTENCES, ids=lambda one: one.text[:40])
def test_every_sentence_is_recognized_within_others(sentence) -> None:
    said = sentence.text.format(**VALUES)
    found = diagnose(f"java.io.IOException: {said}\nat org.apache", cluster(), ["capacity", "fair"])
    (reading,) = found["readings"]
    assert (reading["rule"], reading["meaning"]) == (sentence.rule, sentence.meaning)
    assert bool(reading["properties"]) == bool(sentence.settings)
    assert json.loads(json.dumps(found)) == found


def test_the_masters_of_a_queue_at_their_limit() -> None:
    found = diagnose(masters(), cluster())
    state, limit = found["readings"]
    assert state["said"] == ADDED.strip() and not state["properties"]
    assert limit["rule"] == "AbstractLeafQueue.activateApplications"
    assert found["queues"] == ["root.q1"]  # whose limit has these numbers
    (percent,) = limit["properties"]
    assert percent["name"] == "yarn.scheduler.capacity.root.q1.maximum-am-resource-percent"
    assert (percent["value"], percent["least"]) == ("0.2", {"memory_mb": 1639, "vcores": 2})
    assert [(one["name"], one["text"]) for one in found["numbers"]] == [
        ("partition", "<DEFAULT_PARTITION>"),
        ("request", "1.5 GB and 1 vcore"),
        ("limit", "1,639 MB and 2 vcores"),
        ("user_limit", "1 GB and 1 vcore"),
        ("usage", "1 GB and 1 vcore"),
    ]
    assert [one["title"] for one in found["numbers"]] == [number.title for number in NUMBERS[:5]]
    assert found["compared"] == phrase("explanation.masters_would_hold_more", "1.5", "2.5", "1,639", 1.57)
    assert not found["says"]


def test_the_masters_of_a_user_at_their_limit() -> None:
    found = diagnose(masters("User's AM resource limit exceeded. "), cluster())
    assert found["compared"] == phrase("explanation.masters_of_one_user_may_hold", "1.5", 1, 1, 1)
    assert [one["name"].rpartition(".")[2] for one in found["readings"][1]["properties"]] == [
        "maximum-am-resource-percent",
        "user-limit-factor",
        "minimum-user-limit-percent",
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (masters(limit=8192), phrase("explanation.these_numbers_keep")),
        (masters(limit=0), phrase("explanation.too_much_of_memory")),
        (masters(limit_vcores=1), phrase("explanation.too_much_of_memory")),  # which alone counts
        (activated(), phrase("explanation.queue_holds_all_that_it_may")),
        (activated(4096), phrase("explanation.its_maximum_does_not_stop_it")),
        (share(), phrase("explanation.beside_what_queue_holds_already")),
        (share(9000), phrase("explanation.so_it_never_starts")),
        ("requested memory > max configured", ""),
        (
            "Invalid resource request, requested memory < 0, or requested memory > max configured, "
            "requestedMemory=9000, maxMemory=8192",
            phrase("explanation.asks_for_at_most_are_allowed", "9,000", "8,192"),
        ),
    ],
)
def test_numbers_are_compared(text: str, says: str) -> None:
    assert says in diagnose(text, cluster())["compared"]


@pytest.mark.parametrize(
    ("scheduler", "says", "ratio"),
    [
        ("capacity", phrase("explanation.too_much_of_both"), "2"),
        ("capacity(resources=memory)", phrase("explanation.too_much_of_memory"), "1.57"),
    ],
)
def test_what_the_scheduler_counts_is_compared(scheduler: str, says: str, ratio: str) -> None:
    compared = diagnose(masters(limit_vcores=1), cluster(), [scheduler])["compared"]
    assert says in compared and f" {ratio} " in compared
    just_vcores = diagnose(masters(limit=8192, limit_vcores=1), cluster(), [scheduler])["compared"]
    assert (phrase("explanation.these_numbers_keep") in just_vcores) == ("memory" in scheduler)


@pytest.mark.parametrize(
    ("code", "name", "properties"),
    [
        (-100, "ABORTED", []),
        (-101, "DISKS_FAILED", ["max-disk-utilization-per-disk-percentage"]),
        (-102, "PREEMPTED", ["capacity"]),
        (-103, "KILLED_EXCEEDED_VMEM", ["vmem-pmem-ratio", "vmem-check-enabled"]),
        (-104, "KILLED_EXCEEDED_PMEM", ["pmem-check-enabled"]),
        (-105, "KILLED_BY_APPMASTER", []),
        (-106, "KILLED_BY_RESOURCEMANAGER", []),
        (-107, "KILLED_AFTER_APP_COMPLETION", []),
        (-108, "KILLED_BY_CONTAINER_SCHEDULER", []),
        (-109, "KILLED_FOR_EXCESS_LOGS", []),
        (-1000, phrase("explanation.container_was_not_started"), []),
        (137, "SIGKILL", []),
        (143, "SIGTERM", []),
        (0, phrase("explanation.ended_without_unregistering"), []),
        (1, phrase("explanation.ran_and_ended_by_itself"), []),
    ],
)
def test_the_exit_code_of_a_master_is_told_as_what_it_is(code: int, name: str, properties: list[str]) -> None:
    text = f"Application a failed 2 times due to AM Container for b exited with  exitCode: {code}"
    reading = diagnose(text, cluster(), queue="q1")["readings"][1]
    assert name in reading["meaning"]
    assert [one["name"].rpartition(".")[2] for one in reading["properties"]] == properties
    no_scheduler = phrase("explanation.no_scheduler_ended_it") in reading["meaning"].lower()
    assert no_scheduler == (code not in (-100, -101, -102, -106, -108, 137, 143))


def test_the_node_looked_at_last_is_told() -> None:
    found = diagnose(activated(), cluster())
    assert found["compared"].endswith(phrase("explanation.node_looked_at_last", 512, 1, 8, 8))
    (node,) = [one for one in found["numbers"] if one["name"] == "node"]
    assert node["text"] == "host1:8041"


@pytest.mark.parametrize("line", LINES.read_text("utf-8").splitlines(), ids=lambda line: line[:60])
def test_what_hadoops_own_schedulers_said_is_recognized(line: str) -> None:
    """Of masters and submissions on clusters of four nodes, or none: the last sentence is by this rule."""
    rule, text = line.split("\t")
    found = diagnose(text, cluster())
    assert found["readings"][-1]["rule"] == rule
    assert not re.search(r"\w = |Resource request:", text) or found["numbers"]


@pytest.mark.parametrize(
    ("text", "queue", "queues"),
    [
        (activated(), "", ["root.q1"]),  # by its capacity
        (share(), "", ["root.q2"]),  # by its maximum
        ("Queue root.q2 is STOPPED. Cannot accept submission of application: a", "", ["root.q2"]),
        ("Application a submitted by user : b to non-leaf queue : q2", "", ["root.q2"]),  # its last name
        ("Queue's AM resource limit exceeded.", "", ["root.q1", "root.q2"]),
        ("Queue's AM resource limit exceeded.", "root.q2", ["root.q2"]),
        ("Queue's AM resource limit exceeded.", "q2", ["root.q2"]),
        ("Queue : q2\nQueue's AM resource limit exceeded.", "", ["root.q2"]),
    ],
)
def test_the_queue_is_the_one_named_or_whose_numbers_it_has(text: str, queue: str, queues: list[str]) -> None:
    found = diagnose(text, cluster(), queue=queue)
    assert found["queues"] == queues
    assert (found["says"] == phrase("explanation.names_no_queue")) == (len(queues) > 1)


def test_a_queue_that_is_not_here_is_said() -> None:
    found = diagnose("Queue root.gone is STOPPED. Cannot accept submission of application: a", cluster())
    assert found["queues"] == ["root.q1", "root.q2"]
    assert found["says"] == phrase("explanation.names_queue_that_is_not_here", "root.gone")


def test_a_queue_that_is_none_is_a_fault() -> None:
    with pytest.raises(NoSuchQueue, match="leaves are root.q1, root.q2"):
        diagnose("", cluster(), queue="root.q3")


def test_a_name_of_several_queues_is_a_fault_and_a_path_is_none() -> None:
    data = cluster().plain()
    data["queues"] += [{"name": "root.other"}, {"name": "root.other.q1"}]
    scenario = Scenario.of(data)
    with pytest.raises(NoSuchQueue, match="root.q1, root.other.q1"):
        diagnose("", scenario, queue="q1")
    for path, queue in {"root.q1": "root.q1", "other.q1": "root.other.q1"}.items():
        assert diagnose("", scenario, queue=path)["queues"] == [queue]


@pytest.mark.parametrize(
    "wrap",
    [
        html.escape,
        str.upper,
        lambda text: text.replace("'", "\u2019"),
        lambda text: re.sub(" +", "\n\t", text),
    ],
)
def test_it_is_recognized_as_it_is_copied(wrap) -> None:
    text = masters()
    found = diagnose(wrap(text), cluster())
    assert [one["rule"] for one in found["readings"]] == [one["rule"] for one in diagnose(text)["readings"]]
    assert len(found["numbers"]) == 5


@pytest.mark.parametrize(
    ("text", "says", "readings"),
    [
        ("", phrase("explanation.there_is_nothing_to_read"), 0),
        (" \n", phrase("explanation.there_is_nothing_to_read"), 0),
        ("hello", phrase("explanation.may_come_from_application_itself"), 0),
        (
            "Container exited with a non-zero exit code 143",
            phrase("explanation.may_come_from_application_itself"),
            0,
        ),
        ("Queue's AM resource limit", phrase("explanation.nearest_is"), 1),
        ("Queues AM resource limits exceed", phrase("explanation.nearest_is"), 1),
        ("<" * 10 * MAX_DIAGNOSTICS, phrase("explanation.may_come_from_application_itself"), 0),
        ("\x00\ud800{}%s", phrase("explanation.may_come_from_application_itself"), 0),
    ],
)
def test_what_is_not_hadoops_is_said(text: str, says: str, readings: int) -> None:
    found = diagnose(text, cluster())
    assert says in found["says"] and len(found["readings"]) == readings


TOO_LARGE = (
    "Invalid resource request! Cannot allocate containers as requested resource is greater than maximum "
    "allowed allocation. Requested resource type=[memory-mb], Requested resource=<memory:10240, vCores:1>, "
    "maximum allowed allocation=<memory:8192, vCores:4>, please note"
)


@pytest.mark.parametrize(
    ("until", "compared"), [("please", True), (", maximum", False), (" Requested", False)]
)
def test_a_sentence_that_is_cut_is_known_by_its_beginning(until: str, compared: bool) -> None:
    found = diagnose(TOO_LARGE[: TOO_LARGE.index(until)], cluster())
    (reading,) = found["readings"]
    assert reading["rule"] == "SchedulerUtils" and not found["says"]
    assert bool(found["compared"]) == compared


def test_a_container_too_large_is_compared_with_the_nodes() -> None:
    found = diagnose(TOO_LARGE, cluster())
    assert found["compared"].endswith(phrase("explanation.no_node_here_is_that_large", 8, 8))
    sizes = {one["name"]: one["value"] for one in found["readings"][0]["properties"]}
    assert sizes["yarn.nodemanager.resource.memory-mb"] == "8192"
    assert "yarn.scheduler.capacity.root.q1.maximum-allocation-mb" not in sizes  # the cluster's holds
    data = cluster().plain()
    data["cluster"]["nodes"].append({"count": 1, "memory_mb": 16384, "vcores": 8})
    data["queues"][0]["max_container"] = {"memory_mb": 4096, "vcores": 2}
    found = diagnose(TOO_LARGE, Scenario.of(data), ["capacity"])
    assert phrase("explanation.nodes_here_are_large_enough", 16, 8) in found["compared"]
    sizes = {one["name"]: one["value"] for one in found["readings"][0]["properties"]}
    assert sizes["yarn.nodemanager.resource.memory-mb"] == phrase("explanation.sizes_by_node", 8192, 16384)
    assert sizes["yarn.scheduler.capacity.root.q1.maximum-allocation-mb"] == "4096"


def stopped(queue: str, number: int) -> str:
    return (
        f"2024-01-02 10:00:00 Queue {queue} is STOPPED. Cannot accept submission of application: app_{number}"
    )


def test_each_entry_of_a_log_is_told_with_its_own_queue_and_numbers() -> None:
    lines = ["2024-01-02 10:00:00 INFO start", stopped("root.q1", 1), stopped("root.q2", 2)]
    lines += [stopped("root.q2", 2), f"2024-01-02 10:00:00 {masters()}", masters(request=3072), "\tat a.B"]
    found = diagnose("\n\n".join(lines), cluster())
    entries = [found, *found["further"]]
    assert [one["queues"] for one in entries] == [["root.q1"], ["root.q2"], ["root.q1"], ["root.q1"]]
    assert [len(one["readings"]) for one in entries] == [1, 1, 2, 2]
    assert [one["numbers"][1]["text"] for one in entries[2:]] == ["1.5 GB and 1 vcore", "3 GB and 1 vcore"]
    assert not any(one["says"] for one in entries)
    assert found["unknown_lines"] == 2
    assert found["beside"] == phrase("explanation.no_sentence_is_in_other_lines", 2)


def test_a_report_of_an_application_names_its_queue() -> None:
    found = diagnose(
        "Application Report :\n\tUser : ann\n\tQueue : q2\n\tState : ACCEPTED\n\tDiagnostics : "
        "[t] Application is Activated, waiting for resources to be assigned for AM. User capacity has "
        "reached its maximum limit. \n",
        cluster(),
    )
    assert (found["queues"], found["unknown_lines"], found["says"]) == (["root.q2"], 4, "")


def test_tags_of_a_page_are_no_part_of_it() -> None:
    page = f"<table><tr><td>Diagnostics:</td><td class='x'>{html.escape(share())}</td></tr></table>"
    found = diagnose(page, cluster())
    assert len(found["readings"]) == 2 and found["queues"] == ["root.q2"]


def test_what_is_too_long_is_read_in_part() -> None:
    log = "\n".join(stopped(f"root.q{number}", number) for number in range(10_000))
    found = diagnose(log, cluster())
    assert len(found["further"]) == 19
    assert found["beside"].endswith(phrase("explanation.text_was_read_up_to", f"{MAX_DIAGNOSTICS:,}"))


@pytest.mark.parametrize("part", [*(one.text.split("{")[0] for one in SENTENCES), "<memory:9", "&amp;", "a="])
def test_a_long_text_takes_no_longer_than_it_is(part: str) -> None:
    began = process_time()
    diagnose(part * (1_000_000 // max(len(part), 1)), cluster())
    assert process_time() - began < 5


PIECES = st.sampled_from(
    [one.text.format(**VALUES) for one in SENTENCES]
    + [
        masters(),
        activated(),
        share(),
        "\n",
        "<memory:",
        "vCores:",
        "&lt;",
        "&#99999999999;",
        "Queue : ",
        "\x00",
    ]
)
CUT = st.builds(lambda text, start, end: text[start:][:end], PIECES, st.integers(0, 80), st.integers(0, 80))


@examples(100, 2000)
@given(
    st.lists(st.text(max_size=30) | PIECES | CUT, max_size=12),
    st.sampled_from([(), ("capacity",), ("fair",), ("capacity", "drf"), ("none",)]),
)
def test_no_text_whatsoever_is_a_fault(pieces: list[str], schedulers: tuple[str, ...]) -> None:
    text = "".join(pieces)
    for scenario in (None, cluster()):
        found = diagnose(text, scenario, schedulers)
        assert json.loads(json.dumps(found)) == found
        assert found["readings"] or found["says"]


def test_without_a_scenario_properties_are_named_with_hadoops_defaults() -> None:
    (reading,) = diagnose("Queue's AM resource limit exceeded.")["readings"]
    (percent,) = reading["properties"]
    assert percent["sentence"] == phrase("explanation.hadoops_default_of_am_percent", 0.1)
    (reading,) = diagnose('The user "ann" has reached the maximum limit of runnable applications.')[
        "readings"
    ]
    assert reading["properties"][0]["sentence"] == phrase("explanation.without_it_there_is_no_limit")


def test_a_state_alone_tells_the_limits_of_the_schedulers_looked_at() -> None:
    tell = lambda *schedulers: [
        one["file"] for one in diagnose(ADDED, cluster(), schedulers, "root.q1")["readings"][0]["properties"]
    ]
    assert tell("fair", "measured") == ["fair-scheduler.xml"]
    assert tell("capacity") == ["capacity-scheduler.xml"]
    assert tell("capacity", "drf") == ["capacity-scheduler.xml", "fair-scheduler.xml"]
    assert tell() == ["capacity-scheduler.xml", "fair-scheduler.xml"]


@pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.scenario.name)
def test_every_sample_has_values(preset) -> None:
    scenario: Scenario = preset.scenario
    for sentence in SENTENCES:
        for reading in diagnose(sentence.text.format(**VALUES), scenario)["readings"]:
            assert all(one["sentence"] for one in reading["properties"])
    assert diagnose(ACTIVATED, scenario)["readings"]
