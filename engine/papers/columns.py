"""The schedulers that stand beside each other in an experiment, written in full.

A column's short label is part of the names of its samples, in claims, pictures and the record. What runs is
written here, and nowhere left to a default: the papers' clusters reserve no node, admit every master, and ask
for all reduces of a job at once.
"""

from __future__ import annotations

FULL_NAMES = {
    "fifo": "fifo+slowstart+admit-all",
    "fair": "fair(reservations=no, update_ms=0)+slowstart+admit-all",
    "drf": "drf(reservations=no, update_ms=0)+slowstart+admit-all",
    "capacity": "capacity(reservations=no, user_limits=no)+slowstart+admit-all",
    "ffd-dp": "ffd-dp+slowstart+admit-all",
    "haste": "haste+slowstart+admit-all",
    "haste-a": "haste-a+slowstart+admit-all",
    "saf": "saf+slowstart+admit-all",
    "priority-fifo": "priority-fifo+slowstart+admit-all",
    "priority-fifo(k1=1)": "priority-fifo(k1=1)+slowstart+admit-all",
    "priority-fair": "priority-fair+slowstart+admit-all",
    "priority-fair(k1=0)": "priority-fair(k1=0)+slowstart+admit-all",
    "priority-capacity": "priority-capacity+slowstart+admit-all",
    "priority-capacity(k1=0)": "priority-capacity(k1=0)+slowstart+admit-all",
}


def full_names(labels: tuple[str, ...]) -> tuple[str, ...]:
    """The schedulers of these columns."""
    return tuple(FULL_NAMES[label] for label in labels)


def columns(*labels: str) -> dict[str, str]:
    """The schedulers by label."""
    return {label: FULL_NAMES[label] for label in labels}
