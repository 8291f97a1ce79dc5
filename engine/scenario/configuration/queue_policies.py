"""Which queues the policies of FairScheduler let be (QueueManager.createQueue)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class QueuePolicies(NamedTuple):
    """listed: by the name of each queue that the file lists, whether it is created or not; default: of the
    others.
    """

    listed: dict[str, str] = {}
    default: str = "fair"

    def of(self, queue: str) -> str:
        """A queue's policy."""
        return self.listed.get(queue, self.default)

    def allow(self, parent: str, policy: str) -> bool:
        """Whether a queue of this policy may be in the parent (SchedulingPolicy.isChildPolicyAllowed)."""
        above = self.of(parent)
        return above == "drf" or above == "fair" and policy != "drf"

    def creations(self, name: str, is_leaf: bool, is_parent: Callable[[str], bool | None]) -> list[str]:
        """The queues that are created when this one is asked for: what is missing above it, and it, up to the
        first that may not be. is_parent: of a queue by its name, None where it is not there.
        """
        missing = [name]
        while is_parent(above := missing[0].rpartition(".")[0]) is None:
            missing.insert(0, above)
        created: list[str] = []
        for queue in missing if is_parent(above) else ():
            policy, becomes_leaf = self.of(queue), is_leaf and queue == name
            if not self.allow(above, policy) or policy == "fifo" and not becomes_leaf:
                break
            created.append(queue)
            above = queue
        return created
