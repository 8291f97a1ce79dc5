"""Slow start: a job asks for all its reduces once a share of its maps has finished (REDUCE-1).

In Hadoop  mapreduce.job.reduce.slowstart.completedmaps
Knows      the job's finished maps
Cost       constant
"""

import math

from engine.schedulers.policy import JOB, REDUCE_START, Parameter, Policy, Term
from engine.schedulers.view import ASK, NOT_YET


def may_start(job, job_finished_maps, job_maps, job_slowstart, finished_maps, needed_maps, at):
    share = job_slowstart[job] if math.isnan(at) else at
    finished_maps[job] = job_finished_maps[job]
    needed_maps[job] = math.ceil(share * job_maps[job] - 1e-9)
    return ASK if finished_maps[job] >= needed_maps[job] else NOT_YET


AT = Parameter(
    "at", None, "share of the maps, instead of each job's own slowstart", "Hadoop", low=0.0, high=1.0
)
SLOWSTART = Policy(
    "slowstart",
    "Slow start",
    REDUCE_START,
    may_start,
    "Hadoop MapReduce, mapreduce.job.reduce.slowstart.completedmaps",
    (AT,),
    rule="the required share of its maps had finished",
    terms=(
        Term("finished_maps", "Maps finished", JOB, "Of this iteration.", "maps"),
        Term("needed_maps", "Maps needed", JOB, "Slow start times the job's maps, rounded up.", "maps"),
    ),
)
