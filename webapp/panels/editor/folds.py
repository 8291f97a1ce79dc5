"""What of a form is folded until it is wanted: each fold is told in a sentence, with Hadoop's default."""

from __future__ import annotations

from typing import NamedTuple


class Fold(NamedTuple):
    """paths: of its fields, or of the objects that they stand in."""

    title: str
    about: str
    paths: tuple[str, ...]


SETTINGS = (
    Fold(
        "Launch and heartbeats",
        "In Hadoop a container's files are localized and a JVM starts before its task begins, often for "
        "some seconds; "
        "nodes beat every second (yarn.resourcemanager.nodemanagers.heartbeat-interval-ms), and as soon "
        "as a container ends.",
        ("cluster.launch_s", "cluster.out_of_band_heartbeats"),
    ),
    Fold(
        "Users' running jobs",
        "No more jobs of a user run at a time, the others wait; no limit in Hadoop (userMaxAppsDefault, "
        "yarn.scheduler.capacity.user.max-parallel-apps).",
        ("cluster.user_max_running_apps", "users"),
    ),
    Fold(
        "Rounding of requests",
        "Hadoop rounds requests up and refuses what is too large (yarn.scheduler.minimum-allocation-mb, "
        "maximum-allocation-mb); without it nothing is rounded.",
        ("cluster.allocation",),
    ),
    Fold(
        "Fetching",
        "What fetching costs a node beside its bandwidth; in Hadoop a reduce fetches with five threads "
        "(mapreduce.reduce.shuffle.parallelcopies).",
        ("cluster.fetch_weight", "cluster.shuffle_latency_s"),
    ),
    Fold(
        "Stragglers",
        "Some attempts are slow whatever they compute; Hadoop's answer is speculation "
        "(mapreduce.map.speculative), which each job has a field for.",
        ("cluster.stragglers",),
    ),
    Fold(
        "Failures",
        "Attempts fail and are tried again, four times in Hadoop (mapreduce.map.maxattempts, "
        "mapreduce.reduce.maxattempts) before their job fails.",
        ("cluster.failures",),
    ),
    Fold(
        "Lost nodes",
        "Hadoop declares a node lost that has not beaten for ten minutes "
        "(yarn.nm.liveness-monitor.expiry-interval-ms); its containers die with it.",
        ("cluster.outages",),
    ),
    Fold(
        "Locality",
        "A map is slower where its block is not: HDFS keeps three copies (dfs.replication), "
        "and the capacity scheduler passes over 40 offers to wait for one "
        "(yarn.scheduler.capacity.node-locality-delay).",
        ("cluster.locality",),
    ),
)
QUEUES = (
    Fold(
        "Running jobs and masters",
        "How many jobs of it run at a time, and what part of it their masters may have: half of its fair "
        "share under FairScheduler, "
        "a tenth of the queue under CapacityScheduler.",
        ("max_running_apps", "max_am_share"),
    ),
    Fold(
        "Users",
        "Under CapacityScheduler one user gets no more than the queue's capacity, and those who want more "
        "share it.",
        ("user_limit_factor", "min_user_limit_pct"),
    ),
    Fold(
        "Order of its jobs, and of its children",
        "CapacityScheduler serves a leaf's jobs by priority and submission, or those that hold least first; "
        "children by what they use of their capacity, and by priority before it if their parent says so.",
        ("ordering", "size_based_weight", "priority"),
    ),
    Fold(
        "Preemption",
        "What lets containers of others be killed for this queue, and what may be killed of it; off "
        "unless the scheduler says preemption=yes, as in Hadoop.",
        (
            "min_share_preemption_timeout_s",
            "fair_share_preemption_timeout_s",
            "fair_share_preemption_threshold",
            "allow_preemption_from",
            "disable_preemption",
        ),
    ),
    Fold(
        "Largest container",
        "Hadoop refuses a larger request to this queue; without it the scheduler's own limit holds.",
        ("max_container",),
    ),
)
JOBS = (
    Fold(
        "Master's heartbeats",
        "Hadoop's master asks for containers and learns of them once a second "
        "(yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms), and outlives its job.",
        ("am.heartbeat_s", "am.linger_s"),
    ),
    Fold(
        "Partitions",
        "Hadoop divides the maps' output by hash of the key (mapreduce.job.partitioner.class): where keys "
        "are uneven, so are the reduces.",
        ("partitions",),
    ),
    Fold(
        "Speculation",
        "A late task gets a second attempt, and the first to finish counts; on for maps and reduces in "
        "Hadoop "
        "(mapreduce.map.speculative, mapreduce.reduce.speculative).",
        ("speculation",),
    ),
)
