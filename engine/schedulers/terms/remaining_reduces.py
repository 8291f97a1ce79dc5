"""Which reduces Hadoop's own master has still to ask for, and whether enough of the maps have finished.

In Hadoop  RMContainerAllocator.scheduleReduces, mapreduce.job.reduce.slowstart.completedmaps
"""

import math

import numpy as np

from engine.schedulers.view import REDUCE, request_of


def unrequested_reduces(view, job):
    """The job's reduces that neither have a container nor wait for one; those that wait for a second attempt
    are no others.
    """
    as_reduce = request_of(view, job, REDUCE)
    return (
        view.job_reduces[job]
        - view.job_placed_reduces[job]
        - (view.request_waiting[as_reduce] - view.request_speculative[as_reduce])
    )


def is_past_slowstart(view, job):
    """Have as many maps of the job finished as its slowstart asks for?"""
    return view.job_finished_maps[job] >= math.ceil(
        np.float32(view.job_slowstart[job]) * np.float32(view.job_maps[job])
    )
