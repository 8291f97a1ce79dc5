"""Fair sharing: memory goes to the queue, and in it to the job, that holds the least for its weight.

In Hadoop  FairScheduler with FairSharePolicy: compares memory alone; vcores only have to fit. shares=kind is
           Hadoop 1's Fair on typed slots: of maps the job with the fewest maps is next, of reduces that with
           the fewest reduces (omo §V-A), and nodes are filled evenly (CapBasedLoadManager, by the engine)
Knows      memory held, queue weights, minimum shares and demand, job weights; max_share limits, held by the
           engine
Ties       jobs in job order, under shares=kind in the order of candidates; queues by name
Cost       one pass over the candidates, which are the first of each leaf and size where the engine can list
           those, and one over the queues
"""

from engine.schedulers.hadoop.queue_sharing import (
    QUEUE_MEMORY,
    choose_by_share,
    choose_in_leaves,
    choose_leaf,
    leaf_policy,
    rank_changed_jobs,
    rank_terms,
)
from engine.schedulers.policy import (
    BY_WEIGHT,
    DYNAMIC_MAX_ASSIGN,
    FAIR,
    FAIR_PREEMPTION,
    FAIR_SHARE,
    FITTING,
    LOCALITY_NODE,
    LOCALITY_RACK,
    ORDER,
    RELAXED,
    REQUEST,
    RESERVATIONS,
    RESOURCES,
    STARVED,
    UPDATE_MS,
    Assignment,
    Defaults,
    Parameter,
    Policy,
    Queues,
    Ranked,
    Term,
)
from engine.schedulers.view import job_of

BY_KIND = 1.0


def choose(view, count, shares):
    if shares != BY_KIND:
        return choose_by_share(FAIR, view, count)
    rank_changed_jobs(FAIR, view, True)
    choose_in_leaves(FAIR, view, count)
    choose_in_leaves_by_kind(view, count)
    return choose_leaf(FAIR, view)


def choose_in_leaves_by_kind(view, count):
    """In each leaf that shares fairly: the request whose job holds the least memory in containers of that
    kind.
    """
    for queue in range(len(view.queue_parent)):
        if leaf_policy(FAIR, view.queue_policy[queue]) == FAIR:
            view.queue_best[queue] = -1
    for position in range(count):
        request = view.candidates[position]
        job = job_of(view, request)
        queue = view.job_queue[job]
        if leaf_policy(FAIR, view.queue_policy[queue]) == FAIR:
            held = view.request_held[request] * view.request_memory[request]
            view.of_kind[request] = held / view.job_weight[job]
            best = view.queue_best[queue]
            if best < 0 or view.of_kind[request] < view.of_kind[view.candidates[best]]:
                view.queue_best[queue] = position


SHARES = Parameter(
    "shares",
    "all",
    "what is compared: everything a job holds, or what it holds of the request's kind",
    "omo §V-A",
    choices=("all", "kind"),
)
OF_KIND = "Under shares=kind: MB its job holds in containers of this kind, for its weight."
FAIR_ORDER = Policy(
    "fair",
    "Fair sharing",
    ORDER,
    choose,
    "Hadoop FairScheduler, FairSharePolicy",
    (
        RESOURCES,
        RESERVATIONS,
        UPDATE_MS,
        SHARES,
        LOCALITY_NODE,
        LOCALITY_RACK,
        DYNAMIC_MAX_ASSIGN,
        *FAIR_PREEMPTION,
    ),
    rule="its queue, and in it its job, holds the least memory for its weight",
    queues=Queues(BY_WEIGHT, headroom=FAIR_SHARE),
    assignment=Assignment(stops_job=FITTING, reserves=STARVED, delays=RELAXED),
    defaults=Defaults(admission="am-share"),
    ranked=Ranked(FAIR),
    terms=(
        Term("of_kind", "Memory of this kind", REQUEST, OF_KIND, "MB", direction=-1),
        *rank_terms(
            "Memory for its weight", "MB the job holds, divided by its weight; the smallest goes first.", "MB"
        ),
    ),
    memory=QUEUE_MEMORY,
)
