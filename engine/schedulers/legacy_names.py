"""What the names of schedulers meant in Gantry 0.1, whose bare names were the textbook's; a bare name of today is Hadoop with its defaults.

A name that leaves nothing of this open is written in full: it means the same in either.
"""

from __future__ import annotations

from engine.errors import SchedulerError
from engine.schedulers.catalogue import CATALOGUE
from engine.schedulers.names import PART, Scheduler, parse, pieces_of
from engine.schedulers.policy import ADMISSION, REDUCE_START

# What 0.1 did where a name says nothing: an order's parameters that were not there or had another default, and the rules.
TEXTBOOK = {"reservations": "no", "update_ms": "0"}
NOMINAL = {"bandwidth": "nominal"}
PARAMETERS = {
    "fair": TEXTBOOK, "drf": TEXTBOOK, "capacity": {"reservations": "no", "user_limits": "no"}, "omo": NOMINAL, "lazy-start": NOMINAL,
}  # fmt: skip
RULES = {REDUCE_START: "slowstart", ADMISSION: "admit-all"}
MADE_WITH_THEIR_OWN = {"omo"}  # orders that bring their reduce-start rule


def expand_0_1(text: str) -> str:
    """The name with all that it left open as 0.1 meant it; a text that can't be read stays as it is."""
    order, *rules = (piece.strip() for piece in pieces_of(text))
    match = PART.fullmatch(order)
    if not match:
        return text
    name = match[1]
    parts = [_filled(order), *map(_filled, rules)]
    named = {match[1] for rule in rules if (match := PART.fullmatch(rule))}
    if not named & CATALOGUE[REDUCE_START].keys() and name not in MADE_WITH_THEIR_OWN:
        parts.insert(1, RULES[REDUCE_START])
    if not named & CATALOGUE[ADMISSION].keys():
        parts.append(RULES[ADMISSION])
    return "+".join(parts)


def _filled(piece: str) -> str:
    """A part with the parameters that it left to what 0.1 had."""
    match = PART.fullmatch(piece)
    if not match:
        return piece
    name, inner = match[1], match[2] or ""
    given = [item.strip() for item in inner.split(",") if item.strip()]
    keys = {item.partition("=")[0].strip() for item in given}
    given += [f"{key}={value}" for key, value in PARAMETERS.get(name, {}).items() if key not in keys]
    return f"{name}({', '.join(given)})" if given else name


def parse_in_full(text: str) -> Scheduler:
    """As `parse`, and SchedulerError for a name that leaves a rule or a reservation to a default."""
    found, full = parse(text), expand_0_1(text)
    if len(full) > len("+".join(piece.strip() for piece in pieces_of(text))):
        raise SchedulerError(f"scheduler {text!r} is not written in full; write it as {full}, or with the rules that are meant")
    return found
