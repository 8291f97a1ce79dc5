"""Requests as they appear and vanish (model 9, 10, 12, 16)."""

from __future__ import annotations

from engine.kernel.clock import earliest, set_time, wake, wake_left
from engine.kernel.state import (
    ARRIVED,
    FAR,
    FIRST_UNFINISHED,
    HAPPENED,
    LEAST_MEMORY,
    LEAST_VCORES,
    LOOKED,
    MARKS,
    MASTERS,
    MOST_MEMORY,
    MOST_VCORES,
    ON_WINDOWS,
    SUSPECTS,
    TOUCH_ALL,
    TOUCHED,
)  # fmt: skip
from engine.speed import call, helper
from engine.view import KINDS, MAP, MASTER, NOT_YET, REDUCE


@helper
def touch(s, job):
    """The job may have reduces to ask for at this instant."""
    if s.is_touched[job] == 0:
        s.is_touched[job] = 1
        s.touched[s.sizes[TOUCHED]] = job
        s.sizes[TOUCHED] += 1


@helper
def count_waiting(v, request, change):
    """`change` more containers of `request` wait (fewer when negative)."""
    v.request_waiting[request] += change
    queue = v.job_queue[request // KINDS]
    v.queue_waiting_memory[queue] += change * v.request_memory[request]
    v.queue_waiting_vcores[queue] += change * v.request_vcores[request]


@helper
def find_extremes(v, s):
    """The least and the most that is waited for: a node with less room than the least need not be looked at, one with the most fits all."""
    least_memory = FAR
    least_vcores = FAR
    most_memory = 0
    most_vcores = 0
    masters = 0
    for i in range(v.waiting_count[0]):
        least_memory = min(least_memory, s.waiting_memory[i])
        least_vcores = min(least_vcores, s.waiting_vcores[i])
        most_memory = max(most_memory, s.waiting_memory[i])
        most_vcores = max(most_vcores, s.waiting_vcores[i])
        masters += v.waiting[i] % KINDS == MASTER and s.admitted[v.waiting[i] // KINDS] == 0
    s.sizes[LEAST_MEMORY] = least_memory
    s.sizes[LEAST_VCORES] = least_vcores
    s.sizes[MOST_MEMORY] = most_memory
    s.sizes[MOST_VCORES] = most_vcores
    s.sizes[MASTERS] = masters


@helper
def ask(v, s, request, count, now):
    """`count` (more) containers of a request appear; nodes with room for one wake."""
    if v.request_waiting[request] == 0:
        i = v.waiting_count[0]
        while i > 0 and v.waiting[i - 1] > request:
            v.waiting[i] = v.waiting[i - 1]
            s.waiting_memory[i] = s.waiting_memory[i - 1]
            s.waiting_vcores[i] = s.waiting_vcores[i - 1]
            i -= 1
        v.waiting[i] = request
        s.waiting_memory[i] = v.request_memory[request]
        s.waiting_vcores[i] = s.fit_vcores[request]
        v.waiting_count[0] += 1
    count_waiting(v, request, count)
    v.request_asked[request] = now
    s.sizes[HAPPENED] += 1
    find_extremes(v, s)
    for node in range(len(s.awake)):
        if v.node_free_memory[node] >= v.request_memory[request] and v.node_free_vcores[node] >= s.fit_vcores[request]:
            wake(s, node)
    wake_left(s)


@helper
def drop(v, s, request):
    """Nothing of the request waits any more."""
    last = v.waiting_count[0] - 1
    i = 0
    while v.waiting[i] != request:
        i += 1
    while i < last:
        v.waiting[i] = v.waiting[i + 1]
        s.waiting_memory[i] = s.waiting_memory[i + 1]
        s.waiting_vcores[i] = s.waiting_vcores[i + 1]
        i += 1
    v.waiting_count[0] = last
    find_extremes(v, s)


@helper
def withdraw(v, s, request, count):
    """So many containers of a request, which wait, are wanted no more."""
    if count > 0:
        count_waiting(v, request, -count)
        s.sizes[HAPPENED] += 1
        if v.request_waiting[request] == 0:
            drop(v, s, request)


@helper
def watch(v, s, job):
    """Keep the list of jobs the kill rule has to look at (model 17): waiting maps, no running map, running reduces."""
    wanted = v.request_waiting[KINDS * job + MAP] > 0 and v.job_running_maps[job] == 0 and v.job_running_reduces[job] > 0
    if wanted and s.is_suspect[job] == 0:
        i = s.sizes[SUSPECTS]
        while i > 0 and s.suspects[i - 1] > job:
            s.suspects[i] = s.suspects[i - 1]
            i -= 1
        s.suspects[i] = job
        s.sizes[SUSPECTS] += 1
        s.is_suspect[job] = 1
        s.suspect_room[job] = -1
        s.suspect_checked[job] = -1
    elif not wanted and s.is_suspect[job] == 1:
        i = 0
        while s.suspects[i] != job:
            i += 1
        s.sizes[SUSPECTS] -= 1
        while i < s.sizes[SUSPECTS]:
            s.suspects[i] = s.suspects[i + 1]
            i += 1
        s.is_suspect[job] = 0


@helper
def begin_iteration(v, s, job, now):
    v.job_iteration[job] += 1
    v.job_placed_maps[job] = 0
    v.job_finished_maps[job] = 0
    v.job_placed_reduces[job] = 0
    v.job_finished_reduces[job] = 0
    s.fetch_latest[job] = 0.0
    s.asked_reduces[job] = 0
    s.barred[job] = 0
    s.reduces_first[job] = 0
    s.first_reduce[job] = 0
    for task in range(v.job_reduces[job]):
        s.reduce_container[s.reduce_base[job] + task] = -1
        s.reduce_attempt[s.reduce_base[job] + task] = 0
    ask(v, s, KINDS * job + MAP, v.job_maps[job], now)
    touch(s, job)


@helper
def ask_reduces(v, s, job, reduce_start, table, now):
    """The job's unplaced reduces, when its reduce-start rule says so, or after a kill when all its maps are placed."""
    if v.job_reduces[job] > 0 and v.job_iteration[job] > 0:
        unplaced = v.job_reduces[job] - v.job_placed_reduces[job]
        if s.barred[job] == 1 and v.request_waiting[KINDS * job + MAP] == 0:
            s.barred[job] = 0
            s.reduces_first[job] = 0
            ask(v, s, KINDS * job + REDUCE, unplaced, now)
        elif s.asked_reduces[job] == 0:
            answer = call(reduce_start, table, job, now)
            if answer != NOT_YET:
                s.asked_reduces[job] = 1
                s.reduces_first[job] = s.sizes[MARKS]
                if min(answer, unplaced) > 0:
                    ask(v, s, KINDS * job + REDUCE, min(answer, unplaced), now)


@helper
def first_unfinished(v, s):
    """No job before it has still to finish."""
    job = s.sizes[FIRST_UNFINISHED]
    while job < s.sizes[ARRIVED] and v.job_finish[job] >= 0:
        job += 1
    s.sizes[FIRST_UNFINISHED] = job
    return job


@helper
def touch_all(v, s):
    """Something changed that a reduce-start rule may read for any job."""
    s.sizes[TOUCH_ALL] = 0
    for job in range(first_unfinished(v, s), s.sizes[ARRIVED]):
        if v.job_iteration[job] > 0 and v.job_finish[job] < 0 and s.asked_reduces[job] == 0:
            touch(s, job)


@helper
def appear(v, s, reduce_start, table, now):
    """All requests that appear at this instant: begun iterations, then reduces."""
    nodes = len(s.awake)
    while s.times[1] == now:
        leaf = earliest(s)
        set_time(s, leaf, FAR)
        begin_iteration(v, s, leaf - nodes, now)
    if s.sizes[LOOKED] == ON_WINDOWS:
        return
    if s.sizes[TOUCH_ALL] > 0:
        touch_all(v, s)
    for i in range(s.sizes[TOUCHED]):
        job = s.touched[i]
        s.is_touched[job] = 0
        ask_reduces(v, s, job, reduce_start, table, now)
    s.sizes[TOUCHED] = 0
