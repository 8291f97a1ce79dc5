"""The compiled run, the plain run and the naive oracle agree container for container."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import TooLarge
from engine.scenario.model import Scenario
from engine.schedulers.names_of_0_1 import expand_0_1
from engine.simulation.simulate import simulate
from tests.conftest import ROOT
from tests.engine.results import result_of
from tests.oracle import simulator
from tests.oracle.result import Result
from tests.physics import locality, physical
from tests.strategies import BUSY, ORDERS, named_schedulers, scenarios, schedulers


def without_seen(result: Result) -> Result:
    """The oracle's `seen` stops with the run; the Run does not record it."""
    return result._replace(containers=[container._replace(seen=None) for container in result.containers])


def scheduler_text(chosen: dict) -> str:
    start = "slowstart" if chosen.get("at") is None else f"slowstart(at={chosen['at']!r})"
    return expand_0_1(f"{chosen['order']}(resources={chosen['resources']})+{start}")


@settings(max_examples=300)
@given(scenarios(), schedulers())
def test_compiled_plain_and_oracle_place_the_same_containers(scenario, chosen):
    expected = without_seen(simulator.simulate(scenario, **chosen))
    text = scheduler_text(chosen)
    assert without_seen(result_of(simulate(scenario, text))) == expected
    assert without_seen(result_of(simulate(scenario, text, plain=True))) == expected


def check_all_three(scenario, text):
    """Ramp-up that would go on for ever is not compared."""
    expected = without_seen(simulator.simulate_named(scenario, text))
    assert without_seen(result_of(simulate(scenario, text))) == expected
    assert without_seen(result_of(simulate(scenario, text, plain=True))) == expected


@pytest.mark.parametrize("order", ORDERS)
@settings(max_examples=20)
@given(scenario=scenarios() | scenarios(BUSY), rules=st.data())
def test_they_agree_under_every_order_with_any_rules(order, scenario, rules):
    check_all_three(scenario, rules.draw(named_schedulers(orders=(order,))))


few = settings(max_examples=40, derandomize=True)(
    given(scenarios(), schedulers())(test_compiled_plain_and_oracle_place_the_same_containers.hypothesis.inner_test)
)


@pytest.mark.hypothesis  # in the other process
@pytest.mark.parametrize("mode", ["NUMBA_BOUNDSCHECK", "NUMBA_DISABLE_JIT"])
def test_they_agree_with_index_checks_and_without_compiling(mode):
    """Compiled code reads out of range silently: once with every index checked, once as plain Python throughout."""
    code = "from tests.engine.simulation.test_agreement import few; few()"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env={**os.environ, mode: "1"}, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr[-2000:]


@settings(max_examples=200)
@given(scenario=physical(), scheduler=named_schedulers())
def test_they_agree_with_the_physics_of_a_cluster(scenario, scheduler):
    check_all_three(scenario, scheduler)


@pytest.mark.parametrize("jobs", ["running", "pending"])
@pytest.mark.parametrize("bandwidth", ["observed", "nominal"])
@settings(max_examples=15)
@given(scenario=physical(), order=st.sampled_from(["omo({})", "omo(batch=no, {})", "fifo+lazy-start({})"]), weight=st.sampled_from([0.25, 1.0]))
def test_they_agree_on_when_lazy_start_expects_shuffles_to_end(jobs, bandwidth, scenario, order, weight):
    """Under contention with a fetch weight, for that is where the bandwidth that reduces get is seen to be less."""
    heavy = scenario.model_copy(update={"cluster": scenario.cluster.model_copy(update={"fetch_weight": weight, "contention": 0.5})})
    check_all_three(heavy, order.format(f"window_s=0.1, jobs={jobs}, bandwidth={bandwidth}"))


@pytest.mark.parametrize("order", ["fair", "drf", "capacity"])
@settings(max_examples=60)
@given(scenario=scenarios(BUSY), rule=st.sampled_from(["", "+slowstart+admit-all", "+slowstart", "+admit-all"]))
def test_they_agree_where_requests_reserve_nodes(order, scenario, rule):
    """Containers of a gigabyte and more: smaller ones reserve nothing."""
    check_all_three(in_gigabytes(scenario), f"{order}(reservations=yes){rule}")


@pytest.mark.parametrize("order", ["fair", "drf"])
@settings(max_examples=60)
@given(
    scenario=scenarios(BUSY),
    update_ms=st.sampled_from([0, 5, 70, 500, 3000]),
    reservations=st.sampled_from(["no", "yes"]),
    limit=st.sampled_from([0.1, 0.5, 1]),
)
def test_they_agree_on_what_fair_scheduler_knows(order, scenario, update_ms, reservations, limit):
    check_all_three(in_gigabytes(scenario), f"{order}(reservations={reservations}, update_ms={update_ms})+am-share(limit={limit})")


@pytest.mark.parametrize("order", ["fair", "drf"])
@settings(max_examples=12)
@given(
    scenario=scenarios(BUSY),
    update_ms=st.sampled_from([50, 500]),
    wait=st.sampled_from([30, 300, 2000]),
    threshold=st.sampled_from([0, 0.3, 0.8]),
    masters=st.sampled_from(["no", "yes"]),
    reservations=st.sampled_from(["no", "yes"]),
    rule=st.sampled_from(["+slowstart+admit-all", "+slowstart", ""]),
)
def test_they_agree_on_who_is_killed_for_whom(order, scenario, update_ms, wait, threshold, masters, reservations, rule):
    """A job that was helped is not looked at again for so long that jobs do not kill each other's containers for ever."""
    numbers = f"update_ms={update_ms}, wait_before_kill_ms={wait}, starvation_check_ms=20000, utilization_threshold={threshold}"
    check_all_three(in_gigabytes(scenario), f"{order}(preemption=yes, {numbers}, am_preemption={masters}, reservations={reservations}){rule}")


@settings(max_examples=60)
@given(
    scenario=scenarios(BUSY),
    interval=st.sampled_from([5, 50, 300]),
    wait=st.sampled_from([0, 20, 100, 1000]),
    part=st.sampled_from([0.2, 0.5, 1]),
    ignored=st.sampled_from([0, 0.1, 0.5]),
    natural=st.sampled_from([0.2, 1]),
    resources=st.sampled_from(["both", "memory"]),
    reservations=st.sampled_from(["no", "yes"]),
    users=st.sampled_from(["no", "no", "yes"]),
    rule=st.sampled_from(["+slowstart+admit-all", "+slowstart+am-limit(limit=0.3)", ""]),
)
def test_they_agree_on_whom_capacity_scheduler_kills(scenario, interval, wait, part, ignored, natural, resources, reservations, users, rule):
    """Queues may kill each other's containers for ever: no more than so many kills are compared."""
    numbers = f"monitoring_interval_ms={interval}, max_wait_before_kill_ms={wait}, total_preemption_per_round={part}"
    numbers += f", max_ignored_over_capacity={ignored}, natural_termination_factor={natural}, resources={resources}"
    numbers += f", reservations={reservations}, user_limits={users}"
    text = f"capacity(preemption=yes, {numbers}){rule}"
    try:
        simulate(in_gigabytes(scenario), text, plain=True)
    except TooLarge:
        return
    check_all_three(in_gigabytes(scenario), text)


@settings(max_examples=120)
@given(
    scenario=scenarios(BUSY), reservations=st.sampled_from(["no", "yes"]), resources=st.sampled_from(["both", "memory"]), limit=st.sampled_from([0.1, 0.5, 1])
)
def test_they_agree_on_what_capacity_scheduler_lets_users_have(scenario, reservations, resources, limit):
    order = f"capacity(resources={resources}, reservations={reservations}, user_limits=yes)"
    check_all_three(in_gigabytes(scenario), f"{order}+am-limit(limit={limit})")


@pytest.mark.parametrize(
    "order",
    [
        "fair(reservations={}, locality_node={part}, locality_rack={part})",
        "drf(reservations={}, locality_node=-1, locality_rack=-1)",
        "capacity(reservations={}, node_locality_delay={count}, rack_locality_additional_delay={more})",
    ],
    ids=["fair", "drf", "capacity"],
)
@settings(max_examples=60)
@given(
    scenario=physical((locality,)), reserves=st.sampled_from(["no", "yes"]), part=st.sampled_from([0, 0.3, 1]), count=st.integers(0, 4), more=st.integers(-1, 3)
)
def test_they_agree_on_how_long_maps_wait_for_their_blocks(order, scenario, reserves, part, count, more):
    check_all_three(in_gigabytes(scenario), order.format(reserves, part=part, count=count, more=more) + "+slowstart+admit-all")


def in_gigabytes(scenario: Scenario) -> Scenario:
    """Every amount of memory 1,024 times as large; beats, each of which counts on a reserved node, in seconds or not at all."""

    def larger(value):
        if isinstance(value, list):
            return [larger(item) for item in value]
        if isinstance(value, dict):
            return {key: item * 1024 if key == "memory_mb" else larger(item) for key, item in value.items()}
        return value

    found = larger(scenario.plain())
    found["cluster"]["heartbeat_ms"] = min(1000, 1000 * scenario.cluster.heartbeat_ms)
    return Scenario.of(found)
