"""What of a job is offered to a node: all that waits or, as Hadoop's own schedulers do, the requests of its
highest priority alone, reduces (10) before maps (20), whether or not they fit (RMContainerAllocator,
AppSchedulingInfo).
"""

from engine.schedulers.policy import Parameter
from engine.schedulers.view import MAP, REDUCE, job_of, kind_of, request_of

HIGHEST_ALONE = 1.0
PRIORITIES = Parameter(
    "priorities",
    "no",
    "whether of a job only the requests of the highest priority are offered, as Hadoop's own schedulers do: "
    "reduces (10) before maps (20)",
    "ours",
    choices=("no", "yes"),
)


def is_offered(view, request, priorities):
    """Does a request wait, and none of its job that stands before it?"""
    if view.request_waiting[request] == 0:
        return False
    is_behind = priorities == HIGHEST_ALONE and kind_of(view, request) == MAP
    return not is_behind or view.request_waiting[request_of(view, job_of(view, request), REDUCE)] == 0
