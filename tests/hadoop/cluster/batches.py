"""The batches: real jobs of MapReduce and real applications of Spark with their times of submission. Those of
one kind are as large, so that one can be fitted and the other judged.
"""

from __future__ import annotations

from typing import NamedTuple

KINDS = {"sleep": "SleepJob", "words": "WordCount", "sort": "TeraSort", "grep": "Grep and its second job"}


class Submission(NamedTuple):
    """One job of MapReduce. amount: of a map, ms that it sleeps or KB that it reads; reduce_ms: what a reduce
    sleeps, 0 where it computes.
    """

    arrival_s: float
    name: str
    user: str
    queue: str
    kind: str
    maps: int
    reduces: int
    amount: int
    reduce_ms: int
    slowstart: float
    map_mb: int
    reduce_mb: int


class SparkSubmission(NamedTuple):
    """One application of Spark. executors: how many it has, 0 where it asks for them as its stages need them;
    steps: what it does, in the words of spark_client/…/Stages.java.
    """

    arrival_s: float
    name: str
    user: str
    queue: str
    executors: int
    steps: str


def _batch(text: str) -> tuple[Submission | SparkSubmission, ...]:
    return tuple(map(_submission, text.strip().splitlines()))


def _submission(line: str) -> Submission | SparkSubmission:
    row = line.split()
    if row[4] == "spark":
        return SparkSubmission(float(row[0]), *row[1:4], int(row[5]), " ".join(row[6:]))
    return Submission(float(row[0]), *row[1:5], *map(int, row[5:9]), float(row[9]), *map(int, row[10:]))


def jobs_of(batch: str) -> list[Submission]:
    """Its jobs of MapReduce."""
    return [one for one in BATCHES[batch] if isinstance(one, Submission)]


def applications_of(batch: str) -> list[SparkSubmission]:
    """Its applications of Spark."""
    return [one for one in BATCHES[batch] if isinstance(one, SparkSubmission)]


# arrival_s name user queue kind maps reduces amount reduce_ms slowstart map_mb reduce_mb
# arrival_s name user queue spark executors steps
BATCHES = {
    "quick": _batch("""
        0  sleep-1 ann a sleep 4 1 3000 2000 0.05 1024 1024
        2  words-1 bob b words 2 1 1000 0    0.05 1024 1024
        5  sort-1  ann a sort  2 2 1000 0    1.0  1024 1024
        8  grep-1  bob b grep  2 1 1000 0    0.05 1024 1024
    """),
    "mixed": _batch("""
        0   sleep-1 ann a sleep 10 2 8000  5000 0.05 1024 1024
        7   words-1 bob b words 5  1 2000  0    0.05 1024 2048
        15  sleep-2 bob b sleep 8  2 10000 6000 1.0  1536 1024
        24  sort-1  ann a sort  4  2 3000  0    0.5  1024 1536
        34  grep-1  bob b grep  4  1 2000  0    0.05 512  1024
        45  sleep-3 ann a sleep 8  1 9000  8000 0.05 1024 2048
        57  words-2 ann a words 4  2 1500  0    1.0  1536 1024
        68  sleep-4 bob b sleep 6  2 12000 4000 0.05 512  1024
        80  sort-2  bob b sort  3  2 2000  0    1.0  1024 2048
        92  sleep-5 ann a sleep 10 1 6000  6000 0.8  1024 1024
        104 grep-2  ann a grep  3  1 1500  0    1.0  1024 1024
        114 sleep-6 bob b sleep 5  0 9000  0    1.0  2048 1024
    """),
    "mixed-b": _batch("""
        0   words-1 ann a words 4  1 1500  0    0.05 1024 1024
        6   sleep-1 bob b sleep 8  2 9000  4000 0.05 1024 2048
        16  sort-1  bob b sort  3  2 2500  0    0.5  1536 1024
        25  sleep-2 ann a sleep 9  1 8000  7000 1.0  1024 1536
        36  sleep-3 bob b sleep 6  2 7000  6000 0.05 2048 1024
        48  grep-1  ann a grep  4  1 2000  0    0.05 1024 512
        58  words-2 bob b words 5  2 2000  0    1.0  512  1024
        70  sleep-4 ann a sleep 10 2 6000  5000 0.5  1024 1024
        82  sort-2  ann a sort  4  1 2000  0    0.05 1024 2048
        93  sleep-5 bob b sleep 7  1 10000 4000 1.0  1536 1024
        105 grep-2  bob b grep  3  1 2500  0    1.0  1024 1024
        115 sleep-6 ann a sleep 6  1 8000  3000 0.05 1024 1024
    """),
    "equal": _batch("""
        0   sleep-1 ann a sleep 8  2 9000  6000 0.05 1024 1024
        7   words-1 bob b words 4  1 2000  0    0.05 1024 1024
        16  sleep-2 bob b sleep 8  2 8000  5000 1.0  1024 1024
        25  sort-1  ann a sort  4  2 3000  0    0.5  1024 1024
        36  grep-1  bob b grep  4  1 2000  0    0.05 1024 1024
        47  sleep-3 ann a sleep 10 1 9000  8000 0.05 1024 1024
        58  words-2 ann a words 4  2 1500  0    1.0  1024 1024
        69  sleep-4 bob b sleep 6  2 12000 4000 0.05 1024 1024
        81  sort-2  bob b sort  3  2 2000  0    1.0  1024 1024
        92  sleep-5 ann a sleep 9  1 7000  6000 0.8  1024 1024
        104 grep-2  ann a grep  3  1 1500  0    1.0  1024 1024
        114 sleep-6 bob b sleep 6  0 9000  0    1.0  1024 1024
    """),
    "equal-b": _batch("""
        0   words-1 ann a words 5  1 1500  0    0.05 1024 1024
        6   sleep-1 bob b sleep 9  2 8000  5000 0.05 1024 1024
        16  sort-1  bob b sort  3  2 2500  0    0.5  1024 1024
        25  sleep-2 ann a sleep 8  1 10000 7000 1.0  1024 1024
        37  sleep-3 bob b sleep 7  2 8000  6000 0.05 1024 1024
        48  grep-1  ann a grep  4  1 2000  0    0.05 1024 1024
        58  words-2 bob b words 4  2 2000  0    1.0  1024 1024
        70  sleep-4 ann a sleep 10 2 7000  5000 0.5  1024 1024
        82  sort-2  ann a sort  4  1 2000  0    0.05 1024 1024
        93  sleep-5 bob b sleep 7  1 9000  4000 1.0  1024 1024
        105 grep-2  bob b grep  3  1 2500  0    1.0  1024 1024
        115 sleep-6 ann a sleep 6  1 8000  3000 0.05 1024 1024
    """),
    "quick-spark": _batch("""
        0  fixed-1   ann a spark 2 a=4x1000 b=2x1000 c=a+b:2x1000
        3  dynamic-1 bob b spark 0 a=6x2000 b=a:4x1000 pause=2000 c=b:2x1000
        6  sleep-1   bob b sleep 3 1 3000 2000 0.05 1024 1024
    """),
    "spark": _batch("""
        0   fixed-1   ann a spark 4 a=40x2500 b=12x4000 c=a+b:16x3000 d=c:4x3000
        8   dynamic-1 ann a spark 0 a=50x2500 b=16x2000 c=a+b:20x2500 d=c:5x3000
        18  dynamic-2 bob b spark 0 a=30x3000 b=10x4000 c=a+b:20x2000 d=c:4x4000
        28  fixed-2   bob b spark 3 a=24x2000 b=12x3000 c=a+b:12x2500 d=c:3x3000
        40  dynamic-3 ann a spark 0 a=24x2500 b=a:10x2500 pause=4000 c=b:6x2000
        50  dynamic-4 bob b spark 0 a=40x1500 b=10x2000 c=a+b:10x2000 d=c:2x5000
        60  fixed-3   ann a spark 2 a=12x2500 b=a:6x3000 pause=3000 c=b:3x3000
    """),
    "spark-mixed": _batch("""
        0   fixed-1   ann a spark 3 a=30x2500 b=10x4000 c=a+b:12x3000 d=c:4x3000
        8   sleep-1   bob b sleep 8 2 8000 5000 0.05 1024 1024
        14  words-1   ann a words 4 1 2000 0    0.05 1024 1024
        20  dynamic-1 bob b spark 0 a=30x3000 b=10x3000 c=a+b:15x2500 d=c:4x3000
        32  sleep-2   ann a sleep 8 1 9000 6000 0.5  1024 1024
        45  dynamic-2 ann a spark 0 a=36x2000 b=a:12x2500 pause=4000 c=b:5x2000
        52  sort-1    bob b sort  3 2 2000 0    1.0  1024 1024
        60  fixed-2   bob b spark 2 a=16x2500 b=a:6x3000
        70  sleep-3   bob b sleep 6 1 8000 4000 0.05 1024 1024
        80  grep-1    ann a grep  3 1 1500 0    1.0  1024 1024
    """),
}
