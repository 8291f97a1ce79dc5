"""A cluster's history as a scenario with what was measured.

- arrival: submitTime less the earliest; maps last from their attempt's start to its finish, reduces from the
  end of their shuffle on, at least 1 ms; of several attempts that which finished counts. Sizes, slow start,
  speculation, priority: the job's _conf.xml, else Hadoop's defaults.
- the master's start-up: from the ResourceManager's launchTime less 0.05 s, else from its JVM's start, to its
  first ask, 1 s after JOB_INITED.
- nodes: those that ran something, those that the ResourceManager knows and those of a nodes file; equal ones
  on a rack are a group. Where nothing says how large they are, so large that the record could have run under
  FairScheduler; where it is said, limits of queues give way (masters_room.py).
- Spark applications: spark/spark_runs.py.
- applications without a history become demand that holds what they held (other_applications.py).
- every attempt stands in `measured`, also what failed, was killed or was a master.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from engine import quantities
from engine.errors import FormatError, ScenarioError, TooLarge
from engine.messages import msg
from engine.scenario.configuration.mapreduce_settings import DEFAULT_SLOWSTART, JobSettings
from engine.scenario.configuration.site_table import CLASSES
from engine.scenario.field_types import MAX_COUNT, MAX_SECONDS
from engine.scenario.formats.import_notes import QUEUES, Assumption, Notes
from engine.scenario.formats.nodes import Node
from engine.scenario.formats.scenario_builder import HEARTBEAT_MS, ImportedScenario
from engine.scenario.formats.time_window import ALL_JOBS, Part, fullest_window
from engine.scenario.formats.unique_names import UniqueNames, sanitize
from engine.scenario.history import clock_skew
from engine.scenario.history.hosts import RESOURCES, HeldContainer, HostTable, task_sizes
from engine.scenario.history.job_run import MAX_SPAN_MS, JobRun, job_run
from engine.scenario.history.job_settings import largest_value, slowstart
from engine.scenario.history.masters_room import (
    MastersNeed,
    RunBeside,
    held_containers,
    masters_need,
    needed_share,
    needed_user_factors,
)
from engine.scenario.history.measured_columns import Places, measured_record
from engine.scenario.history.other_applications import fit_to_nodes, other_runs
from engine.scenario.history.records import History
from engine.scenario.history.recurring_jobs import recurring_groups
from engine.scenario.history.scenario_job import scenario_job
from engine.scenario.history.scheduler_response import SchedulerResponse, parse_scheduler
from engine.scenario.history.spark.spark_runs import (
    SparkRun,
    first_spark_runs,
    held_by_spark,
    named_runs,
    spark_runs,
)
from engine.scenario.measured import fingerprint
from engine.scenario.model import VERSION, Scenario
from engine.scenario.queue_validation import DEFAULT_QUEUE, ROOT
from engine.scenario.scenario_limits import MAX_JOB_GROUPS

NODE = {"memory_mb": "yarn.nodemanager.resource.memory-mb", "vcores": "yarn.nodemanager.resource.cpu-vcores"}
SCHEDULER = "yarn.resourcemanager.scheduler.class"
MAX_LISTED = 5  # applications without a task, by id, and starts of the ResourceManager
APPLICATION_ID = re.compile(r"(?:application|job)_([0-9]{1,18})_[0-9]+", re.ASCII)
LIMITS = {
    "minimum": "minimum-allocation",
    "increment": "increment-allocation",
    "maximum": "maximum-allocation",
}


def scenario_from_history(
    history: History,
    nodes: set[Node] | None,
    title: str,
    max_tasks: int | None = None,
    part: Part = ALL_JOBS,
    settings: JobSettings | None = None,
) -> ImportedScenario:
    """The scenario of a history, on the nodes it names and those of a nodes file: of the jobs in
    `part`, by arrival, the first that make `max_tasks`. settings: what jobs have that say nothing
    themselves. FormatError where nothing in it ran, TooLarge where the first job has more.

    The history's attempts are used up, as they take more memory than all else.
    """
    notes, settings = Notes(), settings or JobSettings()
    _correct_clocks(history, notes)
    hosts = HostTable(history, nodes)
    max_tasks = MAX_COUNT if max_tasks is None else max_tasks
    runs, spark = _in_part(_runs(history, settings, notes), spark_runs(history, notes), history, part, notes)
    runs = _in_time(_first_tasks(runs, spark, max_tasks, part.skip_jobs, notes), notes)
    spark = _chosen_spark(spark, runs, max_tasks, notes)
    _note_starts(runs, spark, history, notes)
    origin = _origin(runs, spark, history, hosts)
    notes.count_first(
        "job",
        msg("scenario.history_scenario.left_out_beyond_most_of_scenario", max_job_groups=MAX_JOB_GROUPS),
        len(history.left_out),
    )
    names = UniqueNames()
    jobs = _jobs(runs, origin, names, settings, notes)
    spark = named_runs(spark, origin, names, notes)
    job_runs = [run for run, _ in runs]
    others = other_runs(history, origin, names, notes, max_tasks)
    response = parse_scheduler(history.scheduler)
    queues = response.queues if response else []
    known = {DEFAULT_QUEUE, *(queue["name"] for queue in queues)} if response else set()
    jobs_beside = [run.job for run in spark] + [run.job for run in others]
    _move_to_leaves([*jobs, *jobs_beside], [queue["name"] for queue in queues], notes)
    need = masters_need(job_runs, jobs, [*spark, *others])
    held = chain(_held(job_runs, jobs), held_by_spark(spark))
    node_groups, node_index = _nodes(history, hosts, held, need, notes)
    others = fit_to_nodes(others, node_groups, notes)
    beside: list[RunBeside] = [*spark, *others]
    _check_any(jobs, beside)
    ends = [run.end_ms - origin for run in others]
    places = Places(node_index, sum(group["count"] for group in node_groups))
    measured = measured_record(job_runs, spark, ends, places, origin, notes)
    jobs += [run.job for run in beside]
    _note_outcomes(job_runs, notes)
    cluster = _cluster(history, jobs, node_groups, response.cluster if response else {})
    queues = [*queues, *_named_queues(job_runs, jobs, need, node_groups, known, notes)]
    if not (response or others):
        queues += _running_limit(need, node_groups, notes)
    data = {"version": VERSION, "name": title[:500], "cluster": cluster, "queues": queues, "jobs": jobs}
    return ImportedScenario(
        _valid(data, measured if runs or spark else None),
        [*history.notes, *_assumed_by(response), *notes.sentences()],
        response.scheduler if response else _scheduler(history),
    )


def _assumed_by(response: SchedulerResponse | None) -> list[Assumption]:
    """What the scheduler's answer leaves open, which its own files would say."""
    return [Assumption(note, QUEUES) for note in response.notes] if response else []


def _check_any(jobs: list[dict[str, Any]], beside: list[Any]) -> None:
    if not (jobs or beside):
        raise FormatError(msg("scenario.history_scenario.history_holds_no_job_ran"))


def _valid(data: dict[str, Any], measured: dict[str, Any] | None) -> Scenario:
    """The scenario with what was measured, where there is any. FormatError where it is none."""
    try:
        scenario = Scenario.of(data)
        if measured is None:
            return scenario
        return Scenario.of(data | {"measured": measured | {"of": fingerprint(scenario)}})
    except ScenarioError as error:
        more_faults = msg("shared.and_more", faults=len(error.faults) - 1) if len(error.faults) > 1 else ""
        raise FormatError(
            msg(
                "scenario.history_scenario.history_does_not_give_valid_scenario",
                faults=error.faults[0],
                more_faults=more_faults,
            )
        ) from None


def _chosen_spark(
    spark: list[SparkRun], runs: list[tuple[JobRun, float]], max_tasks: int, notes: Notes
) -> list[SparkRun]:
    """The Spark applications beside the jobs that are chosen; alone, those of the fullest window. TooLarge
    where there is no job, and the first has more than `max_tasks`.
    """
    if not runs:
        start, end = fullest_window([run.start_ms for run in spark])
        spark = spark[start:end]
    tasks = sum(len(run.maps) + len(run.reduces) for run, _ in runs)
    chosen = first_spark_runs(spark, max_tasks - tasks, notes)
    if spark and not (chosen or runs):
        raise TooLarge(
            msg(
                "scenario.history_scenario.history_holds_tasks_at_most",
                task_count=spark[0].task_count,
                max_count=max_tasks,
            )
        )
    return chosen


def _origin(
    runs: list[tuple[JobRun, float]], spark: list[SparkRun], history: History, hosts: HostTable
) -> int:
    """Time 0, ms since 1970: the first arrival of a job or a Spark application, or of other applications
    alone. FormatError without a job, and without applications on nodes of known sizes.
    """
    if runs or spark:
        return min([run.arrival for run, _ in runs[:1]] + [run.start_ms for run in spark[:1]])
    if not history.others or not hosts.knows_sizes:
        raise FormatError(_no_job_ran(history))
    return min(one.submit_ms for one in history.others)


def _note_starts(
    runs: list[tuple[JobRun, float]], spark: list[SparkRun], history: History, notes: Notes
) -> None:
    """That the record is of several starts of the ResourceManager, whose time stands in each id."""
    ids = [run.job.id for run, _ in runs] + [one.app.id for one in spark] + [one.id for one in history.others]
    starts = sorted({int(match[1]) for id in ids if (match := APPLICATION_ID.fullmatch(id))})
    if len(starts) > 1:
        listed = ", ".join(map(str, starts[:MAX_LISTED])) + (", …" if len(starts) > MAX_LISTED else "")
        notes.add(msg("scenario.history_scenario.several_starts", starts=len(starts), listed=listed))


def _no_job_ran(history: History) -> str:
    """What there is instead, where anything is."""
    if history.spark:
        ids = ", ".join(sorted({id for id, _ in history.spark})[:MAX_LISTED])
        return msg("scenario.history_scenario.no_task_of_spark_ran", ids=ids)
    if not history.others:
        return msg("scenario.history_scenario.history_holds_no_job_ran")
    return msg(
        "scenario.history_scenario.only_applications_without_tasks",
        applications=quantities.count(len(history.others), "applications"),
        types=", ".join(sorted({application.type or "?" for application in history.others})),
    )


def _runs(history: History, settings: JobSettings, notes: Notes) -> Iterator[tuple[JobRun, float]]:
    """Each job that ran, with its slow start."""
    for job in history.jobs:
        job_slowstart = (
            slowstart(job, settings, notes)
            if job.reduces or any(attempt.kind == "reduce" for attempt in job.attempts)
            else DEFAULT_SLOWSTART
        )
        run = job_run(job, job_slowstart, notes)
        job.attempts = []
        if run:
            yield run, job_slowstart


def _move_to_leaves(jobs: list[dict[str, Any]], known_queues: list[str], notes: Notes) -> None:
    """Jobs of a queue that has had queues below it, at another time, go to one below it."""
    queues = {*known_queues, *(job["queue"] for job in jobs)}
    parents = {
        ".".join(parts[:end])
        for parts in (queue.split(".") for queue in queues)
        for end in range(1, len(parts))
    }
    for job in jobs:
        if job["queue"] in parents:
            notes.count("job", msg("scenario.history_scenario.in_queue_has_queues_below_its"))
            job["queue"] += ".default"


def _correct_clocks(history: History, notes: Notes) -> None:
    """Moves the times of hosts whose clocks are behind."""
    behind = clock_skew.master_shifts(history.jobs)
    for job in history.jobs:
        if job.masters and (shift_ms := behind.get(job.masters[-1].host)):
            clock_skew.shift_job(job, shift_ms)
    attempt_shifts = clock_skew.of_attempts(attempt for job in history.jobs for attempt in job.attempts)
    for job in history.jobs if attempt_shifts else ():
        job.attempts = [
            clock_skew.shift_attempt(attempt, attempt_shifts[attempt.host])
            if attempt.host in attempt_shifts
            else attempt
            for attempt in job.attempts
        ]
    for host, shift_ms in list({**behind, **attempt_shifts}.items())[:10]:
        notes.count(
            msg("scenario.history_scenario.clock", value=sanitize(host) or "an unnamed host"),
            msg(
                "scenario.history_scenario.do_not_agree_with_others_its",
                duration=quantities.duration(shift_ms, exact=True),
            ),
        )


def _in_part(
    runs: Iterable[tuple[JobRun, float]],
    spark: list[SparkRun],
    history: History,
    part: Part,
    notes: Notes,
) -> tuple[list[tuple[JobRun, float]], list[SparkRun]]:
    """The jobs, each with its slow start, and the Spark applications of that part, each by arrival; `history`
    keeps the other applications that began in it. FormatError where there is nothing.
    """
    runs = sorted(runs, key=lambda pair: (pair[0].arrival, pair[0].job.id))
    ran = sorted([run.arrival for run, _ in runs] + [run.start_ms for run in spark])
    arrivals = ran or sorted(one.submit_ms for one in history.others)
    if not arrivals:
        return runs, spark
    first, last = arrivals[0], arrivals[-1]
    kept = [pair for pair in runs if part.holds(pair[0].arrival - first)]
    kept_spark = [run for run in spark if part.holds(run.start_ms - first)]
    others = [application for application in history.others if part.holds(application.start_ms - first)]
    if not (kept + kept_spark if ran else others):
        raise FormatError(msg("scenario.time_window.no_job_in_part", last=(last - first) / 1000))
    outside = msg("scenario.time_window.left_out_outside")
    beside = len(history.others) - len(others) + len(spark) - len(kept_spark)
    notes.count_first("application", outside, beside)
    notes.count_first("job", outside, len(runs) - len(kept))
    history.others = others
    return _after_first(kept, kept_spark, part.skip_jobs)


def _after_first(
    runs: list[tuple[JobRun, float]], spark: list[SparkRun], skip_jobs: int
) -> tuple[list[tuple[JobRun, float]], list[SparkRun]]:
    """Without the first of both, by arrival. FormatError where none is left."""
    if not skip_jobs:
        return runs, spark
    places = [(run.arrival, 0, place) for place, (run, _) in enumerate(runs)]
    places += [(run.start_ms, 1, place) for place, run in enumerate(spark)]
    left = sorted(places)[skip_jobs:]
    if places and not left:
        raise FormatError(
            msg("scenario.history_scenario.none_after_first", count=len(places), skip_jobs=skip_jobs)
        )
    return [runs[place] for _, kind, place in left if not kind], [
        spark[place] for _, kind, place in left if kind
    ]


def _first_tasks(
    runs: list[tuple[JobRun, float]],
    spark: list[SparkRun],
    max_tasks: int,
    skip_jobs: int,
    notes: Notes,
) -> list[tuple[JobRun, float]]:
    """The first jobs with no more tasks than that. TooLarge where the first has more."""
    total = 0
    for index, (run, _) in enumerate(runs):
        total += len(run.maps) + len(run.reduces)
        if total > max_tasks and not index:
            raise TooLarge(
                msg(
                    "scenario.history_scenario.history_holds_tasks_at_most",
                    task_count=total,
                    max_count=max_tasks,
                )
            )
        if total > max_tasks:
            earlier = sum(application.start_ms < run.arrival for application in spark)
            notes.count_first(
                "job",
                msg(
                    "scenario.scenario_builder.left_out_after_first",
                    jobs=index,
                    skip_jobs=skip_jobs + earlier + index,
                ),
                len(runs) - index,
            )
            return runs[:index]
    return runs


def _in_time(runs: list[tuple[JobRun, float]], notes: Notes) -> list[tuple[JobRun, float]]:
    """The jobs that ran within a span as long as a scenario may be, of several the fullest."""
    start, end = fullest_window([run.arrival for run, _ in runs])
    limit = runs[start][0].arrival + MAX_SPAN_MS if runs else 0
    kept = [pair for pair in runs[start:end] if max(attempt.end for attempt in pair[0].all) < limit]
    notes.count_first(
        "job",
        msg(
            "scenario.scenario_builder.left_out_too_far_from_others", max_seconds=MAX_SECONDS, jobs=len(kept)
        ),
        len(runs) - len(kept),
    )
    return kept


def _jobs(
    runs: list[tuple[JobRun, float]], origin: int, names: UniqueNames, settings: JobSettings, notes: Notes
) -> list[dict[str, Any]]:
    jobs = []
    for (run, job_slowstart), group in zip(runs, recurring_groups(run.job.name for run, _ in runs)):
        base_name = sanitize(run.job.name.strip() or run.job.id)
        name = names.claim(base_name)
        notes.count("job", msg("shared.have_name_stands_before_number_added"), name != base_name)
        jobs.append(
            scenario_job(run, name, job_slowstart, origin, settings, notes)
            | ({"x_group": group} if group else {})
        )
    return jobs


def _held(runs: list[JobRun], jobs: list[dict[str, Any]]) -> Iterator[HeldContainer]:
    """The containers of MapReduce's jobs."""
    for run, job in zip(runs, jobs):
        yield from held_containers(run, job)


def _nodes(
    history: History,
    hosts: HostTable,
    containers: Iterable[HeldContainer],
    need: MastersNeed,
    notes: Notes,
) -> tuple[list[dict[str, Any]], dict[str, int]]:
    largest_memory, largest_vcores = (max(pair) for pair in zip(need.task, need.master))
    configured_size = {
        key: amount for key, name in NODE.items() if (amount := largest_value(history.jobs, name))
    }
    return hosts.groups(containers, configured_size, (largest_memory, largest_vcores), need, notes)


def _named_queues(
    runs: list[JobRun],
    jobs: list[dict[str, Any]],
    need: MastersNeed,
    groups: list[dict[str, Any]],
    known: set[str],
    notes: Notes,
) -> list[dict[str, Any]]:
    """The queues of which only jobs tell, with the limits for masters and users that the record shows where
    those of FairScheduler and CapacityScheduler would have stopped it. known: of the scheduler's own answer.
    """
    memory_mb, vcores = (sum(group["count"] * group[key] for group in groups) for key in RESOURCES)
    names = {job["queue"] for job in jobs}
    unknown = names - known - {DEFAULT_QUEUE}
    no_weight = msg("scenario.history_scenario.have_no_weight_and_no_capacity")
    notes.count("queue", no_weight, len(unknown), about=QUEUES)
    factors = (
        {} if known else needed_user_factors(runs, jobs, need, {*names, DEFAULT_QUEUE}, (memory_mb, vcores))
    )
    queues = []
    for name in sorted(names):
        limits = {}
        share = None if name in known else needed_share(need, name, (memory_mb, vcores))
        if share is not None:
            limits["max_am_share"] = share
            held = need.held[name]
            notes.add(
                msg(
                    "scenario.history_scenario.masters_held_more_than_half",
                    queue=name,
                    memory_mb=held[0],
                    vcores=held[1],
                    share=share,
                ),
                about=QUEUES,
            )
        if name in factors:
            limits["user_limit_factor"] = factors[name]
        if limits or name in unknown:
            queues.append({"name": name} | limits)
    held_more = msg("scenario.history_scenario.users_held_more_than_part")
    notes.count("queue", held_more, len(factors), about=QUEUES)
    return queues


def _running_limit(need: MastersNeed, groups: list[dict[str, Any]], notes: Notes) -> list[dict[str, Any]]:
    """root with no more running applications than leave its largest task room beside their masters, where
    more may meet; else none.
    """
    sizes = [(group["count"], (group["memory_mb"], group["vcores"])) for group in groups]
    most = need.most_masters(sizes)
    if most >= need.jobs_meeting:
        return []
    memory_mb, vcores = need.task
    limit = max(1, int(most))
    notes.add(
        msg("scenario.history_scenario.one_master_may_take_the_room", memory_mb=memory_mb, vcores=vcores)
        if most < 1
        else msg(
            "scenario.history_scenario.masters_may_fill_all_nodes",
            masters=quantities.count(limit + 1, "ApplicationMasters"),
            memory_mb=memory_mb,
            vcores=vcores,
            limit=quantities.count(limit, "applications"),
        ),
        about=QUEUES,
    )
    return [{"name": ROOT, "max_running_apps": limit}]


def _cluster(
    history: History,
    jobs: list[dict[str, Any]],
    node_groups: list[dict[str, Any]],
    reported: dict[str, Any],
) -> dict[str, Any]:
    """The cluster, with what the ResourceManager reported of it."""
    return {
        "nodes": node_groups,
        "heartbeat_ms": HEARTBEAT_MS,
        "out_of_band_heartbeats": True,
        **_allocation(history, jobs),
        **reported,
    }


def _allocation(history: History, jobs: list[dict[str, Any]]) -> dict[str, Any]:
    """To what requests are rounded, where the jobs' configuration has what the cluster's says."""
    allocation: dict[str, Any] = {}
    for key, name in LIMITS.items():
        size = {
            unit: largest_value(history.jobs, f"yarn.scheduler.{name}-{unit.partition('_')[2] or unit}")
            for unit in NODE
        }
        if all(size.values()):
            allocation[key] = size
    requests = [part for job in jobs for part in (job.get("am"), *task_sizes(job)) if part]
    if "minimum" not in allocation or any(
        part[unit] > allocation.get("maximum", {}).get(unit, 0) for part in requests for unit in NODE
    ):
        return {}
    return {"allocation": allocation}


def _scheduler(history: History) -> str:
    """The cluster's scheduler, as the jobs' configuration names it; "" where none does."""
    for job in history.jobs:
        if family := CLASSES.get(job.properties.get(SCHEDULER, "").rpartition(".")[2]):
            return family
    return ""


def _note_outcomes(runs: list[JobRun], notes: Notes) -> None:
    """How many attempts failed, and how many ran beside another; neither is drawn in the scenario."""
    attempts = [attempt for run in runs for attempt in run.all if attempt.kind != "am"]
    for outcome, predicate in (
        ("failed", msg("scenario.history_scenario.have_failed")),
        ("killed", msg("scenario.history_scenario.have_been_killed_as_second_attempts")),
    ):
        count = sum(attempt.outcome == outcome for attempt in attempts)
        share = (
            msg(
                "scenario.history_scenario.all_they_stand_in_record_and",
                share=quantities.percent(count / len(attempts)),
            )
            if attempts
            else ""
        )
        notes.count("attempt", f"{predicate}, {share}", count)
