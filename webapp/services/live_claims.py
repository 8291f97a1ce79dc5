"""What it takes: experiments of the papers judged under moved physics, while somebody moves it, and single points of the papers' maps.

Over few seeds while something moves, so that a lamp follows a hand, and over more once it rests. What takes longer is followed, and ended once its asker
wants something else.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from engine import SEEDS, Conditions, Finding, Point, at_point, judged_under, knobs_of, maps, own, paper_experiments
from webapp.services.cache import shared
from webapp.services.gallery import THOUSAND_S, fingerprint
from webapp.services.tasks import Cancelled, Progress, TaskControl, kind, works

MOVING, RESTING = 5, 20  # seeds
STEPS = 100
MOST_KEPT = 512  # of a process
KEEP_S = 3600
LOOK_S = 0.05  # between two looks whether it is to end
QUICK_S = 0.2  # what takes longer is kept for the other processes too
Judged = tuple[tuple[Finding, ...], ...]  # by reading

Key = tuple[str, Conditions, int]  # experiment, conditions, seeds

_own: OrderedDict[Key, Judged] = OrderedDict()
_lock = threading.Lock()


def conditions_of(name: str, sent: Any) -> Conditions | None:
    """The conditions that a page sent, which may be anything: only stops of the experiment's own knobs; None for what is none."""
    if not isinstance(sent, Mapping):
        return None
    stops = {knob.key: knob.values for knob in knobs_of(name)}
    found: dict[str, Any] = {}
    for key, value in sent.items():
        match = next((stop for stop in stops.get(key, ()) if isinstance(value, bool) == isinstance(stop, bool) and stop == value), None)
        if match is None:
            return None
        if match != own(name)[key]:
            found[key] = match
    return Conditions(**found)


def found(key: Key) -> Judged | None:
    """Every claim under each reading, if that has been computed."""
    with _lock:
        if key in _own:
            _own.move_to_end(key)
            return _own[key]
    kept = shared.get(_shared_key(key))
    if kept is not None:
        _keep(key, kept)
    return kept


def start(key: Key, patience_s: float) -> tuple[str, Progress]:
    """Begin to compute them: the work's id, and how far it is after at most `patience_s`."""
    name, conditions, seeds = key
    moved = {knob: value for knob, value in asdict(conditions).items() if value is not None}
    seconds = THOUSAND_S * paper_experiments()[name].thousands * min(seeds / len(SEEDS), 1)
    return works.start("bench", {"name": name, "conditions": moved, "seeds": seeds}, STEPS, seconds, patience_s)


@lru_cache(MOST_KEPT)
def point(paper: str, x: float, y: float) -> Point:
    """The headline of a paper at one point of its map, run now. KeyError for a paper without one; else raises as the runs do."""
    return at_point(maps()[paper], x, y)


@kind("bench")
def _do_judge(what: dict, control: TaskControl) -> None:
    key = what["name"], Conditions(**what["conditions"]), what["seeds"]
    begun = looked = time.monotonic()

    def report(done: int, of: int) -> None:
        nonlocal looked
        if (now := time.monotonic()) - looked < LOOK_S:
            return
        looked = now
        if control.cancelled():
            raise Cancelled
        control.report(STEPS * done // max(of, 1), "running")

    judged = judged_under(*key, report, control.halt)
    _keep(key, judged)
    if not control.here or time.monotonic() - begun > QUICK_S:
        shared.put(_shared_key(key), judged, KEEP_S)


def _keep(key: Key, judged: Judged) -> None:
    with _lock:
        _own[key] = judged
        while len(_own) > MOST_KEPT:
            _own.popitem(last=False)


def _shared_key(key: Key) -> str:
    return f"bench:{hashlib.sha256(repr((key, fingerprint(key[0]))).encode()).hexdigest()[:24]}"
