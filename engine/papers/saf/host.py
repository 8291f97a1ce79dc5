"""The CloudSim setting of section 6.2: one host's VMs, and tasks that each ask for their own CPU and RAM.

The paper's: a VM of 16 PE of 1000 MIPS and 2000 MB; cloudlets of 10000 MI; requests from 1 to 8 CPUs and from
100 to 2000 MB, uniform, or Gaussian about three means (Fig. 13). Ours: a VM is a node, for in CloudSim a
cloudlet runs inside a VM and the largest request is a VM's memory; a cloudlet lasts 10000 / 1000 = 10 s
whatever it asks for, as CloudSim counts the length once for every PE; a task is a job of one map without a
master, all are submitted at once, in random order; the scheduler is asked whenever something changes and goes
round the VMs, one task a VM a round, as CloudSim's broker does. Two VMs, as CloudSim Plus's examples of one
host have with the same 1000 MIPS and cloudlets of 10000 MI: the paper names no number. Every task has a
minimum share, as the paper says, and it is half of its request, as in section 5's example. Neither can be
told from the one time of DRF that is printed, on whose scale ours are read; nothing is fitted.

Shares: a task that waits holds nothing, so by what they hold (Table 2) all that wait are alike, needy, and
SAF is DRF whatever its temperature: the paper would compare one scheduler with itself. Fig. 2 gives instances
that wait the shares 1/5, 2/5 and 3/5, which are their requests over what is left, and calls them not needy.
So DRF serves the smallest request here, and Algorithm 1 draws: a request is above half of itself.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.analysis.metrics import makespan_ms, utilization
from engine.experiments.replications import parallel_map
from engine.papers.measuring import DEFAULT_TRIAL, run_trial
from engine.papers.saf.custom_schedulers import DRF_BY_REQUEST, SAF_BY_REQUEST
from engine.papers.trial import Trial
from engine.scenario.model import Job, ResourceShare, Scenario, Stage
from engine.schedulers.scheduler import Scheduler
from engine.simulation.run import Run

SIZES = (50, 150, 250, 350, 450, 650, 850, 1050)  # section 6.2: numbers of tasks
VM_PE, VM_MB, TASK_S = 16, 2000, 10.0
CPU, RAM = (1, 8), (100, 2000)  # section 6.2: least and most of a request
SD_CPU, SD_RAM = 1.16, 316.6  # Fig. 13
USAGE = {"cpu": "CPU", "ram": "RAM"}
REQUESTS = (CPU[1] - CPU[0] + 1) * (RAM[1] - RAM[0] + 1)  # that differ


WORKLOADS = 20  # of the 100: a workload is up to 1050 tasks
BOTH = {"drf": DRF_BY_REQUEST, "saf": SAF_BY_REQUEST}
READ = (
    "An instance's share is that of its request, as Fig. 2 reads it, and Algorithm 1 compares the instances "
    "pair by pair. Nothing is fitted: two VMs, as CloudSim Plus's examples have, and minimum shares of half "
    "of the request, as section 5's example has. The one time of DRF that is printed, 2395 ms, is the scale, "
    "and identifies neither."
)


class Load(NamedTuple):
    """How requests are drawn. cpu, ram: means of Gaussian distributions, None for uniform ones."""

    name: str
    cpu: float | None = None
    ram: float | None = None

    def draw(self, numbers: random.Random) -> tuple[int, int]:
        """CPUs and MB of one task; a Gaussian draw is rounded and brought into the range (ours)."""
        if self.cpu is None or self.ram is None:
            return numbers.randint(*CPU), numbers.randint(*RAM)
        return _within(numbers.gauss(self.cpu, SD_CPU), CPU), _within(numbers.gauss(self.ram, SD_RAM), RAM)


UNIFORM = Load("uniform requests")


class Host(NamedTuple):
    """What the paper does not give. vms: on the host; min_share: a task's minimum share as a fraction of its
    request.
    """

    vms: int
    min_share: float


HOST = Host(2, 0.5)


def tasks(load: Load, host: Host, seed: int, count: int = max(SIZES)) -> Scenario:
    """The first `count` tasks of a seed; fewer tasks are the beginning of more. The whole is not checked,
    which would cost more than a run.
    """
    numbers, base = random.Random(seed), _empty_host(load, host)
    jobs = [_task(*load.draw(numbers), host.min_share) for _ in range(count)]
    return base.model_construct(**{**dict(base), "seed": seed, "jobs": jobs})


def checked_tasks(load: Load, host: Host, seed: int, count: int) -> Scenario:
    """The same, checked in full, to be opened elsewhere."""
    return Scenario.of(tasks(load, host, seed, count).plain())


def first_tasks(scenario: Scenario, count: int) -> Scenario:
    """Its first `count` tasks."""
    return scenario.model_construct(**{**dict(scenario), "jobs": scenario.jobs[:count]})


def measured(run: Run) -> dict[str, float]:
    """Execution time in s and the average usage of the host in percent."""
    ram, cpu = utilization(run)
    return {"time_s": makespan_ms(run) / 1000, "cpu": 100 * cpu, "ram": 100 * ram}


def over_sizes(
    load: Load,
    host: Host,
    schedulers: Mapping[str, str | Scheduler],
    sizes: Sequence[int],
    trial: Trial = DEFAULT_TRIAL,
    seeds: Sequence[int] | None = None,
) -> dict[str, list[float]]:
    """Run every size of every seed: "name/size/what is measured" -> one value a seed, and "least/size": the
    lower bound, s. seeds: the trial's.
    """

    def run(seed: int) -> dict[str, float]:
        full_scenario, samples = tasks(load, host, seed, max(sizes)), {}
        for size in sizes:
            scenario = first_tasks(full_scenario, size)
            samples[f"least/{size}"] = lower_bound_s(scenario, host)
            for name, chosen in schedulers.items():
                samples |= {
                    f"{name}/{size}/{what}": value
                    for what, value in measured(run_trial(scenario, chosen, trial)).items()
                }
        return samples

    try:
        rows = parallel_map(run, trial.seeds if seeds is None else seeds, trial.progress)
    finally:
        _task.cache_clear()
    return {key: [row[key] for row in rows] for key in rows[0]}


def lower_bound_s(scenario: Scenario, host: Host) -> float:
    """Lower bound of the execution time: this many rounds of equal tasks are needed for the RAM, for the
    CPUs, and for tasks of more than half a VM's memory.
    """
    requests = [(job.maps.vcores, job.maps.memory_mb) for job in scenario.jobs if job.maps]
    rounds = (
        sum(ram for _, ram in requests) / (VM_MB * host.vms),
        sum(cpu for cpu, _ in requests) / (VM_PE * host.vms),
        sum(2 * ram > VM_MB for _, ram in requests) / host.vms,
    )
    return TASK_S * math.ceil(max(rounds))


def _empty_host(load: Load, host: Host) -> Scenario:
    """The host; its one job stands for those that take its place."""
    node = {"name": "vm", "count": host.vms, "vcores": VM_PE, "memory_mb": VM_MB}
    cluster = {"nodes": [node], "heartbeat_ms": 0, "containers_per_heartbeat": 1}
    job = {"maps": {"count": 1, "vcores": 1, "memory_mb": 1, "duration_s": TASK_S}}
    return Scenario.of(
        {"version": 1, "name": f"SAF: one host, {load.name}", "cluster": cluster, "jobs": [job]}
    )


@lru_cache(REQUESTS)
def _task(cpu: int, ram: int, min_share: float) -> Job:
    """A task without a name of its own, so that equal ones of many workloads are one object: making them
    costs as much as a run.
    """
    share = ResourceShare(memory_mb=int(min_share * ram), vcores=int(min_share * cpu)) if min_share else None
    return Job(maps=Stage(count=1, vcores=cpu, memory_mb=ram, duration_s=TASK_S), min_share=share)


def _within(drawn: float, ends: tuple[int, int]) -> int:
    return min(max(round(drawn), ends[0]), ends[1])
