"""SWIM's workload, tab-separated: job id, submit time in s, gap in s, map input bytes, shuffle bytes, reduce
output bytes; `formats/swim.py` reads it.

Input bytes: input_mb, else a block of 128 MB a map. Shuffle bytes: a map's output times the maps. Output
bytes are not in a scenario: what was imported (x_output_mb), else as many as make GenerateReplayScript's
number of reduces the job's, at 64 MB of shuffle and output each.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.messages import msg
from engine.output.workloads.job_rows import job_rows
from engine.output.workloads.sls_file import SUBMITTED
from engine.output.workloads.workload_format import WorkloadFormat
from engine.scenario.formats.import_notes import Notes
from engine.scenario.formats.swim import BLOCK, MEBIBYTE, OUTPUT, REDUCE_BYTES
from engine.scenario.model import Job, Scenario

SUPPORTED = frozenset(
    {
        "nodes",
        "jobs.input_mb",
        "jobs.shuffle_mb_per_map",
        "jobs.maps",
        "jobs.reduces",
        "jobs.iterations",
        "jobs.am.memory_mb",
        "jobs.am.vcores",
        *SUBMITTED,
    }
    - {"jobs.user", "jobs.queue"}
)
MAX_SWIM_BYTES = 10**15


def swim_text(scenario: Scenario, notes: Notes) -> Iterator[str]:
    """A line a job, in order of arrival."""
    notes.add(msg("output.swim_file.nodes_and_sizes_containers_line_has"))
    notes.add(msg("output.swim_file.task_durations_replay_derives_them_from"))
    previous_submit = 0
    for row in job_rows(scenario, notes):
        job, count = row.job, notes.count
        submit = (row.arrival_ms + 500) // 1000
        count(
            "job", msg("output.swim_file.arrive_at_parts_second_nearest_second"), row.arrival_ms % 1000 != 0
        )
        count("job", msg("output.swim_file.name_no_input_mb_map"), job.input_mb is None)
        count("job", msg("output.swim_file.have_iterations_one_written"), job.iterations > 1)
        count("job", msg("output.swim_file.have_name_with_tab_or_lines"), not row.name.isprintable())
        reads = BLOCK * row.map_stage.count if job.input_mb is None else round(job.input_mb * MEBIBYTE)
        shuffled = round(job.shuffle_mb_per_map * row.map_stage.count * MEBIBYTE) if row.reduces.size else 0
        name = "".join(character if character.isprintable() else " " for character in row.name)
        yield f"{name}\t{submit}\t{submit - previous_submit}\t{min(reads, MAX_SWIM_BYTES)}\t{min(shuffled, MAX_SWIM_BYTES)}\t{min(_output(job, shuffled, notes), MAX_SWIM_BYTES)}\n"  # noqa: E501
        previous_submit = submit


def _output(job: Job, shuffled: int, notes: Notes) -> int:
    imported_mb = (job.model_extra or {}).get(OUTPUT)
    if isinstance(imported_mb, (int, float)) and 0 <= imported_mb <= MAX_SWIM_BYTES / MEBIBYTE:
        return round(imported_mb * MEBIBYTE)
    reduces = job.reduces.count if job.reduces else 0
    notes.count("job", msg("output.swim_file.tell_no_output_as_much_as"), reduces > 0)
    return max(0, reduces * REDUCE_BYTES - shuffled)


SWIM_FILE = WorkloadFormat(
    "swim",
    "workload.tsv",
    msg("output.swim_file.swims_tab_separated_workload_arrivals_and"),
    SUPPORTED,
    swim_text,
)
