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
        msg("panels.folds.launch_and_heartbeats"),
        msg("panels.folds.in_hadoop_containers_files_localized_and"),
        ("cluster.launch_s", "cluster.out_of_band_heartbeats"),
    ),
    Fold(
        msg("panels.folds.users_running_jobs"),
        msg("panels.folds.no_more_jobs_user_run_at"),
        ("cluster.user_max_running_apps", "users"),
    ),
    Fold(
        msg("shared.rounding_requests"),
        msg("panels.folds.hadoop_rounds_requests_up_and_refuses"),
        ("cluster.allocation",),
    ),
    Fold(
        "Fetching",
        msg("panels.folds.what_fetching_costs_node_beside_its"),
        ("cluster.fetch_weight", "cluster.shuffle_latency_s"),
    ),
    Fold("Stragglers", msg("panels.folds.some_attempts_slow_whatever_they_compute"), ("cluster.stragglers",)),
    Fold("Failures", msg("panels.folds.attempts_fail_and_tried_again_four"), ("cluster.failures",)),
    Fold(
        msg("panels.folds.lost_nodes"),
        msg("panels.folds.hadoop_declares_node_lost_has_not"),
        ("cluster.outages",),
    ),
    Fold("Locality", msg("panels.folds.map_slower_where_its_block_not"), ("cluster.locality",)),
)
QUEUES = (
    Fold(
        msg("panels.folds.running_jobs_and_masters"),
        msg("panels.folds.how_many_jobs_run_at_time"),
        ("max_running_apps", "max_am_share"),
    ),
    Fold(
        "Users",
        msg("panels.folds.under_capacityscheduler_one_user_gets_no"),
        ("user_limit_factor", "min_user_limit_pct"),
    ),
    Fold(
        msg("panels.folds.order_jobs_and_child_queues"),
        msg("panels.folds.capacityscheduler_serves_leafs_jobs_by_prior"),
        ("ordering", "size_based_weight", "priority"),
    ),
    Fold(
        "Preemption",
        msg("panels.folds.when_containers_other_queues_may_be"),
        (
            "min_share_preemption_timeout_s",
            "fair_share_preemption_timeout_s",
            "fair_share_preemption_threshold",
            "allow_preemption_from",
            "disable_preemption",
        ),
    ),
    Fold(
        msg("panels.folds.largest_container"),
        msg("panels.folds.hadoop_refuses_larger_request_to_queue"),
        ("max_container",),
    ),
)
JOBS = (
    Fold(
        msg("panels.folds.applicationmasters_heartbeat"),
        msg("panels.folds.hadoops_master_asks_for_containers_and"),
        ("am.heartbeat_s", "am.linger_s"),
    ),
    Fold("Partitions", msg("panels.folds.hadoop_divides_maps_output_by_hash"), ("partitions",)),
    Fold("Speculation", msg("panels.folds.late_task_gets_second_attempt_and"), ("speculation",)),
)
