"""Under which conditions SAF's makespan is over 32 % shorter than DRF's on HaSTE's cluster: over its nodes
and slowstart.
"""

from __future__ import annotations

from functools import partial

from engine.papers.measuring import over_seeds
from engine.papers.saf.settings import HASTE_SETTING, NODES
from engine.papers.saf.wordcount import EXPERIMENT, NAMES, at, compared, measured
from engine.papers.schema import Axis, ClaimMap, Samples
from engine.papers.trial import Conditions, Trial
from engine.scenario.model import Scenario

KEY = f"reduction/{NODES[0]}/makespan_s"
(CLAIM,) = (claim for claim in EXPERIMENT.claims if getattr(claim, "key", "") == KEY)


def measure(nodes: float, slowstart: float, trial: Trial) -> Samples:
    """Table 5 on so many of HaSTE's nodes under DRF and SAF, under the claim's key, which is that of eight
    nodes.
    """
    schedulers = {name: HASTE_SETTING.schedulers[name] for name in NAMES}
    runs = over_seeds(
        partial(_under, round(nodes), Conditions(slowstart=slowstart)), schedulers, measured, trial
    )
    return compared({at(key, NODES[0]): values for key, values in runs.items()}, NODES[0])


def _under(nodes: int, conditions: Conditions, seed: int) -> Scenario:
    return conditions.apply_to(HASTE_SETTING.make(nodes, seed))


HEADLINE = ClaimMap(
    title="Makespan over 32 % shorter than DRF's",
    says="SAF gains over DRF where reduces are asked for early and nodes are few enough for them to stand "
    "in the way of maps: fewer of SAF's wait. With "
    "reduces after the maps, as in SLS, or with nodes enough for everything, there is nothing to gain; "
    "the printed 32 % comes nowhere.",
    experiment="saf/wordcount",
    claim=CLAIM,
    x=Axis("Nodes", "", (4, 6, 8, 12, 16, 24, 32, 64, 128), NODES[0], log=True),
    y=Axis(
        "Slowstart, share of the maps that have finished", "", (0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 1.0), 0.05
    ),
    measure=measure,
    key=KEY,
    name="reduction of the makespan",
    better="larger",
)
