"""Limits of the model: what YARN does and Gantry doesn't, and how that changes a result."""

from __future__ import annotations

from typing import NamedTuple

from dash import html

from webapp.messages import msg
from webapp.pages import parts


class Limitation(NamedTuple):
    """One thing a cluster does and the model does not. key: its anchor; hadoop: what happens there; gantry:
    what happens instead; effect: how that changes a result.
    """

    key: str
    title: str
    hadoop: str
    gantry: str
    effect: str


LIMITATIONS = (
    Limitation(
        "off",
        msg("pages.limits.what_off_by_default"),
        msg("pages.limits.containers_launch_for_seconds_masters_ask"),
        msg("pages.limits.all_modelled_and_each_has_field"),
        msg("pages.limits.batch_leaves_them_out_ends_earlier"),
    ),
    Limitation(
        "failures",
        msg("pages.limits.why_attempts_fail"),
        msg("pages.limits.sick_node_fails_attempt_after_attempt"),
        msg("pages.limits.every_attempt_fails_with_same_probability"),
        msg("pages.limits.failures_spread_evenly_write_outage_for"),
    ),
    Limitation(
        "reservations",
        "Reservations",
        msg("pages.limits.fair_and_capacity_schedulers_reserve_node"),
        msg("pages.limits.fair_drf_and_capacity_reserve_as"),
        msg("pages.limits.under_papers_orders_large_containers_may"),
    ),
    Limitation(
        "preemption",
        msg("pages.limits.preemption_between_jobs_and_queues"),
        msg("pages.limits.if_switched_on_containers_one_queue"),
        msg("pages.limits.with_preemption_yes_fair_and_drf"),
        msg("pages.limits.under_other_orders_new_job_waits"),
    ),
    Limitation(
        "network",
        msg("pages.limits.shared_network_and_disks"),
        msg("pages.limits.shuffles_remote_reads_and_replicated_writes"),
        msg("pages.limits.each_reduce_fetches_at_its_own"),
        msg("pages.limits.shuffle_heavy_batches_look_better_than"),
    ),
    Limitation(
        "executor-places",
        msg("pages.limits.executor_places"),
        msg("pages.limits.spark_prefers_nodes"),
        msg("pages.limits.executors_anywhere"),
        msg("pages.limits.more_remote_reads"),
    ),
    Limitation(
        "shuffle",
        msg("pages.limits.inside_shuffle"),
        msg("pages.limits.fetchers_work_in_parallel_outputs_merged"),
        msg("pages.limits.reduce_fetches_one_maps_output_after"),
        msg("pages.limits.where_maps_outputs_differ_widely_so"),
    ),
    Limitation(
        "user-limits",
        msg("pages.limits.users_weights_access_and_placement"),
        msg("pages.limits.queues_have_access_lists_users_weights"),
        msg("pages.limits.under_capacity_users_queue_limited_as"),
        msg("pages.limits.every_user_may_use_every_queue"),
    ),
    Limitation(
        "sizes",
        msg("shared.rounding_requests"),
        msg("pages.limits.requests_rounded_up_to_minimum_and"),
        msg("pages.limits.container_has_size_written_or_where"),
        msg("pages.limits.write_minimum_increment_and_maximum_your"),
    ),
    Limitation(
        "priorities",
        msg("pages.limits.priorities_change_deadlines_resizing"),
        msg("pages.limits.applications_priority_can_be_changed_while"),
        msg("pages.limits.job_keeps_priority_came_with_and"),
        "",
    ),
    Limitation(
        "other",
        msg("pages.limits.other_resources_and_other_frameworks"),
        msg("pages.limits.disks_gpus_spark_tez_and_services"),
        msg("pages.limits.memory_and_vcores_mapreduce_jobs_with"),
        msg("pages.limits.subtract_what_they_hold_from_nodes"),
    ),
)


def layout(**_query: str) -> html.Main:
    """The page."""
    content = [
        html.H1(msg("shared.limits_model")),
        html.P(msg("pages.limits.gantry_follows_yarn_to_millisecond_where")),
        html.P(
            [
                msg("pages.limits.decides_as_hadoop_does_tested_see"),
                parts.link(msg("shared.checked_against_hadoop"), "/checked-against-hadoop"),
                msg("pages.limits.also_for_what_leaves_out_how"),
                parts.link(msg("shared.how_well_does_predict"), "/prediction"),
            ]
        ),
        html.P([msg("pages.limits.two_more_limits_for_imported_trace")]),
        *map(_section, LIMITATIONS),
        html.P(parts.link(msg("pages.limits.back_to_dashboard"), "/")),
    ]
    return parts.page(content)


def _section(limitation: Limitation) -> html.Section:
    lines = (
        (msg("pages.limits.in_hadoop"), limitation.hadoop),
        (msg("pages.limits.in_gantry"), limitation.gantry),
        ("Effect", limitation.effect),
    )
    return html.Section(
        [
            html.H2(html.A(limitation.title, href=f"#{limitation.key}")),
            parts.facts((head, text) for head, text in lines if text),
        ],
        id=limitation.key,
        className="gap",
    )
