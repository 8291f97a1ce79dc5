"""`measured`: not a scheduler but what a real cluster did, named like one so that it can stand beside those that are simulated."""

from __future__ import annotations

from engine.schedulers.policy import ORDER, Policy


def chosen_already(node: int, count: int) -> int:
    raise AssertionError("what was measured is not simulated")


MEASURED = Policy(name="measured", title="Measured", role=ORDER, function=chosen_already, source="The cluster's own history: what ran where and when.")
