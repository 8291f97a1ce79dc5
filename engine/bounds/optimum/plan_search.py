"""The search for a better plan, as a process of its own: its request on standard input, its results on
standard output, one JSON object a line.

Rounds. In each, priority lists are tried first (list_search.py). Then CP-SAT improves on the best schedule
that is known to be attainable; what it finds is followed by the simulator, which may make it shorter still,
and with that the next round begins. Every other round holds reduces in the order of their index, as the
simulator hands them out unless some are killed: such a plan comes out as planned, but what it proves is
proved of such schedules alone.
"""

from __future__ import annotations

import json
import os
import random
import sys
import threading
import time
from typing import NamedTuple

from ortools.sat.python import cp_model

from engine.bounds.optimum.list_search import hill_climb, longest_tail_first
from engine.bounds.optimum.plan_model import PlanModel, plan_model
from engine.bounds.optimum.plan_order import simulate_plan
from engine.bounds.optimum.plan_times import Plan, in_order_of_index, plan_of
from engine.bounds.optimum.planned_batch import Rules, planned_batch
from engine.codes import INFINITE
from engine.scenario.model import Scenario

MIN_ROUND_S, ROUNDS = 4.0, 3
LIST_SHARE = 0.5  # the part of a round in which lists are tried
TICK_S = 1.0


class SearchRequest(NamedTuple):
    """rules: planned_batch.Rules; start_ms, node: the schedule to begin with; best_ms, at_least_ms: its
    makespan, and the bound that is known.
    """

    scenario: str
    rules: list[bool]
    start_ms: list[int]
    node: list[int]
    best_ms: int
    at_least_ms: int
    seconds: float
    workers: int


class _Search:
    def __init__(self, request: SearchRequest) -> None:
        self.scenario = Scenario.read(request.scenario)
        self.request = request
        self.batch = planned_batch(self.scenario, Rules(*request.rules))
        self.plan = Plan(request.start_ms, request.node)
        self.best_ms, self.at_least_ms = request.best_ms, request.at_least_ms
        self.begun = time.monotonic()
        self.lock = threading.Lock()

    @property
    def left_s(self) -> float:
        return self.request.seconds - (time.monotonic() - self.begun)

    def report(self, **more: object) -> None:
        with self.lock:
            message = {
                "seconds": round(time.monotonic() - self.begun, 1),
                "best_ms": self.best_ms,
                "at_least_ms": self.at_least_ms,
                **more,
            }
            try:
                print(json.dumps(message), flush=True)
            except BrokenPipeError:  # who asked has gone, and CP-SAT would go on to the end of its time
                os._exit(1)

    def raise_bound(self, bound: float) -> None:
        bound_ms = min(round(bound), self.best_ms)
        if bound_ms > self.at_least_ms:
            self.at_least_ms = bound_ms
            self.report()

    def try_plan(self, plan: Plan) -> None:
        """What the simulator makes of a plan, with its nodes and without, is kept where it is the best so
        far.
        """
        for on_its_nodes in (True, False):
            self.evaluate(plan, on_its_nodes)

    def evaluate(self, plan: Plan, on_its_nodes: bool) -> int:
        """The makespan of what comes of a plan, ms; INFINITE where it is not finished."""
        ordered = in_order_of_index(self.batch, plan)
        run = simulate_plan(self.scenario, self.batch, ordered, on_its_nodes)
        if run.status != "finished":
            return INFINITE
        makespan_ms = run.until_ms - run.first_ms
        if makespan_ms < self.best_ms:
            self.best_ms, self.plan = makespan_ms, plan_of(self.batch, run)
            self.report(
                plan={"start_ms": ordered.start_ms, "node": ordered.node, "on_its_nodes": on_its_nodes}
            )
        return makespan_ms

    def evaluate_keys(self, keys: list[int]) -> int:
        return self.evaluate(Plan(keys, [0] * len(keys)), False)

    def search(self) -> None:
        draws, number, slice_s = random.Random(0), 0, max(MIN_ROUND_S, self.request.seconds / ROUNDS)
        self.evaluate_keys(longest_tail_first(self.batch))
        keys = self.plan.start_ms
        while self.left_s > 0.5 and self.at_least_ms < self.best_ms:
            until = time.monotonic() + slice_s
            keys = hill_climb(
                self.batch,
                keys,
                self.evaluate_keys(keys),
                self.evaluate_keys,
                min(LIST_SHARE * slice_s, self.left_s),
                draws,
            )
            before = self.best_ms
            if self.left_s > 0.5 and self.at_least_ms < self.best_ms:
                self.round(number, min(until - time.monotonic(), self.left_s))
            if self.best_ms < before:
                keys = self.plan.start_ms
            number += 1

    def round(self, number: int, seconds: float) -> None:
        in_order = number % 2 == 1
        model = plan_model(self.batch, self.plan, self.at_least_ms, in_order)
        solver = cp_model.CpSolver()
        solver.parameters.max_time_in_seconds = seconds
        solver.parameters.num_workers = self.request.workers
        solver.parameters.random_seed = number
        solver.parameters.catch_sigint_signal = (
            False  # it would take Python's handler away and leave the default, which ends the process
        )
        if not in_order:
            solver.best_bound_callback = self.raise_bound
        status = solver.solve(model.model, _SolutionCallback(self, model, seconds))
        if status == cp_model.OPTIMAL and not in_order:
            self.raise_bound(solver.objective_value)


class _SolutionCallback(cp_model.CpSolverSolutionCallback):
    """Each schedule that CP-SAT finds is followed at once; where the simulator makes much less of it, the
    round ends early, to go on from there.
    """

    STOP_RATIO = 0.995

    def __init__(self, search: _Search, model: PlanModel, seconds: float) -> None:
        super().__init__()
        self.search, self.model, self.seconds, self.begun = search, model, seconds, time.monotonic()

    def on_solution_callback(self) -> None:
        nodes = [
            next(node for node, literal in enumerate(literals) if self.boolean_value(literal))
            for literals in self.model.on
        ]
        self.search.try_plan(Plan([self.value(start) for start in self.model.start], nodes))
        if (
            self.search.best_ms < self.STOP_RATIO * self.objective_value
            and time.monotonic() - self.begun > min(MIN_ROUND_S, self.seconds / 2)
        ):
            self.stop_search()


def _tick(search: _Search, exceeds_user_limit: threading.Event) -> None:
    while not exceeds_user_limit.wait(TICK_S):
        search.report()


def main() -> None:
    """Reads its request, searches, and reports the end."""
    search = _Search(SearchRequest(**json.load(sys.stdin)))
    exceeds_user_limit = threading.Event()
    ticking = threading.Thread(target=_tick, args=(search, exceeds_user_limit), daemon=True)
    ticking.start()
    search.search()
    exceeds_user_limit.set()
    ticking.join()
    search.report(over=True)


if __name__ == "__main__":
    main()
