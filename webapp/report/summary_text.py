"""What a report says in words: the question, which scheduler is best by how much, and what the scenario is
made of.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypedDict

from engine import MEASURED, Scenario
from webapp import theme
from webapp.report import optimality_gap
from webapp.services.identical_runs import first_equal
from webapp.services.outcome import Outcome
from webapp.services.runs import Task

GapText = Callable[[Outcome, str], str]


def join_names(names: Sequence[str], last: str = "and") -> str:
    """ "a", "a and b", "a, b and c"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def question(task: Task) -> str:
    """What the report answers."""
    workload = task.outcomes()[0].run.workload
    jobs, nodes = theme.count(len(workload.job_names), "jobs"), theme.count(len(workload.node_names), "nodes")
    batch = f"{'this job' if len(workload.job_names) == 1 else f'these {jobs}'} on {nodes}"
    if not task.simulated:
        return f"How did a cluster run {batch}?"
    measured_part = ", beside what was measured" if len(task.simulated) < len(task.schedulers) else ""
    return f"How does YARN run {batch} under {join_names(task.simulated)}{measured_part}?"


class VerdictChip(TypedDict):
    """The verdict on one scheduler. place: of its colour, as Task.places; makespan: as on a clock, of a
    deadlock when it came to be.

    difference: to what was measured, or else to the best, "+110 %", "" of that and of a deadlock; best: of
    those that are simulated it finishes first and not all do so at once; above, about: how far it is above
    the best possible and what that means, "" where that can't be told.
    """

    place: int
    makespan: str
    difference: str
    best: bool
    deadlock: bool
    above: str
    about: str


def verdict_chips(task: Task) -> list[VerdictChip]:
    """One for each of what is shown, in its order; the best is one of the task's own schedulers, of those
    under which the fewest jobs fail.
    """
    own_metrics = [
        shown_run.outcome.metrics
        for shown_run in task.shown
        if shown_run.task is task and shown_run.is_scheduled
    ]
    failed = min_failed_jobs(own_metrics)
    makespans = [
        None if metrics_["failed_jobs"] > failed else metrics_["makespan_s"] for metrics_ in own_metrics
    ]
    best_makespan = min((makespan for makespan in makespans if makespan is not None), default=None)
    outcomes = [shown_run.outcome for shown_run in task.shown]
    reference = next(
        (shown_run.outcome.metrics["makespan_s"] for shown_run in task.shown if shown_run.is_measured), None
    )
    chips = []
    for place, shown_run in enumerate(task.shown):
        metrics = shown_run.outcome.metrics
        makespan, above = (
            metrics["makespan_s"],
            optimality_gap.gap_of(shown_run.outcome, "makespan_s", outcomes),
        )
        deadlock = makespan is None
        is_candidate = shown_run.task is task and shown_run.is_scheduled
        best = (
            not deadlock
            and makespan == best_makespan
            and is_candidate
            and metrics["failed_jobs"] == failed
            and len(set(makespans)) > 1
        )
        chips.append(
            VerdictChip(
                place=task.places[place],
                makespan=theme.clock(
                    (shown_run.outcome.run.until_ms - shown_run.outcome.run.first_ms) / 1000
                ),
                difference=""
                if deadlock or shown_run.is_measured or (best and reference is None)
                else _percent_longer(makespan, best_makespan if reference is None else reference),
                best=best,
                deadlock=deadlock,
                above=above.sign if above else "",
                about=above.about if above else "",
            )
        )
    return chips


def min_failed_jobs(metrics: Sequence[dict[str, Any]]) -> int:
    """The fewest jobs that fail under a scheduler that finishes; a run is no better for work that it gave
    up.
    """
    return min((metric["failed_jobs"] for metric in metrics if metric["makespan_s"] is not None), default=0)


def _percent_longer(makespan: float, shorter: float | None) -> str:
    """By how much it is longer than another, "" where that is nothing or means nothing."""
    percent = round(100 * (makespan - shorter) / shorter) if shorter else 0
    return f"{'+' if percent > 0 else '−'}{abs(percent):,} %" if percent else ""


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
    comparison = _compare_to_measured(measured[0], simulated)
    is_single = len(simulated) == 1 and simulated[0].run.status == "finished"
    return [
        *comparison,
        *(_best_sentences(simulated, above) if simulated and not is_single else []),
        *optimum,
    ]


def _compare_to_measured(measured: Outcome, simulated: Sequence[Outcome]) -> list[str]:
    """What was measured, and how far from it what is simulated and finishes ends; of one alone its mean
    turnaround too.
    """
    makespan, turnaround = (measured.metrics[key] for key in ("makespan_s", "mean_turnaround_s"))
    failed = _failed_sentence([measured], "as measured")
    done = [outcome for outcome in simulated if outcome.run.status == "finished"]
    if len(simulated) == len(done) == 1:
        (outcome,) = done
        ends, mean = (outcome.metrics[key] for key in ("makespan_s", "mean_turnaround_s"))
        sentences = [
            f"{outcome.run.scheduler} is simulated to finish in {theme.duration(1000 * ends)}, "
            f"{_relative_difference(ends, makespan, 'earlier', 'later')}."
        ]
        if mean is not None and turnaround is not None:
            sentences.append(
                f"A job takes {theme.duration(1000 * mean)} in the mean, "
                f"{_relative_difference(mean, turnaround, 'less', 'more')}."
            )
        return [*sentences, *failed, *_failed_sentence(done)]
    sentences = f"Measured: the batch took {theme.duration(1000 * makespan)}"
    if not done:
        return [
            f"{sentences}{'' if turnaround is None else f', a job in the mean {theme.duration(1000 * turnaround)}'}.",
            *failed,
        ]
    differences = [
        f"{outcome.run.scheduler} "
        f"{_relative_difference(outcome.metrics['makespan_s'], makespan, 'earlier', 'later', '')}"
        for outcome in done
    ]
    return [f"{sentences}. Simulated to finish: {'; '.join(differences)}.", *failed]


def _relative_difference(
    seconds: float, measured: float, less: str, more: str, than: str = " than measured"
) -> str:
    """How far from what was measured: "3 % earlier than measured"."""
    if seconds == measured or not measured:
        return "as measured" if seconds == measured else f"{more}{than}"
    return f"{theme.percent(abs(seconds - measured) / measured)} {less if seconds < measured else more}{than}"


def _best_sentences(outcomes: Sequence[Outcome], above: GapText) -> list[str]:
    """Sentences: what ended in a deadlock, first; the shortest makespan and mean turnaround, and by how much;
    and which runs are equal.
    """
    first = first_equal(outcomes)
    stuck = [
        _deadlock_sentence(outcome, is_single=len(outcomes) == 1)
        for place, outcome in enumerate(outcomes)
        if outcome.run.status != "finished" and first[place] == place
    ]
    if all(outcome.run.status != "finished" for outcome in outcomes):
        return [
            *(
                [f"{_all_or_both(len(outcomes)).capitalize()} schedulers deadlock."]
                if len(outcomes) > 1
                else []
            ),
            *stuck,
            *_equal_sentence(outcomes, first),
        ]
    done = [
        (outcome, first[place] == place)
        for place, outcome in enumerate(outcomes)
        if outcome.run.status == "finished"
    ]
    failed = min_failed_jobs([outcome.metrics for outcome, _ in done])
    finished = [(outcome, named) for outcome, named in done if outcome.metrics["failed_jobs"] == failed]
    which = (
        " with the fewest failed jobs"
        if len(finished) < len(done)
        else " that finish"
        if len(done) < len(outcomes)
        else ""
    )
    schedulers_text = f"{_all_or_both(len(finished))} schedulers{which}"
    makespan = _best_sentence(
        "The batch is finished first under", "The makespan", "makespan_s", finished, schedulers_text, above
    )
    turnaround = _best_sentence(
        "A job's mean turnaround is shortest under",
        "The mean turnaround of a job",
        "mean_turnaround_s",
        finished,
        schedulers_text,
        above,
    )
    return [
        *stuck,
        *_failed_sentence([outcome for outcome, named in done if named]),
        makespan,
        *([turnaround] if turnaround else []),
        *_equal_sentence(outcomes, first),
    ]


def _failed_sentence(finished: Sequence[Outcome], measured: str = "") -> list[str]:
    """How many jobs fail, in a sentence; none where none does. measured: said instead of the scheduler's
    name.
    """
    counts = [
        (outcome.metrics["failed_jobs"], measured or f"under {outcome.run.scheduler}") for outcome in finished
    ]
    verb = "failed" if measured else ""
    counts_text = [
        f"{theme.count(count, 'jobs')} {verb or ('fails' if count == 1 else 'fail')} {how}"
        for count, how in counts
        if count
    ]
    return [f"{'; '.join(counts_text)}."] if counts_text else []


def _deadlock_sentence(outcome: Outcome, is_single: bool) -> str:
    never = " and never finishes the batch" if is_single else ""
    return (
        f"{outcome.run.scheduler} deadlocks at {theme.moment(outcome.run.at_ms)}{never}: "
        f"{outcome.run.because}"
    )


def _equal_sentence(outcomes: Sequence[Outcome], first: Sequence[int]) -> list[str]:
    """Which runs are the same, in a sentence; none where all differ."""
    names = [outcome.run.scheduler for outcome in outcomes]
    groups = [[name for name, place in zip(names, first) if place == head] for head in dict.fromkeys(first)]
    same = [" = ".join(reversed(group)) for group in groups if len(group) > 1]
    return [f"{'; '.join(same)}: container for container the same run."] if same else []


def _all_or_both(count: int) -> str:
    return "both" if count == 2 else f"all {count}"


def _best_sentence(
    best: str,
    same: str,
    key: str,
    finished: Sequence[tuple[Outcome, bool]],
    schedulers_text: str,
    above: GapText,
) -> str:
    """finished: each with whether it is the first of its equals, for these alone are named; who: all of them
    in words. "" where one has no such number.
    """
    if any(outcome.metrics[key] is None for outcome, _ in finished):
        return ""
    values = [outcome.metrics[key] for outcome, _ in finished]
    shortest_s, longest_s = min(values), max(values)
    shortest = theme.duration(1000 * shortest_s)
    gap_text = above(finished[values.index(shortest_s)][0], key)
    gap_text = f", {gap_text}" if gap_text else ""
    if len(finished) == 1:
        return f"{same} under {finished[0][0].run.scheduler} is {shortest}{gap_text}."
    if shortest_s == longest_s:
        return f"{same} is {shortest} under {schedulers_text}{gap_text}."
    first, last = (
        [outcome.run.scheduler for (outcome, named), value in zip(finished, values) if named and value == end]
        for end in (shortest_s, longest_s)
    )
    saved = theme.percent((longest_s - shortest_s) / longest_s)
    return (
        f"{best} {join_names(first)}: {shortest}{f'{gap_text} and' if gap_text else ','} {saved} less "
        f"than under {join_names(last, 'or')} with {theme.duration(1000 * longest_s)}."
    )


def duration_text(value: Any) -> str:
    """A duration of a scenario: "20 s", "normal(20, 5) s"."""
    if not isinstance(value, dict):
        return f"{value:,g} s"
    if "values" in value:
        values = value["values"]
        return f"values({', '.join(f'{one:g}' for one in values[:6])}{', …' if len(values) > 6 else ''}) s"
    return f"{value['dist']}({', '.join(f'{one:g}' for key, one in value.items() if key != 'dist')}) s"


def node_table(scenario: Scenario) -> tuple[list[str], list[list[str]]]:
    """Heads and rows of the cluster's groups of nodes."""
    rows = []
    for number, group in enumerate(scenario.cluster.nodes, start=1):
        sizes = [f"{group.count:,}", theme.memory(group.memory_mb), f"{group.vcores:,}", f"{group.speed:g} x"]
        rows.append([group.name or f"node{number}", *sizes, group.rack or theme.NO_VALUE])
    return ["Nodes", "Count", "Memory of each", "Vcores of each", "Speed", "Rack"], rows


def cluster_sentence(scenario: Scenario) -> str:
    """What is the same for all nodes, in a sentence."""
    cluster = scenario.cluster
    heartbeat_text = (
        f"A node sends a heartbeat every {theme.duration(cluster.heartbeat_ms)}"
        if cluster.heartbeat_ms
        else "Nodes are served at once, without heartbeats"
    )
    limit_text = (
        f"gets at most {theme.count(cluster.containers_per_heartbeat, 'containers')} then"
        if cluster.containers_per_heartbeat
        else "gets whatever fits then"
    )
    contention_text = (
        f" Tasks on one node slow each other with contention {cluster.contention:g}."
        if cluster.contention
        else ""
    )
    return (
        f"{heartbeat_text} and {limit_text}; a reduce fetches {cluster.shuffle_mb_s:,g} "
        f"MB/s.{contention_text}{_physics_sentence(scenario)} The seed of random durations is "
        f"{scenario.seed}."
    )


def _physics_sentence(scenario: Scenario) -> str:
    """What of the physics of a cluster is on, in a sentence; "" where nothing is."""
    cluster = scenario.cluster
    plain = cluster.model_dump()
    parts = [f"a launch of {duration_text(plain['launch_s'])}"] if cluster.launch_s else []
    parts += [f"{theme.percent(cluster.stragglers.share)} stragglers"] if cluster.stragglers else []
    parts += (
        [f"attempts that fail with probability {cluster.failures.probability:g}"] if cluster.failures else []
    )
    parts += [f"{theme.count(len(cluster.outages), 'outages')}"] if cluster.outages else []
    parts += (
        [f"blocks on {theme.count(cluster.locality.replication, 'nodes')} each"] if cluster.locality else []
    )
    parts += ["speculation"] if any(job.speculation != "none" for job in scenario.jobs) else []
    return f" It has {join_names(parts)}." if parts else ""


def queue_table(scenario: Scenario) -> tuple[list[str], list[list[str]]]:
    """Heads and rows of the queues that are written down."""
    share = lambda value: theme.NO_VALUE if value is None else f"{value:g} %"
    rows = [
        [
            queue.name,
            f"{queue.weight:g}",
            share(queue.capacity_pct),
            share(queue.max_capacity_pct),
            queue.policy or "as the scheduler",
        ]
        for queue in scenario.queues
    ]
    return ["Queue", "Weight", "Capacity", "Largest capacity", "Policy"], rows


def job_table(scenario: Scenario) -> tuple[list[str], list[list[str]]]:
    """Heads and rows of the groups of jobs."""
    plain = scenario.model_dump()["jobs"]
    rows = []
    for number, (job, values) in enumerate(zip(scenario.jobs, plain), start=1):
        arrival = f"{job.arrival_s:,g} s"
        if job.count > 1:
            arrival += f", then every {duration_text(values['interval_s'])}"
        stages = [_stage_text(values["maps"]), _stage_text(values["reduces"])]
        rows.append(
            [
                job.name or f"job{number}",
                f"{job.count:,}",
                arrival,
                *stages,
                f"{job.shuffle_mb_per_map:,g} MB",
            ]
        )
    return ["Jobs", "Copies", "Arrival", "Maps", "Reduces", "Output of a map"], rows


def _stage_text(stage: dict | None) -> str:
    if not stage or not stage["count"]:
        return theme.NO_VALUE
    return (
        f"{stage['count']:,} of {duration_text(stage['duration_s'])}, {theme.memory(stage['memory_mb'])}, "
        f"{theme.vcores(stage['vcores'])}"
    )
