"""How many maps and reduces of each container size run: kept from decision to decision, by the jobs whose
holdings changed.
"""

from engine.schedulers.policy import REQUEST, RUN, StateArray
from engine.schedulers.view import MAP, REDUCE, request_of

SIZES_MEMORY = (
    StateArray("sizes", RUN, "int64"),  # how many different ones there are; 0 before the first decision
    StateArray("size_memory", REQUEST, "int64"),  # of each size, the first `sizes` entries
    StateArray("size_vcores", REQUEST, "int64"),
    StateArray("size_running", REQUEST, "int64"),
    StateArray("size_of", REQUEST, "int64"),  # the size of a request
    StateArray("counted_held", REQUEST, "int64"),  # containers of a request that size_running has
)


def update_running_tasks(view):
    """Bring size_running up to date. Cost: the jobs whose holdings changed; at first all requests times
    sizes.
    """
    if view.sizes[0] == 0:
        list_sizes(view)
    for place in range(1, view.changed[0] + 1):
        for kind in (REDUCE, MAP):
            request = request_of(view, view.changed[place], kind)
            change = view.request_held[request] - view.counted_held[request]
            if change != 0:
                view.counted_held[request] += change
                view.size_running[view.size_of[request]] += change


def list_sizes(view):
    """The sizes, numbered by first appearance over the jobs."""
    for job in range(len(view.job_arrival)):
        for kind in (REDUCE, MAP):
            if kind == MAP or view.job_reduces[job] > 0:
                view.size_of[request_of(view, job, kind)] = size_index(view, request_of(view, job, kind))


def size_index(view, request):
    """The number of a request's size, a new one if it is not known."""
    memory, vcores = view.request_memory[request], view.request_vcores[request]
    for number in range(view.sizes[0]):
        if view.size_memory[number] == memory and view.size_vcores[number] == vcores:
            return number
    number = view.sizes[0]
    view.size_memory[number], view.size_vcores[number] = memory, vcores
    view.sizes[0] = number + 1
    return number
