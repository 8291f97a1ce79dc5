"""What all tests share: reproducible examples, one compilation before the workers start, and material that
may lie beside the clone.
"""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from engine import jit
from tests.examples import EVERYTHING, QUICK
from tests.suite import Suite

ROOT = Path(__file__).resolve().parent.parent

settings.load_profile(QUICK)  # also for a process that a test starts

# However small a run is, it is the compiled one that is tested, unless a test asks for the plain one.
jit.LOAD_S = jit.COMPILE_S = 0.0

# A shell's background ignores interrupts, and so would all that tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What is imported and collected stays to the end: no garbage is looked for in it, neither as it comes in nor
# by each test.
gc.disable()

ABSENT = "../shared/{} is not there: it is not ours to commit; put the file there to run this test"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--everything", action="store_true", help="run the long tests too, those marked `everything`"
    )
    parser.addoption(
        "--changed",
        action="store_true",
        help="run the cheapest tests of those that a change since the last passed run reaches",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Before tests are collected, which read how many examples there are to be."""
    config.pluginmanager.register(Suite(config), "suite")
    if config.option.everything:
        settings.load_profile(EVERYTHING)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the engine once, before several workers would each do it at the same time."""
    if session.config.getoption("numprocesses", None):
        command = [sys.executable, "-c", "import engine; engine.warm()"]
        suite = session.config.pluginmanager.get_plugin("suite")
        suite.part("compile", lambda: subprocess.run(command, cwd=ROOT, check=True))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What `make check` and `make test` leave out; a test named on the command line runs whatever its
    marks.
    """
    for item in items:
        if item.path.is_relative_to(ROOT / "tests" / "browser"):
            item.add_marker("browser")
        if "reproduced" in getattr(item, "fixturenames", ()):
            item.add_marker("gallery")
    if not config.option.everything and not any("::" in argument for argument in config.args):
        left_out = [item for item in items if item.get_closest_marker("everything")]
        items[:] = [item for item in items if not item.get_closest_marker("everything")]
        config.hook.pytest_deselected(items=left_out)


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests were skipped for want of the folder beside the clone."""
    start = ABSENT.partition("{}")[0]
    absent = [report for report in terminalreporter.stats.get("skipped", []) if start in report.longreprtext]
    if absent:
        terminalreporter.section("NOT RUN", sep="!", red=True, bold=True)
        terminalreporter.line(
            f"{len(absent)} tests were skipped because files of ../shared are not there; the reasons are "
            "listed with pytest -rs.",
            red=True,
        )


@pytest.fixture(scope="session")
def session_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of this session that all its processes have in common."""
    folder = tmp_path_factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


@pytest.fixture(scope="session")
def shared() -> Callable[[str], Path]:
    """`shared("data/NAME")` is a file of the folder beside the clone that holds what is not ours to commit;
    the test is skipped without it.
    """

    def find(name: str) -> Path:
        path = ROOT.parent / "shared" / name
        if not path.exists():
            pytest.skip(ABSENT.format(name))
        return path

    return find
