"""What FairScheduler tells a master that its job could still have (FSAppAttempt.getHeadroom,
SchedulingPolicy.getHeadroom; RAMPUP-2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import DRF
from engine.schedulers.hadoop.queue_sharing import leaf_policy

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def fair_headroom(v: View, s: State, queue: int) -> tuple[int, int]:
    """What is free in the cluster, below the leaf's maximum share, and of its fair share; vcores of that
    under drf alone.
    """
    used_memory, used_vcores = v.queue_used_memory[queue], v.queue_used_vcores[queue]
    memory = min(v.cluster_memory - v.queue_used_memory[0], v.queue_max_memory[queue] - used_memory)
    vcores = min(v.cluster_vcores - v.queue_used_vcores[0], v.queue_max_vcores[queue] - used_vcores)
    memory = min(memory, max(v.queue_fair_memory[queue] - used_memory, 0))
    if leaf_policy(s.default_queue_policy, v.queue_policy[queue]) == DRF:
        vcores = min(vcores, max(v.queue_fair_vcores[queue] - used_vcores, 0))
    return memory, vcores
