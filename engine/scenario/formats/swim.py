"""Workloads of SWIM, the Statistical Workload Injector for MapReduce, such as Facebook's FB-2009 and FB-2010 samples: tab-separated, a job a line.

Columns: job id, submit time in s, gap to the job before in s, bytes the maps read, bytes shuffled, bytes the reduces write; FB-2010 has input paths behind.
A line tells no tasks and no times. They are made from its bytes, the number of tasks as SWIM's GenerateReplayScript and HDFS make it:

- maps: the input over a block of 128 MB, rounded up, at least 1; each reads an equal part. (SWIM's replay raises the input to 64 MB.)
- reduces: shuffle and output together over 64 MB, as in SWIM's own call of GenerateReplayScript, rounded to the nearest, at least 1; where that is more than
  the cluster has nodes, a fifth of the nodes. A job that shuffles nothing has none; its maps write the output. (SWIM's replay gives it one reduce and 1 KB.)
- times: each task takes 1 s and 0.1 s a MB that it reads or writes: a map its part of the input, a reduce its part of shuffle and output.
- sizes: Hadoop's defaults, 1024 MB and 1 vcore, the master 1536 MB. Slow start: Hadoop's 0.05. All jobs are of one user, in the default queue.
- nodes: a nodes file, else 600 of Hadoop's default size, as many as Facebook's cluster of 2009 had.
- kept: input_mb, and the output as x_output_mb. The submit time counts, the gap before it says nothing more.
"""

from __future__ import annotations

from engine.errors import FormatError
from engine.scenario.field_types import MOST_SECONDS
from engine.scenario.formats.batch import Batch, Imported, Tasks
from engine.scenario.formats.file_format import FileFormat
from engine.scenario.formats.nodes import Node, StandIn
from engine.scenario.formats.stream import Source
from engine.scenario.formats.text_rows import WHOLE, each_row, whole_of
from engine.scenario.queue_validation import DEFAULT_QUEUE

MEBIBYTE = 2**20
BLOCK = 128 * MEBIBYTE  # dfs.blocksize of Hadoop 3
REDUCE_BYTES = 64 * MEBIBYTE
TASK_MS, MS_A_MB = 1000, 100
NODES = 600
COLUMNS = ("job id", "submit time", "gap", "map input bytes", "shuffle bytes", "reduce output bytes")
CONTAINER = {"memory_mb": 1024, "vcores": 1}
MASTER = {"memory_mb": 1536, "vcores": 1}
SLOWSTART = 0.05
NODE = {"memory_mb": StandIn(8192, "Hadoop's default"), "vcores": StandIn(8, "Hadoop's default")}


def maps_of(input_bytes: int) -> int:
    """How many maps read so much."""
    return max(1, -(-input_bytes // BLOCK))


def reduces_of(shuffle_bytes: int, output_bytes: int, nodes: int) -> int:
    """How many reduces GenerateReplayScript gives a job on a cluster of so many nodes; none where nothing is shuffled."""
    if not shuffle_bytes:
        return 0
    number = max(1, (2 * (shuffle_bytes + output_bytes) + REDUCE_BYTES) // (2 * REDUCE_BYTES))
    return max(1, nodes // 5) if number > nodes else number


def read(source: Source, nodes: set[Node] | None, title: str) -> Imported:
    """The scenario of a SWIM workload. A line that can't be read is left out and told; FormatError and TooLarge as `readers.read` says."""
    batch = Batch(source.most_tasks)
    if nodes is None:
        batch.numbered = NODES, 1
        batch.notes.say(f"the file names no node: {NODES}, as many as the cluster of SWIM's FB-2009 samples had")
    count = NODES if nodes is None else len(nodes)
    each_row(source, lambda line: _take(line, batch, count), batch.notes)
    return batch.imported(title, nodes, NODE)


def _take(line: bytes, batch: Batch, nodes: int) -> bool:
    columns = [column.strip() for column in line.split(b"\t", 64)]
    if len(columns) < len(COLUMNS):
        raise FormatError(f"{len(columns)} {'column' if len(columns) == 1 else 'columns'} where {len(COLUMNS)} must be, parted by tabs: {', '.join(COLUMNS)}")
    submit, _, read_bytes, shuffled, written = (whole_of(column, what) for column, what in zip(columns[1:], COLUMNS[1:], strict=False))
    if not 0 <= submit <= MOST_SECONDS:
        raise FormatError(f"submit time: {submit} must be from 0 to {MOST_SECONDS:,.0f} s")
    for amount, what in zip((read_bytes, shuffled, written), COLUMNS[3:], strict=True):
        if amount < 0:
            raise FormatError(f"{what}: {amount} must be at least 0")
    count = batch.notes.count
    count("job", "tell bytes alone: a map a block of 128 MB, a reduce for 64 MB of shuffle and output, each with an equal part")
    count("job", "tell no times: each task takes 1 s, and 0.1 s for each MB that it reads or writes")
    count("job", "name no sizes, no user and no queue: Hadoop's defaults, 1024 MB and 1 vcore a task, 1536 MB the master, slow start 0.05")
    count("job", "shuffle nothing: maps alone, where SWIM's replay adds a reduce for 1 KB", not shuffled)
    count("job", "name an input path: left out", len(columns) > len(COLUMNS) and any(columns[len(COLUMNS) :]))
    maps, reduces = Tasks(**CONTAINER), Tasks(**CONTAINER)
    maps_count, reduces_count = maps_of(read_bytes), reduces_of(shuffled, written, nodes)
    maps.append(_time(read_bytes + (0 if reduces_count else written), maps_count), maps_count)
    if reduces_count:
        reduces.append(_time(shuffled + written, reduces_count), reduces_count)
    batch.add_job(
        columns[0].decode("utf-8", "replace"),
        None,
        DEFAULT_QUEUE,
        1000 * submit,
        maps,
        reduces,
        am=MASTER,
        slowstart=SLOWSTART,
        input_mb=read_bytes / MEBIBYTE,
        shuffle_mb_per_map=shuffled / MEBIBYTE / maps_count,
        x_output_mb=written / MEBIBYTE,
    )
    return True


def _time(amount: int, tasks: int) -> int:
    """Milliseconds of each of so many tasks that share so many bytes."""
    return TASK_MS + round(MS_A_MB * amount / MEBIBYTE / tasks)


def _seen_in(lines: list[bytes]) -> bool:
    """Whether one of the first lines has a name and five whole numbers, by tabs."""
    return any(len(columns) >= 6 and all(WHOLE.fullmatch(column.strip()) for column in columns[1:6]) for columns in (line.split(b"\t", 64) for line in lines))


SWIM = FileFormat("swim", "a SWIM workload", (), (".tsv", ".txt"), read, _seen_in)
