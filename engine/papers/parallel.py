"""Many experiments at once, in as many processes as the machine has cores: code outside the kernel holds the
GIL.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed

from engine.papers.gallery import Result, paper_experiments, reproduce


def reproduce_all(
    names: Sequence[str], ended: Callable[[str], None] = lambda name: None
) -> Iterator[tuple[str, Result]]:
    """Every named experiment with its result, in the order of `names`, each as soon as it and those before it
    are there.

    ended(name) is called as each ends. The longest begin first, so that no core waits for the last.
    """
    by_cost = sorted(names, key=lambda name: -paper_experiments()[name].thousand_containers)
    workers = min(os.cpu_count() or 1, len(by_cost))
    if workers <= 1:
        for name in names:
            result = reproduce(paper_experiments()[name])
            ended(name)
            yield name, result
        return
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        try:
            futures = {pool.submit(_parts, name): name for name in by_cost}
            results: dict[str, tuple] = {}
            waiting = iter(names)
            next_name = next(waiting, None)
            for future in as_completed(futures):
                name = futures[future]
                results[name] = future.result()
                ended(name)
                while next_name in results:
                    yield next_name, Result(paper_experiments()[next_name], *results.pop(next_name))
                    next_name = next(waiting, None)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _parts(name: str) -> tuple:
    """A result without its experiment, whose functions don't travel between processes."""
    return tuple(reproduce(paper_experiments()[name]))[1:]
