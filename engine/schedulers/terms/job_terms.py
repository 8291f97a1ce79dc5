"""What speaks for a request by its job alone, each the higher the better: how little it holds, how long the
request waits, how few tasks are left, how early it came (ours).
"""

from engine.schedulers.policy import REQUEST, Term
from engine.schedulers.view import job_of

JOB_TERMS = (
    Term(
        "share", "Dominant share, negative", REQUEST, "Minus the job's share of the cluster for its weight."
    ),
    Term("waiting", "Waited", REQUEST, "Since the request was made.", "ms"),
    Term(
        "remaining",
        "Tasks left, negative",
        REQUEST,
        "Minus the number of unfinished tasks of its job.",
        "tasks",
    ),
    Term("arrival", "Arrival, negative", REQUEST, "Minus the arrival time of its job.", "ms"),
)


def rate_job(view, request):
    """Writes the terms of a request."""
    job = job_of(view, request)
    memory, vcores = (
        view.job_used_memory[job] / view.cluster_memory,
        view.job_used_vcores[job] / view.cluster_vcores,
    )
    tasks = view.job_maps[job] + view.job_reduces[job]
    left = (
        tasks
        - view.job_finished_maps[job]
        - view.job_finished_reduces[job]
        + (view.job_iterations[job] - view.job_iteration[job]) * tasks
    )
    view.share[request] = -(max(memory, vcores) / view.job_weight[job])
    view.waiting[request] = view.now - view.request_asked_at[request]
    view.remaining[request] = -left
    view.arrival[request] = -view.job_arrival[job]
