"""AutoAdmin: how much is kept from masters follows from what running masters and tasks ask for (AUTOADMIN-2
to AUTOADMIN-4).

Paper      autoadmin §3: collector (Algorithm 1), predictor (Eq. 3.1 - 3.3, Algorithm 2: R = C TC / (AMC + TC)
           by their means, scaled up by (R + masters) / C when both do not fit, at least `floor` of C, at most
           C less a mean master), controller (Algorithm 3)
Ours       an admitted master counts at once, or 66 simultaneous jobs would all pass; both resources on their
           own when asked for both A submitted job's own master alone is tested, so a small one may overtake;
           those that wait are admitted in line
Knows      what masters and tasks hold, in the scheduler's view
Cost       constant
"""

from engine.resource_types import MEMORY, RESOURCE_COUNT, VCORES
from engine.schedulers.admission.reserve import leaves
from engine.schedulers.amounts import THE_RUN
from engine.schedulers.policy import ADMISSION, OVERTAKE_ON_ARRIVAL, RUN, Masters, Parameter, Policy, Term
from engine.schedulers.view import ADMIT, HOLD, MAP, MASTER, REDUCE

RESOURCES = ("vcores", "memory", "both")
OF_VCORES, OF_MEMORY = range(2)  # a choice comes as its place


def may_start(view, job, floor, resource):
    view.reserve_vcores[0], view.reserve_memory[0] = (
        reserve_of(view, VCORES, floor),
        reserve_of(view, MEMORY, floor),
    )
    view.masters_vcores[0], view.masters_memory[0] = view.admitted_vcores, view.admitted_memory
    for one in range(RESOURCE_COUNT):  # Algorithm 3
        if is_reserved(one, resource) and not leaves(view, job, one, reserve_of(view, one, floor)):
            return HOLD
    return ADMIT


def is_reserved(resource, choice):
    if choice == OF_VCORES:
        return resource == VCORES
    return resource == MEMORY or choice != OF_MEMORY


def reserve_of(view, resource, floor):
    """Algorithm 1: how many masters and tasks run, and what they hold of one resource; then Algorithm 2."""
    count, held = view.held_count, view.held_resource
    return reserve(
        view.cluster_resource[resource, THE_RUN],
        count[MASTER],
        held[resource, MASTER],
        count[REDUCE] + count[MAP],
        held[resource, REDUCE] + held[resource, MAP],
        floor,
    )


def reserve(capacity, masters, masters_held, tasks, tasks_held, floor):
    """Algorithm 2: the amount of one resource to keep for tasks; masters, tasks: how many run, of_…: what
    they hold together.
    """
    if masters == 0 or tasks == 0:
        return capacity * floor
    mean_master, mean_task = masters_held / masters, tasks_held / tasks
    reserved = capacity * mean_task / (mean_master + mean_task)
    if reserved > capacity - masters_held:
        reserved = reserved * (reserved + masters_held) / capacity
    if reserved < capacity * floor:
        reserved = capacity * floor
    if reserved > capacity - mean_master:
        reserved = capacity - mean_master
    return reserved


AUTOADMIN = Policy(
    "autoadmin",
    "AutoAdmin",
    ADMISSION,
    may_start,
    "autoadmin §3, Algorithms 1 - 3",
    (
        Parameter("floor", 0.4, "minimum share that is reserved", "autoadmin §3.2", low=0, high=1),
        Parameter("resource", "vcores", "what is reserved", "autoadmin §2.3", choices=RESOURCES),
    ),
    rule="with it the ApplicationMasters do not use the predicted reserve",
    masters=Masters(overtaking=OVERTAKE_ON_ARRIVAL),
    facts=(
        Term("reserve_vcores", "Reserve", RUN, "Vcores predicted for tasks.", "vcores", strip="vcores"),
        Term(
            "masters_vcores",
            "Masters' vcores",
            RUN,
            "Of all admitted masters, before this one.",
            "vcores",
            strip="vcores",
        ),
        Term(
            "reserve_memory",
            "Reserve of memory",
            RUN,
            "Memory predicted for tasks.",
            "MB",
            strip="memory",
        ),
        Term(
            "masters_memory",
            "Masters' memory",
            RUN,
            "Of all admitted masters, before this one.",
            "MB",
            strip="memory",
        ),
    ),
)
