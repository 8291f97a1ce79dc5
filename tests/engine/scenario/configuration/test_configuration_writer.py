"""What is written says the same again, to the byte, and nothing that was read is lost."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import CATALOGUE, Scenario
from engine.dashboard import configuration_scheduler, configuration_text
from engine.errors import FormatError
from engine.scenario.configuration.configuration_reader import read_configuration
from engine.scenario.configuration.configuration_writer import FIXED_PARAMETERS, KINDS
from engine.scenario.configuration.configured_scenario import standalone_scenario
from engine.scenario.configuration.scheduler_settings import ORDERS, PARAMETERS
from engine.scenario.presets import presets
from engine.schedulers.scheduler import parse
from engine.simulation.queues import queue_tree
from engine.simulation.refused_jobs import application_limits
from engine.simulation.workload import workload
from tests.conftest import ROOT
from tests.engine.scenario.configuration.files import (
    CAPACITY,
    FAIR,
    SITE,
    alone,
    of_capacity,
    of_properties,
    of_queues,
)
from tests.phrases import phrase

DATA = ROOT.parent / "shared" / "data"
ONE = {"root.queues": "a", "root.a.capacity": "100"}
MONITOR = "yarn.resourcemanager.monitor.capacity.preemption."
SCHEDULERS = {
    "fair-xml": "drf(update_ms=100)+am-share(limit=0.25)",
    "capacity-xml": "capacity(resources=memory)+am-limit(limit=0.3)",
}


FAMILIES = {"fair-xml": ("fair", "drf"), "capacity-xml": ("capacity",)}


def comes_back(of: Scenario, scheduler: str, kind: str) -> str:
    """The file, which read again, by a scheduler that reads it, is written the same."""
    if parse(scheduler).order.policy.name not in FAMILIES.get(kind, ORDERS):
        scheduler = SCHEDULERS[kind]
    text = configuration_text(of, scheduler, kind)
    files = [(KINDS[kind], text.encode())]
    if kind != "yarn-site":
        files.append(("yarn-site.xml", configuration_text(of, scheduler, "yarn-site").encode()))
    made = standalone_scenario(read_configuration(files), "")
    assert configuration_text(made.scenario, made.scheduler, kind) == text
    again = Scenario.read(made.scenario.json())
    assert configuration_text(again, made.scheduler, kind) == text
    return text


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.key)
def test_every_preset_can_be_written(preset, kind: str) -> None:
    comes_back(preset.scenario, SCHEDULERS.get(kind, "fair"), kind)


@pytest.mark.parametrize("files", [(FAIR,), (CAPACITY,), (SITE,), (FAIR, SITE)], ids=range(4))
def test_all_that_was_read_is_written_again(files: tuple[bytes, ...]) -> None:
    made = alone(*files)
    assert configuration_scheduler(made.scenario) == made.scheduler == parse(made.scheduler).name
    texts = {kind: comes_back(made.scenario, made.scheduler, kind) for kind in KINDS}
    for data in files:
        kind = "fair-xml" if data is FAIR else "capacity-xml" if data is CAPACITY else "yarn-site"
        for name, value in re.findall(r"<name>(.*?)</name><value>(.*?)</value>", data.decode()):
            assert f"<name>{name}</name>\n    <value>{value}</value>" in texts[kind].replace(
                "etl,adhoc", "etl, adhoc"
            )
        for element in (
            re.findall(r"<(?!queue|pool|/|\?|allo|rule)\w+>[^<]*</\w+>", data.decode())
            if kind == "fair-xml"
            else ()
        ):
            assert element in texts[kind]
    if FAIR in files:
        assert (
            '<queue name="adhoc" type="parent">' in texts["fair-xml"]
            and '<rule name="default" queue="adhoc"/>' in texts["fair-xml"]
        )


def test_the_file_of_another_scheduler_is_not_used() -> None:
    made = alone(FAIR, CAPACITY, SITE)
    assert made.scheduler == "drf(update_ms=100)"
    assert {queue.name for queue in made.scenario.queues} >= {"root.etl.daily", "root.adhoc.ann"}
    assert "root.adhoc.x" not in {queue.name for queue in made.scenario.queues}
    assert not any(queue.capacity_pct for queue in made.scenario.queues)
    unused = phrase("configuration.file_is_not_used", "2.xml", "fair")
    assert unused in map(str, made.notes)
    broken = of_capacity({"root.queues": "a", "root.a.capacity": "90"})
    assert unused in map(str, alone(FAIR, broken, SITE).notes)
    assert unused in map(str, alone(FAIR, b"<configuration>yarn.scheduler.capacity.root", SITE).notes)
    made = alone(b"<allocations><queue><weight>x</allocations>", CAPACITY)
    assert phrase("configuration.file_is_not_used", "1.xml", "capacity") in map(str, made.notes)
    with pytest.raises(FormatError, match=phrase("configuration.it_siblings_sum_to", 90)):
        alone(FAIR, broken)


@pytest.mark.parametrize("name", ["fair-scheduler.xml", "capacity-scheduler.xml"])
def test_hadoop_s_samples(name: str) -> None:
    if not (DATA / name).exists():
        pytest.skip(f"Hadoop's {name} is not beside the checkout, in shared/data")
    made = standalone_scenario(read_configuration([(name, (DATA / name).read_bytes())]), name)
    text = comes_back(
        made.scenario, made.scheduler, next(kind for kind, file in KINDS.items() if file == name)
    )
    source = re.sub(r"<!--.*?-->", "", (DATA / name).read_text(), flags=re.DOTALL)
    for value in re.findall(r">\s*([^<\s][^<]*?)\s*<", source):
        assert f">{value}" in text, value


def test_what_was_changed_is_written() -> None:
    made = alone(FAIR)
    data = made.scenario.plain()
    data["queues"][0] |= {"weight": 4.0, "max_share": {"memory_mb": 5, "vcores": 6}}
    text = configuration_text(Scenario.of(data), made.scheduler, "fair-xml")
    assert (
        "<weight>4</weight>" in text
        and "<maxResources>5 mb, 6 vcores</maxResources>" in text
        and "50%" not in text
    )
    data = alone(CAPACITY).scenario.plain()
    data["queues"][3]["capacity_pct"], data["queues"][4]["capacity_pct"] = 40.0, 60.0
    text = configuration_text(Scenario.of(data), "capacity+am-limit(limit=0.5)", "capacity-xml")
    assert "<value>40</value>" in text and "<value>60</value>" in text and "1w" not in text
    assert "<name>yarn.scheduler.capacity.maximum-am-resource-percent</name>\n    <value>0.5</value>" in text


def test_other_nodes_make_a_percentage_an_amount_of_what_was_tried() -> None:
    made = alone(FAIR)
    data = made.scenario.plain()
    data["cluster"]["nodes"][0]["count"] = 20
    assert "<maxResources>40960 mb, 40 vcores</maxResources>" in configuration_text(
        Scenario.of(data), made.scheduler, "fair-xml"
    )


@pytest.mark.parametrize(
    ("scheduler", "said"),
    [
        ("haste", phrase("configuration.hadoop_has_no_scheduler_haste")),
        ("fair(reservations=no)", r"fair\(reservations=no\) can't be written"),
        ("fair+reserve(fraction=0.1)", phrase("configuration.fairscheduler_has_am_share_alone")),
        ("capacity+am-share", phrase("configuration.capacityscheduler_has_am_limit_alone")),
    ],
)
def test_what_hadoop_does_not_have(scheduler: str, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        configuration_text(alone(FAIR).scenario, scheduler, "yarn-site")


def test_names_that_a_file_can_not_hold() -> None:
    for name, kind in ((" a", "fair-xml"), ("a,b", "capacity-xml"), ("a\x01", "fair-xml")):
        of = of_queues([{"name": f"root.{name}"}], {"queue": f"root.{name}"})
        with pytest.raises(FormatError, match="can't be written"):
            configuration_text(of, "fair", kind)
    with pytest.raises(
        FormatError, match="^" + phrase("configuration.not_file_can_be_written", "'pdf'") + "$"
    ):
        configuration_text(alone(FAIR).scenario, "fair", "pdf")


def test_a_maximum_below_what_a_queue_gets() -> None:
    of = of_queues([{"name": "root.a", "max_capacity_pct": 10.0}], {"queue": "root.a"})
    assert "<value>10</value>" in comes_back(of, "capacity", "capacity-xml")


def test_percentages_that_hadoop_refuses_are_not_written() -> None:
    of = of_queues([{"name": "root.p.a", "capacity_pct": 0.0}], {"queue": "root.p.a"})
    refusal = phrase("configuration.cant_be_written_sum_to_0", "root.p.a", "root.p")
    with pytest.raises(FormatError, match=refusal):
        configuration_text(of, "capacity", "capacity-xml")


@pytest.mark.parametrize(
    ("shares", "is_listed"),
    [
        ({"a": None}, True),
        ({"a": None, "b": None, "c": None}, True),
        ({"a": 60.0}, True),
        ({"a": 0.0}, True),
        ({"a": 60.0, "b.c": None}, True),
        ({"a": 100.0, "b": None}, False),
        ({"a": 33.33, "b": 33.33, "c": 33.33}, False),  # Hadoop takes it for 100
        ({"a": 60.0, "b": 40.0}, False),
    ],
)
def test_the_file_guarantees_what_a_run_does(shares: dict[str, float | None], is_listed: bool) -> None:
    """A run has root.default, listed or not and with jobs or without."""
    queues = [{"name": f"root.{name}", "capacity_pct": share} for name, share in shares.items()]
    of = of_queues(queues, {"queue": "root.a"})
    text = comes_back(of, "capacity", "capacity-xml")
    assert (".root.default." in text) == is_listed
    trees = [queue_tree(one) for one in (of, alone(text.encode()).scenario)]
    ran, again = [dict(zip(tree.names, tree.capacity.tolist(), strict=True)) for tree in trees]
    assert again == ran


def test_a_file_without_root_default_gains_none_by_what_it_leaves() -> None:
    """Resources may come to less than the cluster has."""
    made = alone(of_capacity({"root.queues": "a", "root.a.capacity": "[memory=8192,vcores=8]"}))
    assert [queue.capacity_pct for queue in made.scenario.queues] == [None, 10]
    assert "default" not in comes_back(made.scenario, made.scheduler, "capacity-xml")


short = st.sampled_from(
    ["a", "b", "capacity", "root", "queues", "default", "\xe4 \xf6", "<&>'\"", "${a}", "user-limit-factor"]
)
words = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zs"), exclude_characters="\ufffe\uffff"),
    min_size=1,
    max_size=8,
)
shares = st.fixed_dictionaries({"memory_mb": st.integers(0, 99_999), "vcores": st.integers(0, 99)})
tags = st.sampled_from(["reservation", "aclSubmitApps", "weight", "maxAMShare", "@type"])
suffixes = st.sampled_from(["acl_submit", "state", "capacity", "user-limit-factor", "default-node-label"])
queue_values = st.fixed_dictionaries(
    {},
    optional={
        "weight": st.floats(0.001, 1000),
        "min_share": shares,
        "max_share": shares,
        "policy": st.just("fair"),
        "user_limit_factor": st.floats(0, 50),
        "min_user_limit_pct": st.integers(1, 100),
        "max_capacity_pct": st.just(100.0),
        "x_hadoop": st.fixed_dictionaries(
            {},
            optional={
                "fair-scheduler.xml": st.lists(
                    st.tuples(tags, words).map(list), max_size=3, unique_by=lambda one: one[0]
                ),
                "capacity-scheduler.xml": st.dictionaries(suffixes, words, max_size=3),
            },
        ),
    },
)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.data(), st.sampled_from(list(KINDS)))
def test_write_read_write(data: st.DataObject, kind: str) -> None:
    """Of any tree of queues, with any of what a reader may have kept, also what no reader kept."""
    names = data.draw(
        st.lists(
            short.filter(lambda name: kind != "capacity-xml" or "$" not in name),
            min_size=1,
            max_size=4,
            unique=True,
        )
    )
    below = data.draw(st.lists(short.filter(lambda name: "$" not in name), max_size=3, unique=True))
    tree = [f"root.{name}" for name in names] + [f"root.{names[0]}.{name}" for name in below]
    queues = [{"name": name, **data.draw(queue_values)} for name in tree]
    leaf = tree[-1]
    of = of_queues(queues, {"queue": leaf})
    scheduler = data.draw(
        st.sampled_from(
            [
                "fair",
                "drf(update_ms=70)+am-share(limit=0.125)",
                "capacity",
                "capacity(resources=memory)+admit-all",
                "fifo",
            ]
        )
    )
    text = configuration_text(of, scheduler, kind)
    try:
        made = standalone_scenario(read_configuration([("a.xml", text.encode())]), "")
    except FormatError:  # a value that was kept and is none
        assert any("x_hadoop" in queue for queue in queues)
        return
    second = configuration_text(made.scenario, scheduler, kind)
    third = configuration_text(
        standalone_scenario(read_configuration([("a.xml", second.encode())]), "").scenario, scheduler, kind
    )
    assert third == second
    if not any("x_hadoop" in queue for queue in queues):
        assert second == text


@given(
    st.dictionaries(
        st.sampled_from(
            [
                "root.queues",
                "root.a.capacity",
                "root.b.capacity",
                "root.a.maximum-capacity",
                "root.a.queues",
                "queue-mappings",
                "user-limit-factor",
                "root.a.x",
            ]
        ),
        st.sampled_from(
            [
                "a",
                "b",
                "a,b",
                "50",
                "100",
                "1w",
                "[memory=1,vcores=1]",
                "u:%user:a",
                "-1",
                "9" * 40,
                "1e400",
                "nan",
                "${root}",
                "\xe4",
                ",",
            ]
        ),
        max_size=6,
    ),
    st.sampled_from(["<allocations>%s</allocations>", "<configuration>%s</configuration>"]),
    st.lists(
        st.sampled_from(
            [
                "<queue name='a'>",
                "</queue>",
                "<queue name='root'>",
                "<weight>",
                "</weight>",
                "1",
                "%",
                "<maxResources>5%</maxResources>",
                "<user name='a'/>",
            ]
        ),
        max_size=9,
    ),
)
def test_hostile_files_end_in_one_sentence(
    given_properties: dict[str, str], outer: str, parts: list[str]
) -> None:
    for data in (
        of_capacity(given_properties),
        of_properties(given_properties),
        outer.replace("%s", "".join(parts)).encode(),
    ):
        try:
            made = alone(data)
        except FormatError as error:
            assert "\n" not in str(error)
        else:
            assert parse(made.scheduler).name == made.scheduler
            for kind in KINDS:
                comes_back(made.scenario, made.scheduler, kind)


def test_what_the_model_has_no_place_for_is_written_again() -> None:
    made = alone(
        b"<allocations><queue "
        b'name="a"><weight>0</weight><minResources>5%</minResources></queue></allocations>'
    )
    text = comes_back(made.scenario, made.scheduler, "fair-xml")
    assert "<weight>0</weight>" in text and "<minResources>5%</minResources>" in text
    data = made.scenario.plain()
    data["queues"][-1]["weight"] = 2.0
    assert "<weight>2</weight>" in configuration_text(Scenario.of(data), made.scheduler, "fair-xml")
    made = alone(of_capacity({**ONE, "root.a.ordering-policy": "fifo-with-partitions"}))
    assert "<value>fifo-with-partitions</value>" in comes_back(made.scenario, made.scheduler, "capacity-xml")


def test_an_unknown_property_goes_back_to_its_file() -> None:
    wrong = "yarn.schduler.capacity.root.a.capacity"
    made = alone(
        of_properties(
            {
                "yarn.scheduler.capacity.root.queues": "a",
                "yarn.scheduler.capacity.root.a.capacity": "100",
                wrong: "50",
            }
        ),
        of_properties({"yarn.timeline-service.enabled": "true"}),
    )
    assert wrong in comes_back(made.scenario, made.scheduler, "capacity-xml")
    site = configuration_text(made.scenario, made.scheduler, "yarn-site")
    assert wrong not in site and "yarn.timeline-service.enabled" in site


def test_a_user_s_limit_is_of_both_schedulers() -> None:
    name = "yarn.scheduler.capacity.user.ann.b.max-parallel-apps"
    made = alone(of_capacity({**ONE, "user.ann.b.max-parallel-apps": " 2 "}))
    assert [(user.name, user.max_running_apps) for user in made.scenario.users] == [("ann.b", 2)]
    assert f"<name>{name}</name>\n    <value> 2 </value>" in comes_back(
        made.scenario, made.scheduler, "capacity-xml"
    )
    assert "<maxRunningApps>2</maxRunningApps>" in configuration_text(made.scenario, "fair", "fair-xml")
    data = made.scenario.plain()
    data["users"] = [{"name": "bob", "max_running_apps": 3}]
    text = configuration_text(Scenario.of(data), made.scheduler, "capacity-xml")
    assert "user.bob.max-parallel-apps" in text and name not in text


def test_resources_of_another_kind_are_told_and_kept() -> None:
    of_a = "[memory=20Gi,vcores=20]"
    made = alone(
        of_capacity(
            {
                "root.queues": "a,b",
                "root.a.capacity": of_a,
                "root.b.capacity": "[memory=61440,vcores=60,yarn.io/gpu=2]",
            }
        )
    )
    assert [queue.capacity_pct for queue in made.scenario.queues] == [None, 25.0, 75.0]
    assert phrase(
        "configuration.line_names_which_not_modelled",
        "1.xml",
        4,
        "yarn.scheduler.capacity.root.b.capacity",
        "'yarn.io/gpu'",
    ) in str(made.notes[2])
    text = comes_back(made.scenario, made.scheduler, "capacity-xml")
    assert of_a in text and "yarn.io/gpu=2" in text
    most = "memory-mb=4096, vcores=4, yarn.io/gpu=2"
    made = alone(
        f'<allocations><queue name="a"><maxResources>{most}</maxResources></queue></allocations>'.encode()
    )
    assert made.scenario.queues[-1].max_share.memory_mb == 4096 and "yarn.io/gpu" in str(made.notes[-1])
    assert most in comes_back(made.scenario, made.scheduler, "fair-xml")


def test_a_list_of_queues_is_read_as_hadoop_reads_it() -> None:
    given = {"root.queues": "\n a,\n b,,c,\n", "root.a.capacity": "100"}
    made = alone(of_capacity(given))
    assert [queue.name for queue in made.scenario.queues] == ["root", "root.a", "root.b", "root.c"]
    comes_back(made.scenario, made.scheduler, "capacity-xml")


def test_a_queue_that_is_listed_twice_counts_twice() -> None:
    made = alone(of_capacity({"root.queues": "a,b,a", "root.a.capacity": "30", "root.b.capacity": "40"}))
    assert [queue.capacity_pct for queue in made.scenario.queues] == [None, 30.0, 40.0]
    assert "<value>a,b,a</value>" in comes_back(made.scenario, made.scheduler, "capacity-xml")


def test_preemption_that_only_observes_comes_back() -> None:
    names = ["yarn.resourcemanager.scheduler.monitor.enable", f"{MONITOR}observe_only"]
    made = alone(of_capacity(ONE), of_properties(dict.fromkeys(names, "true")))
    assert made.scheduler == "capacity(resources=memory)"
    text = comes_back(made.scenario, made.scheduler, "yarn-site")
    assert text.count("<value>true</value>") == 2
    text = configuration_text(made.scenario, "capacity(preemption=yes)", "yarn-site")
    assert text.count("<value>true</value>") == 1 and names[0] in text


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (
            of_properties(
                {
                    f"yarn.scheduler.{which}-allocation-mb": size
                    for which, size in (("minimum", "8192"), ("maximum", "4096"))
                }
            ),
            "line 3: .*maximum-allocation-mb .*smallest container",
        ),
        (
            of_properties(
                {
                    f"yarn.scheduler.{which}-allocation-mb": size
                    for which, size in (("minimum", "0"), ("maximum", "4096"))
                }
            ),
            "line 2: .*minimum-allocation-mb .*smallest container",
        ),
        (
            "".join(
                f'<user name="{name}"><maxRunningApps>{most}</maxRunningApps></user>\n'
                for name, most in (("a", 1), ("b", 1.5))
            ),
            "line 2: maxRunningApps '1.5'",
        ),
    ],
)
def test_a_fault_is_said_where_it_is(data: bytes | str, said: str) -> None:
    with pytest.raises(FormatError, match=f"1.xml, {said}"):
        alone(data if isinstance(data, bytes) else f"<allocations>{data}</allocations>".encode())


@pytest.mark.parametrize("order", ORDERS)
def test_no_parameter_of_hadoop_s_orders_is_forgotten(order: str) -> None:
    """One that is neither written nor known as fixed would be dropped without a word."""
    names = {parameter.name for parameter in CATALOGUE["order"][order].parameters}
    assert names <= {*PARAMETERS[ORDERS[order]], *FIXED_PARAMETERS}


REFUSING = of_capacity({
    "maximum-applications": "50",
    "global-queue-max-application": "7",
    "root.queues": "a,b,default",
    "root.acl_submit_applications": " ",
    "root.acl_administer_queue": " ops",
    "root.a.capacity": "60",
    "root.a.maximum-applications": "5",
    "root.a.acl_submit_applications": "ann,bob staff",
    "root.b.capacity": "40",
    "root.b.maximum-applications": "-1",
    "root.b.state": "stopped",
    "root.default.capacity": "0",
})  # fmt: skip


def test_what_refuses_jobs_is_read_and_written() -> None:
    """The values are those that Hadoop 3.4.1 told of these files: maxApplications, state, access lists."""
    made = alone(REFUSING, of_properties({"yarn.acl.enable": "true"}))
    cluster, queues = made.scenario.cluster, {queue.name: queue for queue in made.scenario.queues}
    assert (cluster.max_applications, cluster.acl_enable) == (50, True)
    assert [queues[f"root.{name}"].max_applications for name in ("a", "b", "default")] == [5, 7, 7]
    assert (queues["root.a"].state, queues["root.b"].state) == (None, "stopped")
    lists = [(queues[name].submit_acl, queues[name].administer_acl) for name in ("root", "root.a", "root.b")]
    assert lists == [(" ", " ops"), ("ann,bob staff", None), (None, None)]
    text = comes_back(made.scenario, made.scheduler, "capacity-xml")
    written, given_file = (
        set(re.findall("<property>.*?</property>", re.sub(r">\n\s*<", "><", one)))
        for one in (text, REFUSING.decode().replace("\n", ""))
    )
    assert [one for one in given_file - written if "-1" not in one] == []  # which is the default's 7
    assert "<value>true</value>" in comes_back(made.scenario, made.scheduler, "yarn-site")


def test_the_lists_of_fair_queues_are_read_and_written() -> None:
    nobody = "<aclSubmitApps> </aclSubmitApps><aclAdministerApps> ops</aclAdministerApps>"
    own = '<queue name="a"><aclSubmitApps>ann staff</aclSubmitApps></queue>'
    made = alone(f'<allocations><queue name="root">{nobody}{own}</queue></allocations>'.encode())
    root, leaf = made.scenario.queues
    assert (root.submit_acl, root.administer_acl, leaf.submit_acl) == (" ", " ops", "ann staff")
    text = comes_back(made.scenario, made.scheduler, "fair-xml")
    assert nobody in re.sub(r">\n\s*<", "><", text) and "<aclSubmitApps>ann staff<" in text


def test_without_a_word_of_it_a_capacity_file_has_hadoop_s_limit() -> None:
    """10,000, of which a queue without capacity has none."""
    made = alone(of_capacity({"root.queues": "a,z", "root.a.capacity": "100", "root.z.capacity": "0"}))
    assert made.scenario.cluster.max_applications == 10_000
    assert "maximum-applications" not in comes_back(made.scenario, made.scheduler, "capacity-xml")
    limits = application_limits(made.scenario, workload(made.scenario).queues)
    names = workload(made.scenario).queues.names
    assert [int(limits.of_queue[names.index(f"root.{name}")]) for name in "az"] == [10_000, 0]


def test_a_state_is_one_of_two_and_no_queue_runs_below_one_that_is_stopped() -> None:
    tree = {
        "root.queues": "a",
        "root.a.capacity": "100",
        "root.a.queues": "x",
        "root.a.x.capacity": "100",
        "root.a.state": "STOPPED",
    }
    for state in ("RUNNING", "DRAINING"):
        with pytest.raises(FormatError, match=r"line 7: yarn.scheduler.capacity.root.a.x.state"):
            alone(of_capacity({**tree, "root.a.x.state": state}))
