"""Workloads of SWIM, the Statistical Workload Injector for MapReduce, such as Facebook's FB-2009 and FB-2010
samples: tab-separated, a job a line.

Columns: job id, submit time in s, gap to the job before in s, bytes the maps read, bytes shuffled, bytes the
reduces write; FB-2010 has input paths behind. A line tells no tasks and no times. They are made from its
bytes, the number of tasks as SWIM's GenerateReplayScript and HDFS make it:

- maps: the input over a block of 128 MB, rounded up, at least 1; each reads an equal part. (SWIM's replay
  raises the input to 64 MB.) Of a job that shuffles nothing and writes more than it reads, the output: it
  makes its data up.
- reduces: shuffle and output together over 64 MB, as in SWIM's own call of GenerateReplayScript, rounded to
  the nearest, at least 1; where that is more than the cluster has nodes, a fifth of the nodes. A job that
  shuffles nothing has none; its maps write the output. (SWIM's replay gives it one reduce and 1 KB.)
- times: each task takes 1 s and 0.1 s a MB that it reads or writes: a map its part of the input, a reduce its
  part of shuffle and output.
- sizes: mapred-site.xml's, else Hadoop's defaults, 1024 MB and 1 vcore, the master 1536 MB. Slow start
  likewise, else 0.05. All jobs are of one user, in the default queue.
- nodes: a nodes file, else 600 of Hadoop's default size, as many as Facebook's cluster of 2009 had.
- kept: input_mb, and the output as x_output_mb. The submit time counts, the gap before it says nothing more.
"""

from __future__ import annotations

from engine.errors import FormatError
from engine.messages import msg
from engine.scenario.configuration.mapreduce_settings import PARTS, JobSettings
from engine.scenario.formats.file_format import FileFormat
from engine.scenario.formats.json_stream import Source
from engine.scenario.formats.nodes import DefaultSize, Node
from engine.scenario.formats.scenario_builder import ImportedScenario, ScenarioBuilder, Tasks
from engine.scenario.formats.text_rows import WHOLE, for_each_row, parse_int
from engine.scenario.queue_validation import DEFAULT_QUEUE

MEBIBYTE = 2**20
BLOCK = 128 * MEBIBYTE  # dfs.blocksize of Hadoop 3
REDUCE_BYTES = 64 * MEBIBYTE
TASK_MS, MS_PER_MB = 1000, 100
NODES = 600
COLUMNS = (
    msg("scenario.swim.job_id"),
    "submit time",
    "gap",
    msg("scenario.swim.map_input_bytes"),
    msg("scenario.swim.shuffle_bytes"),
    msg("scenario.swim.reduce_output_bytes"),
)
OUTPUT = "x_output_mb"  # a field of the job that keeps its output
NODE = {
    "memory_mb": DefaultSize(8192, msg("shared.hadoops_default")),
    "vcores": DefaultSize(8, msg("shared.hadoops_default")),
}


def map_count(input_bytes: int) -> int:
    """How many maps read so much."""
    return max(1, -(-input_bytes // BLOCK))


def reduce_count(shuffle_bytes: int, output_bytes: int, nodes: int) -> int:
    """How many reduces GenerateReplayScript gives a job on a cluster of so many nodes; none where nothing is
    shuffled.
    """
    if not shuffle_bytes:
        return 0
    number = max(1, (2 * (shuffle_bytes + output_bytes) + REDUCE_BYTES) // (2 * REDUCE_BYTES))
    return max(1, nodes // 5) if number > nodes else number


def read(source: Source, nodes: set[Node] | None, title: str) -> ImportedScenario:
    """The scenario of a SWIM workload. A line that can't be read is left out and told; FormatError and
    TooLarge as `readers.read` says.
    """
    builder = ScenarioBuilder(source.max_tasks, source.part)
    if nodes is None:
        builder.numbered = NODES, 1
        builder.notes.add(msg("scenario.swim.file_names_no_node_as_many", nodes=NODES))
    count = NODES if nodes is None else len(nodes)
    configured = _Configured(source.job_settings)
    for_each_row(source, lambda line: _add_job(line, builder, count, configured), builder.notes)
    return builder.build(title, nodes, NODE)


class _Configured:
    """What every job has, as no line tells it, and a sentence that says so."""

    def __init__(self, settings: JobSettings) -> None:
        self.size = {part: {key: value.value for key, value in settings.size(part).items()} for part in PARTS}
        self.fields = {"am": settings.master(), "slowstart": settings.slowstart().value, **settings.fields()}
        sizes = {
            part: msg("scenario.swim.size", memory_mb=size["memory_mb"], vcores=size["vcores"])
            for part, size in self.size.items()
        }
        self.sentence = (
            msg("scenario.swim.name_no_sizes", slowstart=self.fields["slowstart"], **sizes)
            if settings.taken
            else msg("scenario.swim.name_no_sizes_no_user_and")
        )


def _add_job(line: bytes, builder: ScenarioBuilder, nodes: int, configured: _Configured) -> bool:
    columns = [column.strip() for column in line.split(b"\t", 64)]
    if len(columns) < len(COLUMNS):
        raise FormatError(
            msg(
                "scenario.swim.got_expected_tab_separated",
                columns=len(columns),
                value="column" if len(columns) == 1 else "columns",
                columns2=len(COLUMNS),
                columns3=", ".join(COLUMNS),
            )
        )
    submit, _, read_bytes, shuffle_bytes, output_bytes = (
        parse_int(column, column_name) for column, column_name in zip(columns[1:], COLUMNS[1:], strict=False)
    )
    if submit < 0:
        raise FormatError(msg("shared.submit_time_must_be_at_least", submit=submit))
    for amount, column_name in zip((read_bytes, shuffle_bytes, output_bytes), COLUMNS[3:], strict=True):
        if amount < 0:
            raise FormatError(msg("scenario.swim.must_be_at_least", column_name=column_name, amount=amount))
    count = builder.notes.count
    count(
        "job",
        msg("scenario.swim.tell_bytes_alone_map_block_mb"),
    )
    count("job", msg("scenario.swim.tell_no_times_each_task_takes"))
    count("job", configured.sentence)
    count("job", msg("scenario.swim.shuffle_nothing_maps_alone_where_swims"), not shuffle_bytes)
    count(
        "job",
        msg("scenario.swim.have_more_output_than_input_and"),
        not shuffle_bytes and map_count(output_bytes) > map_count(read_bytes),
    )
    is_capped = (
        0
        < reduce_count(shuffle_bytes, output_bytes, nodes)
        < reduce_count(shuffle_bytes, output_bytes, shuffle_bytes + output_bytes)
    )
    count(
        "job",
        msg("scenario.swim.have_so_much_for_reduces_fifth"),
        is_capped,
    )
    count(
        "job",
        msg("scenario.swim.name_input_path_left_out"),
        len(columns) > len(COLUMNS) and any(columns[len(COLUMNS) :]),
    )
    maps, reduces = (Tasks(**configured.size[part]) for part in ("maps", "reduces"))
    maps_count, reduces_count = (
        map_count(read_bytes if shuffle_bytes else max(read_bytes, output_bytes)),
        reduce_count(shuffle_bytes, output_bytes, nodes),
    )
    maps.append(_time(read_bytes + (0 if reduces_count else output_bytes), maps_count), maps_count)
    if reduces_count:
        reduces.append(_time(shuffle_bytes + output_bytes, reduces_count), reduces_count)
    builder.add_job(
        columns[0].decode("utf-8", "replace"),
        None,
        DEFAULT_QUEUE,
        1000 * submit,
        maps,
        reduces,
        input_mb=read_bytes / MEBIBYTE,
        shuffle_mb_per_map=shuffle_bytes / MEBIBYTE / maps_count,
        **configured.fields,
        **{OUTPUT: output_bytes / MEBIBYTE},
    )
    return True


def _time(total_bytes: int, tasks: int) -> int:
    """Milliseconds of each of so many tasks that share so many bytes."""
    return TASK_MS + round(MS_PER_MB * total_bytes / MEBIBYTE / tasks)


def _looks_like(lines: list[bytes]) -> bool:
    """Whether one of the first lines has a name and five whole numbers, by tabs."""
    return any(
        len(columns) >= 6 and all(WHOLE.fullmatch(column.strip()) for column in columns[1:6])
        for columns in (line.split(b"\t", 64) for line in lines)
    )


SWIM = FileFormat("swim", msg("scenario.swim.swim_workload"), (), (".tsv", ".txt"), read, _looks_like)
