"""Jobs come to queues by the rules of either scheduler, and what happened is counted."""

from __future__ import annotations

import re

import pytest

from engine.errors import FormatError
from engine.scenario.configuration.configuration_reader import read_configuration
from engine.scenario.configuration.configured_scenario import configure_scenario
from tests.engine.scenario.configuration.files import of_capacity, of_properties, of_queues
from tests.phrases import phrase

LEAVES = '<queue name="a"/><queue name="p"><queue name="ann"/></queue><queue name="default"/>'
FAIR = f"<allocations>{LEAVES}<queuePlacementPolicy>%s</queuePlacementPolicy></allocations>"
FAIR_SCHEDULER = "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler"
SPECIFIED, DEFAULT = '<rule name="specified" create="false"/>', '<rule name="default"/>'
TREE = {
    "root.queues": "a,p,default",
    "root.p.queues": "ann",
    "root.a.capacity": "100",
    "root.p.ann.capacity": "0",
}


def placed(data: bytes, *jobs: tuple[str, str], more: tuple[bytes, ...] = ()) -> tuple[list[str], list[str]]:
    """Where jobs of (user, queue) come to, and what is told of it."""
    queues = [
        {"name": queue} for queue in dict.fromkeys(queue for _, queue in jobs) if queue != "root.default"
    ]
    of = of_queues(
        queues, *({"name": f"j{n}", "user": user, "queue": queue} for n, (user, queue) in enumerate(jobs))
    )
    made = configure_scenario(
        of, read_configuration([(f"{n}.xml", one) for n, one in enumerate((data, *more))])
    )
    assert {queue.name for queue in made.scenario.queues} >= {"root.a", "root.p.ann"}
    return [job.queue for job in made.scenario.jobs], [
        note.text for note in made.notes if note.file == "the configuration"
    ]


@pytest.mark.parametrize(
    ("rules", "user", "queue", "found"),
    [
        (SPECIFIED + DEFAULT, "bob", "root.a", "root.a"),
        (SPECIFIED + DEFAULT, "bob", "root.other", "root.default"),
        (SPECIFIED + '<rule name="default" queue="a"/>', "bob", "root.other", "root.a"),
        (SPECIFIED + '<rule name="user" create="false"/>' + DEFAULT, "a", "root.default", "root.a"),
        (SPECIFIED + '<rule name="primaryGroup" create="false"/>' + DEFAULT, "a", "root.x", "root.a"),
        ('<rule name="secondaryGroupExistingQueue"/>' + DEFAULT, "a", "root.x", "root.default"),
        ('<rule name="user"/>', "b.c", "root.a", "root.b_dot_c"),
        (
            '<rule name="nestedUserQueue"><rule name="default" queue="p"/></rule>',
            "bob",
            "root.a",
            "root.p.bob",
        ),
        (
            '<rule name="nestedUserQueue"><rule name="default" queue="new"/></rule>',
            "bob",
            "root.a",
            "root.new.bob",
        ),
        (
            '<rule name="nestedUserQueue" create="false"><rule name="default" queue="p"/></rule><rule '
            'name="reject"/>',
            "ann",
            "root.x",
            "root.p.ann",
        ),
        (
            '<rule name="nestedUserQueue" create="false"><rule name="default" queue="p"/></rule><rule '
            'name="reject"/>',
            "bob",
            "root.new",
            "root.default",
        ),
    ],
)
def test_fair_s_rules(rules: str, user: str, queue: str, found: str) -> None:
    assert placed((FAIR % rules).encode(), (user, queue))[0] == [found]


def test_what_happened_is_counted() -> None:
    result, notes = placed(
        (FAIR % (SPECIFIED + '<rule name="user"/>')).encode(),
        ("a", "root.x"),
        ("bob", "root.x"),
        ("bob", "root.y"),
        ("bob", "root.a"),
    )
    assert result == ["root.a", "root.bob", "root.bob", "root.a"]
    assert notes == [
        phrase("configuration.job_placed_in_by_rules", 1, "root.a"),
        phrase("configuration.job_placed_in_which_rules", 1, "root.bob"),
        phrase("configuration.job_placed_in_by_rules", 1, "root.bob"),
    ]
    assert placed((FAIR % '<rule name="reject"/>').encode(), ("a", "root.a"), ("b", "root.a"))[1] == [
        phrase("configuration.jobs_refused_by_hadoop_as", 2)
    ]


def test_fair_without_rules_creates_queues_unless_it_may_not() -> None:
    data = f"<allocations>{LEAVES}</allocations>".encode()
    assert placed(data, ("ann", "root.new"), ("ann", "root.default"))[0] == ["root.new", "root.default"]
    assert placed(data.replace(b'<queue name="default"/>', b""), ("ann", "root.default"))[0] == ["root.ann"]
    site = {
        "yarn.resourcemanager.scheduler.class": FAIR_SCHEDULER,
        "yarn.scheduler.fair.allow-undeclared-pools": "false",
    }
    assert placed(data, ("ann", "root.new"), ("a", "root.new"), more=(of_properties(site),))[0] == [
        "root.default",
        "root.a",
    ]


@pytest.mark.parametrize(
    ("mappings", "user", "queue", "found"),
    [
        ("u:%user:%user", "a", "root.default", "root.a"),
        ("u:%user:p.%user", "ann", "root.default", "root.p.ann"),
        ("u:bob:a,u:%user:%user", "bob", "root.default", "root.a"),
        ("g:staff:a", "bob", "root.default", "root.default"),
        ("u:bob:a", "bob", "root.p.ann", "root.p.ann"),
        (" u : bob : p.ann. ,", "bob", "root.default", "root.p.ann"),
        ("u:%user:p.%user", "bob", "root.default", "root.default"),
        ("u:%user:%user,u:bob:a", "bob", "root.default", "root.default"),
        ("", "bob", "root.ann", "root.p.ann"),
        ("", "bob", "root.nowhere", "root.default"),
    ],
)
def test_capacity_s_mappings(mappings: str, user: str, queue: str, found: str) -> None:
    data = of_capacity(TREE | ({"queue-mappings": mappings} if mappings else {}))
    assert placed(data, (user, queue))[0] == [found]


@pytest.mark.parametrize(
    ("mapping", "user", "found"),
    [
        ("g:ann:a", "ann", "root.a"),
        ("g:%user:a", "ann", "root.a"),
        ("g:%user:a", "ann.b", "root.default"),  # whose group has the dot, and %user has none
        ("g:ann.b:a", "ann.b", "root.a"),
        ("u:ann.b:a", "ann.b", "root.a"),
        ("u:%primary_group:a", "ann.b", "root.a"),
        ("u:%user:p.%user", "ann", "root.p.ann"),
    ],
)
def test_a_user_s_group_has_the_user_s_name(mapping: str, user: str, found: str) -> None:
    data = of_capacity(TREE | {"queue-mappings": mapping})
    assert placed(data, (user, "root.default"))[0] == [found]


def test_mappings_may_override() -> None:
    data = of_capacity(TREE | {"queue-mappings": "u:bob:a", "queue-mappings-override.enable": "true"})
    assert placed(data, ("bob", "root.p.ann"))[0] == ["root.a"]


@pytest.mark.parametrize(
    ("mapping", "fault"),
    [
        ("u:bob:nowhere", phrase("configuration.mapped_queue_not_there", "u:bob:nowhere", "nowhere")),
        ("g:staff:nowhere", phrase("configuration.mapped_queue_not_there", "g:staff:nowhere", "nowhere")),
        ("u:bob:p.x", phrase("configuration.mapped_queue_not_there", "u:bob:p.x", "p.x")),
        ("u:bob:root..a", phrase("configuration.mapped_queue_not_there", "u:bob:root..a", "root..a")),
        ("u:bob:x.%user", phrase("configuration.mapped_queue_not_there", "u:bob:x.%user", "x.%user")),
        ("u:bob:p", phrase("configuration.mapped_queue_is_parent", "u:bob:p", "root.p")),
        ("u:bob:a.%user", phrase("configuration.mapped_below_leaf", "u:bob:a.%user", "root.a")),
        ("u:bob:ann", phrase("configuration.mapped_queue_is_ambiguous", "u:bob:ann", "ann")),
        ("u:bob:a:b", phrase("configuration.must_be_u_user_queue", "'u:bob:a:b'")),
        ("x:bob:a", phrase("configuration.must_be_u_user_queue", "'x:bob:a'")),
    ],
)
def test_mappings_with_which_hadoop_does_not_start(mapping: str, fault: str) -> None:
    tree = TREE | {"root.queues": "a,p,q,default", "root.q.queues": "ann"}
    with pytest.raises(FormatError, match=re.escape(fault)):
        read_configuration([("1.xml", of_capacity(tree | {"queue-mappings": mapping}))])


def test_mappings_of_another_format_are_not_read() -> None:
    data = of_capacity(TREE | {"queue-mappings": "u:bob:nowhere", "mapping-rule-format": "json"})
    assert placed(data, ("bob", "root.a"))[0] == ["root.a"]
    with pytest.raises(FormatError, match=phrase("configuration.must_be_legacy_or_json", "'xml'")):
        read_configuration([("1.xml", of_capacity(TREE | {"mapping-rule-format": "xml"}))])


@pytest.mark.parametrize(
    ("data", "queue", "stays", "said"),
    [
        (
            FAIR % '<rule name="reject"/>',
            "root.a",
            "root.a",
            phrase("configuration.rejected_by_rules", "ann"),
        ),
        (FAIR % (SPECIFIED + '<rule name="default" queue="p"/>'), "root.new", "root.default", "root.p {}"),
        (FAIR % '<rule name="specified"/><rule name="default"/>', "root.a.b", "root.default", "root.a.b {}"),
        ("", "root.new", "root.default", phrase("configuration.to_unknown_queue", "ann", "root.new")),
        ("", "root.p", "root.default", phrase("configuration.to_non_leaf_queue", "ann", "root.p")),
    ],
)
def test_a_job_without_a_leaf_is_refused_in_hadoop_s_words(data, queue, stays, said) -> None:
    """As FairScheduler and CapacityScheduler say it; the job keeps a leaf that it names."""
    jobs = [{"name": "j", "user": "ann", "queue": queue}, {"name": "k", "user": "ann"}]
    files = [("1.xml", data.encode() or of_capacity(TREE))]
    base = of_queues([{"name": queue}] if queue != "root.p" else [{"name": "root.p"}], *jobs)
    made = configure_scenario(base, read_configuration(files)).scenario.jobs
    assert (made[0].queue, made[0].rejected) == (stays, said.replace("{}", phrase("configuration.not_leaf")))
    opened = of_capacity({"root.queues": "default", "root.default.capacity": "100"})
    again = configure_scenario(of_queues([], {"rejected": said}), read_configuration([("2.xml", opened)]))
    assert again.scenario.jobs[0].rejected == ""
