"""All files that a scenario's jobs can be written as. A new one is a new file that ends with its
WorkloadFormat, and one name in WORKLOADS.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import FormatError
from engine.messages import msg
from engine.output.workloads.batsim_workload import BATSIM
from engine.output.workloads.jobs_table import JOBS_TABLE
from engine.output.workloads.rumen_trace import RUMEN_TRACE
from engine.output.workloads.sls_file import SLS_JOBS, SLS_NODES
from engine.output.workloads.swim_file import SWIM_FILE
from engine.output.workloads.unsupported_fields import note_unsupported
from engine.output.workloads.workload_format import WorkloadFormat
from engine.scenario.formats.import_notes import Notes
from engine.scenario.model import Scenario

WORKLOADS: dict[str, WorkloadFormat] = {
    each_format.kind: each_format
    for each_format in (SLS_JOBS, SLS_NODES, RUMEN_TRACE, SWIM_FILE, BATSIM, JOBS_TABLE)
}


def workload_text(scenario: Scenario, kind: str, notes: Notes) -> Iterator[str]:
    """The file of this kind in chunks; what it can't hold is in `notes`, whole once the last chunk is read.
    FormatError where there is no such kind, or the file would hold no job.
    """
    if kind not in WORKLOADS:
        raise FormatError(
            msg("output.workload_files.cant_be_written_choose_one", kind=kind, workloads=", ".join(WORKLOADS))
        )
    workload_format = WORKLOADS[kind]
    if not workload_format.has_applications and all(job.maps is None for job in scenario.jobs):
        raise FormatError(msg("output.workload_files.no_job_to_write", kind=kind))
    yield from workload_format.write(scenario, notes)
    note_unsupported(scenario, workload_format.supports, notes)
