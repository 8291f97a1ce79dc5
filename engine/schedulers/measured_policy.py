"""`measured`: not a scheduler but what a real cluster did, named like one so that it can be compared with
simulated ones.
"""

from __future__ import annotations

from engine.messages import msg
from engine.schedulers.policy import ORDER, Policy


def not_simulated(node: int, count: int) -> int:
    raise AssertionError(msg("schedulers.measured_policy.measured_run_not_simulated"))


MEASURED = Policy(
    name="measured",
    title="Measured",
    role=ORDER,
    function=not_simulated,
    source=msg("schedulers.measured_policy.clusters_own_history_what_ran_where"),
)
