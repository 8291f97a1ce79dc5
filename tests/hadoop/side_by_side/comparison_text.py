"""What the command prints: a table a scheduler, and what each row includes."""

from __future__ import annotations

from tests.hadoop.side_by_side.measure import Engine, Real, Simulator
from tests.hadoop.side_by_side.workload import Size

HEAD = f"  {'':44}{'seconds':>12}{'decisions/s':>14}{'engine':>9}{'simulated s/s':>16}{'engine':>9}"
INCLUDED = """What each row includes; seconds are CPU seconds of one thread, but in the last row
  engine                     From a scenario never run before to the complete record of its run: decisions, and the model of nodes, masters and tasks.
                             The quickest run after the first, which also reads the compiled kernel from its cache, or compiles it where it is not there.
  Hadoop, scheduler's calls  The real scheduler of Hadoop {version} in process, without a ResourceManager: what it does inside its calls (heartbeats, requests,
                             updates, jobs that come and go). The quickest run after the first in one JVM.
  Hadoop, with the driver    The same run with what plays nodes, masters and the clock to it, which the engine's row has in it too: the one to compare.
                             In brackets all the JVM's threads: it compiles and collects garbage beside.
  Hadoop, first run          The first in a fresh JVM, which has compiled nothing yet; in brackets all its threads.
  Load Simulator             Hadoop {simulator}'s hadoop-sls: a whole ResourceManager with its threads, and simulated nodes and masters that beat by the clock,
                             so that a simulated second takes a second. Its seconds are the clock's, without its start-up; in brackets all its threads' CPU.
                             Its own metrics, locality and preemption are off. Nodes begin to beat at random, and masters beat each second:
                             its decisions can't be the same.
"engine": how many times as fast the engine is, by decisions and by simulated seconds."""  # noqa: E501


def heading(size: Size) -> str:
    """The workload."""
    return (
        f"{size.jobs} jobs of {size.tasks:,} tasks and a master each, all there at the start, on "
        f"{size.nodes} nodes: {size.containers:,} containers."
    )


def table(name: str, own: Engine, theirs: Real, simulated: Simulator | str, jobs: int) -> str:
    """Of one scheduler; simulated: why there is no simulator."""
    decisions, span = len(own.placements), own.simulated_s
    same = agreement(own.placements, theirs.placements)
    first = f"engine, first run ({'it compiled' if own.compiled else 'kernel from its cache'})"

    def row(title: str, seconds: float, more: str = "") -> str:
        return (
            _row(
                title,
                seconds,
                decisions / seconds,
                span / seconds,
                seconds / own.warm_s,
                seconds / own.warm_s,
            )
            + more
        )

    rows = [
        f"{name}: {decisions:,} decisions in {span:,.1f} simulated seconds; {same}",
        HEAD,
        row("engine", own.warm_s),
        row(first, own.first_s),
        row("Hadoop, scheduler's calls", theirs.calls_s),
        row("Hadoop, with the driver", theirs.driver_s, f"  ({theirs.process_s:.2f} s)"),
        row("Hadoop, first run", theirs.first_s, f"  ({theirs.first_process_s:.2f} s)"),
    ]
    if isinstance(simulated, str):
        return "\n".join([*rows, f"  Load Simulator: not run, {simulated}."])
    rate, pace = simulated.decisions / simulated.clock_s, 1.0
    until = sum(start < 1000 * simulated.clock_s for start, *_ in own.placements)
    ended = "all jobs finished" if simulated.jobs == jobs else f"{simulated.jobs} of {jobs} jobs finished"
    return "\n".join(
        [
            *rows,
            _row(
                "Load Simulator",
                simulated.clock_s,
                rate,
                pace,
                decisions / own.warm_s / rate if rate else None,
                span / own.warm_s / pace,
            )
            + f"  ({simulated.cpu_s:.2f} s)",
            f"    {simulated.decisions:,} decisions until it ended (the engine makes {until:,} in these "
            f"simulated seconds), {ended}; "
            f"start-up before: {simulated.start_up_s:.1f} s, CPU {simulated.start_up_cpu_s:.1f} s",
        ]
    )


def agreement(own: list[list[int]], theirs: list[list[int]]) -> str:
    """Whether the decisions are the same, and which is the first that is not."""
    if own == theirs:
        return "Hadoop's are the same, each of them."
    same = next(
        (place for place, (a, b) in enumerate(zip(own, theirs)) if a != b), min(len(own), len(theirs))
    )
    return f"DIFFERENT from Hadoop's from decision {same + 1:,} on, so that nothing here is comparable."


def _row(title: str, seconds: float, rate: float, pace: float, of_rate: float | None, of_pace: float) -> str:
    ratios = [
        f"{ratio:,.2f}x" if ratio and ratio < 10 else f"{ratio:,.0f}x" if ratio else ""
        for ratio in (of_rate, of_pace)
    ]
    return f"  {title:44}{f'{seconds:.4f}':>12}{rate:>14,.0f}{ratios[0]:>9}{pace:>16,.1f}{ratios[1]:>9}"
