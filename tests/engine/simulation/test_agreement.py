"""The compiled run, the plain run and the naive oracle agree container for container."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import TooLarge
from engine.simulation.simulate import simulate
from tests.conftest import ROOT
from tests.engine.agreement import check_all_three, check_both, check_runs, found_once
from tests.examples import examples
from tests.oracle import simulator
from tests.physics import locality, outages, physical
from tests.strategies import (
    BUSY,
    ORDERS,
    in_gigabytes,
    named_schedulers,
    scenarios,
    scheduler_text,
    schedulers,
)


def test_what_a_random_example_found_is_found_again():
    """Each fault of found_once.json, put back, makes its example differ."""
    different = []
    for one in found_once():
        try:
            check_all_three(one.scenario, one.scheduler)
        except AssertionError:
            different.append(one.fault)
    assert not different


@examples(30, 300)
@given(scenarios(), schedulers())
def test_compiled_plain_and_oracle_place_the_same_containers(scenario, chosen):
    check_both(scenario, scheduler_text(chosen), simulator.simulate(scenario, **chosen))


@pytest.mark.parametrize("order", ORDERS)
@examples(3, 20)
@given(scenario=scenarios() | scenarios(BUSY), rules=st.data())
def test_they_agree_under_every_order_with_any_rules(order, scenario, rules):
    check_all_three(scenario, rules.draw(named_schedulers(orders=(order,))))


@pytest.mark.parametrize(
    ("mode", "count"),
    [
        ("NUMBA_DISABLE_JIT", 3),
        *(
            pytest.param(mode, 40, marks=pytest.mark.everything)
            for mode in ("NUMBA_BOUNDSCHECK", "NUMBA_DISABLE_JIT")
        ),
    ],
)
def test_they_agree_with_index_checks_and_without_compiling(mode, count):
    """Compiled code reads out of range silently: once with every index checked, once as plain Python
    throughout, which checks them too.
    """
    code = (
        "from hypothesis import given, settings; from tests.engine.simulation import test_agreement as test; "
        f"settings(max_examples={count})(given(test.scenarios(), test.schedulers())"
        "(test.test_compiled_plain_and_oracle_place_the_same_containers.hypothesis.inner_test))()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, mode: "1"},
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr[-2000:]


@examples(30, 200)
@given(scenario=physical(), scheduler=named_schedulers())
def test_they_agree_with_the_physics_of_a_cluster(scenario, scheduler):
    check_all_three(scenario, scheduler)


@pytest.mark.parametrize("order", ["fifo", "fair", "drf", "capacity"])
@examples(8, 80)
@given(scenario=physical((outages,)), rules=st.data())
def test_they_agree_as_nodes_come_and_go(order, scenario, rules):
    """Now and then none is there."""
    check_all_three(in_gigabytes(scenario), rules.draw(named_schedulers(orders=(order,))))


@pytest.mark.parametrize("jobs", ["running", "pending"])
@pytest.mark.parametrize("bandwidth", ["observed", "nominal"])
@examples(2, 15)
@given(
    scenario=physical(),
    order=st.sampled_from(["omo({})", "omo(batch=no, {})", "fifo+lazy-start({})"]),
    weight=st.sampled_from([0.25, 1.0]),
)
def test_they_agree_on_when_lazy_start_expects_shuffles_to_end(jobs, bandwidth, scenario, order, weight):
    """Under contention with a fetch weight, for that is where the bandwidth that reduces get is seen to be
    less.
    """
    heavy = scenario.model_copy(
        update={"cluster": scenario.cluster.model_copy(update={"fetch_weight": weight, "contention": 0.5})}
    )
    check_all_three(heavy, order.format(f"window_s=0.1, jobs={jobs}, bandwidth={bandwidth}"))


@pytest.mark.parametrize("order", ["fair", "drf", "capacity"])
@examples(8, 60)
@given(
    scenario=scenarios(BUSY), rule=st.sampled_from(["", "+slowstart+admit-all", "+slowstart", "+admit-all"])
)
def test_they_agree_where_requests_reserve_nodes(order, scenario, rule):
    """Containers of a gigabyte and more: smaller ones reserve nothing."""
    check_all_three(in_gigabytes(scenario), f"{order}(reservations=yes){rule}")


@pytest.mark.parametrize("order", ["fair", "drf"])
@examples(6, 60)
@given(
    scenario=scenarios(BUSY),
    update_ms=st.sampled_from([0, 5, 70, 500, 3000]),
    reservations=st.sampled_from(["no", "yes"]),
    limit=st.sampled_from([0.1, 0.5, 1]),
)
def test_they_agree_on_what_fair_scheduler_knows(order, scenario, update_ms, reservations, limit):
    check_all_three(
        in_gigabytes(scenario),
        f"{order}(reservations={reservations}, update_ms={update_ms})+am-share(limit={limit})",
    )


@pytest.mark.parametrize("order", ["fair", "drf"])
@examples(4, 12)
@given(
    scenario=scenarios(BUSY),
    update_ms=st.sampled_from([50, 500]),
    wait=st.sampled_from([30, 300, 2000]),
    threshold=st.sampled_from([0, 0.3, 0.8]),
    masters=st.sampled_from(["no", "yes"]),
    reservations=st.sampled_from(["no", "yes"]),
    rule=st.sampled_from(["+slowstart+admit-all", "+slowstart", ""]),
)
def test_they_agree_on_who_is_killed_for_whom(
    order, scenario, update_ms, wait, threshold, masters, reservations, rule
):
    """A job that was helped is not looked at again for so long that jobs do not kill each other's containers
    for ever.
    """
    numbers = (
        f"update_ms={update_ms}, wait_before_kill_ms={wait}, starvation_check_ms=20000, "
        f"utilization_threshold={threshold}"
    )
    check_all_three(
        in_gigabytes(scenario),
        f"{order}(preemption=yes, {numbers}, am_preemption={masters}, reservations={reservations}){rule}",
    )


@examples(10, 60)
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
def test_they_agree_on_whom_capacity_scheduler_kills(
    scenario, interval, wait, part, ignored, natural, resources, reservations, users, rule
):
    """Queues may kill each other's containers for ever: no more than so many kills are compared."""
    numbers = (
        f"monitoring_interval_ms={interval}, max_wait_before_kill_ms={wait}, "
        f"total_preemption_per_round={part}"
    )
    numbers += (
        f", max_ignored_over_capacity={ignored}, natural_termination_factor={natural}, resources={resources}"
    )
    numbers += f", reservations={reservations}, user_limits={users}"
    text = f"capacity(preemption=yes, {numbers}){rule}"
    large = in_gigabytes(scenario)
    try:
        plain = simulate(large, text, plain=True)
    except TooLarge:
        return
    check_runs([plain, simulate(large, text)], simulator.simulate_named(large, text))


@examples(12, 120)
@given(
    scenario=scenarios(BUSY),
    reservations=st.sampled_from(["no", "yes"]),
    resources=st.sampled_from(["both", "memory"]),
    limit=st.sampled_from([0.1, 0.5, 1]),
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
@examples(8, 60)
@given(
    scenario=physical((locality,)),
    reserves=st.sampled_from(["no", "yes"]),
    part=st.sampled_from([0, 0.3, 1]),
    count=st.integers(0, 4),
    more=st.integers(-1, 3),
)
def test_they_agree_on_how_long_maps_wait_for_their_blocks(order, scenario, reserves, part, count, more):
    check_all_three(
        in_gigabytes(scenario),
        order.format(reserves, part=part, count=count, more=more) + "+slowstart+admit-all",
    )
