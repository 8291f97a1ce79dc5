"""Random durations: the inverse CDF of a distribution at a uniform number from a fixed hash (DRAW-1, DRAW-2).

The hash of (seed, job name, copy) is BLAKE2b with 8 bytes; with (iteration, kind, task index) it is
mixed by SplitMix64 (Steele, Lea, Flood 2014). Neither changes within version 1. So inserting a job
changes no other job's draws, every scheduler sees the same, and a killed task keeps its draw.
The normal quantile is Wichura's AS 241, in the operation order of CPython's statistics module.
"""

from __future__ import annotations

import functools
import hashlib
import math
from typing import Any

import numpy as np

from engine.codes import MAP, REDUCE
from engine.jit import compiled
from engine.scenario.field_types import Exponential, Spread, Uniform, milliseconds

CONSTANT, NORMAL, LOGNORMAL, UNIFORM, EXPONENTIAL, VALUES = range(6)
LAW_SIZE = 3  # numbers of a law without its values: kind, first, second
INTERVAL = 3  # the kind that stands for the time between two copies of a job
MAX_BELOW_ONE = 1.0 - 2.0**-53  # the float below 1, which rounding could reach
MAX_CACHED_GROUPS = 8  # groups of jobs whose keys are kept, 8 bytes a job


def key(seed: int, name: str, copy: int) -> int:
    """64 bits that stand for one copy of a job."""
    return int.from_bytes(hashlib.blake2b(f"{seed}/{name}/{copy}".encode(), digest_size=8).digest(), "little")


@functools.lru_cache(maxsize=MAX_CACHED_GROUPS)
def keys(seed: int, name: str, count: int) -> np.ndarray:
    """uint64, `key` of the copies 1 … count; kept, since every scheduler that a large scenario runs under
    asks for the same (of small ones all draws are).
    """
    of_all = hashlib.blake2b(f"{seed}/{name}/".encode(), digest_size=8)
    digests = []
    for copy in range(1, count + 1):
        hasher = of_all.copy()
        hasher.update(b"%d" % copy)
        digests.append(hasher.digest())
    return np.frombuffer(b"".join(digests), "<u8")


def law(duration: Any) -> tuple[int, float, float, list[int]]:
    """(kind, first parameter, second parameter, values) of a duration, in ms."""
    if isinstance(duration, (int, float)):
        return CONSTANT, float(milliseconds(duration)), 0.0, []
    if isinstance(duration, Spread):
        mean = float(milliseconds(duration.mean))
        kind = NORMAL if duration.dist == "normal" else LOGNORMAL
        return kind if mean else CONSTANT, mean, float(milliseconds(duration.sd)), []
    if isinstance(duration, Uniform):
        return UNIFORM, float(milliseconds(duration.low)), float(milliseconds(duration.high)), []
    if isinstance(duration, Exponential):
        return EXPONENTIAL, float(milliseconds(duration.mean)), 0.0, []
    return VALUES, 0.0, 0.0, [milliseconds(value) for value in duration.values]


def mean_ms(duration: Any) -> float:
    """The mean of a duration by its distribution, in ms."""
    kind, first, second, values = law(duration)
    if kind == VALUES:
        return sum(values) / len(values)
    return (first + second) / 2 if kind == UNIFORM else first


def policy_seed(seed: int) -> tuple[int, int]:
    """Two numbers, each good to start one half of L'Ecuyer's generator with."""
    digest = hashlib.blake2b(f"{seed}/saf".encode(), digest_size=16).digest()
    halves = (int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:], "little"))
    return 1 + halves[0] % 2147483562, 1 + halves[1] % 2147483398


def intervals(interval: Any, seed: int, name: str, count: int) -> list[int]:
    """The gaps in ms before copies 2 … count."""
    kind, first, second, values = law(interval)
    if kind == VALUES:
        return values[: count - 1]
    if kind == CONSTANT:
        return [int(first)] * (count - 1)
    draws = np.empty(count - 1)
    for copy in range(2, count + 1):
        with np.errstate(over="ignore"):
            gap = draws[copy - 2 : copy - 1]
            _draw(gap, np.uint64(key(seed, name, copy)), 0, INTERVAL, copy, (kind, first, second))
    return [max(0, math.floor(draw + 0.5)) for draw in draws.tolist()]


def quantile(u):
    """Wichura's AS 241: the standard normal's inverse CDF, 0 < u < 1."""
    q = u - 0.5
    if abs(q) <= 0.425:
        r = 0.180625 - q * q
        num = (
            (
                (
                    (
                        (
                            (
                                (2.5090809287301226727e3 * r + 3.3430575583588128105e4) * r
                                + 6.7265770927008700853e4
                            )
                            * r
                            + 4.5921953931549871457e4
                        )
                        * r
                        + 1.3731693765509461125e4
                    )
                    * r
                    + 1.9715909503065514427e3
                )
                * r
                + 1.3314166789178437745e2
            )
            * r
            + 3.3871328727963666080e0
        ) * q  # noqa: E501
        den = (
            (
                (
                    (
                        (
                            (5.2264952788528545610e3 * r + 2.8729085735721942674e4) * r
                            + 3.9307895800092710610e4
                        )
                        * r
                        + 2.1213794301586595867e4
                    )
                    * r
                    + 5.3941960214247511077e3
                )
                * r
                + 6.8718700749205790830e2
            )
            * r
            + 4.2313330701600911252e1
        ) * r + 1.0  # noqa: E501
        return num / den
    r = u if q <= 0.0 else 1.0 - u
    r = math.sqrt(-math.log(r))
    if r <= 5.0:
        r = r - 1.6
        num = (
            (
                (
                    (
                        (
                            (7.74545014278341407640e-4 * r + 2.27238449892691845833e-2) * r
                            + 2.41780725177450611770e-1
                        )
                        * r
                        + 1.27045825245236838258e0
                    )
                    * r
                    + 3.64784832476320460504e0
                )
                * r
                + 5.76949722146069140550e0
            )
            * r
            + 4.63033784615654529590e0
        ) * r + 1.42343711074968357734e0  # noqa: E501
        den = (
            (
                (
                    (
                        (
                            (1.05075007164441684324e-9 * r + 5.47593808499534494600e-4) * r
                            + 1.51986665636164571966e-2
                        )
                        * r
                        + 1.48103976427480074590e-1
                    )
                    * r
                    + 6.89767334985100004550e-1
                )
                * r
                + 1.67638483018380384940e0
            )
            * r
            + 2.05319162663775882187e0
        ) * r + 1.0  # noqa: E501
    else:
        r = r - 5.0
        num = (
            (
                (
                    (
                        (
                            (2.01033439929228813265e-7 * r + 2.71155556874348757815e-5) * r
                            + 1.24266094738807843860e-3
                        )
                        * r
                        + 2.65321895265761230930e-2
                    )
                    * r
                    + 2.96560571828504891230e-1
                )
                * r
                + 1.78482653991729133580e0
            )
            * r
            + 5.46378491116411436990e0
        ) * r + 6.65790464350110377720e0  # noqa: E501
        den = (
            (
                (
                    (
                        (
                            (2.04426310338993978564e-15 * r + 1.42151175831644588870e-7) * r
                            + 1.84631831751005468180e-5
                        )
                        * r
                        + 7.86869131145613259100e-4
                    )
                    * r
                    + 1.48753612908506148525e-2
                )
                * r
                + 1.36929880922735805310e-1
            )
            * r
            + 5.99832206555887937690e-1
        ) * r + 1.0  # noqa: E501
    x = num / den
    return -x if q < 0.0 else x


def uniform(key, iteration, kind, index):
    """A number in (0, 1), the same for the same arguments for ever."""
    counter = np.uint64(((iteration * 4 + kind) << 32) | index)
    z = key + (counter + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return min((float(z >> np.uint64(11)) + 0.5) * 2.0**-53, MAX_BELOW_ONE)


def sample(u, law_kind, first, second):
    """The draw in ms that belongs to the uniform number `u` under a law without values."""
    if law_kind == NORMAL:
        return first + second * quantile(u)
    if law_kind == LOGNORMAL:
        ratio = second / first
        variance = math.log(1.0 + ratio * ratio)
        return math.exp(math.log(first) - variance / 2.0 + math.sqrt(variance) * quantile(u))
    if law_kind == UNIFORM:
        return first + (second - first) * u
    if law_kind == EXPONENTIAL:
        return -first * math.log1p(-u)
    return first


@compiled
def _draw(out, key, iteration, kind, index, of_law):
    """Fill `out` with the draws in ms of tasks index, index + 1, … of one iteration and kind. of_law: its
    kind and two numbers.
    """
    law_kind, first, second = of_law
    for place in range(len(out)):
        out[place] = sample(uniform(key, iteration, kind, index + place), law_kind, first, second)


@compiled
def _fill(out, jobs, groups, parts):
    """jobs: by job, its key and group; groups: the iterations of each, and where its parts begin; parts: of
    each, its tasks, kind, number of the stage (0: the iteration's), law, listed values and where these begin.
    """
    keys, group = jobs
    iterations, first_part = groups
    counts, kinds, stages, laws, values, starts = parts
    at = 0
    for job in range(len(keys)):
        g = group[job]
        for iteration in range(1, iterations[g] + 1):
            for part in range(first_part[g], first_part[g + 1]):
                count = counts[part]
                kind = int(laws[part, 0])
                first = laws[part, 1]
                if kind == CONSTANT:
                    out[at : at + count] = first
                elif kind == VALUES:
                    begin = starts[part]
                    for task in range(count):
                        out[at + task] = values[begin + task]
                else:
                    stage = iteration if stages[part] == 0 else stages[part]
                    of_law = (kind, first, laws[part, 2])
                    _draw(out[at : at + count], keys[job], stage, kinds[part], 0, of_law)
                at += count


def durations(scenario: Any, workload: Any) -> np.ndarray:
    """float64 draws in ms before division by speed: for each job in job order, each iteration, its maps then
    its reduces; of an application of stages these in order.
    """
    parts: list[tuple[int, int, int]] = []
    laws: list[tuple[int, float, float]] = []
    values: list[float] = []
    starts: list[int] = []
    first_part = [0]
    random = []
    for job in scenario.jobs:
        random.append(False)
        for number, stage in enumerate(job.task_stages, start=1):
            kind, first, second, listed = law(stage.duration_s)
            parts.append((stage.count, REDUCE if stage is job.reduces else MAP, number * bool(job.stages)))
            laws.append((kind, first, second))
            starts.append(len(values))
            values += listed
            random[-1] = random[-1] or kind in _RANDOM
        first_part.append(len(parts))
    counts, kinds, stages = np.array(parts, np.int64).T
    out = np.empty(int(workload.job_tasks.sum()))
    with np.errstate(over="ignore"):
        _fill(
            out,
            (job_keys(scenario, workload, random), workload.job_group),
            (np.array([job.iterations for job in scenario.jobs], np.int64), np.array(first_part, np.int64)),
            (
                np.ascontiguousarray(counts),
                np.ascontiguousarray(kinds),
                np.ascontiguousarray(stages),
                np.array(laws, float),
                np.array(values or [0], float),
                np.array(starts, np.int64),
            ),
        )
    return out


def job_keys(scenario: Any, workload: Any, random: list[bool]) -> np.ndarray:
    """uint64, the key of each job in job order; 0 for those of groups that draw nothing."""
    keys_by_job = np.zeros(len(workload.job_group), np.uint64)
    by_group = np.argsort(workload.job_group, kind="stable")
    last = 0
    for group, job in enumerate(scenario.jobs):
        first, last = last, last + job.count
        if random[group]:
            jobs_of_group = by_group[first:last]
            keys_by_job[jobs_of_group] = keys(scenario.seed, job.name or f"job{group + 1}", job.count)[
                workload.job_copy[jobs_of_group] - 1
            ]
    return keys_by_job


_RANDOM = {NORMAL, LOGNORMAL, UNIFORM, EXPONENTIAL}
