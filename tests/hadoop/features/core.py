"""Queues, shares, reservations, limits of users and masters, and Hadoop's MapReduce master."""

from __future__ import annotations

from tests.hadoop.features.feature import CAPACITY, EVERY, SHARING, Feature

FEATURES = (
    Feature("one queue", EVERY, 10, "Jobs of one queue and their masters, on equal nodes.", masters=True),
    Feature("queues", (*SHARING, *CAPACITY), 20, "Trees of queues on up to three levels.", tree=True),
    Feature("weights", SHARING, 24, "Queues with weights; containers and nodes of several sizes.", tree=True, weights=True, sizes=True),
    Feature("guarantees", CAPACITY, 24, "Capacities that are whole containers on paper and floats, cut to whole MB, in Hadoop.", tree=True, tens=True),
    Feature("limits of queues", (*SHARING, *CAPACITY), 50, "Minimum and maximum shares, or maximum capacities.", tree=True, weights=True, shares=True),
    Feature(
        "limits of queues, sizes", SHARING, 36, "Minimum and maximum shares; containers and nodes of several sizes.",
        tree=True, weights=True, shares=True, sizes=True, masters=True,
    ),
    Feature("reduces", EVERY, 16, "Reduces, asked for when all maps have finished.", tree=True, reduces=True, masters=True),
    Feature(
        "slowstart", ("fifo", *SHARING), 36, "Reduces asked for while maps wait, of several sizes; jobs kill reduces of their own that block their maps.",
        tree=True, reduces=True, slowstart=True, sizes=True, masters=True,
    ),
    Feature(
        "slowstart, one size", CAPACITY, 24, "Reduces asked for while maps wait; with one size of container CapacityScheduler reserves nothing.",
        tree=True, reduces=True, slowstart=True, masters=True,
    ),
    Feature("several a beat", EVERY, 16, "Two or three containers a heartbeat, or all that fit.", tree=True, several=True, reduces=True, masters=True),
    Feature(
        "several a beat, sizes", ("fifo", *SHARING), 24, "Several containers a heartbeat, of several sizes, some of them reduces while maps wait.",
        tree=True, weights=True, several=True, reduces=True, slowstart=True, sizes=True, masters=True,
    ),
    Feature(
        "reservations", SHARING, 40, "FairScheduler reserves nodes for large requests of starved jobs.",
        tree=True, weights=True, sizes=True, masters=True, reservations=True,
    ),
    Feature(
        "reservations, reduces", SHARING, 40, "FairScheduler reserves, beside limits of queues and reduces asked for while maps wait.",
        tree=True, shares=True, reduces=True, slowstart=True, sizes=True, masters=True, reservations=True,
    ),
    Feature(
        "reservations", CAPACITY, 40, "CapacityScheduler reserves for whatever comes first and does not fit, and exchanges a reservation for room elsewhere.",
        tree=True, sizes=True, masters=True, reservations=True,
    ),
    Feature(
        "reservations, limits", CAPACITY, 50, "CapacityScheduler reserves under maximum capacities.",
        tree=True, shares=True, sizes=True, reservations=True,
    ),
    Feature(
        "reservations, reduces", CAPACITY, 40, "CapacityScheduler reserves under maximum capacities, beside reduces asked for while maps wait.",
        tree=True, shares=True, reduces=True, slowstart=True, sizes=True, masters=True, reservations=True,
    ),
    Feature(
        "limits of masters", SHARING, 40, "maxAMShare of 0.1 to 0.5, masters of several sizes.",
        tree=True, weights=True, shares=True, sizes=True, masters=True, am_limit=True,
    ),
    Feature(
        "limits of masters, reservations", SHARING, 30, "maxAMShare where nodes are reserved, also for masters.",
        tree=True, shares=True, reduces=True, sizes=True, masters=True, am_limit=True, reservations=True,
    ),
    Feature(
        "updates every 500 ms", SHARING, 40, "FairScheduler's demand and fair shares are as old as its last update, 500 ms by default.",
        tree=True, weights=True, shares=True, reduces=True, slowstart=True, sizes=True, masters=True, update_ms=500,
    ),
    Feature(
        "updates every 500 ms, reservations, limits of masters", SHARING, 40, "FairScheduler with its defaults: updates, reservations and maxAMShare together.",
        tree=True, shares=True, reduces=True, slowstart=True, sizes=True, masters=True, am_limit=True, reservations=True, update_ms=500,
    ),
    Feature(
        "limits of masters", CAPACITY, 40, "maximum-am-resource-percent of 10 to 50 %, of the queue and of its users.",
        tree=True, shares=True, sizes=True, masters=True, am_limit=True, reservations=True,
    ),
    Feature(
        "users' limits", CAPACITY, 50, "Several users of a queue: user-limit-factor and minimum-user-limit-percent.",
        tree=True, shares=True, sizes=True, masters=True, users=True, reservations=True,
    ),
    Feature(
        "users' limits, limits of masters", CAPACITY, 50, "Several users of a queue, whose masters are limited too, and reduces asked for while maps wait.",
        tree=True, shares=True, reduces=True, slowstart=True, sizes=True, masters=True, users=True, am_limit=True, reservations=True,
    ),
    Feature(
        "ramp-up", EVERY, 24, "Hadoop's own MapReduce master, RMContainerAllocator, asks for reduces little by little and kills them.",
        tree=True, reduces=True, masters=True, ramp_up=True,
    ),
    Feature(
        "ramp-up, sizes", ("fifo", *SHARING), 24, "Hadoop's own MapReduce master, with containers and nodes of several sizes and limits of queues.",
        tree=True, weights=True, shares=True, reduces=True, sizes=True, masters=True, ramp_up=True,
    ),
    Feature(
        "ramp-up, reservations", (*SHARING, *CAPACITY), 24, "Hadoop's own MapReduce master where nodes are reserved.",
        tree=True, shares=True, reduces=True, sizes=True, masters=True, reservations=True, ramp_up=True,
    ),
    Feature(
        "ramp-up, maps that hang", ("fifo", *SHARING), 6, "Reduces on every node keep large maps out, until Hadoop's master kills some after 300 s.",
        reduces=True, masters=True, ramp_up=True, hangs=True,
    ),
    Feature(
        "all defaults", SHARING, 30, "Hadoop's own MapReduce master, reservations, updates every 500 ms and maxAMShare together.",
        tree=True, shares=True, reduces=True, sizes=True, masters=True, reservations=True, am_limit=True, update_ms=500, ramp_up=True,
    ),
    Feature(
        "all defaults", CAPACITY, 30, "Hadoop's own MapReduce master, reservations, users' limits and limits of masters together.",
        tree=True, shares=True, reduces=True, sizes=True, masters=True, reservations=True, am_limit=True, users=True, ramp_up=True,
    ),
)  # fmt: skip
