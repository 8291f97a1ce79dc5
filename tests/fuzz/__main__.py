"""python -m tests.fuzz: hostile input for all that reads what others send; 100,000 inputs unless --inputs
says otherwise.

Exit codes: 0 all were tried and nothing is wrong; 1 something is, or fewer were tried than asked for.
"""

from __future__ import annotations

import argparse
import gc
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.conftest import ROOT

# of all inputs; the rest is atheris's
SHARES = {
    "routes": 0.40,
    "callbacks": 0.14,
    "addresses": 0.06,
    "files": 0.16,
}
GUIDED = {
    "trace": 0.06,
    "packed_trace": 0.03,
    "history": 0.04,
    "scenario": 0.04,
    "body": 0.02,
    "address": 0.02,
    "name": 0.03,
}
INPUTS, SHORT = 100_000, 6_000
CHUNK = 250  # inputs between two looks at memory
AT_ONCE = 2  # processes
PATIENCE_S = 0.5  # an input may take on the whole, of which most take far less


def main() -> int:
    """Try all parts, or one; 1 where something is wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description="Hostile input for all that reads what others send."
    )
    parser.add_argument("--inputs", type=int, default=INPUTS, help=f"how many in all (default: {INPUTS:,})")
    parser.add_argument("--short", action="store_true", help=f"{SHORT:,} inputs, for each change")
    parser.add_argument("--only", choices=[*SHARES, *GUIDED], help="this part, with all inputs")
    parser.add_argument("--seed", type=int, default=1, help="other inputs (default: 1)")
    parser.add_argument("--part", help=argparse.SUPPRESS)  # in the process of one
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.part:
        return _part(chosen.part, chosen.inputs, chosen.seed, chosen.file)
    total = SHORT if chosen.short else chosen.inputs
    parts = (
        {chosen.only: total}
        if chosen.only
        else {name: max(1, round(total * share)) for name, share in (SHARES | GUIDED).items()}
    )
    missing = (
        [name for name in parts if name in GUIDED] if importlib.util.find_spec("atheris") is None else []
    )
    begun = time.monotonic()
    with ThreadPoolExecutor(AT_ONCE) as pool, tempfile.TemporaryDirectory() as folder:
        tried = list(
            pool.map(
                lambda one: _tried(*one, chosen.seed, Path(folder)),
                [one for one in parts.items() if one[0] not in missing],
            )
        )
    wrong = [fault for one in tried for fault in one["wrong"]]
    count = sum(one["inputs"] for one in tried)
    print(f"{count:,} inputs in {time.monotonic() - begun:.0f} s, {len(wrong)} faults.", flush=True)
    if missing:
        print(
            f"atheris is not installed on this machine (it is for Linux on x86-64): {', '.join(missing)} "
            "were not tried."
        )
    for fault in wrong:
        print(fault)
    return 1 if wrong else 0


def _tried(name: str, inputs: int, seed: int, folder: Path) -> dict[str, Any]:
    """A part in a process of its own: its counts, and what is wrong in words."""
    file, now = folder / f"{name}.json", folder / f"{name}.now"
    if name in GUIDED:
        words = ["tests.fuzz.guided", name, str(inputs), str(file)]
    else:
        words = [
            "tests.fuzz",
            "--part",
            name,
            "--inputs",
            str(inputs),
            "--seed",
            str(seed),
            "--file",
            str(file),
        ]
    command = [sys.executable, "-m", *words]
    environment = {**os.environ, "GANTRY_FUZZ_NOW": str(now)}
    begun = time.monotonic()
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=120 + PATIENCE_S * inputs,
        )
        ended, said = done.returncode, done.stderr
    except subprocess.TimeoutExpired as error:
        ended, said = "no end", str(error)
    result = json.loads(file.read_text()) if file.exists() else {"inputs": 0, "answers": {}}
    wrong = [
        f"{name}: {what} ({result['times'][what]} times), as with {given}"
        for what, given in result.get("faults", {}).items()
    ]
    if ended != 0:
        last = now.read_text("utf-8", "replace")[:2_000] if now.exists() else ""
        wrong.append(
            f"{name}: its process ended with {ended}, at "
            f"{last or 'an input that it tells itself'}\n{said[-3_000:]}"
        )
    if result["inputs"] < inputs:
        wrong.append(f"{name}: {result['inputs']:,} inputs were tried, not {inputs:,}")
    answers = ", ".join(
        f"{kind} {count:,}" for kind, count in sorted(result["answers"].items(), key=lambda one: -one[1])
    )
    memory = result.get("memory_mb") or []
    more = (
        f"; slowest {result['slowest_s']:.2f} s; memory {memory[0]:.0f} to {memory[-1]:.0f} MB"
        if memory
        else ""
    )
    growth = result.get("growth")
    more += f", second half {100 * growth:+.1f} %" if growth is not None else ""
    print(
        f"{name:<13}{result['inputs']:>8,} inputs in {time.monotonic() - begun:.0f} s: {answers}{more}",
        flush=True,
    )
    return {**result, "wrong": wrong}


def _part(name: str, inputs: int, seed: int, file: Path) -> int:
    """Try so many inputs here, in chunks that hypothesis forgets; what was counted is written after each."""
    import hypothesis
    from hypothesis import HealthCheck, Phase, given, settings

    from tests.fuzz.judged import FuzzReport, memory_mb, stop

    of, tried, number = _of(name), FuzzReport(), 0
    while tried.inputs < inputs and number < 3 * inputs / CHUNK + 3:
        few = min(CHUNK, inputs - tried.inputs)

        @hypothesis.seed(seed * 1_000_000 + number)
        @settings(
            max_examples=few,
            phases=[Phase.generate],
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(of.inputs())
        def some(one: Any) -> None:
            of.ask(tried, one)

        some()
        number += 1
        gc.collect()
        tried.memory_mb.append(memory_mb())
        file.write_text(json.dumps(tried.plain()))
    tried.close()
    file.write_text(json.dumps(tried.plain()))
    stop()
    return 0


def _of(name: str) -> Any:
    if name == "files":
        from tests.fuzz.readers import Files

        return Files()
    from tests.fuzz.addresses import Addresses
    from tests.fuzz.callbacks import Callbacks
    from tests.fuzz.routes import Routes

    return {"routes": Routes, "callbacks": Callbacks, "addresses": Addresses}[name]()


if __name__ == "__main__":
    sys.exit(main())
