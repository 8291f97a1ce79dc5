"""Experiments of the papers, run in the background, once for everybody who looks: their numbers don't depend on who asks."""

from __future__ import annotations

import hashlib
from functools import cache

from engine import Result, paper_experiments, reproduce
from webapp.services.cache import shared
from webapp.services.tasks import FORGOTTEN, Cancelled, Progress, TaskControl, kind, works

STEPS = 100
THOUSAND_S = 0.004  # that a thousand containers of an experiment are thought to take
_own: dict[str, Result] = {}
_begun: dict[str, str] = {}  # by the experiment's name, the id of the work that this process knows of


def found(name: str) -> Result | None:
    """The result of an experiment, if it is there. KeyError where no experiment has this name."""
    experiment = paper_experiments()[name]
    if name not in _own and (parts := shared.get(f"paper:{name}:{fingerprint(name)}")):
        _own[name] = Result(experiment, *parts)
    return _own.get(name)


@cache
def fingerprint(name: str) -> str:
    """Of an experiment's claims and readings: a result is kept for these, and none other is read where they have changed."""
    one = paper_experiments()[name]
    return hashlib.sha256(repr((one.claims, [(reading.key, reading.says) for reading in one.readings])).encode()).hexdigest()[:16]


def follow(name: str, patience_s: float) -> Progress:
    """How far an experiment is; begun if nobody has, and waited for a little."""
    what = {"name": name}
    work = works.same("experiment", what)
    if work:
        progress = works.progress(work, patience_s)
    else:
        last = _begun.pop(name, None)
        if last and (ended := works.progress(last)).state == "failed" and ended.because != FORGOTTEN:
            return ended  # the next who asks begins it again
        work, progress = works.start("experiment", what, STEPS, THOUSAND_S * paper_experiments()[name].thousands, patience_s)
    if progress.under_way:
        _begun[name] = work
    return progress


@kind("experiment")
def _do_experiment(what: dict, control: TaskControl) -> None:
    name = what["name"]
    if found(name):
        return

    def report(done: int, of: int) -> None:
        if control.cancelled():
            raise Cancelled
        control.report(STEPS * done // max(of, 1), "running")

    result = reproduce(paper_experiments()[name], report, control.halt)
    _own[name] = result
    shared.put(f"paper:{name}:{fingerprint(name)}", tuple(result)[1:])
