"""CapacityScheduler's walk down the queues: each may use what its parent leaves it, and a leaf that is at its
limit blocks what is left of it for its siblings (QUEUE-4).

In Hadoop  AbstractParentQueue.assignContainersToChildQueues, AbstractLeafQueue.assignContainers,
           ResourceLimits.addBlockedHeadroom, RegularContainerAllocator.checkHeadroom
A queue's limit is its maximum capacity, and no more than its parent's limit less what its siblings use and
block. A leaf whose next job would pass its limit stops for all its jobs, and what was left below the limit is
blocked for its siblings.
Cost       for each leaf that is asked, the jobs up to the one that is served; one pass over all that wait in
           one that does not ask in job order
"""

from engine.resource_types import MEMORY, RESOURCE_COUNT
from engine.schedulers.amounts import THE_RUN
from engine.schedulers.hadoop.capacity_delay import DELAY_MEMORY, allowed_locality, note_allocation
from engine.schedulers.hadoop.capacity_reservation import LIMIT, PASSED, REFUSED, RESERVE_MEMORY, try_job
from engine.schedulers.hadoop.leaf_order import (
    IN_JOB_ORDER,
    LEAF_MEMORY,
    comes_before,
    first_unfinished_job,
    first_waiting,
    next_active,
    order_of,
    reorder_marked_jobs,
)
from engine.schedulers.hadoop.queue_sharing import rank_queue
from engine.schedulers.hadoop.resources import (
    NOTHING,
    add_amount,
    amount_of,
    is_any_above_zero,
    is_less,
    is_within,
    minus,
    of_cluster,
    plus,
    round_down,
    set_amount,
    smaller,
    times,
)
from engine.schedulers.hadoop.user_limits import (
    compute_user_limit,
    exceeds_user_limit,
    excess_over_limit,
    max_capacity_of,
)
from engine.schedulers.policy import AMOUNTS, QUEUE, RUN, StateArray
from engine.schedulers.view import BY_PRIORITY, CAPACITY, DELAYED, JOBS_IN_BLOCK, LEAVE, UNLISTED, job_of

WALK_MEMORY = (
    *RESERVE_MEMORY,
    *DELAY_MEMORY,
    *LEAF_MEMORY,
    StateArray("limit_resource", QUEUE, AMOUNTS),  # what it may use on this decision
    StateArray("blocked_resource", QUEUE, AMOUNTS),  # of its limit, by children that are at theirs
    StateArray("is_asked", QUEUE, "int64"),
    StateArray("queue_waits", QUEUE, "int64"),  # containers wait in it or below it
    StateArray("choice", RUN, "int64"),  # the position of the candidate that a leaf serves, or LEAVE
)
PASSED_OVER = 1.0  # queue_needy of a queue that was asked and gave nothing


def walk(view, node, count, reserves, limits_users, delay, off_rack_delay):
    """The position of the candidate to serve, or LEAVE; reserves: one that does not fit the node reserves it;
    delays: heartbeats that maps wait for a near node.
    """
    view.node_delay[0], view.off_rack_delay[0] = delay, off_rack_delay
    view.is_off_switch = 1
    is_simple = (
        not rounds_limits(view)
        and reserves == 0
        and limits_users == 0
        and len(view.queue_parent) == 2
        and count > 0
        and job_of(view, view.candidates[0]) == next_waiting(view, view.waiting_in_block, 1, -1, True)
    )
    if (
        is_simple
        and view.job_block_locations[job_of(view, view.candidates[0])] == 0
        and order_of(view, 1) == IN_JOB_ORDER
    ):
        return 0
    sum_waiting(view)
    view.may_choose_later = 0
    view.is_asked[:] = 0
    view.blocked_resource[:] = 0
    set_amount(view.limit_resource, 0, of_cluster(view))
    queue = 0
    if is_full(view, node) or is_at_limit(view, 0):
        return LEAVE
    while queue >= 0:
        child = next_child(view, queue)
        if child < 0:
            queue = leave_parent(view, queue)
            continue
        view.is_asked[child] = 1
        set_child_limit(view, queue, child)
        if is_parent(view, child):
            if is_at_limit(view, child):
                view.queue_needy[child] = PASSED_OVER
            else:
                queue = child
        else:
            reorder_marked_jobs(view, child)
            if (
                assign_in_reserving_leaf(view, child, node, count, limits_users)
                if reserves == 1
                else assign_in_leaf(view, child, count, limits_users)
            ):
                return view.choice[0]
            view.queue_needy[child] = PASSED_OVER
    return LEAVE


def rounds_limits(view):
    """Are limits cut to whole minimum allocations?"""
    rounded = 0
    for resource in range(RESOURCE_COUNT):
        rounded += view.min_allocation_resource[resource, THE_RUN] > 1
    return rounded > 0


def sum_waiting(view):
    """queue_waits: of each queue and those below it."""
    view.queue_waits[:] = view.queue_waiting_memory
    for queue in view.queue_bottom_up:
        if view.queue_parent[queue] >= 0:
            view.queue_waits[view.queue_parent[queue]] += view.queue_waits[queue]


def next_child(view, queue):
    """The child that comes first of those that something waits in and that were not asked, -1 when there is
    none.
    """
    best = -1
    for child in range(queue + 1, len(view.queue_parent)):
        if view.queue_parent[child] != queue or view.is_asked[child] == 1 or view.queue_waits[child] == 0:
            continue
        rank_queue(CAPACITY, view, child, 0)
        if best < 0 or queue_comes_before(view, queue, child, best):
            best = child
    return best


def queue_comes_before(view, parent, queue, other):
    """PriorityUtilizationQueueOrderingPolicy: where the parent orders by priority, the higher, of two below
    their guarantees or two that are not.
    """
    if (
        view.queue_ordering[parent] == BY_PRIORITY
        and view.queue_priority[queue] != view.queue_priority[other]
    ):
        if (view.queue_first[queue] < 1.0) == (view.queue_first[other] < 1.0):
            return view.queue_priority[queue] > view.queue_priority[other]
        return view.queue_first[queue] < view.queue_first[other]
    if view.queue_first[queue] != view.queue_first[other]:
        return view.queue_first[queue] < view.queue_first[other]
    if view.queue_second[queue] != view.queue_second[other]:
        return view.queue_second[queue] < view.queue_second[other]
    return view.queue_file_rank[queue] < view.queue_file_rank[other]


def leave_parent(view, queue):
    """Nothing below it can be served: back to its parent, which loses what is blocked here."""
    parent = view.queue_parent[queue]
    if parent >= 0:
        view.queue_needy[queue] = PASSED_OVER
        block(view, parent, amount_of(view.blocked_resource, queue))
    return parent


def block(view, queue, amount):
    """So much of a queue's limit is no longer there for its other children."""
    if is_any_above_zero(view.counts_vcores, amount):
        add_amount(view.blocked_resource, queue, amount)


def set_child_limit(view, queue, child):
    """A child's limit: what its parent's leaves it, in whole minimum allocations, and its own maximum
    capacity.
    """
    used, child_used = used_and_reserved(view, queue), used_and_reserved(view, child)
    left = minus(amount_of(view.limit_resource, queue), amount_of(view.blocked_resource, queue))
    left = round_down(view, plus(minus(left, used), child_used))
    set_amount(view.limit_resource, child, smaller(view, left, max_capacity_of(view, child)))


def used_and_reserved(view, queue):
    """What is reserved counts as used."""
    return plus(amount_of(view.queue_used_resource, queue), amount_of(view.queue_reserved_resource, queue))


def is_at_limit(view, queue):
    """Does it use its limit or more, even without what is reserved in it?"""
    return not is_below_limit(view, queue, amount_of(view.queue_used_resource, queue))


def is_below_limit(view, queue, amount):
    """Is so much less than the queue's limit?"""
    return is_less(view, amount, amount_of(view.limit_resource, queue))


def is_full(view, node):
    """Does the node not fit the smallest container?"""
    smallest, free = (
        amount_of(view.min_allocation_resource, THE_RUN),
        amount_of(view.node_free_resource, node),
    )
    return not is_within(view.counts_vcores, smallest, free)


def is_parent(view, queue):
    child = queue + 1
    while child < len(view.queue_parent) and view.queue_parent[child] != queue:
        child += 1
    return child < len(view.queue_parent)


def note_limit(view, leaf):
    """What CapacityScheduler keeps of a leaf when it looks at a job of it: masters are limited, and told
    their headroom, by that.
    """
    limit = amount_of(view.limit_resource, leaf)
    if rounds_limits(view):
        limit = smaller(view, round_down(view, max_capacity_of(view, leaf)), limit)
    set_amount(view.queue_limit_resource, leaf, limit)
    if view.limits_users == 1:
        compute_user_limit(view, leaf)


def assign_in_leaf(view, leaf, count, limits_users):
    """Does a leaf serve a candidate (`choice`)? A job whose container would pass the limit ends it, and
    blocks what is left below the limit.
    """
    if is_at_limit(view, leaf):
        return False
    available = minus(amount_of(view.limit_resource, leaf), amount_of(view.queue_used_resource, leaf))
    in_order = order_of(view, leaf) == IN_JOB_ORDER
    view.choice[0] = LEAVE
    job = -1
    while True:
        job = next_waiting(view, view.waiting_in_block, leaf, job, in_order)
        if job < 0:
            return False
        request = first_waiting(view, job)
        note_limit(view, leaf)
        if limits_users == 1 and exceeds_user_limit(view, job, NOTHING):
            continue
        position = first_request_of(view, count, job)
        if position >= 0:
            request = view.candidates[position]
        if not is_within(view.counts_vcores, amount_of(view.request_resource, request), available):
            block(view, view.queue_parent[leaf], available)
            return False
        locality = allowed_locality(view, request)
        if position >= 0 and locality != DELAYED:
            note_allocation(view, request, locality)
            view.choice[0] = position
            return True


def assign_in_reserving_leaf(view, leaf, node, count, limits_users):
    """As assign_in_leaf, where what does not fit may reserve the node, and a reservation elsewhere may be
    given up for a container here.
    """
    used = used_and_reserved(view, leaf)
    available = minus(amount_of(view.limit_resource, leaf), used)
    in_order = order_of(view, leaf) == IN_JOB_ORDER
    has_room = is_below_limit(view, leaf, used)
    skips_idle = in_order and has_room  # a job that wants nothing then ends nothing
    if skips_idle and view.limits_users == 1 and next_active(view, leaf, -1, True) >= 0:
        note_limit(view, leaf)
    job = -1
    view.choice[0] = LEAVE
    if skips_idle and view.queue_active_waiting_jobs[leaf] == 0:
        return False
    while True:
        job = next_to_serve(view, leaf, job, in_order, skips_idle)
        if job < 0:
            return False
        if view.job_is_active[job] == 0:
            continue
        reserved = reserved_by(view, job)
        may_exchange = reserved[MEMORY] > 0 and is_below_limit(view, leaf, minus(used, reserved))
        if not has_room and not may_exchange:
            return False
        note_limit(view, leaf)
        excess = NOTHING
        if limits_users == 1 and exceeds_user_limit(view, job, NOTHING):
            if exceeds_user_limit(view, job, reserved):
                continue
            excess = excess_over_limit(view, job)
        request = first_waiting(view, job)
        if request < 0:
            continue
        position = candidate_of(view, request, count)
        outcome = try_job(view, node, request, position, available, reserved, excess)
        if outcome == LIMIT:
            block(view, view.queue_parent[leaf], available)
            return False
        if outcome == REFUSED:
            return True
        if outcome != PASSED:
            view.choice[0] = position
            return True


def next_to_serve(view, leaf, last, in_order, skips_idle):
    """The leaf's next active job after the last one, with or without one that wants nothing; -1: no more."""
    if skips_idle:
        return next_waiting(view, view.active_waiting_in_block, leaf, last, True)
    return next_active(view, leaf, last, in_order)


def reserved_by(view, job):
    """What nodes are reserved for, of a job."""
    reserved = NOTHING
    for request in range(view.job_first_request[job], view.job_first_request[job + 1]):
        size = amount_of(view.request_resource, request)
        reserved = plus(reserved, times(size, view.request_reserved[request]))
    return reserved


def candidate_of(view, request, count):
    """The position of a request among the candidates, -1 where it is none; where they are not listed it
    becomes the first of them.
    """
    if count == UNLISTED:
        view.candidates[0] = request
        return 0
    position = first_request_of(view, count, job_of(view, request))
    return position if position >= 0 and view.candidates[position] == request else -1


def next_waiting(view, in_block, leaf, last, in_order):
    """The leaf's next job of which a request waits, after the last one (-1: first), in a block of jobs that
    has some; -1: no more.
    """
    best = -1
    job = last + 1 if in_order and last >= 0 else first_unfinished_job(view)
    while job < len(view.job_queue):
        if in_block[job // JOBS_IN_BLOCK] == 0:
            job = (job // JOBS_IN_BLOCK + 1) * JOBS_IN_BLOCK
            continue
        if (
            view.job_queue[job] == leaf
            and job != last
            and view.job_runnable_since[job] >= 0
            and first_waiting(view, job) >= 0
        ):
            if in_order:
                return job
            if (last < 0 or comes_before(view, last, job)) and (best < 0 or comes_before(view, job, best)):
                best = job
        job += 1
    return best


def first_request_of(view, count, job):
    """Where the job's first request stands among the candidates, which are in job order, -1 without any."""
    requests, first = view.candidates, view.job_first_request[job]
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if requests[middle] < first:
            low = middle + 1
        else:
            high = middle
    return low if low < count and job_of(view, requests[low]) == job else -1
