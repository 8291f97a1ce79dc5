"""What the suite costs: each test's seconds by the clock and of the processors, kept from run to run in
pytest's cache, and a table at a run's end.

By what is kept, files go to the workers the costliest first, so that all are busy to the end, and `make
check` runs the cheapest tests of those a change reaches.
"""

from __future__ import annotations

import os
import resource
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

COSTS, PARTS, PASSED = "gantry/costs", "gantry/parts", "gantry/passed"
# The kinds of tests, and what one that was never run is taken to cost: seconds of the processors.
KINDS = {
    "browser": 11.0,
    "cluster": 50.0,
    "gallery": 0.5,
    "random": 0.1,
    "hadoop": 0.15,
    "oracle": 0.02,
    "fuzz": 0.8,
    "engine": 0.05,
    "webapp": 0.08,
    "house": 0.15,
}
CHECK_S = 22.0  # of the processors, for the tests of one `make check`
HOUSE = "tests/test_house.py"  # reads all files
NEAR = 4  # a test of the changed file itself goes before another that costs a fourth
TICKS = os.sysconf("SC_CLK_TCK")
SLOWEST = 12  # files that a run names at its end


def spent() -> float:
    """Seconds of the processors that this process has taken, and all that it started, whether they still run
    or not.
    """
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime + sum(map(_of_process, _children("self")))


def _children(process: str) -> Iterator[str]:
    try:
        for thread in os.listdir(f"/proc/{process}/task"):
            yield from Path(f"/proc/{process}/task/{thread}/children").read_text().split()
    except OSError:  # it has ended, or the system has no such folder: then only what has ended counts
        return


def _of_process(process: str) -> float:
    """Of a running process, with all below it."""
    try:
        times = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:15]
    except OSError:
        return 0.0
    return sum(map(int, times)) / TICKS + sum(map(_of_process, _children(process)))


def kind(item: pytest.Item) -> str:
    """The part of the suite that a test belongs to."""
    for mark, name in (("browser",) * 2, ("cluster",) * 2, ("gallery",) * 2, ("hypothesis", "random")):
        if item.get_closest_marker(mark):
            return name
    folder = item.nodeid.split("/")[1]
    return folder if folder in KINDS else "house"


def file_of(test: str) -> str:
    return test.partition("::")[0]


class Suite:
    """A plugin of pytest; of the process that reports, and of each worker."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.is_worker = hasattr(config, "workerinput")
        self.costs: dict[str, list[float]] = config.cache.get(COSTS, {})
        self.test_costs: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
        # tests, by the clock, of the processors
        self.parts: dict[str, list[float]] = defaultdict(lambda: [0, 0.0, 0.0])
        self.skipped: list[float] = [0, 0.0]  # tests beyond the budget of a check, and what they cost
        self.started_at, self.test_started_at = time.monotonic(), 0.0
        everything = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.option.keyword
        everything &= not config.option.collectonly
        self.is_whole_run = everything and not config.option.changed and not config.option.markexpr
        self.reports_costs = everything or config.option.changed
        self.file_hashes_now: dict[str, str] = {}  # the project as this run found it
        self.nearest_files: list[str] = []  # files of tests that a change is nearest to
        if self.is_worker:
            self.nearest_files, config.args = config.workerinput["near"], config.workerinput["files"]
        if self.reports_costs and not self.is_worker:
            self._look()

    def _look(self) -> None:
        """What the project looks like now; with --changed, the files of tests to run are those that what
        changed since a run passed can reach.
        """
        from tests import affected

        self.file_hashes_now = affected.file_hashes()
        if self.config.option.changed:
            passed = self.config.cache.get(PASSED, None)
            changed = (
                affected.uncommitted() if passed is None else affected.changed(passed, self.file_hashes_now)
            )
            self.nearest_files, self.config.args = affected.tests(changed)
            files = self.config.args
            print(
                f"Changed since a run passed: {len(changed)} files, which reach {len(files)} files of tests."
            )

    def part(self, name: str, work: Callable[[], Any]) -> None:
        """Does something that is a part of the run by itself."""
        started_at, before = time.monotonic(), spent()
        work()
        self.parts[name] = [0, time.monotonic() - started_at, spent() - before]

    def cost(self, item: pytest.Item) -> float:
        return self.costs[item.nodeid][1] if item.nodeid in self.costs else KINDS[kind(item)]

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput["near"], node.workerinput["files"] = self.nearest_files, self.config.args

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Costly files first where there are several workers; of a check the house's rules, and as many tests
        as its budget holds, the cheapest.
        """
        if self.config.option.changed:
            taken = {item for item in items if file_of(item.nodeid) == HOUSE}
            held = sum(map(self.cost, taken))
            others = [item for item in items if item not in taken]
            for item in sorted(
                others,
                key=lambda item: (
                    self.cost(item) / (NEAR if file_of(item.nodeid) in self.nearest_files else 1)
                ),
            ):
                held += self.cost(item)
                if held > CHECK_S:
                    break
                taken.add(item)
            beyond = [item for item in items if item not in taken]
            self.skipped = [len(beyond), sum(map(self.cost, beyond))]
            items[:] = [item for item in items if item in taken]
        if self.is_worker:
            of_file: dict[str, float] = defaultdict(float)
            for item in items:
                of_file[file_of(item.nodeid)] += self.cost(item)
            items.sort(key=lambda item: -of_file[file_of(item.nodeid)])

    def pytest_collection_finish(self) -> None:
        if self.is_worker:
            self.config.workeroutput["started"] = [time.monotonic() - self.started_at, time.process_time()]
            self.config.workeroutput["left"] = self.skipped
        else:
            self.parts["collecting"] = [0, time.monotonic() - self.started_at, time.process_time()]

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Adds what a worker's start took; all collect the same."""
        output = getattr(node, "workeroutput", {})
        for place, seconds in enumerate(output.get("started", [])):
            self.parts["collecting"][1 + place] += seconds
        self.skipped = output.get("left", self.skipped)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Iterator[None]:
        self.test_started_at = spent()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo) -> Iterator[None]:
        report = yield
        if call.when == "teardown":
            report.user_properties.append(("cost", [kind(item), max(0.0, spent() - self.test_started_at)]))
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.test_costs[report.nodeid][0] += report.duration
        for part, seconds in (value for name, value in report.user_properties if name == "cost"):
            costs = self.test_costs[report.nodeid]
            costs[1] = seconds
            self.parts[part] = [one + more for one, more in zip(self.parts[part], (1, *costs))]

    @property
    def total(self) -> list[float]:
        """Tests, seconds by the clock and of the processors; a browser that was killed told its seconds to
        its test alone.
        """
        return [
            len(self.test_costs),
            time.monotonic() - self.started_at,
            sum(seconds for _, _, seconds in self.parts.values()),
        ]

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        if self.is_worker:
            return
        previous = {
            test: cost for test, cost in self.costs.items() if (self.config.rootpath / file_of(test)).exists()
        }
        self.config.cache.set(
            COSTS,
            previous | {test: [round(one, 3) for one in cost] for test, cost in self.test_costs.items()},
        )
        if self.is_whole_run:
            self.config.cache.set(
                PARTS,
                {"parts": dict(self.parts), "total": self.total, "everything": self.config.option.everything},
            )
        if self.reports_costs and exitstatus == pytest.ExitCode.OK and not self.skipped[0]:
            self.config.cache.set(PASSED, self.file_hashes_now)

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """The costliest files, then the parts, the costliest last."""
        if self.is_worker or not self.reports_costs:
            return
        files: dict[str, float] = defaultdict(float)
        for test, (_, seconds) in self.test_costs.items():
            files[file_of(test)] += seconds
        terminalreporter.section("seconds of the processors")
        for name in sorted(files, key=files.get, reverse=True)[:SLOWEST]:
            terminalreporter.line(f"{files[name]:8.1f}  {name}")
        for line in table(dict(self.parts), self.total):
            terminalreporter.line(line)
        if self.skipped[0]:
            count, seconds = self.skipped
            terminalreporter.line(
                f"{count:,} tests that the change reaches are left for `make test`, about {seconds:,.0f} "
                "s of the processors."
            )


def table(parts: dict[str, list[float]], total: list[float]) -> list[str]:
    """A line a part; tests of several workers overlap by the clock, and all of them add up to more than the
    run took.
    """
    lines = [f"{'part':12}{'tests':>8}{'clock s':>10}{'processor s':>13}"]
    for name, row in (*sorted(parts.items(), key=lambda part: part[1][2]), ("in all", total)):
        lines.append(f"{name:12}{row[0] or '':>8}{row[1]:>10,.1f}{row[2]:>13,.1f}")
    return lines
