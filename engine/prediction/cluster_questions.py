"""Questions of the cluster: nodes more or fewer, a rack lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from engine import quantities
from engine.experiments.node_total import MAX_NODES, NODES_TOTAL
from engine.experiments.overrides import apply_overrides
from engine.messages import msg
from engine.prediction.question import (
    Question,
    QuestionError,
    QuestionField,
    ScenarioChange,
    Values,
    require_choice,
    to_choices,
    without_record,
)
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import Scheduler

MORE = 0.25  # of the nodes, by which the question of nodes begins
MAX_MINUTES = 1_000_000.0
OTHER_SIZE = msg("prediction.cluster_questions.task_times_those_record_on_another")
WITHOUT_CHANGE = msg("prediction.cluster_questions.no_file_scheduler_sets_number_nodes")


def _nodes(scenario: Scenario) -> int:
    return sum(group.count for group in scenario.cluster.nodes)


def _node_fields(scenario: Scenario, chosen: Scheduler) -> tuple[QuestionField, ...]:
    now = _nodes(scenario)
    return (
        QuestionField(
            "nodes",
            msg("prediction.cluster_questions.nodes_in_all"),
            "nodes",
            min(MAX_NODES, now + max(1, round(MORE * now))),
            1,
            MAX_NODES,
            whole=True,
        ),
    )


def _change_nodes(scenario: Scenario, chosen: Scheduler, values: Values) -> ScenarioChange:
    now, total = _nodes(scenario), values["nodes"]
    plain, _ = apply_overrides(without_record(scenario), [], [(NODES_TOTAL, total)])
    _without_outages(plain, {name for name, _ in _named(plain["cluster"]["nodes"])})
    comparison = (
        msg("prediction.cluster_questions.as_many_as_now")
        if total == now
        else f"{abs(total - now):,} {'more' if total > now else 'fewer'}"
    )
    return ScenarioChange(
        plain,
        chosen,
        msg(
            "prediction.cluster_questions.instead",
            total=total,
            value="node" if total == 1 else "nodes",
            now=now,
            comparison=comparison,
        ),
        (OTHER_SIZE, WITHOUT_CHANGE),
    )


def _without_outages(plain: dict[str, Any], names: set[str]) -> None:
    """Outages of nodes that are no longer there would be faults."""
    if outages := plain["cluster"].get("outages"):
        plain["cluster"] = {
            **plain["cluster"],
            "outages": [outage for outage in outages if outage["node"] in names],
        }


def _named(groups: list[dict]) -> Iterator[tuple[str, str | None]]:
    """Every node's name with its rack."""
    for index, group in enumerate(groups, start=1):
        name, count = group.get("name") or f"node{index}", group["count"]
        yield from (
            (name if count == 1 else f"{name}-{copy}", group.get("rack")) for copy in range(1, count + 1)
        )


def _joins(scenario: Scenario) -> Iterator[float]:
    """Of every node, from when on it can be lost, in s."""
    for group in scenario.cluster.nodes:
        yield from [(group.joins_ms + 1) / 1000 if group.joins_ms else 0.0] * group.count


def _failure_domains(scenario: Scenario) -> tuple[str, dict[str, list[str]]]:
    """ "rack" or "node", and the nodes of each; QuestionError where one node is all there is."""
    nodes = list(_named([group.model_dump() for group in scenario.cluster.nodes]))
    if len(nodes) == 1:
        raise QuestionError(msg("prediction.cluster_questions.cluster_has_one_node_without_nothing"))
    racks = Counter(rack for _, rack in nodes)
    if len(racks) > 1:
        racks_of_nodes = {
            rack: [name for name, node_rack in nodes if node_rack == rack]
            for rack in racks
            if rack is not None
        }
        return "rack", dict(sorted(racks_of_nodes.items(), key=lambda entry: -len(entry[1])))
    return "node", {name: [name] for name, _ in nodes}


def _rack_fields(scenario: Scenario, chosen: Scheduler) -> tuple[QuestionField, ...]:
    what, groups = _failure_domains(scenario)
    choices = to_choices(
        list(groups),
        lambda name: (
            msg("prediction.cluster_questions.nodes", name=name, groups=len(groups[name]))
            if what == "rack"
            else name
        ),
    )
    return (
        QuestionField(
            "lost", msg("prediction.cluster_questions.lost", what=what), "", choices[0].value, choices=choices
        ),
        QuestionField(
            "after_min", msg("prediction.cluster_questions.lost_after"), "min", 0.0, 0, MAX_MINUTES
        ),
    )


def _lose(scenario: Scenario, chosen: Scheduler, values: Values) -> ScenarioChange:
    what, groups = _failure_domains(scenario)
    lost, at_s = groups[require_choice(values["lost"], list(groups), what)], 60 * values["after_min"]
    plain, lost_names = without_record(scenario), set(lost)
    before = [outage for outage in plain["cluster"].get("outages", []) if outage["node"] not in lost_names]
    joins = dict(zip((name for name, _ in _named(plain["cluster"]["nodes"])), _joins(scenario)))
    plain["cluster"] = {
        **plain["cluster"],
        "outages": [*before, *({"node": name, "lost_s": max(at_s, joins[name])} for name in lost)],
    }
    when = (
        msg("prediction.cluster_questions.after", duration=quantities.duration(60_000 * values["after_min"]))
        if at_s
        else msg("prediction.cluster_questions.from_beginning")
    )
    size = f", {quantities.count(len(lost), 'nodes')} of {_nodes(scenario):,}" if what == "rack" else ""
    caveat = msg("prediction.cluster_questions.its_tasks_run_again_on_other")
    title = msg(
        "prediction.cluster_questions.lost_and_does_not_come_back",
        what=what,
        lost=values["lost"],
        size=size,
        when=when,
    )
    return ScenarioChange(
        plain,
        chosen,
        title,
        (caveat, OTHER_SIZE, msg("prediction.cluster_questions.loss_no_setting_there_no_configuration")),
    )


NODES = Question(
    "nodes",
    msg("prediction.cluster_questions.more_or_fewer_nodes"),
    msg("prediction.cluster_questions.what_would_another_number_nodes_give"),
    _node_fields,
    _change_nodes,
)
RACK = Question(
    "rack",
    msg("prediction.cluster_questions.rack_lost"),
    msg("prediction.cluster_questions.how_late_batch_when_rack_or"),
    _rack_fields,
    _lose,
)
