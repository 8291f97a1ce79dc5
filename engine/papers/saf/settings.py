"""Two settings for Table 5's four WordCount jobs: SLS's own, and HaSTE's, which section 6.1 calls exactly the
same.

SLS       the simulator that section 6.1 runs, as its code is (MRAMSimulator, SLSConfiguration): an
          ApplicationMaster holds 1 GB and 1 vcore, reduces are asked for when all maps have finished, nothing
          is fetched, nodes and masters beat once a second
HaSTE's   the real cluster that HaSTE ran on, as its room has it (`haste.bed`): reduces fetch, masters start
          up apart, DRF reserves nodes. Reduces are asked for from 5 % of the maps on, all of a job at once,
          as `slowstart` is mostly read, or ramped up, as HaSTE describes Hadoop's master: both are run, at
          the first of its fetch rates, the others in the notes
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from engine.papers.columns import columns
from engine.papers.haste.calibrations import AT_ONCE, FIRST, Calibration
from engine.papers.haste.workloads import simple
from engine.papers.saf.custom_schedulers import SAF_PAIRWISE, scheduler
from engine.papers.saf.pairwise import PAIRWISE
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import Scheduler

NODES = (8, 16, 32, 64, 128)  # section 6.1
VCORES, GB = 8, 8  # of a node, section 6.1
MAPS, REDUCES = 31, 5  # Table 5, each job
# Table 5: of a map and of a reduce of each job; each asks for 1 GB
VCORES_OF = (
    (2, 2),
    (3, 2),
    (4, 3),
    (5, 3),
)
MAP_S, REDUCE_S, SPREAD = 20.0, 30.0, 0.2  # ours, as in HaSTE's experiments
MASTER = {"vcores": 1, "memory_mb": 1024}  # SLSConfiguration
COMPARED = ("drf", "saf", "haste")


class Setting(NamedTuple):
    """make: nodes and seed to a scenario; schedulers: COMPARED by label; shown: the same as the dashboard can
    open them, with the catalogue's SAF; assumes: as of `Reading`.
    """

    key: str
    title: str
    says: str
    make: Callable[[int, int], Scenario]
    schedulers: Mapping[str, str | Scheduler]
    shown: Mapping[str, str]
    assumes: tuple[str, ...] = ()

    @property
    def drf(self) -> str:
        """Its DRF, written in full."""
        return self.shown["drf"]


def four_jobs(nodes: int, seed: int = 1, map_s: float = MAP_S, reduce_s: float = REDUCE_S) -> Scenario:
    """Table 5 in SLS, all submitted at once. Reduces come only after all maps and fetch nothing, so that the
    tasks' work is the same under every order.
    """
    jobs = []
    for number, (map_vcores, reduce_vcores) in enumerate(VCORES_OF, start=1):
        stages = (("maps", MAPS, map_vcores, map_s), ("reduces", REDUCES, reduce_vcores, reduce_s))
        tasks = {
            name: {"count": count, "vcores": vcores, "memory_mb": 1024, "duration_s": _spread(mean)}
            for name, count, vcores, mean in stages
        }
        jobs.append({"name": f"wordcount{number}", "slowstart": 1.0, "am": MASTER, **tasks})
    node = {"name": "worker", "count": nodes, "vcores": VCORES, "memory_mb": 1024 * GB}
    return Scenario.of(
        {
            "version": 1,
            "name": f"SAF: four WordCount jobs on {nodes} nodes",
            "seed": seed,
            "cluster": {"nodes": [node]},
            "jobs": jobs,
        }
    )


def on_haste_cluster(nodes: int, seed: int, mb_s: float) -> Scenario:
    """HaSTE's simple workload on so many of its nodes; mb_s: what a reduce fetches."""
    haste_scenario = simple(seed, mb_s)
    (group,) = haste_scenario.cluster.nodes
    cluster = haste_scenario.cluster.model_copy(update={"nodes": [group.model_copy(update={"count": nodes})]})
    return haste_scenario.model_construct(
        **{**dict(haste_scenario), "name": f"SAF on HaSTE's setting, {nodes} nodes", "cluster": cluster}
    )


def in_table_order(scenario: Scenario) -> Scenario:
    """The jobs in the order of Table 5."""
    return scenario.model_construct(
        **{**dict(scenario), "jobs": sorted(scenario.jobs, key=lambda job: str(job.name))}
    )


def haste_setting(calibration: Calibration, title: str, rule: str) -> Setting:
    """HaSTE's setting with one way to read its test bed; rule: by which reduces are asked for, in words."""
    shown = {**calibration.columns("drf", "haste"), "saf": calibration.scheduler("saf")}
    return Setting(
        f"haste-{calibration.reduces}",
        title,
        f"HaSTE's setting, with which section 6.1 calls its own exactly the same. {calibration.says} "
        f"{rule} DRF reserves nodes, as Hadoop's does; SAF, of which the "
        "paper says nothing there, doesn't.",
        lambda nodes, seed: on_haste_cluster(nodes, seed, calibration.mb_s),
        {**shown, "saf": scheduler(PAIRWISE, like=shown["saf"])},
        shown,
        (
            "The runs were on HaSTE's cluster, though section 6.1 names SLS.",
            "DRF reserves nodes and SAF doesn't.",
            rule,
        ),
    )


SLS_SETTING = Setting(
    "sls",
    "SLS's own setting",
    "The simulator that section 6.1 runs, as its code is: reduces only after all maps, nothing to fetch, "
    "masters of 1 GB and 1 vcore. No order reserves nodes. "
    "Nothing is fitted.",
    four_jobs,
    {**columns(*COMPARED), "saf": SAF_PAIRWISE},
    columns(*COMPARED),
)
HASTE_SETTING = haste_setting(
    FIRST._replace(reduces=AT_ONCE),
    "HaSTE's setting, slowstart",
    "All reduces of a job are asked for when 5 % of its maps have finished.",
)
SETTINGS = (
    SLS_SETTING,
    HASTE_SETTING,
    haste_setting(FIRST, "HaSTE's setting, ramp-up", "Reduces are ramped up from 5 % of the maps on."),
)


def _spread(mean: float) -> dict:
    return {"dist": "lognormal", "mean": mean, "sd": SPREAD * mean}
