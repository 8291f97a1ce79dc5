"""`python -m tests.bench`: measures, prints each number beside its target, and writes all of it as JSON."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import version

from tests.bench import activity, compare, engine, growth, spark
from tests.bench.table import shown_value
from tests.bench.watch import Stuck

KEYS = (
    *engine.PARTS,
    "e",
    "g",
    "spark",
    "start",
    "page",
    "whatif",
    "million",
    "papers",
    "histories",
    "formats",
    "studies",
    "compile",
    "suite",
)

# Parts measured before this process keeps to one core: the module and function of each, imported when
# asked for.
SEPARATE_PARTS = {
    "page": "page",
    "whatif": "whatif",
    "million": "million",
    "papers": "papers",
    "formats": "formats",
    "studies": "studies",
    "start": "startup",
    "compile": "compiling",
    "suite": "suite",
}


def main() -> int:
    call = argparse.ArgumentParser(prog="python -m tests.bench", description="Measures Gantry's speed.")
    call.add_argument("--only", default=",".join(KEYS), help=f"some of {','.join(KEYS)}")
    call.add_argument("--orders", default=",".join(engine.ORDERS), help="some orders only")
    call.add_argument("--json", help="also write the numbers to this file")
    call.add_argument(
        "--base",
        help=(
            "print (a) to (d) over this git revision, above 1 is faster: the middle of five turns, with "
            "the least and the most"
        ),
    )
    call.add_argument(
        "--textbook",
        action="store_true",
        help="Hadoop's orders without reservations, updates, limits of users and masters, and ramp-up",
    )
    arguments = call.parse_args()
    keys, orders = arguments.only.split(","), arguments.orders.split(",")
    unknown = [key for key in keys if key not in KEYS] + [
        order for order in orders if order not in engine.ORDERS
    ]
    if unknown:
        call.error(f"{unknown[0]} is none of {', '.join(KEYS)} or of the orders {', '.join(engine.ORDERS)}")
    if arguments.base and not set(keys) & set(engine.PARTS):
        call.error(f"--base compares {', '.join(engine.PARTS)} only; measure the others in each checkout")
    orders = [engine.TEXTBOOK.get(order, order) for order in orders] if arguments.textbook else orders
    rows, stuck = [], ""
    try:
        rows_ = compare.ratios(arguments.base, keys, orders) if arguments.base else measured(keys, orders)
        for row in rows_:
            print(line(row), flush=True)
            rows.append(row)
    except Stuck as error:
        stuck = str(error)
        print(f"FAILED: {stuck}", flush=True)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as out:
            json.dump({"machine": machine(), "rows": rows, "stuck": stuck}, out, indent=1)
    return 1 if stuck else 0


def measured(keys: list[str], orders: list[str]) -> Iterator[dict]:
    """The rows of the parts asked for; the browser's first, before this process keeps to one core."""
    for key, name in SEPARATE_PARTS.items():
        if key in keys:
            yield from getattr(import_module(f"tests.bench.{name}"), name)()
    engine.on_one_core()
    if "histories" in keys:
        from tests.bench.histories import histories

        yield from histories()
    for key in (key for key in engine.PARTS if key in keys):
        rules = engine.RULES if key == "b" and set(orders) == set(engine.ORDERS) else ()
        yield from (engine.part(key, order) for order in (*orders, *rules))
    if "e" in keys:
        for order in orders:
            yield from growth.growth(order)
    if "g" in keys:
        for order in orders:
            yield from activity.activity(order)
    if "spark" in keys:
        for order in orders:
            yield from spark.spark(order)


def line(row: dict) -> str:
    """A row for people."""
    words = [f"{row['part']:5}", f"{row.get('order', ''):17}", f"{row['title']}:", shown_value(row)]
    if "target" in row:
        words.append(f"({row['target']}: {'met' if row['met'] else 'MISSED'})")
    if "active_jobs" in row:
        words.append(
            f"[{row['containers']:,} containers, {row['active_jobs']:.0f} jobs active, "
            f"{row['waiting_requests']:.0f} requests waiting,"
        )
        words.append(f"memory {row['memory_utilization']:.0%} held, {row['full']:.0%} of the time over 85 %]")
    elif row.get("status", "finished") != "finished":
        words.append(f"[{row['status']}]")
    return " ".join(words)


def machine() -> dict:
    """What the numbers were measured on; load: processes that wanted a core in the last minutes, this one
    with them.
    """
    names = ("numba", "numpy", "dash", "plotly")
    facts = {
        "python": platform.python_version(),
        "system": platform.platform(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[1],
    }
    return {**facts, **{name: version(name) for name in names}}


if __name__ == "__main__":
    sys.exit(main())
