"""AutoAdmin: how much is kept from masters follows from what running masters and tasks ask for.

Paper      autoadmin §3: collector (Algorithm 1), predictor (Eq. 3.1 - 3.3, Algorithm 2: R = C TC / (AMC + TC) by their means, scaled up
           by (R + masters) / C when both do not fit, at least `floor` of C, at most C less a mean master), controller (Algorithm 3)
Ours       an admitted master counts at once, or 66 simultaneous jobs would all pass; both resources on their own when asked for both
           A submitted job's own master alone is tested, so a small one may overtake; those that wait are admitted in line
Knows      what masters and tasks hold, in the scheduler's view
Cost       constant
"""

from engine.policies.policy import ADMISSION, NOTES, OVERTAKE_ON_ARRIVAL, Parameter, Policy, Term
from engine.view import ADMIT, HOLD, KINDS, MASTER

RESERVE_VCORES, RESERVE_MEMORY, ADMITTED_VCORES, ADMITTED_MEMORY = range(4)  # places in notes
VCORES, MEMORY, BOTH = range(3)


def may_start(view, job, parameters):
    notes = view.notes
    tasks = view.held_count[1] + view.held_count[2]
    of_tasks_vcores, of_tasks_memory = view.held_vcores[1] + view.held_vcores[2], view.held_memory[1] + view.held_memory[2]
    notes[RESERVE_VCORES] = reserve(view.cluster_vcores[0], view.held_count[0], view.held_vcores[0], tasks, of_tasks_vcores, parameters[0])
    notes[RESERVE_MEMORY] = reserve(view.cluster_memory[0], view.held_count[0], view.held_memory[0], tasks, of_tasks_memory, parameters[0])
    notes[ADMITTED_VCORES], notes[ADMITTED_MEMORY] = view.admitted_vcores[0], view.admitted_memory[0]
    own = KINDS * job + MASTER
    vcores = view.cluster_vcores[0] - view.admitted_vcores[0] - view.request_vcores[own] >= notes[RESERVE_VCORES]
    memory = view.cluster_memory[0] - view.admitted_memory[0] - view.request_memory[own] >= notes[RESERVE_MEMORY]
    return ADMIT if (vcores or parameters[1] == MEMORY) and (memory or parameters[1] == VCORES) else HOLD


def reserve(capacity, masters, of_masters, tasks, of_tasks, floor):
    """Algorithm 2: the amount of one resource to keep for tasks; masters, tasks: how many run, of_…: what they hold together."""
    if masters == 0 or tasks == 0:
        return capacity * floor
    master, task = of_masters / masters, of_tasks / tasks
    kept = capacity * task / (master + task)
    if kept > capacity - of_masters:
        kept = kept * (kept + of_masters) / capacity
    if kept < capacity * floor:
        kept = capacity * floor
    if kept > capacity - master:
        kept = capacity - master
    return kept


AUTOADMIN = Policy(
    "autoadmin",
    "AutoAdmin",
    ADMISSION,
    may_start,
    "autoadmin §3, Algorithms 1 - 3",
    (
        Parameter("floor", 0.4, "least share that is kept", "autoadmin §3.2", low=0, high=1),
        Parameter("resource", "vcores", "what is reserved", "autoadmin §2.3", choices=("vcores", "memory", "both")),
    ),
    rule="with it the masters leave the predicted reserve",
    notes=4,
    line=OVERTAKE_ON_ARRIVAL,
    facts=(
        Term("reserve_vcores", "Reserve", NOTES, RESERVE_VCORES, "Vcores kept for tasks, as predicted.", "vcores", strip="vcores"),
        Term("masters_vcores", "Masters' vcores", NOTES, ADMITTED_VCORES, "Of all admitted masters, before this one.", "vcores", strip="vcores"),
        Term("reserve_memory", "Reserve of memory", NOTES, RESERVE_MEMORY, "Memory kept for tasks, as predicted.", "MB", strip="memory"),
        Term("masters_memory", "Masters' memory", NOTES, ADMITTED_MEMORY, "Of all admitted masters, before this one.", "MB", strip="memory"),
    ),
)
