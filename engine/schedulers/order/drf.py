"""Dominant resource fairness: next is who has the smallest dominant share for its weight.

In Hadoop  FairScheduler with DominantResourceFairnessPolicy, its special case for two resources
Paper      Ghodsi et al., Dominant Resource Fairness, NSDI 2011
Knows      memory and vcores held, weights and minimum shares of queues and jobs; max_share limits, held by
           the engine
Ties       jobs in job order; queues by name
Cost       one pass over the candidates, which are the first of each leaf and size where the engine can list
           those, and one over the queues
"""

from engine.schedulers.hadoop.queue_sharing import QUEUE_MEMORY, choose_by_share, rank_terms
from engine.schedulers.policy import (
    BY_WEIGHT,
    DRF,
    DYNAMIC_MAX_ASSIGN,
    FAIR_PREEMPTION,
    FAIR_SHARE,
    FITTING,
    LOCALITY_NODE,
    LOCALITY_RACK,
    ORDER,
    RELAXED,
    RESERVATIONS,
    RESOURCES,
    STARVED,
    UPDATE_MS,
    Assignment,
    Defaults,
    Policy,
    Queues,
    Ranked,
)


def choose(view, count):
    return choose_by_share(DRF, view, count)


SHARE = (
    "The larger of the job's shares of the cluster's memory and vcores, divided by its weight; the smallest "
    "goes first."
)
DRF_ORDER = Policy(
    "drf",
    "Dominant resource fairness",
    ORDER,
    choose,
    "Hadoop FairScheduler, DominantResourceFairnessPolicy",
    (RESOURCES, RESERVATIONS, UPDATE_MS, LOCALITY_NODE, LOCALITY_RACK, DYNAMIC_MAX_ASSIGN, *FAIR_PREEMPTION),
    rule="its queue, and in it its job, has the smallest dominant share for its weight",
    queues=Queues(BY_WEIGHT, job_policy=DRF, headroom=FAIR_SHARE),
    assignment=Assignment(stops_job=FITTING, reserves=STARVED, delays=RELAXED),
    defaults=Defaults(admission="am-share"),
    ranked=Ranked(DRF),
    memory=QUEUE_MEMORY,
    terms=rank_terms("Dominant share", SHARE, "share"),
)
