"""What the CloudSim section does not give: the number of VMs and the minimum shares, from Fig. 10's ratio at 1050 tasks.

Everything else of the section is a prediction with these two unchanged. In our model the ratio depends on neither (see Fig. 10's experiment),
so they are the least bad values, not identified ones.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.papers.columns import columns
from engine.papers.saf.host import UNIFORM, Host, over_sizes
from engine.papers.schema import Fit, Free, Printed

MOST = 1050
DRF_MS, SAF_MS = 2395, 1404  # section 6.2
SEEDS = range(1, 11)  # means over ten workloads: the search runs some sixty pairs of them
KEY = f"saf_ms/{MOST}"


def predict(values: Mapping[str, float]) -> dict[str, float]:
    """SAF's time at 1050 tasks on a scale where DRF's is 2395 ms."""
    found = over_sizes(UNIFORM, host_of(values), columns("drf", "saf"), (MOST,), seeds=SEEDS)
    return {KEY: scaled(found)}


def scaled(found: Mapping[str, list[float]]) -> float:
    """DRF's printed time x the ratio of the mean times."""
    return DRF_MS * sum(found[f"saf/{MOST}/time_s"]) / sum(found[f"drf/{MOST}/time_s"])


def host_of(values: Mapping[str, float]) -> Host:
    """VMs are counted in whole ones."""
    return Host(round(values["vms"]), values["least"])


CELL = Printed(f"Execution time of SAF at {MOST} tasks where DRF's is {DRF_MS} ms", KEY, SAF_MS, "ms", "section 6.2")
FIT = Fit(
    title="The CloudSim host",
    source="The two execution times at 1050 tasks, 2395 ms and 1404 ms (section 6.2, Fig. 10), as a ratio",
    free=(
        Free("vms", "VMs on the host", "VMs", 7.0, 1, 49),
        Free("least", "Minimum share of a task, as a fraction of its request", "", 0.125, 0, 1),
    ),
    cells=(CELL,),
    predict=predict,
)
HOST = host_of(FIT.found)
