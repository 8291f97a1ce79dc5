"""Where a study is run: on a Dask cluster where one is named, else on this machine, in processes if starting
them pays.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from engine.simulation.cancellation import CancelToken
from engine.studies.batches import CONTAINER_S, RUN_S, Batch
from engine.studies.dask_cluster import DaskCluster
from engine.studies.process_runner import ProcessRunner
from engine.studies.run_study import Runner, SerialRunner
from engine.studies.study import Study

CLUSTER = "GANTRY_CLUSTER"  # the address of a Dask scheduler
BEGIN_S = 2.0  # that processes take to start and to load compiled code: they must save that much
WARM_S = 0.1  # the same when they are running already


def make_runner(processes: int | None = None, cluster: str | None = None) -> Runner:
    """cluster: the address of a Dask scheduler, by default that of GANTRY_CLUSTER. Without one so many
    processes, by default one a core. Nothing begins before a study is run."""
    address = os.environ.get(CLUSTER, "").strip() if cluster is None else cluster
    return DaskCluster(address) if address else LocalRunner(processes)


class LocalRunner:
    """Processes for studies that take long enough, this one for the others."""

    def __init__(self, processes: int | None = None) -> None:
        self.processes = ProcessRunner(processes)

    def run(self, study: Study, todo: Sequence[range], cancel_token: CancelToken) -> Iterator[Batch]:
        """As Runner."""
        seconds = sum(map(len, todo)) * len(study.schedulers) * (RUN_S + CONTAINER_S * study.containers)
        saved = seconds * (1 - 1 / self.processes.count)
        worth = saved > (WARM_S if self.processes.is_started else BEGIN_S)
        return (self.processes if worth else SerialRunner()).run(study, todo, cancel_token)

    def close(self) -> None:
        """End the processes, if there are any."""
        self.processes.close()
