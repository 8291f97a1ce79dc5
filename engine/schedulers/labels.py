"""What schedulers are called where people read of them: display names, short labels that distinguish those
compared, and the rules in which they differ besides the order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from engine.errors import SchedulerError
from engine.messages import msg
from engine.schedulers.legacy_names import DEFAULTS_0_1, RULES_0_1, expand_0_1
from engine.schedulers.measured_policy import MEASURED
from engine.schedulers.policy import REDUCE_START
from engine.schedulers.scheduler import Part, Scheduler, as_scheduler, parse

# An order's parameters that are rules of the cluster and not the order itself, with what an order without
# them does.
CLUSTER_RULES = {"resources": "both", "reservations": "no", "update_ms": "0", "user_limits": "no"}
AM_LIMITS = {"am-share", "am-limit"}  # Hadoop's admission rules; the textbook admits all


@lru_cache(maxsize=1024)
def display_name(text: str) -> str:
    """A scheduler as people read it: "fair, textbook" for what the textbook's fair is written in full, the
    canonical text of others; what is no scheduler (an optimum, a label) stays as it is. Different schedulers
    have different names.
    """
    try:
        scheduler = parse(text)
    except SchedulerError:
        return text
    short_name = _textbook_name(scheduler)
    return msg("schedulers.labels.textbook", name=short_name) if short_name else scheduler.name


def names_of(schedulers: Iterable[Scheduler]) -> tuple[str, ...]:
    """Their canonical names."""
    return tuple(scheduler.name for scheduler in schedulers)


def measured_first(schedulers: Iterable[Scheduler]) -> tuple[Scheduler, ...]:
    """Without duplicates; `measured`, which the simulated ones are compared to, comes first."""
    by_name = {scheduler.name: scheduler for scheduler in schedulers}
    return tuple(sorted(by_name.values(), key=lambda scheduler: not scheduler.is_measured))


def simulated(names: Iterable[str]) -> tuple[str, ...]:
    """The canonical names of those that are simulated."""
    return tuple(name for name in names if name != MEASURED.name)


def labels(compared: Sequence[str | Scheduler]) -> tuple[str, ...]:
    """Their names without the rules that all of them have; display names where the textbook's parameters are
    among those in which they differ, and where less would not distinguish them.
    """
    schedulers = [as_scheduler(scheduler) for scheduler in compared]
    names = [scheduler.name for scheduler in schedulers]
    shared_keys = {
        key for key in CLUSTER_RULES if len({cluster_rule(scheduler, key) for scheduler in schedulers}) == 1
    }
    label_parts = [[_with_defaults(scheduler.order, shared_keys)] for scheduler in schedulers]
    for rules in zip(*([rule for _, rule in scheduler.rules] for scheduler in schedulers)):
        if len(set(map(str, rules))) > 1:
            for parts, scheduler, rule in zip(label_parts, schedulers, rules):
                parts += [] if scheduler.is_paired(rule) else [rule]
    short_labels = tuple("+".join(map(str, parts)) for parts in label_parts)
    differ_in_textbook = any(
        _textbook_name(scheduler) and any(_without_textbook(part) != part for part in parts)
        for scheduler, parts in zip(schedulers, label_parts, strict=True)
    )
    is_ambiguous = len(set(short_labels)) < len(set(names))
    return tuple(map(display_name, names)) if differ_in_textbook or is_ambiguous else short_labels


def differing_rules(compared: Sequence[str | Scheduler]) -> list[tuple[str, ...]]:
    """Of each rule that is not the same under all of them its value under each: ("ramp-up", "slowstart"),
    ("reservations=yes", "reservations=no").
    """
    schedulers = [as_scheduler(scheduler) for scheduler in compared]
    rules = [
        list(map(str, values))
        for values in zip(*([rule for _, rule in scheduler.rules] for scheduler in schedulers))
    ]
    rules += [[f"{key}={cluster_rule(scheduler, key)}" for scheduler in schedulers] for key in CLUSTER_RULES]
    return [tuple(values) for values in rules if len(set(values)) > 1]


def cluster_rule(scheduler: Scheduler, key: str) -> str:
    """The value of one of CLUSTER_RULES under this scheduler; text, as it is written."""
    if key == "reservations" and not scheduler.reserves:
        return "no"
    if key == "update_ms":
        return f"{scheduler.update_ms}"
    return _value_text(scheduler.order.given.get(key, CLUSTER_RULES[key]))


def _with_defaults(part: Part, keys: set[str]) -> Part:
    """The part with the defaults of these parameters, which its text then leaves out."""
    values = tuple(
        parameter.default if parameter.name in keys else value
        for parameter, value in zip(part.policy.parameters, part.values, strict=True)
    )
    return replace(part, values=values)


def _textbook_name(scheduler: Scheduler) -> str:
    """What Gantry 0.1, whose names were the textbook's, called this scheduler; "" where no part has a
    parameter of the textbook's, or one that the textbook has otherwise, or where ApplicationMasters are
    limited as in Hadoop.
    """
    order, rules = scheduler.order, dict(scheduler.rules)
    if order.policy.defaults.is_paired:
        del rules[REDUCE_START]
    parts = [order, *rules.values()]
    short_parts = [_without_textbook(part) for part in parts]
    if short_parts == parts or scheduler.admission.policy.name in AM_LIMITS:
        return ""
    short_name = "+".join(
        [
            str(short_parts[0]),
            *(str(part) for role, part in zip(rules, short_parts[1:]) if str(part) != RULES_0_1[role]),
        ]
    )
    return short_name if parse(expand_0_1(short_name)) == scheduler else ""


def _without_textbook(part: Part) -> Part:
    """The part without the parameters that Gantry 0.1 took for granted."""
    textbook = DEFAULTS_0_1.get(part.policy.name, {})
    return _with_defaults(
        part, {key for key, value in textbook.items() if _value_text(part.given.get(key)) == value}
    )


def _value_text(value: float | str | None) -> str:
    return value if isinstance(value, str) else "" if value is None else f"{value:g}"
