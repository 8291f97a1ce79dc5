"""`measured`: not a scheduler but what a real cluster did, named like one so that it can be compared with
simulated ones.
"""

from __future__ import annotations

from engine.schedulers.policy import ORDER, Policy


def not_simulated(node: int, count: int) -> int:
    raise AssertionError("what was measured is not simulated")


MEASURED = Policy(
    name="measured",
    title="Measured",
    role=ORDER,
    function=not_simulated,
    source="The cluster's own history: what ran where and when.",
)
