"""What of a form is folded until it is wanted: each fold is told in a sentence, with Hadoop's default."""

from __future__ import annotations

from typing import NamedTuple

from webapp.messages import msg


class Fold(NamedTuple):
    """paths: of its fields, or of the objects that they stand in."""

    title: str
    about: str
    paths: tuple[str, ...]


SETTINGS = (
    Fold(
        msg("panels.folds.launch"),
        msg("panels.folds.launch_about"),
        ("cluster.launch_s", "cluster.launch_contention", "cluster.out_of_band_heartbeats"),
    ),
    Fold(
        msg("panels.folds.users"), msg("panels.folds.users_about"), ("cluster.user_max_running_apps", "users")
    ),
    Fold(
        msg("panels.folds.refusals"),
        msg("panels.folds.refusals_about"),
        ("cluster.max_applications", "cluster.acl_enable"),
    ),
    Fold(msg("shared.rounding_requests"), msg("panels.folds.rounding_about"), ("cluster.allocation",)),
    Fold(
        "Fetching", msg("panels.folds.fetching_about"), ("cluster.fetch_weight", "cluster.shuffle_latency_s")
    ),
    Fold("Stragglers", msg("panels.folds.stragglers_about"), ("cluster.stragglers",)),
    Fold("Failures", msg("panels.folds.failures_about"), ("cluster.failures",)),
    Fold(msg("panels.folds.lost_nodes"), msg("panels.folds.lost_nodes_about"), ("cluster.outages",)),
    Fold("Locality", msg("panels.folds.locality_about"), ("cluster.locality",)),
)
QUEUES = (
    Fold(
        msg("panels.folds.running_jobs"),
        msg("panels.folds.running_jobs_about"),
        ("max_running_apps", "max_am_share"),
    ),
    Fold(
        msg("panels.folds.refusals"),
        msg("panels.folds.queue_refusals_about"),
        ("max_applications", "state", "submit_acl", "administer_acl"),
    ),
    Fold("Users", msg("panels.folds.user_limits_about"), ("user_limit_factor", "min_user_limit_pct")),
    Fold(
        msg("panels.folds.order"),
        msg("panels.folds.order_about"),
        ("ordering", "size_based_weight", "priority"),
    ),
    Fold(
        "Preemption",
        msg("panels.folds.preemption_about"),
        (
            "min_share_preemption_timeout_s",
            "fair_share_preemption_timeout_s",
            "fair_share_preemption_threshold",
            "allow_preemption_from",
            "disable_preemption",
        ),
    ),
    Fold(
        msg("panels.folds.largest_container"), msg("panels.folds.largest_container_about"), ("max_container",)
    ),
)
JOBS = (
    Fold(
        msg("panels.folds.heartbeat"), msg("panels.folds.heartbeat_about"), ("am.heartbeat_s", "am.linger_s")
    ),
    Fold(
        msg("panels.folds.registration"),
        msg("panels.folds.registration_about"),
        ("executors.registered_ratio", "executors.registered_wait_s"),
    ),
    Fold(
        msg("panels.folds.locality_wait"),
        msg("panels.folds.locality_wait_about"),
        ("executors.locality_wait_s",),
    ),
    Fold(msg("panels.folds.excluded"), msg("panels.folds.excluded_about"), ("executors.excluded_s",)),
    Fold(msg("panels.folds.pools"), msg("panels.folds.pools_about"), ("pools",)),
    Fold("Partitions", msg("panels.folds.partitions_about"), ("partitions",)),
    Fold("Speculation", msg("panels.folds.speculation_about"), ("speculation", "executors.speculation")),
    Fold(msg("panels.folds.refusals"), msg("panels.folds.rejected_about"), ("rejected",)),
)
