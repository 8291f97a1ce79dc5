"""How many containers a job holds."""

from engine.schedulers.view import MAP, MASTER, REDUCE, request_of


def containers_held(view, job):
    """With its master's."""
    return view.request_held[request_of(view, job, MASTER)] + tasks_held(view, job)


def tasks_held(view, job):
    """Maps and reduces alone."""
    return view.request_held[request_of(view, job, MAP)] + view.request_held[request_of(view, job, REDUCE)]
