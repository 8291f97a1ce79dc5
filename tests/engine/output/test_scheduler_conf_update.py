"""What is given back to a ResourceManager: nothing where nothing was changed, and else what makes its
configuration the one that is wanted.
"""

from __future__ import annotations

import json
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Scenario
from engine.errors import FormatError
from engine.output.scheduler_conf_update import (
    DIFF,
    JSON,
    SCHEDULER_CONF_UPDATES,
    STOP,
    XML,
    SchedulerConfUpdate,
    find_update,
    scheduler_conf_text,
)
from engine.scenario.configuration.configuration_reader import read_configuration
from engine.scenario.configuration.configured_scenario import ConfiguredScenario, standalone_scenario
from engine.scenario.configuration.property_files import properties_text
from tests.engine.scenario.configuration.files import CAPACITY, FAIR
from tests.phrases import phrase

BEGIN = "yarn.scheduler.capacity."
TWO = {
    "root.queues": "a,b",
    "root.a.capacity": "60.0",
    "root.a.user-limit-factor": "10",
    "root.b.capacity": "40",
    "root.b.acl_submit_applications": "ann",
}
COMMENTED = b"""<configuration>
  <!-- <property><name>yarn.scheduler.capacity.root.a.capacity</name><value>1</value></property> -->
  <property>
    <name>yarn.scheduler.capacity.root.queues</name>
    <value>a,b</value>
    <description>Two of them.</description>
  </property>
  <property><name>yarn.scheduler.capacity.root.a.capacity</name><value>60.0</value></property>
  <property><name>yarn.scheduler.capacity.root.b.capacity</name><value>40</value></property>
</configuration>
"""


def begun(properties: dict[str, str]) -> dict[str, str]:
    return {BEGIN + name: value for name, value in properties.items()}


def configured(data: bytes) -> ConfiguredScenario:
    return standalone_scenario(read_configuration([("capacity-scheduler.xml", data)]), "")


def of(properties: dict[str, str]) -> ConfiguredScenario:
    return configured(properties_text(begun(properties)).encode())


def with_queues(made: ConfiguredScenario, **changes: dict | None) -> Scenario:
    """The scenario whose queues below root have these fields, or are gone."""
    plain = made.scenario.plain()
    queues = {queue["name"]: queue for queue in plain["queues"]}
    for name, fields in changes.items():
        path = f"root.{name.replace('__', '.')}"
        queues[path] = None if fields is None else {"name": path, **queues.get(path, {}), **fields}
    plain["queues"] = [queue for queue in queues.values() if queue]
    names = {queue["name"] for queue in plain["queues"]}
    plain["jobs"] = [job for job in plain["jobs"] if job["queue"] in names]
    return Scenario.of(plain)


@pytest.mark.parametrize("data", [CAPACITY, properties_text(begun(TWO)).encode(), COMMENTED], ids=range(3))
@pytest.mark.parametrize("kind", SCHEDULER_CONF_UPDATES)
def test_what_was_not_changed_gives_nothing(data: bytes, kind: str) -> None:
    made = configured(data)
    with pytest.raises(FormatError):
        scheduler_conf_text(made.scenario, made.scheduler, kind)


def test_siblings_change_in_one_call() -> None:
    made = of(TWO)
    changed = with_queues(made, a={"capacity_pct": 70}, b={"capacity_pct": 30})
    assert json.loads(scheduler_conf_text(changed, made.scheduler, JSON)) == {
        "update-queue": [
            {"queue-name": "root.a", "params": {"entry": [{"key": "capacity", "value": "70"}]}},
            {"queue-name": "root.b", "params": {"entry": [{"key": "capacity", "value": "30"}]}},
        ]
    }


def test_a_queue_goes_one_comes_and_the_first_has_to_be_stopped() -> None:
    made = of(TWO)
    changed = with_queues(made, b=None, c={"capacity_pct": 40}, c__d={"capacity_pct": 100})
    said = json.loads(scheduler_conf_text(changed, made.scheduler, JSON))
    assert said["remove-queue"] == ["root.b"]
    assert [queue["queue-name"] for queue in said["add-queue"]] == ["root.c", "root.c.d"]
    assert "update-queue" not in said
    stop = json.loads(scheduler_conf_text(changed, made.scheduler, STOP))
    assert stop == {
        "update-queue": [
            {"queue-name": "root.b", "params": {"entry": [{"key": "state", "value": "STOPPED"}]}}
        ]
    }


def test_a_value_that_is_taken_away_is_null_and_in_xml_has_no_value() -> None:
    made = of(TWO)
    changed = with_queues(made, a={"user_limit_factor": None})
    assert json.loads(scheduler_conf_text(changed, made.scheduler, JSON))["update-queue"] == [
        {"queue-name": "root.a", "params": {"entry": [{"key": "user-limit-factor", "value": None}]}}
    ]
    (entry,) = ElementTree.fromstring(scheduler_conf_text(changed, made.scheduler, XML)).iter("entry")
    assert [child.tag for child in entry] == ["key"]


def test_the_scheduler_s_own_settings_are_global() -> None:
    made = of(TWO)
    text = scheduler_conf_text(made.scenario, "capacity(resources=memory)+am-limit(limit=0.5)", JSON)
    assert json.loads(text) == {
        "global-updates": [{"entry": [{"key": f"{BEGIN}maximum-am-resource-percent", "value": "0.5"}]}]
    }


def test_the_answer_of_the_resource_manager_is_a_configuration_and_a_base() -> None:
    entries = [{"name": name, "value": value} for name, value in begun(TWO).items()]
    answer = json.dumps({"property": entries}).encode()
    made = of(TWO)
    assert configured(answer).scenario.queues == made.scenario.queues
    changed = with_queues(made, a={"capacity_pct": 70}, b={"capacity_pct": 30})
    texts = [
        scheduler_conf_text(changed, made.scheduler, XML, read)
        for read in (None, ("scheduler-conf.json", answer))
    ]
    assert texts[0] == texts[1]


@pytest.mark.parametrize("answer", [b"{", b"{}", b'{"property": [1]}', b'{"property": 7}', b"{" * 100_000])
def test_an_answer_that_is_none_is_refused_in_a_sentence(answer: bytes) -> None:
    with pytest.raises(FormatError, match=r"^conf\.json: "):
        read_configuration([("conf.json", answer)])


def test_a_diff_of_the_file_as_it_stands_there(tmp_path) -> None:
    made = configured(COMMENTED)
    changed = with_queues(made, b=None, a={"capacity_pct": 70}, c={"capacity_pct": 30})
    diff = scheduler_conf_text(changed, made.scheduler, DIFF, ("capacity-scheduler.xml", COMMENTED))
    path = tmp_path / "capacity-scheduler.xml"
    path.write_bytes(COMMENTED)
    subprocess.run(["git", "apply", "-p0"], input=diff.encode(), cwd=tmp_path, check=True)
    patched = path.read_bytes()
    assert b"<value>1</value></property> -->" in patched
    assert b"<description>Two of them.</description>" in patched
    capacities = {queue.name: queue.capacity_pct for queue in configured(patched).scenario.queues}
    assert capacities == {"root": None, "root.a": 70, "root.c": 30}


def test_what_can_t_be_given_back_is_said() -> None:
    made = of(TWO)
    plain = {key: value for key, value in made.scenario.plain().items() if key != "x_hadoop"}
    with pytest.raises(FormatError, match=phrase("scheduler_conf.nothing_read")):
        scheduler_conf_text(Scenario.of(plain), "capacity", XML)
    with pytest.raises(FormatError, match=phrase("scheduler_conf.capacity_alone")):
        scheduler_conf_text(made.scenario, "capacity", XML, ("fair-scheduler.xml", FAIR))


NAMES = ("a", "b", "c")
SETTINGS = {"capacity": ("10", "50"), "state": ("STOPPED", "RUNNING"), "ordering-policy": ("fair",)}


@st.composite
def trees(draw: st.DrawFn) -> dict[str, str]:
    """Queues of two levels, each with some settings, and some of the whole scheduler."""
    properties = {}
    for parent in ("root", *(f"root.{name}" for name in NAMES)):
        listed = parent == "root" or parent.rpartition(".")[2] in properties["root.queues"].split(",")
        names = (
            draw(st.lists(st.sampled_from(NAMES), unique=True, min_size=parent == "root")) if listed else []
        )
        if names:
            properties[f"{parent}.queues"] = ",".join(names)
        for queue in (f"{parent}.{name}" for name in names):
            for key, values in SETTINGS.items():
                if value := draw(st.sampled_from((None, *values))):
                    properties[f"{queue}.{key}"] = value
    if value := draw(st.sampled_from((None, "5", "7"))):
        properties["maximum-applications"] = value
    return begun(properties)


@given(trees(), trees())
def test_every_tree_becomes_every_other(before: dict[str, str], wanted: dict[str, str]) -> None:
    stop, update = find_update(before, wanted)
    assert update.apply(stop.apply(before)) == wanted
    assert update.apply(before) == wanted
    assert (update == SchedulerConfUpdate()) == (before == wanted)
