"""Slow start: a job asks for all its reduces once a share of its maps has finished.

In Hadoop  mapreduce.job.reduce.slowstart.completedmaps
Knows      the job's finished maps
Cost       constant
"""

import math

from engine.policies.policy import REDUCE_START, Parameter, Policy
from engine.view import ASK, NOT_YET


def may_start(job, job_finished_maps, job_maps, job_slowstart, parameters):
    share = job_slowstart[job] if math.isnan(parameters[0]) else parameters[0]
    return ASK if job_finished_maps[job] >= math.ceil(share * job_maps[job] - 1e-9) else NOT_YET


AT = Parameter("at", None, "share of the maps instead of each job's own slowstart", "Hadoop", low=0.0, high=1.0)
SLOWSTART = Policy("slowstart", "Slow start", REDUCE_START, may_start, "Hadoop MapReduce, mapreduce.job.reduce.slowstart.completedmaps", (AT,))
