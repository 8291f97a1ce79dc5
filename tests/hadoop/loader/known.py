"""Why a kind of value is not Hadoop's everywhere: by scheduler and kind, as the page tells it."""

from __future__ import annotations

BARE = "Hadoop's default sizes are left out where they would make the jobs or nodes of the scenario a fault"
REFUSED = "Gantry refuses some that Hadoop starts on, and reads some that it refuses"
DEFAULT = "a job in root.default names no queue in Gantry, which in Hadoop is another job"
PARTS = "Gantry has one capacity of a queue, Hadoop one of memory and one of vcores"
NO_LIMIT = "a number below 0 or too large stands for the nearest that Gantry's field takes"
CLOSED = "a largest container of 0, which no job fits, stands for 1"
ROUNDED = "they are a part of the system's as the capacity is, which differs or is rounded down"
DOTS = "a name with dots in a list of queues"

REASONS: dict[tuple[str, str], str] = {
    ("capacity", "absolute-capacity"): PARTS,
    ("capacity", "absolute-maximum-capacity"): PARTS,
    ("capacity", "maximum-allocation"): CLOSED,
    ("capacity", "maximum-resource"): PARTS,
    ("capacity", "minimum-resource"): PARTS,
    ("capacity", "minimum-user-limit-percent"): NO_LIMIT,
    ("capacity", "maximum-applications"): ROUNDED,
    ("capacity", "maximum-applications-per-user"): ROUNDED,
    ("capacity", "placement"): f"{DEFAULT}; queues that Hadoop creates",
    ("capacity", "refused"): DOTS,
    ("fair", "fairSharePreemptionTimeout"): NO_LIMIT,
    ("fair", "locality.threshold.rack"): NO_LIMIT,
    ("fair", "maxAMShare"): NO_LIMIT,
    ("fair", "maxContainerAllocation"): BARE,
    ("fair", "maxRunningApps"): NO_LIMIT,
    ("fair", "minSharePreemptionTimeout"): NO_LIMIT,
    ("fair", "minimum-allocation"): BARE,
    ("fair", "placement"): DEFAULT,
    ("fair", "refused"): REFUSED,
    ("fair", "weight"): NO_LIMIT,
}
