"""Schedulers by name: what is understood, and what is said of what is not."""

from __future__ import annotations

import math
import pickle
import re
import subprocess
import sys

import pytest

from engine.codes import NO_RESERVATIONS, STARVED, WALKED
from engine.errors import PolicyError, SchedulerError
from engine.schedulers.catalogue import CATALOGUE
from engine.schedulers.policy import ADMISSION, ORDER, REDUCE_START
from engine.schedulers.scheduler import parse
from engine.simulation.simulate import simulate
from tests.conftest import ROOT
from tests.engine.results import result_of
from tests.engine.schedulers.busy import busy
from tests.phrases import phrase

OWN = """
from engine.schedulers.policy import ORDER, Policy


def choose(count):
    return {answer}


LAST = Policy("last", "Last first", ORDER, choose, "a test")
"""


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("fair", "fair"),
        ("fair+ramp-up+am-share", "fair"),
        ("fair+slowstart+admit-all", "fair+slowstart+admit-all"),
        ("fair(reservations=yes)+am-share(limit=0.5)", "fair"),
        (
            "fair(reservations=no, update_ms=0)+admit-all+slowstart",
            "fair(reservations=no, update_ms=0)+slowstart+admit-all",
        ),
        ("fair(shares=kind)+slowstart", "fair(shares=kind)"),
        ("fair(shares=kind)+ramp-up", "fair(shares=kind)+ramp-up"),
        ("capacity(reservations=yes)+admit-all", "capacity+admit-all"),
        ("fifo+ramp-up+admit-all", "fifo"),
        ("fifo+slowstart+am-share", "fifo+slowstart+am-share"),
        ("fresh+slowstart", "fresh"),
        ("batch-finish+ramp-up", "batch-finish+ramp-up"),
        ("priority-fair+am-share", "priority-fair"),
        ("fair + slowstart( at = 0.8 )", "fair+slowstart(at=0.8)"),
        ("fifo(resources=memory)", "fifo(resources=memory)"),
        ("fifo(resources=both)", "fifo"),
        ("drf+admit-all+slowstart(at=1)", "drf+slowstart(at=1)+admit-all"),
        ("haste+autoadmin+lazy-start", "haste+lazy-start+autoadmin"),
        ("haste-a(factor=auto)", "haste-a"),
        ("haste-a(factor=0.50)", "haste-a(factor=0.5)"),
        ("saf(q=1.2, entropy=tsallis)", "saf(entropy=tsallis, q=1.2)"),
        ("saf(entropy=shannon, rate=.9, k=1e3)", "saf"),
        ("priority-fifo(k1=1.0)", "priority-fifo(k1=1)"),
        ("weighted(fitness=1, urgency=-2)", "weighted(urgency=-2)"),
        ("fair(shares=kind)+am-share(limit=0.1)", "fair(shares=kind)+am-share(limit=0.1)"),
        ("fair+reserve(fraction=0.5, vcores=3.0)", "fair+reserve(vcores=3, fraction=0.5)"),
        ("fair+reserve(vcores=0)", "fair+reserve(vcores=0)"),
        ("fair(resources=memory)+reserve(memory_mb=9)", "fair(resources=memory)+reserve(memory_mb=9)"),
        (
            "fair(resources=memory)+autoadmin(resource=memory)",
            "fair(resources=memory)+autoadmin(resource=memory)",
        ),
        ("omo+lazy-start+admit-all", "omo"),
        ("omo(window_s=5)+lazy-start(window_s=5)+am-share", "omo(window_s=5)+am-share"),
        ("batch-finish+lazy-start(window_s=5)", "batch-finish+lazy-start(window_s=5)"),
        ("fair+ramp-up(heartbeat_s=1, limit=0.75)", "fair+ramp-up(limit=0.75)"),
    ],
)
def test_a_name_is_brought_to_one_form(text, name):
    assert parse(text).name == name
    assert parse(parse(text).name) == parse(text)


@pytest.mark.parametrize(
    "text", ["measured", "fair(update_ms=100)+slowstart(at=0.5)+reserve(vcores=3)", "omo"]
)
def test_a_pickled_scheduler_has_the_catalogue_s_own_policies(text):
    chosen = parse(text)
    assert chosen.name == text
    content = pickle.dumps(chosen)
    again = pickle.loads(content)
    assert again == chosen and again.name == text and len(content) < 500
    assert again.order.policy is chosen.order.policy and again.is_measured == (text == "measured")


@pytest.mark.parametrize(
    ("order", "reduce_start", "admission", "reserves"),
    [
        ("fifo", "ramp-up", "admit-all", NO_RESERVATIONS),
        ("fair", "ramp-up", "am-share", STARVED),
        (
            "fair(shares=kind)",
            "slowstart",
            "am-share",
            NO_RESERVATIONS,
        ),  # Hadoop 1 has slots and reserves none
        ("fair(shares=kind, reservations=yes)", "slowstart", "am-share", NO_RESERVATIONS),
        ("drf", "ramp-up", "am-share", STARVED),
        ("capacity", "ramp-up", "am-limit", WALKED),
        ("ffd-dp", "ramp-up", "admit-all", NO_RESERVATIONS),
        ("haste", "ramp-up", "admit-all", NO_RESERVATIONS),
        ("haste-a", "ramp-up", "admit-all", NO_RESERVATIONS),
        ("saf", "ramp-up", "admit-all", NO_RESERVATIONS),
        ("priority-fifo", "ramp-up", "admit-all", NO_RESERVATIONS),
        ("priority-fair", "ramp-up", "am-share", NO_RESERVATIONS),
        ("priority-capacity", "ramp-up", "am-limit", NO_RESERVATIONS),
        ("batch-finish", "slowstart", "admit-all", NO_RESERVATIONS),
        ("fresh", "slowstart", "admit-all", NO_RESERVATIONS),
        ("omo", "lazy-start", "admit-all", NO_RESERVATIONS),
        ("weighted", "ramp-up", "admit-all", NO_RESERVATIONS),
    ],
)
def test_an_order_named_alone_has_the_rules_of_hadoop_or_of_its_paper(
    order, reduce_start, admission, reserves
):
    chosen = parse(order)
    assert (str(chosen.reduce_start), str(chosen.admission), chosen.reserves) == (
        reduce_start,
        admission,
        reserves,
    )
    assert parse(f"{order}+{reduce_start}+{admission}").name == chosen.name == str(chosen.order)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("fare", phrase("common.no_order_named_did_you", "'fare'")),
        ("FAIR", phrase("common.no_order_named_did_you", "'FAIR'")),
        ("Fair(Resources=memory)", phrase("schedulers.did_you_mean_fair")),
        ("fair(RESOURCES=memory)", phrase("schedulers.did_you_mean_resources")),
        ("", phrase("schedulers.cant_be_read_write_name", "NAME(key=value, ")),
        ("fair+slowstar", phrase("schedulers.did_you_mean_slowstart")),
        ("slowstart", phrase("schedulers.part_kind_reduce_start_here", "'slowstart'")),
        ("fair+drf", phrase("schedulers.part_kind_order", "'drf'")),
        ("fair+slowstart+slowstart(at=1)", phrase("schedulers.two_reduce_start_rules")),
        ("fair(resource=memory)", phrase("schedulers.fair_has_no_parameter_did", "'resource'")),
        ("fair(resources=disk)", phrase("schedulers.must_be_both_or_memory")),
        ("fair+slowstart(at=2)", phrase("common.must_be_from", 0, 1)),
        ("fair+slowstart(at=nan)", phrase("common.must_be_from", 0, 1)),
        ("fair+slowstart(at=x)", phrase("common.must_be_number_2")),
        ("fair(", "can't be read"),
        ("mine.py", phrase("schedulers.no_order_named")),
        ("omo+slowstart", phrase("schedulers.omo_starts_reduces_by_own", "batch-finish+slowstart")),
        ("omo+ramp-up", phrase("common.omo_starts_reduces_by_own")),
        ("omo+lazy-start(ema=1)", phrase("schedulers.omo_starts_reduces_by_own_lazy", "lazy-start(ema=1)")),
        ("fair+reserve", phrase("schedulers.reserve_needs_amount_vcores_or", "memory_mb")),
        (
            "fair(resources=memory)+autoadmin",
            phrase(
                "schedulers.autoadmin_keeps_vcores_which_does",
                "fair(resources=memory)",
                "autoadmin(resource=memory)",
            ),
        ),
        (
            "drf(resources=memory)+autoadmin(resource=both)",
            phrase("schedulers.does_not_count_write", "autoadmin(resource=memory)"),
        ),
        (
            "fifo(resources=memory)+reserve(vcores=2)",
            phrase("schedulers.which_does_not_count_write", "fifo(resources=memory)", "reserve(memory_mb="),
        ),
        (
            "fifo(resources=memory)+reserve(fraction=0.5)",
            phrase("schedulers.does_not_count_write_2", "reserve(memory_mb="),
        ),
        ("saf(alpha=1)", "saf(alpha=1): " + phrase("schedulers.must_not_be_where_not", 1)),
        ("saf(entropy=tsallis, q=1.0)", "saf(q=1.0): must not be 1"),
        ("saf(entropy=gini)", phrase("schedulers.must_be_shannon_or_hartley")),
        ("haste-a(factor=often)", phrase("schedulers.must_be_number_or_auto")),
        ("haste(factor=1)", phrase("schedulers.haste_has_no_parameter", "'factor'")),
        ("weighted(waiting=11)", phrase("common.must_be_from", -10, 10)),
        ("fair+lazy-start+ramp-up", phrase("schedulers.two_reduce_start_rules_lazy")),
        ("fair+reserve(vcores=1)+autoadmin", phrase("schedulers.two_admission_rules_reserve_and")),
        ("autoadmin", phrase("schedulers.part_kind_admission_here_stands", "'autoadmin'")),
        ("omo(resources=memory)", phrase("schedulers.omo_has_no_parameter", "'resources'")),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(text, words):
    with pytest.raises(SchedulerError) as result:
        parse(text)
    assert words in str(result.value) and "\n" not in str(result.value)


EVERY = [
    (policy, parameter)
    for role in CATALOGUE.values()
    for policy in role.values()
    for parameter in policy.parameters
]
IDS = [f"{policy.name}({parameter.name})" for policy, parameter in EVERY]


def with_value(policy, parameter, value):
    """A scheduler that gives this parameter this value."""
    part = (
        f"{policy.name}({parameter.name}={value!r})"
        if isinstance(value, float)
        else f"{policy.name}({parameter.name}={value})"
    )
    return parse(part if policy.role == ORDER else f"fifo+{part}")


@pytest.mark.parametrize(("policy", "parameter"), EVERY, ids=IDS)
def test_every_parameter_has_a_range_that_is_kept(policy, parameter):
    assert parameter.meaning and parameter.source
    if parameter.choices:
        assert parameter.default in parameter.choices
        for choice in parameter.choices:
            with_value(policy, parameter, choice)
        with pytest.raises(SchedulerError, match="must be"):
            with_value(policy, parameter, "none-of-these")
        return
    assert parameter.low < parameter.high and (
        parameter.default is None or parameter.low <= parameter.default <= parameter.high
    )
    for value in (parameter.low, parameter.high, (parameter.low + parameter.high) / 2):
        with_value(policy, parameter, float(value))
    outside = [
        math.nan,
        math.inf,
        -math.inf,
        math.nextafter(parameter.low, -math.inf),
        math.nextafter(parameter.high, math.inf),
    ]
    for value in (*outside, *([] if parameter.excluded is None else [float(parameter.excluded)])):
        with pytest.raises(
            SchedulerError, match=re.escape(f"{policy.name}({parameter.name}={value!r}): must")
        ):
            with_value(policy, parameter, value)
    if parameter.none_word:
        assert parameter.default is None
        assert with_value(policy, parameter, parameter.none_word) == parse(
            policy.name if policy.role == ORDER else f"fifo+{policy.name}"
        )


@pytest.mark.parametrize(
    "name",
    [
        f"{order}+{rule}"
        for order in CATALOGUE[ORDER]
        for rule in (*CATALOGUE[REDUCE_START], *CATALOGUE[ADMISSION])
    ],
)
def test_every_order_takes_every_rule_but_omo_another_reduce_start(name):
    order, rule = name.split("+")
    text = name.replace("+reserve", "+reserve(vcores=1)")
    if order == "omo" and rule in ("slowstart", "ramp-up"):
        with pytest.raises(SchedulerError):
            parse(text)
    else:
        assert parse(parse(text).name) == parse(text)


def test_slowstart_at_stands_for_every_job_s_own():
    run = simulate(busy(), "fifo+slowstart(at=1)")
    result = result_of(run)
    for reduce in (container for container in result.containers if container.kind == "reduce"):
        maps = [
            other.end
            for other in result.containers
            if (other.job, other.stage, other.kind) == (reduce.job, reduce.stage, "map")
        ]
        assert reduce.requested >= max(maps)


@pytest.mark.parametrize("plain", [True, False])
def test_an_order_of_one_s_own_from_a_file(tmp_path, plain):
    path = tmp_path / "mine.py"
    path.write_text(OWN.format(answer="count - 1"))
    run = simulate(busy(), parse(str(path), files=True), plain=plain)
    assert run.status == "finished" and run.scheduler == "last"


@pytest.mark.parametrize("plain", [True, False])
def test_an_answer_that_was_not_offered_is_refused(tmp_path, plain):
    path = tmp_path / "mine.py"
    path.write_text(OWN.format(answer="count"))
    with pytest.raises(PolicyError, match=phrase("schedulers.last_chose_request_was_not", "0:00", "node1-1")):
        simulate(busy(), parse(str(path), files=True), plain=plain)


@pytest.mark.parametrize("plain", [True, False])
def test_a_field_the_view_does_not_have_is_named(tmp_path, plain):
    path = tmp_path / "mine.py"
    path.write_text(OWN.format(answer="0").replace("count", "crystal_ball"))
    with pytest.raises(PolicyError, match=phrase("schedulers.policy_last_choose_asks_for", "'crystal_ball'")):
        simulate(busy(), parse(str(path), files=True), plain=plain)


@pytest.mark.parametrize("asked", ["job_of(0)", "kind_of(0)", "request_of(0, 2)"])
def test_whose_a_request_is_cannot_be_asked_without_the_view(tmp_path, asked):
    path = tmp_path / "mine.py"
    name = asked.partition("(")[0]
    path.write_text(f"from engine.schedulers.view import {name}\n{OWN.format(answer=asked)}")
    with pytest.raises(PolicyError, match=rf"policy last .*{name}\(\) missing"):
        simulate(busy(), parse(str(path), files=True), plain=True)


def test_an_order_may_be_any_python_and_its_errors_are_told(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(OWN.format(answer="sorted(range(count), key=lambda place: -place)[0]"))
    assert simulate(busy(), parse(str(path), files=True)).status == "finished"
    path.write_text(OWN.format(answer="{}[str(count)]"))
    with pytest.raises(PolicyError, match=phrase("schedulers.policy_last_failed_at_s", "0:00", "'1'")):
        simulate(busy(), parse(str(path), files=True))


def test_a_file_s_order_runs_in_a_second_process_too(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(OWN.format(answer="0"))
    code = (
        "from tests.engine.schedulers.test_scheduler import *; print(simulate(busy(), "
        f"parse({str(path)!r}, files=True)).status)"
    )
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120
        )
        assert done.stdout.strip() == "finished", done.stderr


@pytest.mark.parametrize(
    "content",
    ["", "raise RuntimeError('no')", "def choose(:", "from engine.schedulers.order.fifo import FIFO_ORDER"],
)
def test_a_file_without_an_order_is_refused(tmp_path, content):
    path = tmp_path / "mine.py"
    path.write_text(content)
    with pytest.raises(SchedulerError):
        parse(str(path), files=True)


def test_a_node_locality_delay_of_minus_one_is_none_as_in_hadoop() -> None:
    assert parse("capacity(node_locality_delay=-1)").order.given["node_locality_delay"] == -1.0
    with pytest.raises(SchedulerError, match="from -1"):
        parse("capacity(node_locality_delay=-2)")
