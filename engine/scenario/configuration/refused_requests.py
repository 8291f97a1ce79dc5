"""Jobs that ask for a larger container than the configuration allows: Hadoop refuses or kills those, and the
rest of the batch runs.

In Hadoop  RMAppManager and SchedulerUtils.validateResourceRequests of a master; RMContainerAllocator of maps
           and reduces, which kills the job; of other applications' containers the ApplicationMasterService
           refuses the request as it does a master's, and the application with it
"""

from __future__ import annotations

import re
from typing import Any

from engine.messages import msg
from engine.scenario.allocation_validation import allocation_faults, container_requests
from engine.scenario.configuration.configuration_notes import NoteKind, Remarks, Where
from engine.scenario.scenario_limits import MAX_REJECTED_LENGTH

REQUEST = re.compile(r"jobs\[(\d+)\]\.(\w+(?:\[\d+\])?)\.\w+")


def reject_larger_requests(data: dict[str, Any], remarks: Remarks, where: Where) -> None:
    """Marks them as rejected, in place, each with the first request that is too large, and notes them."""
    jobs: list[dict[str, Any]] = data["jobs"]
    for fault in list(allocation_faults(data)):
        request = REQUEST.fullmatch(fault.path)
        if not request or jobs[int(request[1])].get("rejected"):
            continue
        place, kind = int(request[1]), request[2]
        job = jobs[place]
        asked = dict(container_requests(job))[kind]
        size = {"memory": asked.get("memory_mb", 1024), "vcores": asked.get("vcores", 1)}
        sentence = (
            msg("scenario.refused_requests.more_than_supported", kind=kind[:-1].upper(), **size)
            if kind in ("maps", "reduces")
            else msg("scenario.refused_requests.invalid_resource_request", **size)
        )
        job["rejected"] = sentence[:MAX_REJECTED_LENGTH]
        name = job.get("name") or f"job{place + 1}"
        text = msg("scenario.refused_requests.refused", job=name, path=fault.path, message=fault.message)
        remarks.add(where, text, NoteKind.REFUSED)
