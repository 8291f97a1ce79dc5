"""Scenarios whose limits refuse jobs."""

from __future__ import annotations

from hypothesis import strategies as st

from engine.scenario.model import Scenario
from tests.phrases import phrase

ACLS = st.sampled_from([None, None, "*", " ", "ann", "bob g", " g,h"])
FEW = st.sampled_from([None, None, 0, 1, 2, 3])


def limited(scenario: Scenario, draw) -> Scenario:
    """Limits that refuse at random places, on listed queues, users and jobs."""
    plain = scenario.plain()
    plain["cluster"]["acl_enable"] = draw(st.booleans())
    plain["cluster"]["max_applications"] = draw(st.sampled_from([None, 1, 2, 4, 7, 30]))
    stopped = draw(st.booleans())
    for queue in plain.get("queues", []):
        queue |= {"max_applications": draw(FEW), "submit_acl": draw(ACLS), "administer_acl": draw(ACLS)}
        if stopped and draw(st.integers(0, 3)) == 0:
            queue["state"] = "stopped"
        if draw(st.integers(0, 5)) == 0:
            queue["max_share"] = {"memory_mb": draw(st.sampled_from([0, 9])), "vcores": 0}
    for user in plain.get("users", []):
        user["groups"] = draw(st.sampled_from(["", "g", "x, h"]))
    for group in plain["jobs"]:
        group["rejected"] = draw(st.sampled_from(["", "", "", phrase("simulation.no_rule_takes")]))
    return Scenario.of(plain)
