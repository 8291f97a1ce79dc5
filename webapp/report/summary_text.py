"""What a report says in words: the question, which scheduler is best by how much, and what the scenario is
made of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypedDict

from engine import Scenario, quantities
from engine.dashboard import (
    MEASURED,
    capacity_reason,
    capacity_use,
    contenders,
    display_name,
    refusal_reasons,
    undone_jobs,
)
from webapp.messages import msg
from webapp.report import optimality_gap
from webapp.runs.identical_runs import first_equal
from webapp.runs.outcome import Outcome
from webapp.runs.task import ShownRun, Task

BRACKETS = re.compile(r"\(.*?\)")
MAX_EXPLAINED_CONTAINERS = 100_000  # of a run whose difference to another is explained while one waits
GapText = Callable[[Outcome, str], str]
THAN_MEASURED = msg("report.summary_text.than_measured")
BEST_TEXTS = (  # a metric; which is the best by it; and of all alike
    (
        "makespan_s",
        msg("report.summary_text.batch_finished_first_under"),
        msg("report.summary_text.makespan"),
    ),
    (
        "mean_turnaround_s",
        msg("report.summary_text.jobs_mean_turnaround_shortest_under"),
        msg("report.summary_text.mean_turnaround_job"),
    ),
)


def join_names(names: Sequence[str], last: str = "and") -> str:
    """ "a", "a and b", "a, b and c"."""
    if len(names) == 1:
        return names[0]
    before = separated(names)[: -len(names[-1])].rstrip(" ")
    return f"{before if before.endswith(';') else before.removesuffix(',')} {last} {names[-1]}"


def separated(names: Sequence[str]) -> str:
    """ "a, b", by semicolons where a name has a comma, as "fair, textbook" has; not those within brackets."""
    has_comma = any(", " in BRACKETS.sub("", name) for name in names)
    return ("; " if has_comma else ", ").join(names)


def question(task: Task) -> str:
    """What the report answers."""
    run = task.outcomes()[0].run
    count = len(run.workload.job_names)
    nodes = quantities.count(len(run.workload.node_names), "nodes")
    one, several = f"this {run.noun.removesuffix('s')}", f"these {quantities.count(count, run.noun)}"
    batch = f"{one if count == 1 else several} on {nodes}"
    if not task.simulated:
        return msg("report.summary_text.how_did_cluster_run", batch=batch)
    measured = msg("report.summary_text.compared_with_measured_run") if task.has_measured else ""
    names = join_names([display_name(scheduler.name) for scheduler in task.simulated])
    return msg("report.summary_text.how_does_yarn_run_under", batch=batch, names=names, measured=measured)


class VerdictChip(TypedDict):
    """The verdict on one scheduler. place: of its colour, as Task.places; makespan: as on a clock, of a
    deadlock when it came to be.

    difference: to what was measured, or else to the best, "+110 %", "" of that and of a deadlock; best: of
    those that are simulated it finishes first and not all do so at once.
    """

    place: int
    makespan: str
    difference: str
    best: bool
    deadlock: bool


def verdict_chips(task: Task) -> list[VerdictChip]:
    """One for each of what is shown, in its order; the best is one of the task's own schedulers, of those
    under which the fewest jobs fail.
    """
    best_own = _best_own(task)
    measured = (one.outcome.metrics["makespan_s"] for one in task.shown if one.is_measured)
    reference = next(measured, None)
    chips = []
    for place, shown_run in zip(task.places, task.shown):
        metrics, run = shown_run.outcome.metrics, shown_run.outcome.run
        makespan = metrics["makespan_s"]
        never, refused = makespan is None, run.status == "refused"
        best = not never and _is_own(task, shown_run) and best_own.is_had_by(metrics)
        difference = ""
        if not (never or shown_run.is_measured or (best and reference is None)):
            difference = _percent_longer(makespan, best_own.makespan_s if reference is None else reference)
        chips.append(
            VerdictChip(
                place=place,
                makespan=msg("report.summary_text.all_refused")
                if refused
                else quantities.clock((run.until_ms - run.first_ms) / 1000),
                difference=difference,
                best=best,
                deadlock=never and not refused,
            )
        )
    return chips


class _BestOwn(NamedTuple):
    """The fewest failed and refused jobs under a task's own schedulers, and the shortest makespan with so
    few; is_shared: all of them have that.
    """

    undone_jobs: int
    makespan_s: float | None
    is_shared: bool

    def is_had_by(self, metrics: dict[str, Any]) -> bool:
        """Whether a run with these metrics is a best one, and not all are."""
        is_shortest = metrics["makespan_s"] == self.makespan_s and undone_jobs(metrics) == self.undone_jobs
        return is_shortest and not self.is_shared


def _best_own(task: Task) -> _BestOwn:
    own = [shown_run.outcome.metrics for shown_run in task.shown if _is_own(task, shown_run)]
    may_win = [own[place] for place in contenders(own)]
    best = min(may_win, key=lambda metrics: metrics["makespan_s"], default=None)
    if best is None:
        return _BestOwn(0, None, True)
    is_shared = len(may_win) == len(own) and len({metrics["makespan_s"] for metrics in may_win}) == 1
    return _BestOwn(undone_jobs(best), best["makespan_s"], is_shared)


def _is_own(task: Task, shown_run: ShownRun) -> bool:
    """Whether it is a run under one of the task's own schedulers: neither measured nor of another task."""
    return shown_run.task is task and shown_run.is_scheduled


def _percent_longer(makespan: float, shorter: float | None) -> str:
    """By how much it is longer than another, "" where that is nothing or means nothing."""
    text = quantities.whole_percent((makespan - shorter) / shorter if shorter else 0, signed=True)
    return "" if text == quantities.percent(0) else text


def verdict(outcomes: Sequence[Outcome], above: GapText | None = None) -> list[str]:
    """Sentences: what was measured, and how far from it what is simulated ends; then which scheduler is best,
    where there are several; how good the optimum is.

    above: how far an outcome's metric is above the best possible, "" where that can't be told; by the bounds
    of what is among them without.
    """
    above = above or (lambda outcome, metric: optimality_gap.gap_words(outcome, metric, outcomes))
    measured = [outcome for outcome in outcomes if outcome.run.scheduler == MEASURED.name]
    simulated = [outcome for outcome in outcomes if outcome.is_scheduled]
    optimum = [optimality_gap.optimum_words(outcome.planned) for outcome in outcomes if outcome.planned]
    if not measured:
        return [*_best_sentences(simulated, above), *optimum]
    is_single = len(simulated) == 1 and simulated[0].run.status == "finished"
    best = _best_sentences(simulated, above) if simulated and not is_single else []
    return [*_compare_to_measured(measured[0], simulated), *best, *optimum]


def story(outcomes: Sequence[Outcome]) -> str:
    """Which of several schedulers finishes the batch first, by how much sooner than the last, and what the
    last one spends more of the cluster on; "" where a run is stuck, jobs fail, or none is 1 % sooner.
    """
    if len(outcomes) < 2 or any(
        outcome.run.status != "finished" or undone_jobs(outcome.metrics) for outcome in outcomes
    ):
        return ""
    first, last = (
        extreme(outcomes, key=lambda outcome: outcome.metrics["makespan_s"]) for extreme in (min, max)
    )
    shortest, longest = (outcome.metrics["makespan_s"] for outcome in (first, last))
    if quantities.whole_percent(sooner := (longest - shortest) / longest) == quantities.whole_percent(0):
        return ""
    batch = "this job" if len(first.run.workload.job_names) == 1 else "this batch"
    return msg(
        "report.summary_text.finishes_sooner",
        first=_name(first),
        batch=batch,
        share=quantities.whole_percent(sooner),
        last=_name(last),
        because=_because(first, last),
    )


def _because(first: Outcome, last: Outcome) -> str:
    """By the resource of which the first run uses more."""
    if max(len(outcome.run.containers.job) for outcome in (first, last)) > MAX_EXPLAINED_CONTAINERS:
        return ""
    vcores, memory = (first.metrics[f"{key}_utilization"] for key in ("vcore", "memory"))
    resource = "memory" if memory > vcores else "vcores"
    shorter, longer = (
        capacity_use(_name(outcome), True, outcome.split, resource) for outcome in (first, last)
    )
    reason = capacity_reason(shorter, longer, resource)
    return f": {reason}" if reason else ""


def _compare_to_measured(measured: Outcome, simulated: Sequence[Outcome]) -> list[str]:
    """What was measured, and how far from it what is simulated and finishes ends; of one alone its mean
    turnaround too.
    """
    makespan, turnaround = (measured.metrics[key] for key in ("makespan_s", "mean_turnaround_s"))
    failed = _failed_sentence([measured], msg("report.summary_text.as_measured"))
    done = [outcome for outcome in simulated if outcome.run.status == "finished"]
    if len(simulated) == len(done) == 1:
        (outcome,) = done
        ends, mean = (outcome.metrics[key] for key in ("makespan_s", "mean_turnaround_s"))
        difference = _relative_difference(ends, makespan, "earlier", "later", THAN_MEASURED)
        sentences = [
            msg(
                "report.summary_text.in_simulation_finishes_in",
                scheduler=_name(outcome),
                ends=quantities.duration(1000 * ends),
                difference=difference,
            )
        ]
        if mean is not None and turnaround is not None:
            duration = quantities.duration(1000 * mean)
            difference = _relative_difference(mean, turnaround, "less", "more", THAN_MEASURED)
            sentences.append(
                msg("report.summary_text.job_takes_in_mean", mean=duration, difference=difference)
            )
        return [*sentences, *failed, *_failed_sentence(done)]
    took = msg("report.summary_text.measured_batch_took", makespan=quantities.duration(1000 * makespan))
    if not done:
        mean = "" if turnaround is None else f", a job in the mean {quantities.duration(1000 * turnaround)}"
        return [f"{took}{mean}.", *failed]
    differences = []
    for outcome in done:
        difference = _relative_difference(outcome.metrics["makespan_s"], makespan, "earlier", "later")
        differences.append(f"{_name(outcome)} {difference}")
    return [msg("report.summary_text.simulated", took=took, differences="; ".join(differences)), *failed]


def _relative_difference(seconds: float, measured: float, less: str, more: str, than: str = "") -> str:
    """How far from what was measured: "3 % earlier than measured"."""
    if seconds == measured:
        return msg("report.summary_text.as_measured")
    if not measured:
        return more + than
    share = quantities.percent(abs(seconds - measured) / measured)
    return f"{share} {less if seconds < measured else more}{than}"


def _best_sentences(outcomes: Sequence[Outcome], above: GapText) -> list[str]:
    """Sentences: what ended in a deadlock, first; the shortest makespan and mean turnaround, and by how much;
    and which runs are equal.
    """
    first = first_equal(outcomes)
    is_named = [first[place] == place for place in range(len(outcomes))]
    stuck = [
        _deadlock_sentence(outcome, is_single=len(outcomes) == 1)
        for outcome, named in zip(outcomes, is_named)
        if named and outcome.run.status != "finished"
    ]
    equal = _equal_sentence(outcomes, first)
    done = [pair for pair in zip(outcomes, is_named) if pair[0].run.status == "finished"]
    if not done:
        return [*_all_stuck(outcomes), *stuck, *equal]
    finished = [done[place] for place in sorted(contenders([outcome.metrics for outcome, _ in done]))]
    which = ""
    if len(finished) < len(done):
        which = _fewest_undone([outcome for outcome, _ in done])
    elif len(done) < len(outcomes):
        which = msg("report.summary_text.finish")
    schedulers = msg("report.summary_text.schedulers", count=_all_or_both(len(finished)), which=which)
    best = [_best_sentence(*texts, finished, schedulers, above) for texts in BEST_TEXTS]
    return [
        *stuck,
        *_failed_sentence([outcome for outcome, named in done if named]),
        *_refused_sentence([outcome for outcome, named in done if named]),
        *filter(None, best),
        *equal,
    ]


def _all_stuck(outcomes: Sequence[Outcome]) -> list[str]:
    if len(outcomes) == 1 or any(outcome.run.status != "deadlock" for outcome in outcomes):
        return []
    which = _all_or_both(len(outcomes)).capitalize()
    return [msg("report.summary_text.schedulers_deadlock", which=which)]


def _fewest_undone(done: Sequence[Outcome]) -> str:
    if any(outcome.metrics.get("refused_jobs") for outcome in done):
        return msg("report.summary_text.with_fewest_refused_jobs")
    return msg("report.summary_text.with_fewest_failed_jobs")


def _failed_sentence(finished: Sequence[Outcome], measured: str = "") -> list[str]:
    """How many jobs fail, in a sentence; none where none does. measured: said instead of the scheduler's
    name.
    """
    counts = []
    for outcome in finished:
        count = outcome.metrics["failed_jobs"]
        how = measured or msg("shared.under", scheduler=_name(outcome))
        verb = "failed" if measured else "fails" if count == 1 else "fail"
        if count:
            counts.append(f"{quantities.count(count, 'jobs')} {verb} {how}")
    return [f"{'; '.join(counts)}."] if counts else []


def _refused_sentence(finished: Sequence[Outcome]) -> list[str]:
    """How many jobs are refused, in a sentence, with the first reason where it is the same under all these
    schedulers; none where none is.
    """
    counts, reasons = [], set()
    for outcome in finished:
        if count := outcome.metrics.get("refused_jobs", 0):
            how = msg("shared.under", scheduler=_name(outcome))
            verb = "is" if count == 1 else "are"
            counts.append(f"{quantities.count(count, 'jobs')} {verb} refused {how}")
            reasons.add(next(iter(refusal_reasons(outcome.run).values())))
    if not counts:
        return []
    because = f": {reasons.pop()}" if len(reasons) == 1 else ""
    return [f"{'; '.join(counts)}{because}."]


def _deadlock_sentence(outcome: Outcome, is_single: bool) -> str:
    if outcome.run.status == "refused":
        return f"{_name(outcome)}: {outcome.run.because}."
    return msg(
        "report.summary_text.deadlocks_at",
        scheduler=_name(outcome),
        moment=quantities.moment(outcome.run.at_ms),
        never=msg("report.summary_text.and_never_finishes_batch") if is_single else "",
        because=outcome.run.because,
    )


def _equal_sentence(outcomes: Sequence[Outcome], first: Sequence[int]) -> list[str]:
    """Which runs are the same, in a sentence; none where all differ."""
    names = [_name(outcome) for outcome in outcomes]
    groups = [[name for name, place in zip(names, first) if place == head] for head in dict.fromkeys(first)]
    same = [" = ".join(reversed(group)) for group in groups if len(group) > 1]
    return [msg("report.summary_text.container_for_container_same_run", same="; ".join(same))] if same else []


def _all_or_both(count: int) -> str:
    return "both" if count == 2 else msg("report.summary_text.all", count=count)


def _best_sentence(
    key: str,
    best: str,
    same: str,
    finished: Sequence[tuple[Outcome, bool]],
    schedulers: str,
    above: GapText,
) -> str:
    """finished: each with whether it is the first of its equals, for these alone are named; schedulers: all
    of them in words. "" where one has no such number.
    """
    values = [outcome.metrics[key] for outcome, _ in finished]
    if None in values:
        return ""
    shortest_s, longest_s = min(values), max(values)
    shortest = quantities.duration(1000 * shortest_s)
    gap = above(finished[values.index(shortest_s)][0], key)
    gap = f", {gap}" if gap else ""
    if len(finished) == 1:
        name = _name(finished[0][0])
        return msg("report.summary_text.under", same=same, scheduler=name, shortest=shortest, gap=gap)
    if shortest_s == longest_s:
        return msg(
            "report.summary_text.under_2", same=same, shortest=shortest, schedulers=schedulers, gap=gap
        )
    first, last = (
        [_name(outcome) for (outcome, named), value in zip(finished, values) if named and value == end]
        for end in (shortest_s, longest_s)
    )
    return msg(
        "report.summary_text.less_than_under_with",
        best=best,
        first=join_names(first),
        shortest=shortest,
        gap=f"{gap} and" if gap else ",",
        saved=quantities.percent((longest_s - shortest_s) / longest_s),
        last=join_names(last, "or"),
        longest=quantities.duration(1000 * longest_s),
    )


def _name(outcome: Outcome) -> str:
    return display_name(outcome.run.scheduler)


def duration_text(value: Any) -> str:
    """A duration of a scenario: "20 s", "normal(20, 5) s"."""
    if not isinstance(value, dict):
        return f"{value:,g} s"
    if "values" in value:
        first, ending = (f"{one:g}" for one in value["values"][:6]), ", …" if len(value["values"]) > 6 else ""
        return msg("report.summary_text.values_s", value=", ".join(first), ending=ending)
    return f"{value['dist']}({', '.join(f'{one:g}' for key, one in value.items() if key != 'dist')}) s"


def node_table(scenario: Scenario) -> tuple[list[str], list[list[str]]]:
    """Heads and rows of the cluster's groups of nodes."""
    rows = [
        [
            group.name or f"node{number}",
            f"{group.count:,}",
            quantities.memory(group.memory_mb),
            f"{group.vcores:,}",
            f"{group.speed:g} x",
            group.rack or quantities.NO_VALUE,
        ]
        for number, group in enumerate(scenario.cluster.nodes, start=1)
    ]
    memory, vcores = msg("report.summary_text.memory_each"), msg("report.summary_text.vcores_each")
    heads = ["Nodes", "Count", memory, vcores, "Speed", "Rack"]
    if any(group.joins_ms for group in scenario.cluster.nodes):
        heads.append("Joins")
        for row, group in zip(rows, scenario.cluster.nodes):
            row.append(quantities.moment(group.joins_ms))
    return heads, rows


def cluster_sentence(scenario: Scenario) -> str:
    """What is the same for all nodes, in a sentence."""
    cluster = scenario.cluster
    heartbeat = msg("report.summary_text.nodes_served_at_once_without_heartbeats")
    if cluster.heartbeat_ms:
        every = quantities.duration(cluster.heartbeat_ms)
        heartbeat = msg("report.summary_text.node_sends_heartbeat_every", every=every)
    limit = msg("report.summary_text.gets_whatever_fits_then")
    if cluster.containers_per_heartbeat:
        count = quantities.count(cluster.containers_per_heartbeat, "containers")
        limit = msg("report.summary_text.gets_at_most_then", count=count)
    contention = ""
    if cluster.contention:
        contention = msg("report.summary_text.tasks_on_one_node_slow_each", contention=cluster.contention)
    return msg(
        "report.summary_text.and_reduce_fetches_mb_s_seed",
        heartbeat=heartbeat,
        limit=limit,
        shuffle_mb_s=cluster.shuffle_mb_s,
        contention=contention,
        physics=_physics_sentence(scenario),
        seed=scenario.seed,
    )


def _physics_sentence(scenario: Scenario) -> str:
    """What of the physics of a cluster is on, in a sentence; "" where nothing is."""
    cluster, parts = scenario.cluster, []
    if cluster.launch_s:
        duration = duration_text(cluster.model_dump()["launch_s"])
        parts.append(msg("report.summary_text.launch", duration=duration))
    if cluster.stragglers:
        share = quantities.percent(cluster.stragglers.share)
        parts.append(msg("report.summary_text.stragglers", share=share))
    if cluster.failures:
        probability = cluster.failures.probability
        parts.append(msg("report.summary_text.attempts_fail_with_probability", probability=probability))
    if cluster.outages:
        parts.append(quantities.count(len(cluster.outages), "outages"))
    if cluster.locality:
        nodes = quantities.count(cluster.locality.replication, "nodes")
        parts.append(msg("report.summary_text.blocks_on_each", nodes=nodes))
    if any(job.speculates for job in scenario.jobs):
        parts.append("speculation")
    return msg("report.summary_text.has", parts=join_names(parts)) if parts else ""


def queue_table(scenario: Scenario) -> tuple[list[str], list[list[str]]]:
    """Heads and rows of the queues that are written down."""
    share = lambda value: quantities.NO_VALUE if value is None else f"{value:g} %"
    rows = [
        [
            queue.name,
            f"{queue.weight:g}",
            share(queue.capacity_pct),
            share(queue.max_capacity_pct),
            queue.policy or msg("report.summary_text.as_scheduler"),
        ]
        for queue in scenario.queues
    ]
    return ["Queue", "Weight", "Capacity", msg("report.summary_text.largest_capacity"), "Policy"], rows


def job_table(scenario: Scenario) -> tuple[list[str], list[list[str]]]:
    """Heads and rows of the groups of jobs."""
    rows = []
    for number, (job, values) in enumerate(zip(scenario.jobs, scenario.model_dump()["jobs"]), start=1):
        arrival = f"{job.arrival_s:,g} s"
        if job.count > 1:
            interval = duration_text(values["interval_s"])
            arrival += msg("report.summary_text.then_every", interval=interval)
        stages = [_stage_text(values["maps"]), _stage_text(values["reduces"])]
        output = f"{job.shuffle_mb_per_map:,g} MB"
        rows.append([job.name or f"job{number}", f"{job.count:,}", arrival, *stages, output])
    return ["Jobs", "Copies", "Arrival", "Maps", "Reduces", msg("report.summary_text.output_map")], rows


def _stage_text(stage: dict | None) -> str:
    if not stage or not stage["count"]:
        return quantities.NO_VALUE
    return (
        f"{stage['count']:,} of {duration_text(stage['duration_s'])}, "
        f"{quantities.memory(stage['memory_mb'])}, {quantities.vcores(stage['vcores'])}"
    )
