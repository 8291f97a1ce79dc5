"""What runs compiled and what plain, with the same results; and what is compiled by whom."""

from __future__ import annotations

import importlib
import os
import pickle
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from engine import code_cache, jit
from engine.run_records import Place
from engine.scenario.presets import sample
from engine.schedulers.catalogue import CATALOGUE
from engine.schedulers.scheduler import parse
from engine.simulation import compilation_status
from engine.simulation.kernel import loop
from tests.conftest import ROOT
from tests.phrases import phrase

WORDCOUNT = str(sample("wordcount.json"))

MEET = """
import sys, threading
sys.setswitchinterval(1e-5)
from engine.simulation.policy_binding import CATALOGUE_PLACES
from engine import jit
from engine.schedulers.catalogue import CATALOGUE
from engine.schedulers.policy import HOOKS, ORDER

policy = CATALOGUE[ORDER]["fifo"]
ready, found = threading.Barrier(8), []

def meet():
    ready.wait()
    found.append(jit.address(policy.function, CATALOGUE_PLACES, HOOKS[ORDER]))

threads = [threading.Thread(target=meet) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(len(found), len(set(found)))
"""


def test_threads_that_meet_a_policy_at_once_compile_it_once(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", MEET],
        cwd=ROOT,
        env={**os.environ, "GANTRY_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (done.stdout, done.stderr) == ("8 1\n", "")


def call(code: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
    given = {**os.environ, **environment}
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        env=given,
        capture_output=True,
        text=True,
        timeout=600,
    )


SMALL = """
import sys
from engine.__main__ import main
code = main(["run", sys.argv[1]])
print(code, {"numba", "pandas", "llvmlite", "ijson", "engine.papers", "dash", "multiprocessing"} & set(sys.modules))
"""  # noqa: E501


def test_a_small_run_loads_no_compiler_and_compiles_nothing(tmp_path: Path) -> None:
    process = call(SMALL, WORDCOUNT, GANTRY_CACHE_DIR=str(tmp_path))
    assert (process.stdout.splitlines()[-1], process.stderr) == ("0 set()", "")
    assert not list(tmp_path.iterdir())


# A command that compiles, or loads, everything however small it is.
COMPILED = """
import sys
from engine import jit
from engine.__main__ import main
if sys.argv[1] == "compiled":
    jit.LOAD_S = jit.COMPILE_S = 0.0
sys.exit(any([main(["run", path, "--scheduler", "fair", "--json"]) == 2 for path in sys.argv[2:]]))
"""


def test_compiled_gives_the_same_bytes_as_plain() -> None:
    """One sample, with what is kept for all processes; the whole is the next test's."""
    plain = call(COMPILED, "plain", WORDCOUNT, NUMBA_DISABLE_JIT="1")
    compiled = call(COMPILED, "compiled", WORDCOUNT)
    assert (plain.returncode, compiled.returncode) == (0, 0) and len(plain.stdout) > 10_000
    assert plain.stdout == compiled.stdout


@pytest.mark.everything
def test_every_way_gives_the_same_bytes(tmp_path: Path) -> None:
    """Plain, compiled by a process that finds nothing kept, loaded by the next, and as the command decides:
    every sample in the contract's JSON.
    """
    own = [
        str(sample(f"{name}.json"))
        for name in ("wordcount", "dynamic-priority", "omo-terasort", "autoadmin-burst")
    ]
    for kind, jobs, nodes in (
        ("rumen", "rumen.json", "rumen-topology.json"),
        ("sls", "sls-jobs.json", "sls-nodes.json"),
    ):
        own.append(str(tmp_path / f"{kind}.json"))
        convert = [
            sys.executable,
            "-m",
            "engine",
            "convert",
            str(sample(jobs)),
            "--from",
            kind,
            "--nodes",
            str(sample(nodes)),
            "--out",
            own[-1],
        ]
        subprocess.run(convert, cwd=ROOT, check=True, capture_output=True)
    cache = str(tmp_path / "cache")
    plain = call(COMPILED, "plain", *own, NUMBA_DISABLE_JIT="1", GANTRY_CACHE_DIR=cache)
    cold, warm, decided = (
        call(COMPILED, way, *own, GANTRY_CACHE_DIR=cache) for way in ("compiled", "compiled", "as it is")
    )
    assert plain.returncode == 0 and len(plain.stdout) > 100_000
    assert plain.stdout == cold.stdout == warm.stdout == decided.stdout
    assert cold.stderr.splitlines() == [phrase("engine.compiling_simulator_for_fair_about", 36)]
    assert (plain.stderr, warm.stderr, decided.stderr) == ("", "", "")


def test_a_run_that_turns_out_long_is_compiled_after_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is given up at its first decision, and nothing of it is left in the result."""
    from engine.output.result_format import json_text
    from engine.scenario.model import Scenario
    from engine.simulation import simulate as module

    of = Scenario.read(Path(WORDCOUNT).read_bytes())
    expected = "".join(json_text(of, [module.simulate(of, "drf", plain=True)]))
    asked = []
    monkeypatch.setattr(module, "is_ready", lambda chosen: False)
    monkeypatch.setattr(jit, "is_plain_faster", lambda seconds: asked.append(seconds) or len(asked) < 20)
    assert "".join(json_text(of, [module.simulate(of, "drf")])) == expected
    assert len(asked) >= 20


def test_plain_until_compiled_code_would_have_been_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """With nothing kept for COMPILE_S, and with compiled code on the disk for LOAD_S, in all; while another
    thread compiles MAX_PLAIN_WHILE_COMPILING_S a run.
    """
    monkeypatch.setattr(jit, "LOAD_S", 1.0)
    monkeypatch.setattr(jit, "COMPILE_S", 3.0)
    monkeypatch.setattr(jit, "PLAIN", False)
    for kept, most in ((True, 1.0), (False, 3.0)):
        monkeypatch.setattr(jit, "was_compiled", lambda kept=kept: kept)
        monkeypatch.setattr(jit, "_plain_run_s", 0.0)
        assert jit.is_plain_faster(most - 0.01) and not jit.is_plain_faster(most)
        jit.count_plain_seconds(0.5)
        assert jit.is_plain_faster(most - 0.51) and not jit.is_plain_faster(most - 0.5)
    with jit.compiling_ahead():
        assert not jit.is_plain_faster(0.0)
        others: list[bool] = []
        thread = threading.Thread(
            target=lambda: others.extend(
                [
                    jit.is_plain_faster(jit.MAX_PLAIN_WHILE_COMPILING_S - 1),
                    jit.is_plain_faster(jit.MAX_PLAIN_WHILE_COMPILING_S),
                ]
            )
        )
        thread.start()
        thread.join()
        assert others == [True, False]


def test_what_has_to_be_compiled_is_announced_once(monkeypatch: pytest.MonkeyPatch) -> None:
    announced: list[str] = []
    monkeypatch.setattr(jit, "report", announced.append)
    monkeypatch.setattr(jit, "_announced", set())
    monkeypatch.setattr(
        code_cache, "has_compiled", lambda name, digest: not name.startswith(("haste", "loop"))
    )
    monkeypatch.setattr(jit, "was_compiled", lambda: False)
    monkeypatch.setattr(loop.kernel, "ready", False)
    for name in ("fifo", "haste", "haste"):
        compilation_status.announce(parse(name))
    assert announced == [
        phrase("engine.compiling_simulator_for_fifo_about", 30),
        phrase("engine.compiling_haste_about_s_once", 2),
    ]


def test_everything_that_compiled_code_reads_has_a_digest() -> None:
    """Every function that the kernel, what the charts compute and every policy are made of; one is stale when
    anything it reads is.
    """
    digests = {entry.name: jit._digest(entry.plain) for entry in _entry_points()}
    assert len(digests) > 10 and digests[jit.KERNEL_NAME] == jit._digest(loop.kernel.plain)
    policies = [policy for policies in CATALOGUE.values() for policy in policies.values()]
    functions = [
        function
        for policy in policies
        for function in (
            policy.function,
            policy.windows and policy.windows.on_end,
            policy.preempt,
            policy.index and policy.index.find,
        )
        if function
    ]
    assert len({jit._digest(function) for function in functions}) == len(set(functions)) > 20


def test_code_for_another_layout_of_a_bundle_is_kept_apart() -> None:
    """Compiled code is kept by the types it takes, and those tell their fields and places."""
    from engine.numba_types import Bundle

    a, b = Place(0, "int64", False), Place(1, "int8", True)
    fields = {"a": a, "b": b}
    others = [{"b": b, "a": a}, {"a": a}, {"a": a, "b": b._replace(is_shared=True)}]
    assert Bundle("State", fields) == Bundle("State", dict(fields))
    assert all(Bundle("State", fields) != Bundle("State", other) for other in others)


def test_what_is_kept_of_compiled_code_tells_a_bundle_by_its_name() -> None:
    """All its places would be longer than most of the code."""
    from engine.numba_types import Bundle

    bundle = Bundle("State", {f"field {word}": Place(word, "int64", False) for word in range(500)})
    kept = pickle.dumps(bundle)
    assert pickle.loads(kept) is bundle and len(kept) < 200


def _entry_points() -> list[jit.Compiled]:
    modules = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in (ROOT / "engine").rglob("*.py")
        if "compiled" in path.read_text("utf-8")
    ]
    values = [
        value
        for name in modules
        if "__main__" not in name
        for value in vars(importlib.import_module(name)).values()
    ]
    return [value for value in values if isinstance(value, jit.Compiled)]


def test_old_versions_are_swept(tmp_path: Path) -> None:
    """Beyond 30 days any, beyond a day those that are more than MAX_OTHER_VERSIONS; never this one, nor what
    is no version's.
    """
    day = 24 * 3600
    ages = {f"{place:016x}": days for place, days in enumerate((0, 2, 3, 4, 5, 6, 29, 31))}
    for name, days in {**ages, "f" * 16: 99, "links": 99}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "code").write_text("")
        os.utime(tmp_path / name, (time.time() - days * day,) * 2)
    code_cache.sweep(tmp_path / ("f" * 16))
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *list(ages)[: code_cache.MAX_OTHER_VERSIONS],
        "f" * 16,
        "links",
    ]


def test_one_process_compiles_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_cache, "folder", lambda: tmp_path)
    got, announced = threading.Event(), []

    def other() -> None:
        with code_cache.one_process_at_a_time(waits=lambda: announced.append("waits")):
            got.set()

    thread = threading.Thread(target=other)
    with code_cache.one_process_at_a_time():
        thread.start()
        assert not got.wait(0.2)
    thread.join(10)
    assert got.is_set() and announced == ["waits"]
    other()
    assert announced == ["waits"]


def test_arrays_are_worked_on_compiled_when_they_are_large() -> None:
    total = jit.compiled(_total)
    values = np.arange(10.0)
    assert total(values) == total.plain(values) == total.fast(values) == 45.0
    assert total.ready


def _total(values):
    total = 0.0
    for value in values:
        total += value
    return total
