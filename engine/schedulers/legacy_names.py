"""What the names of schedulers meant in Gantry 0.1, whose bare names were the textbook's; a bare name of
today is Hadoop with its defaults.

A name that leaves none of this to a default is written in full: it means the same in both versions.
"""

from __future__ import annotations

from engine.errors import SchedulerError
from engine.messages import msg
from engine.schedulers.catalogue import CATALOGUE
from engine.schedulers.policy import ADMISSION, REDUCE_START
from engine.schedulers.scheduler import PART, Scheduler, parse, split_parts

# What 0.1 did where a name says nothing: an order's parameters that were not there or had another default,
# and the rules.
TEXTBOOK = {"reservations": "no", "update_ms": "0"}
NOMINAL = {"bandwidth": "nominal"}
DEFAULTS_0_1 = {
    "fair": TEXTBOOK,
    "drf": TEXTBOOK,
    "capacity": {"reservations": "no", "user_limits": "no"},
    "omo": NOMINAL,
    "lazy-start": NOMINAL,
}
RULES_0_1 = {REDUCE_START: "slowstart", ADMISSION: "admit-all"}
WITH_PAIRED_REDUCE_START = {"omo"}  # orders that bring their reduce-start rule


def expand_0_1(text: str) -> str:
    """The name with all that it left open as 0.1 meant it; a text that can't be read stays as it is."""
    order, *rules = (part_text.strip() for part_text in split_parts(text))
    match = PART.fullmatch(order)
    if not match:
        return text
    name = match[1]
    parts = [_with_0_1_defaults(order), *map(_with_0_1_defaults, rules)]
    rule_names = {match[1] for rule in rules if (match := PART.fullmatch(rule))}
    if not rule_names & CATALOGUE[REDUCE_START].keys() and name not in WITH_PAIRED_REDUCE_START:
        parts.insert(1, RULES_0_1[REDUCE_START])
    if not rule_names & CATALOGUE[ADMISSION].keys():
        parts.append(RULES_0_1[ADMISSION])
    return "+".join(parts)


def _with_0_1_defaults(part_text: str) -> str:
    """A part with the parameters that it left to what 0.1 had."""
    match = PART.fullmatch(part_text)
    if not match:
        return part_text
    name, inner = match[1], match[2] or ""
    given = [item.strip() for item in inner.split(",") if item.strip()]
    keys = {item.partition("=")[0].strip() for item in given}
    given += [f"{key}={value}" for key, value in DEFAULTS_0_1.get(name, {}).items() if key not in keys]
    return f"{name}({', '.join(given)})" if given else name


def parse_in_full(text: str) -> Scheduler:
    """As `parse`, and SchedulerError for a name that leaves a rule or a reservation to a default."""
    scheduler, full = parse(text), expand_0_1(text)
    if len(full) > len("+".join(piece.strip() for piece in split_parts(text))):
        raise SchedulerError(
            msg("schedulers.legacy_names.scheduler_ambiguous_write_as_or_with", text=text, full=full)
        )
    return scheduler
