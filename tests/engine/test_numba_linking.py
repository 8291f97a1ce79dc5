"""numba's inside is as the compiler expects, and where it is not, functions are compiled as numba does by
itself.

When a new numba fails the first test: look what became of the name it gives in numba/core, mend
engine/numba_linking.py, which alone uses it, and run this file and test_jit.py. Until then all works, and
compiling takes four times as long.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from engine import code_cache, jit, numba_linking, presets, simulate
from engine.second_compiler import second_compiler
from tests.conftest import ROOT
from tests.waiting import until


def _least(values):
    return _smaller(values[0], values[1])


def _smaller(one, other):
    return min(one, other)


def _larger(one, other):
    return max(one, other)


@jit.compiled
def _spread(values):
    return _larger(values[0], 0) + _larger(1, np.int8(values[1])) - _smaller(values[0], values[1])


def test_numba_is_as_expected() -> None:
    assert not numba_linking.missing_internals(), (
        f"numba no longer has {numba_linking.missing_internals()}: see what this file says"
    )


def test_numba_is_as_it_was_once_something_is_lowered_or_fails() -> None:
    from numba.core import cpu, event, types
    from numba.np import arrayobj

    places = (
        (types.Function, "get_call_type"),
        (cpu.CPUContext, "load_additional_registries"),
        (arrayobj, "raise_with_shape_context"),
        (event, "broadcast"),
    )
    before = [getattr(owner, name) for owner, name in places]
    with pytest.raises(ZeroDivisionError), numba_linking.fast_lowering():
        assert all(getattr(owner, name) is not one for (owner, name), one in zip(places, before, strict=True))
        raise ZeroDivisionError
    assert [getattr(owner, name) for owner, name in places] == before


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of compiled code, and nothing compiled in this process."""
    from engine.numba_types import numba

    monkeypatch.setattr(code_cache, "folder", lambda: tmp_path)
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(jit, "_compiled", {})
    monkeypatch.setattr(jit, "_entries", {})
    return tmp_path


def inner_files(folder: Path) -> list[str]:
    return sorted(path.name.partition("-")[0] for path in folder.glob("*.inner"))


@pytest.mark.parametrize("fits", [True, False])
def test_the_same_result_as_numba_makes_by_itself(
    fits: bool, fresh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numba_linking, "IS_SUPPORTED", fits)
    assert jit.Compiled(_least).fast(np.array([3, 2])) == 2
    assert inner_files(fresh) == (["test_numba_linking._smaller"] if fits else [])


def test_constants_and_narrow_numbers_are_no_other_function(fresh: Path) -> None:
    assert jit.Compiled(_spread.plain).fast(np.array([3, 2])) == 3
    assert inner_files(fresh) == ["test_numba_linking._larger", "test_numba_linking._smaller"]


def test_callees_are_compiled_from_the_end(fresh: Path) -> None:
    """What comes first in the function is compiled last, and the function itself is not."""
    from engine.numba_types import numba

    numba_linking.compile_callees_backwards(jit.compilable(_spread.plain), (numba.typeof(np.array([3, 2])),))
    assert [
        path.name.partition("-")[0]
        for path in sorted(fresh.glob("*"), key=lambda path: path.stat().st_mtime_ns)
    ] == [
        "test_numba_linking._smaller",
        "test_numba_linking._larger",
    ]


def test_a_second_process_compiles_callees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.numba_types import numba

    monkeypatch.setenv("GANTRY_CACHE_DIR", str(tmp_path))
    with second_compiler(_spread.plain, (numba.typeof(np.array([3, 2])),)):
        until(lambda: len(list(tmp_path.rglob("*.inner"))) == 2)


@pytest.mark.parametrize("executable", ["", "/gone"])
def test_where_no_second_process_can_be_started_the_first_compiles_alone(
    executable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", executable)
    with second_compiler(_spread.plain, ()):
        pass


def test_the_second_process_imports_nothing_from_where_the_user_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "__init__.py").write_text("from pathlib import Path\nPath('ran').touch()\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", "")
    monkeypatch.setenv("GANTRY_CACHE_DIR", str(tmp_path / "cache"))
    # no argument: numba refuses, in a process that has imported the engine
    with second_compiler(jit._entries[jit.KERNEL_NAME].plain, ()):
        until((tmp_path / "cache").exists)
    assert not (tmp_path / "ran").exists()


def test_an_inner_function_is_lowered_once(fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What one process has kept, another caller, here with another signature of its own, takes from there."""
    jit.Compiled(_least).fast(np.array([3, 2]))
    for kept in fresh.glob("*.entry"):
        kept.unlink()
    monkeypatch.setattr(jit, "_compiled", {})
    again = jit.Compiled(_least)
    assert again.fast(np.array([3, 2])) == 2
    called = jit._compiled[_smaller].stats
    assert sum(called.cache_hits.values()) == 1 and not called.cache_misses


@pytest.mark.parametrize("suffix", ["entry", "inner"])
@pytest.mark.parametrize("content", [b"", b"\0" * 100, b"half"], ids=["empty", "zeros", "half"])
def test_a_broken_file_is_not_loaded(
    content: bytes, suffix: str, fresh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jit.Compiled(_least).fast(np.array([3, 2]))
    (kept,) = fresh.glob(f"*.{suffix}")
    kept.write_bytes(kept.read_bytes()[:200] if content == b"half" else content)
    if suffix == "inner":
        for entry in fresh.glob("*.entry"):
            entry.unlink()
    monkeypatch.setattr(jit, "_compiled", {})
    again = jit.Compiled(_least)
    assert again.fast(np.array([3, 2])) == 2
    assert (
        sum((again._fast if suffix == "entry" else jit._compiled[_smaller]).stats.cache_misses.values()) == 1
    )


def test_where_nothing_can_be_kept_it_is_compiled_all_the_same(fresh: Path) -> None:
    fresh.rmdir()
    assert jit.Compiled(_least).fast(np.array([3, 2])) == 2


def test_what_was_unused_for_longest_goes_first(tmp_path: Path) -> None:
    (tmp_path / "lock").write_bytes(b"x" * 1000)  # which another process may hold
    for age, name in enumerate(("new.inner", "older.inner", "oldest.entry")):
        code_cache.write(tmp_path / name, b"x" * 1000)
        os.utime(tmp_path / name, (1_000_000 - age,) * 2)
    code_cache.read(tmp_path / "oldest.entry")  # which uses it
    code_cache.sweep_files(tmp_path, 2500)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lock", "new.inner", "oldest.entry"]


AFTER_AN_EDIT = """
import os

os.cpu_count = lambda: 1  # no second process, which may have compiled any of it
from engine import jit, presets, simulate
from engine.simulation.kernel import loop

simulate(presets()[0].scenario, "fifo", plain=False)
assert not loop.kernel._fast.stats.cache_hits
print(*sorted(function.__name__ for function, compiled in jit._compiled.items() if compiled.stats.cache_misses))
"""  # noqa: E501


@pytest.mark.everything
def test_after_an_edit_of_the_kernel_its_callers_alone_are_lowered_again(tmp_path: Path) -> None:
    simulate(presets()[0].scenario, "fifo", plain=False)
    shutil.copytree(ROOT / "engine", tmp_path / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    kills = tmp_path / "engine" / "simulation" / "kernel" / "kills.py"
    kills.write_text(
        kills.read_text("utf-8").replace(
            "def later(s, container, latest, node):\n",
            "def later(s, container, latest, node):\n    node += 0\n",
        )
    )
    done = subprocess.run(
        [sys.executable, "-c", AFTER_AN_EDIT], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["kill_latest", "kill_where_blocked", "later", "look"]
