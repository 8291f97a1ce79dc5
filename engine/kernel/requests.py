"""Requests as they appear and vanish (model 9, 10, 12, 16)."""

from __future__ import annotations

from engine.kernel.clock import earliest, set_time, wake, wake_left
from engine.kernel.state import ACTIVE, FAR, LEAST_MEMORY, LEAST_VCORES, MASTERS, MOST_MEMORY, MOST_VCORES, SUSPECTS, TOUCHED
from engine.speed import call, helper
from engine.view import ASK, KINDS, MAP, MASTER, REDUCE


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
def find_extremes(s):
    """The least and the most that is waited for: a node with less room than the least need not be looked at, one with the most fits all."""
    least_memory = FAR
    least_vcores = FAR
    most_memory = 0
    most_vcores = 0
    masters = 0
    for i in range(s.sizes[ACTIVE]):
        least_memory = min(least_memory, s.active_memory[i])
        least_vcores = min(least_vcores, s.active_vcores[i])
        most_memory = max(most_memory, s.active_memory[i])
        most_vcores = max(most_vcores, s.active_vcores[i])
        masters += s.active[i] % KINDS == MASTER
    s.sizes[LEAST_MEMORY] = least_memory
    s.sizes[LEAST_VCORES] = least_vcores
    s.sizes[MOST_MEMORY] = most_memory
    s.sizes[MOST_VCORES] = most_vcores
    s.sizes[MASTERS] = masters


@helper
def ask(v, s, request, count, now):
    """`count` containers of a request appear; nodes with room for one wake."""
    count_waiting(v, request, count)
    v.request_asked[request] = now
    i = s.sizes[ACTIVE]
    while i > 0 and s.active[i - 1] > request:
        s.active[i] = s.active[i - 1]
        s.active_memory[i] = s.active_memory[i - 1]
        s.active_vcores[i] = s.active_vcores[i - 1]
        i -= 1
    s.active[i] = request
    s.active_memory[i] = v.request_memory[request]
    s.active_vcores[i] = s.fit_vcores[request]
    s.sizes[ACTIVE] += 1
    find_extremes(s)
    for node in range(len(s.awake)):
        if v.node_free_memory[node] >= v.request_memory[request] and v.node_free_vcores[node] >= s.fit_vcores[request]:
            wake(s, node)
    wake_left(s)


@helper
def drop(s, request):
    """Nothing of the request waits any more."""
    last = s.sizes[ACTIVE] - 1
    i = 0
    while s.active[i] != request:
        i += 1
    while i < last:
        s.active[i] = s.active[i + 1]
        s.active_memory[i] = s.active_memory[i + 1]
        s.active_vcores[i] = s.active_vcores[i + 1]
        i += 1
    s.sizes[ACTIVE] = last
    find_extremes(s)


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
        again = s.barred[job] == 1 and v.request_waiting[KINDS * job + MAP] == 0
        first = s.asked_reduces[job] == 0 and call(reduce_start, table, job, now) == ASK
        if again or first:
            s.asked_reduces[job] = 1
            s.barred[job] = 0
            ask(v, s, KINDS * job + REDUCE, v.job_reduces[job] - v.job_placed_reduces[job], now)


@helper
def appear(v, s, reduce_start, table, now):
    """All requests that appear at this instant: begun iterations, then reduces."""
    nodes = len(s.awake)
    while s.times[1] == now:
        leaf = earliest(s)
        set_time(s, leaf, FAR)
        begin_iteration(v, s, leaf - nodes, now)
    for i in range(s.sizes[TOUCHED]):
        job = s.touched[i]
        s.is_touched[job] = 0
        ask_reduces(v, s, job, reduce_start, table, now)
    s.sizes[TOUCHED] = 0
