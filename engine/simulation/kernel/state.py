"""State: the kernel's records, beside the View that policies read."""

from __future__ import annotations

from engine.run_records import Table, laid_out
from engine.simulation.applications.seam import (
    AskedStages,
    AttemptDurations,
    Attempts,
    Blocks,
    Drivers,
    ExecutorRecord,
    Fetching,
    Held,
    Pools,
    ReducePreemption,
    ReduceStart,
    SecondAttempts,
    Speculation,
    Stages,
    TargetLog,
    TaskLocality,
    TaskLog,
    Tasks,
    Vertices,
)
from engine.simulation.hadoop.capacity.activation import Activation
from engine.simulation.hadoop.capacity.capacity_monitor import Monitor
from engine.simulation.hadoop.capacity.ideal_allocation import IdealAllocation
from engine.simulation.hadoop.fair.fair_shares import FairShares
from engine.simulation.hadoop.fair.preemption_claims import Claims
from engine.simulation.hadoop.fair.starvation import Starvation
from engine.simulation.hadoop.fair.victims import Victims
from engine.simulation.hadoop.queues.delay_scheduling import Delays
from engine.simulation.hadoop.queues.refusals import Refusals
from engine.simulation.hadoop.queues.reservations import Reservations
from engine.simulation.hadoop.queues.running_limits import RunningLimits
from engine.simulation.kernel.admission import Admission
from engine.simulation.kernel.clock import Clock
from engine.simulation.kernel.heartbeats import RunPlan
from engine.simulation.kernel.node_rows import NodeRows
from engine.simulation.kernel.out_of_band_heartbeats import OutOfBand
from engine.simulation.kernel.outages import Outages
from engine.simulation.kernel.requests import Requests
from engine.simulation.kernel.running import ContainerLog
from engine.simulation.kernel.shortlist import Shortlist
from engine.simulation.kernel.waiting_requests import WaitingRequests
from engine.simulation.kernel.windows import Windows


@laid_out
class State(
    Table,
    Clock,
    NodeRows,
    ContainerLog,
    Requests,
    ReduceStart,
    Tasks,
    ReducePreemption,
    Windows,
    OutOfBand,
    Attempts,
    Speculation,
    AttemptDurations,
    Fetching,
    Outages,
    Blocks,
    Drivers,
    Pools,
    SecondAttempts,
    Stages,
    AskedStages,
    ExecutorRecord,
    TargetLog,
    TaskLocality,
    TaskLog,
    Vertices,
    Held,
    Delays,
    WaitingRequests,
    Shortlist,
    Admission,
    Activation,
    RunningLimits,
    Refusals,
    FairShares,
    Starvation,
    Victims,
    Claims,
    Reservations,
    IdealAllocation,
    Monitor,
    RunPlan,
):
    """What the kernel keeps for itself."""
