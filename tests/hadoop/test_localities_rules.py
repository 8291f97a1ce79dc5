"""The golden files of maps with blocks know each rule of locality: with one of them switched off in Gantry,
decisions differ.
"""

from __future__ import annotations

import pytest

from engine.codes import DELAYED, OFF_SWITCH, RACK_LOCAL
from engine.schedulers.hadoop import capacity_delay, capacity_reservation, capacity_walk
from engine.simulation.applications.mapreduce import containers, map_choice
from engine.simulation.applications.mapreduce.map_choice import first_unplaced
from engine.simulation.hadoop.fair import reservable_nodes
from engine.simulation.hadoop.queues import delay_scheduling
from tests.hadoop.rule_ablation import differs_without

allowed_locality = capacity_delay.allowed_locality


def first_map(v, s, job, node):
    return first_unplaced(s.first_map, s.map_container, s.map_base[job], job)


def never_passes(v, s, node, request):
    return False


def always_far(*of):
    return OFF_SWITCH


def from_the_first_beat(v, s, node, request):
    """As if a farther node's count did not begin anew."""
    missed = v.job_missed_opportunities[request // 3]
    passes = skips_node(v, s, node, request)
    v.job_missed_opportunities[request // 3] = max(v.job_missed_opportunities[request // 3], missed)
    return passes


skips_node = delay_scheduling.skips_node


def forget(view, request, taken):
    pass


def at_once(view, request):
    return OFF_SWITCH


def any_rack(view, request):
    near = view.job_locality[request // 3]
    taken = allowed_locality(view, request)
    return RACK_LOCAL if taken == DELAYED and near == RACK_LOCAL else taken


def with_places(change):
    """As if a job had so many places more."""

    def found(view, request):
        job = request // 3
        places = view.job_block_locations[job]
        view.job_block_locations[job] = places and max(1, places + change(view, job))
        taken = allowed_locality(view, request)
        view.job_block_locations[job] = places
        return taken

    return found


def without_more(view, request):
    more = view.off_rack_delay[0]
    view.off_rack_delay[0] = -1
    taken = allowed_locality(view, request)
    view.off_rack_delay[0] = more
    return taken


def asked(other):
    return {(capacity_walk, "allowed_locality"): other, (capacity_reservation, "allowed_locality"): other}


NEAREST = {(map_choice, "next_map"): first_map}
CHOOSY_AGAIN = {(containers, "distance"): always_far}
RULES = [
    ("a container runs the nearest map", "fifo", "localities", NEAREST),
    ("a container runs the nearest map", "fair", "localities", NEAREST),
    ("a container runs the nearest map", "capacity", "localities", NEAREST),
    ("a job waits for near nodes", "fair", "localities", {(delay_scheduling, "skips_node"): never_passes}),
    ("a job waits for near nodes", "drf", "localities", {(delay_scheduling, "skips_node"): never_passes}),
    (
        "the count begins anew with farther nodes",
        "fair",
        "localities",
        {(delay_scheduling, "skips_node"): from_the_first_beat},
    ),
    (
        "the count begins anew with farther nodes",
        "drf",
        "localities",
        {(delay_scheduling, "skips_node"): from_the_first_beat},
    ),
    ("a nearer container makes a job wait for near ones again", "fair", "localities", CHOOSY_AGAIN),
    ("a nearer container makes a job wait for near ones again", "drf", "localities", CHOOSY_AGAIN),
    (
        "on a rack few nodes are reserved, with a block any",
        "fair",
        "localities, reservations",
        {(reservable_nodes, "nearest_distance"): always_far},
    ),
    (
        "on a rack few nodes are reserved, with a block any",
        "drf",
        "localities, reservations",
        {(reservable_nodes, "nearest_distance"): always_far},
    ),
    ("a job waits for near nodes", "capacity", "localities", asked(at_once)),
    ("a job waits for near nodes", "capacity-drc", "localities, reservations", asked(at_once)),
    (
        "a near container begins the count anew",
        "capacity",
        "localities",
        {(capacity_walk, "note_allocation"): forget},
    ),
    (
        "a near container begins the count anew",
        "capacity",
        "localities, reservations",
        {(capacity_reservation, "note_allocation"): forget},
    ),
    ("a rack waits for node-locality-delay", "capacity", "localities", asked(any_rack)),
    ("a rack waits for node-locality-delay", "capacity-drc", "localities", asked(any_rack)),
    (
        "the wait off the rack is a part of the waiting maps",
        "capacity",
        "localities",
        asked(with_places(lambda view, job: len(view.node_memory))),
    ),
    (
        "places are nodes and racks, without anywhere",
        "capacity",
        "localities",
        asked(with_places(lambda view, job: 1)),
    ),
    (
        "places where no map waits any more count",
        "capacity",
        "localities",
        asked(with_places(lambda view, job: -min(1, view.job_placed_maps[job]))),
    ),
    ("rack-locality-additional-delay", "capacity", "localities", asked(without_more)),
    ("rack-locality-additional-delay", "capacity-drc", "localities", asked(without_more)),
]


@pytest.mark.parametrize(
    ("rule", "scheduler", "feature", "without"),
    RULES,
    ids=[f"{rule}, {scheduler}, {feature}" for rule, scheduler, feature, _ in RULES],
)
def test_without_it_a_decision_differs(
    rule: str, scheduler: str, feature: str, without: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert differs_without(without, scheduler, feature, monkeypatch), rule
