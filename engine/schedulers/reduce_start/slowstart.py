"""Slow start: a job asks for all its reduces once a share of its maps has finished.

In Hadoop  mapreduce.job.reduce.slowstart.completedmaps
Knows      the job's finished maps
Cost       constant
"""

import math

from engine.policies.policy import JOBS, REDUCE_START, Parameter, Policy, Term
from engine.view import ASK, NOT_YET

FINISHED, NEEDED = range(2)  # rows of job_notes


def may_start(job, job_finished_maps, job_maps, job_slowstart, job_notes, parameters):
    share = job_slowstart[job] if math.isnan(parameters[0]) else parameters[0]
    needed = math.ceil(share * job_maps[job] - 1e-9)
    job_notes[FINISHED * len(job_maps) + job] = job_finished_maps[job]
    job_notes[NEEDED * len(job_maps) + job] = needed
    return ASK if job_finished_maps[job] >= needed else NOT_YET


AT = Parameter("at", None, "share of the maps instead of each job's own slowstart", "Hadoop", low=0.0, high=1.0)
SLOWSTART = Policy(
    "slowstart",
    "Slow start",
    REDUCE_START,
    may_start,
    "Hadoop MapReduce, mapreduce.job.reduce.slowstart.completedmaps",
    (AT,),
    rule="the share of its maps that it waits for had finished",
    job_notes=NEEDED + 1,
    terms=(
        Term("finished_maps", "Maps finished", JOBS, FINISHED, "Of this iteration.", "maps"),
        Term("needed_maps", "Maps needed", JOBS, NEEDED, "Slow start times the job's maps, rounded up.", "maps"),
    ),
)
