"""Which queue a job comes to: queuePlacementPolicy of FairScheduler, queue-mappings of CapacityScheduler."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, NamedTuple

from engine.messages import msg
from engine.scenario.configuration.configuration_notes import NoteKind, Remarks, Where
from engine.scenario.configuration.java_values import trim
from engine.scenario.configuration.property_table import Draft
from engine.scenario.configuration.queue_policies import QueuePolicies
from engine.scenario.configuration.site_table import CAPACITY, FAIR
from engine.scenario.configuration.value_parsing import AROUND_NAMES, parse_bool, quoted
from engine.scenario.configuration.xml_tree import Element
from engine.scenario.queue_validation import DEFAULT_QUEUE, ROOT
from engine.scenario.scenario_limits import MAX_REJECTED_LENGTH

PLACEMENT = "queuePlacementPolicy"
REJECT, NESTED = "reject", "nestedUserQueue"
MAPPINGS, MAPPINGS_OVERRIDE, MAPPINGS_FORMAT = (
    f"{CAPACITY}{end}" for end in ("queue-mappings", "queue-mappings-override.enable", "mapping-rule-format")
)
# parts of a mapping's queue that a job fills in (VariableContext)
VARIABLES = ("%user", "%primary_group", "%secondary_group", "%default", "%specified", "%application")
# the last rule that is asked where it may create the queue
CREATING_RULES = (
    "user",
    "primaryGroup",
    NESTED,
    "default",
)
RULE_NAMES = ("specified", *CREATING_RULES, "secondaryGroupExistingQueue", REJECT)


@dataclass(frozen=True)
class Rule:
    """One rule: its name, whether it may create its queue, the queue of a default or mapping, the rule for
    the queue above, the user or group of a mapping.
    """

    name: str
    create: bool = True
    queue: str = DEFAULT_QUEUE
    parent: Rule | None = None
    user: str = ""
    group: str = ""


@dataclass(frozen=True)
class Placement:
    """All rules, in order. family: fair or capacity; overrides: under capacity, whether they come before the
    queue that a job names; policies: under fair, of the queues, which let some not be created.
    """

    family: str
    rules: tuple[Rule, ...]
    overrides: bool = False
    policies: QueuePolicies = QueuePolicies()


def fair_rules(file: str, element: Element, remarks: Remarks) -> Placement | None:
    """The rules of a queuePlacementPolicy, None where it has none, so that those without it stand.

    FormatError where Hadoop would refuse them (QueuePlacementPolicy.fromXml).
    """
    places = [
        (Where(file, child.line, child.tag), child)
        for child in element.children
        if child.tag.lower() == "rule"
    ]
    where = Where(file, element.line, PLACEMENT)
    if element.leading is None and not element.children:
        raise where.fault(msg("scenario.queue_placement.holds_no_rule"))
    if not places:
        remarks.add(where, msg("scenario.queue_placement.no_rule_in_it"), NoteKind.NOT_READ)
        return None
    rules = [_rule(file, child, remarks) for _, child in places]
    for (where, _), rule in zip(places[:-1], rules[:-1]):
        if _is_terminal(rule):
            raise where.fault(
                msg("scenario.queue_placement.always_places_job_rules_after_never", name=rule.name)
            )
    if not _is_terminal(rules[-1]):
        raise places[-1][0].fault(
            msg("scenario.queue_placement.may_place_no_job_last_rule", name=rules[-1].name)
        )
    for (where, _), rule in zip(places, rules):
        _check_parent(where, rule)
    return Placement("fair", tuple(rules))


def _rule(file: str, element: Element, remarks: Remarks, above: bool = False) -> Rule:
    where, name = Where(file, element.line, element.tag), element.attributes.get("name", "")
    if name not in RULE_NAMES or above and name in (REJECT, NESTED):
        raise where.fault(
            msg(
                "scenario.queue_placement.not_valid_rule_here_use",
                quoted=quoted(name),
                rule_names=", ".join(RULE_NAMES),
            )
        )
    inner = [child for child in element.children if child.tag.lower() == "rule"]
    parent = _rule(file, inner[-1], remarks, True) if inner and not above else None
    if name == NESTED and parent is None:
        raise where.fault(msg("scenario.queue_placement.nesteduserqueue_must_hold_rule_for_queue"))
    if name == "primaryGroup":
        remarks.add(where, msg("scenario.queue_placement.primarygroup_takes_jobs_user_for_group"))
    if name == "secondaryGroupExistingQueue":
        remarks.add(where, msg("scenario.queue_placement.secondarygroupexistingqueue_places_no_job_as"))
    create = element.attributes.get("create", "") or "true"
    queue = element.attributes.get("queue", "")
    if queue != queue.strip(AROUND_NAMES) or queue.startswith(".") or queue.endswith("."):
        remarks.add(where, msg("scenario.queue_placement.no_name_of_queue", quoted=repr(queue[:60])))
        queue = ""
    return Rule(name, create.lower() == "true", _under_root(queue or DEFAULT_QUEUE), parent)


def _check_parent(where: Where, rule: Rule) -> None:
    """FormatError for a rule that takes no rule above it, or none of its own class (FSPlacementRule)."""
    if rule.parent and rule.name in ("specified", "default", REJECT):
        raise where.fault(msg("scenario.queue_placement.takes_no_rule_above", name=rule.name))
    if rule.parent and {rule.name, rule.parent.name} in ({NESTED, "user"}, {rule.name}):
        raise where.fault(
            msg("scenario.queue_placement.rule_above_of_its_kind", name=rule.name, parent=rule.parent.name)
        )


def _is_terminal(rule: Rule) -> bool:
    is_terminal = rule.name == REJECT or rule.name in CREATING_RULES and rule.create
    return is_terminal and (rule.parent is None or _is_terminal(rule.parent))


def capacity_rules(placement_properties: dict[str, Any], draft: Draft) -> Placement:
    """The rules of queue-mappings. FormatError for one that is none, or to a queue that is not there, with
    which CapacityScheduler does not start.
    """
    mappings, overrides, form = (
        placement_properties.get(name) for name in (MAPPINGS, MAPPINGS_OVERRIDE, MAPPINGS_FORMAT)
    )
    if form and form.expanded not in ("legacy", "json"):
        raise form.where.fault(msg("scenario.queue_placement.format_not_known", quoted=quoted(form.expanded)))
    if form and form.expanded == "json":
        effect = msg("scenario.hadoop_properties.placement")
        text = msg("scenario.hadoop_properties.not_modelled", effect=effect)
        draft.remarks.add(form.where, text, NoteKind.NOT_MODELLED)
        return Placement("capacity", ())
    texts = [trim(part) for part in mappings.expanded.split(",")] if mappings else []
    rules = [_mapping(text, mappings.where, draft) for text in texts if text and mappings]
    return Placement("capacity", tuple(rules), bool(overrides and trim(overrides.expanded).lower() == "true"))


def _mapping(text: str, where: Where, draft: Draft) -> Rule:
    parts = [trim(part) for part in text.split(":") if trim(part)]
    if len(parts) != 3 or parts[0] not in ("u", "g"):
        raise where.fault(msg("scenario.queue_placement.must_be_u_user_queue_or", quoted=quoted(text)))
    if draft.queues:
        _check_mapping(text, parts[2], where, draft)
    is_of_group = parts[0] == "g"
    if is_of_group or "%primary_group" in text or "%secondary_group" in text:
        draft.remarks.add(where, msg("scenario.queue_placement.takes_jobs_user_for_group_as", text=text))
    user, group = ("", parts[1]) if is_of_group else (parts[1], "")
    return Rule("mapping", False, parts[2], user=user, group=group)


def _check_mapping(text: str, target: str, where: Where, draft: Draft) -> None:
    """FormatError where the queue of a mapping can't be (MappingRuleValidationContextImpl.validateQueuePath):
    what is without variables must be a leaf, what stands before one a parent.
    """
    fixed = list(takewhile(lambda part: part not in VARIABLES, _path_parts(target)))
    is_whole = len(fixed) == len(_path_parts(target))
    parents = {name.rpartition(".")[0] for name in draft.queues} | {ROOT} | draft.parents
    if not all(_path_parts(target)) or not fixed:
        if not all(_path_parts(target)):
            raise where.fault(
                msg("scenario.queue_placement.mapped_queue_is_not_there", text=text, queue=target)
            )
        return
    matches = _named(fixed, list(draft.queues))
    if len(matches) > 1:
        raise where.fault(
            msg("scenario.queue_placement.mapped_queue_is_ambiguous", text=text, queue=fixed[0])
        )
    name = matches[0] if matches else ""
    above = name.rpartition(".")[0]
    if not name or name not in draft.queues and above not in draft.parents:
        raise where.fault(msg("scenario.queue_placement.mapped_queue_is_not_there", text=text, queue=target))
    if is_whole and name in parents:
        raise where.fault(msg("scenario.queue_placement.mapped_queue_is_parent", text=text, queue=name))
    if not is_whole and name in draft.queues and name not in parents:
        raise where.fault(msg("scenario.queue_placement.mapped_below_leaf", text=text, queue=name))


def _path_parts(path: str) -> list[str]:
    """The parts of a queue's name, none after the last dot (String.split)."""
    return [trim(part) for part in path.rstrip(".").split(".")]


def _named(parts: list[str], queues: Iterable[str]) -> list[str]:
    """The whole names that a path may stand for, whose first part is a queue's own name
    (MappingRuleValidationHelper.normalizeQueuePathRoot).
    """
    tops = [ROOT] if parts[0] == ROOT else [name for name in queues if name.rpartition(".")[2] == parts[0]]
    return [".".join([top, *parts[1:]]) for top in tops]


def default_rules(family: str, placement_properties: dict[str, Any]) -> Placement:
    """Of FairScheduler without a queuePlacementPolicy (QueuePlacementPolicy.fromConfiguration), but jobs of
    root.default stay where the files list it.
    """
    if family != "fair":
        return Placement(family, ())
    create = (prop := placement_properties.get(f"{FAIR}allow-undeclared-pools")) is None or _flag(prop)
    by_user = (prop := placement_properties.get(f"{FAIR}user-as-default-queue")) is None or _flag(prop)
    rules = [
        Rule("specified", create, ROOT),
        *([Rule("user", create)] if by_user else []),
        *([] if by_user and create else [Rule("default")]),
    ]
    return Placement("fair", tuple(rules))


class Placed(NamedTuple):
    """queue: the leaf that a job comes to, or the queue because of which it is refused, "" where no rule
    names one; is_created: that leaf is created for it; refusal: the key of the sentence with which Hadoop
    refuses it, "" where it doesn't.
    """

    queue: str
    is_created: bool = False
    refusal: str = ""


def place_job(placement: Placement, job: dict[str, Any], queues: set[str], parents: set[str]) -> Placed:
    """Where a job comes to."""
    if placement.family != "fair":
        return _mapped_queue(placement, job, queues, parents)
    for rule in placement.rules:
        name = _rule_queue(rule, job, queues, parents, placement.policies)
        if rule.name == REJECT:
            break
        if name is None or name not in queues and not rule.create:
            continue
        if (
            name in parents
            or name not in queues
            and not _can_be_created(name, queues, parents, placement.policies)
        ):
            return Placed(name, refusal="not_leaf")
        return Placed(name, name not in queues)
    return Placed("", refusal="rejected")


def _rule_queue(
    rule: Rule, job: dict[str, Any], queues: set[str], parents: set[str], policies: QueuePolicies
) -> str | None:
    """The queue that a rule names for a job, None where it names none."""
    if rule.name == "specified":
        specified = job.get("queue", DEFAULT_QUEUE)
        # a scenario has root.default of jobs that name it and of those that name none
        stays = specified != DEFAULT_QUEUE or rule.queue == ROOT and specified in policies.listed
        return specified if stays else None
    if rule.name == "default":
        return rule.queue
    if rule.name not in ("user", "primaryGroup", NESTED):
        return None
    above = ROOT
    if rule.parent:
        above_name = _rule_queue(rule.parent, job, queues, parents, policies)
        if (
            above_name is None
            or above_name in queues - parents
            or above_name not in queues
            and not rule.parent.create
        ):
            return None
        above = above_name
    return f"{above}.{_clean(job.get('user', 'default').strip(AROUND_NAMES))}"


def _can_be_created(name: str, queues: set[str], parents: set[str], policies: QueuePolicies) -> bool:
    """No leaf may stand above it, nor a queue whose policy allows none there."""
    created = policies.creations(name, True, lambda queue: queue in parents if queue in queues else None)
    return all(name.split(".")) and created[-1:] == [name]


def _mapped_queue(placement: Placement, job: dict[str, Any], queues: set[str], parents: set[str]) -> Placed:
    specified, user = job.get("queue", DEFAULT_QUEUE), job.get("user", "default")
    clean = _clean(user)
    if specified == DEFAULT_QUEUE or placement.overrides:
        for rule in placement.rules:
            # a user's only group has the user's name; whose queue is not there is refused
            if user in (rule.user, _filled_in(rule.group, user)) or _filled_in(rule.user, user) == clean:
                target = _filled_in(rule.queue, user)
                matches = _named(_path_parts(target), queues)
                if len(matches) == 1 and matches[0] in queues:
                    return Placed(matches[0], refusal="non_leaf" if matches[0] in parents else "")
                return Placed(target, refusal="ambiguous" if len(matches) > 1 else "unknown")
    return _find_leaf(specified, queues, parents)


def _filled_in(text: str, user: str) -> str:
    """The variables in it (CSMappingPlacementRule.cleanName)."""
    for variable in ("%user", "%primary_group"):
        text = text.replace(variable, _clean(user))
    return text


def _clean(user: str) -> str:
    return user.replace(".", "_dot_")


def _find_leaf(requested: str, queues: set[str], parents: set[str]) -> Placed:
    """The leaf of that name, whole or, as CapacityScheduler takes it, its last part alone."""
    if (full_name := _under_root(requested)) in queues:
        return Placed(full_name, refusal="non_leaf" if full_name in parents else "")
    short = requested.removeprefix(f"{ROOT}.")
    matches = [name for name in queues if name.rpartition(".")[2] == short]
    leaves = [name for name in matches if name not in parents]
    if len(leaves) == 1:
        return Placed(leaves[0])
    return Placed(requested, refusal="ambiguous" if leaves else "non_leaf" if matches else "unknown")


def place_all(
    placement: Placement,
    jobs: list[dict[str, Any]],
    queues: list[str],
    bare_parents: set[str],
    created: Callable[[str], Any],
) -> Iterator[tuple[str, str, int]]:
    """Places all jobs; yields (what happened, to which queue, of how many jobs). Those that Hadoop refuses
    are `rejected` with its sentence, and stay in a leaf that they name, else in root.default or the first.
    bare_parents: queues that are parents, and no queue is in them.
    """
    known_queues = set(queues) | {ROOT}
    parents = {name.rpartition(".")[0] for name in queues} | {ROOT} | bare_parents
    counts: dict[tuple[str, str], int] = {}
    leaves = [name for name in queues if name not in parents] or [DEFAULT_QUEUE]
    fallback = DEFAULT_QUEUE if DEFAULT_QUEUE in leaves else leaves[0]
    for place, job in enumerate(jobs, 1):
        previous = job.get("queue", DEFAULT_QUEUE)
        job.pop("rejected", None)
        name, is_new, refusal = place_job(placement, job, known_queues, parents)
        if refusal:
            job["rejected"] = refusal_sentence(refusal, job, place, name)[:MAX_REJECTED_LENGTH]
            job["queue"] = previous if previous in known_queues - parents else fallback
            counts["refused", ""] = counts.get(("refused", ""), 0) + job.get("count", 1)
            continue
        outcome = "created" if is_new else "moved"
        if is_new:
            ancestor = name
            while ancestor not in known_queues:
                known_queues.add(ancestor)
                created(ancestor)
                ancestor = ancestor.rpartition(".")[0]
                parents.add(ancestor)
        if name != previous or outcome != "moved":
            counts[outcome, name] = counts.get((outcome, name), 0) + job.get("count", 1)
        job["queue"] = name
    for (outcome, name), count in counts.items():
        yield outcome, name, count


def refusal_sentence(refusal: str, job: dict[str, Any], place: int, queue: str) -> str:
    """The words in which Hadoop refuses a job that comes to a queue, or to none; place: of the job, from
    1.
    """
    words = {
        "job": job.get("name") or f"job{place}",
        "user": job.get("user", "default"),
        "queue": queue,
    }
    return {
        "rejected": msg("scenario.queue_placement.rejected_by_rules", **words),
        "not_leaf": msg("scenario.queue_placement.not_leaf_queue", **words),
        "non_leaf": msg("scenario.queue_placement.to_non_leaf_queue", **words),
        "ambiguous": msg("scenario.queue_placement.to_ambiguous_queue", **words),
        "unknown": msg("scenario.queue_placement.to_unknown_queue", **words),
    }[refusal]


def _flag(prop: Any) -> bool:
    try:
        return parse_bool(prop.expanded)
    except ValueError as fault:
        raise prop.where.fault(str(fault)) from None


def _under_root(name: str) -> str:
    return name if name == ROOT or name.startswith(f"{ROOT}.") else f"{ROOT}.{name}"
