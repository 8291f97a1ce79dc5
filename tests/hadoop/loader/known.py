"""Why a kind of value is not Hadoop's everywhere: by scheduler and kind, as the page tells it."""

from __future__ import annotations

BARE = "Hadoop's default sizes are left out where they would make the jobs or nodes of the scenario a fault"
REFUSED = "Gantry refuses some that Hadoop starts on, and reads some that it refuses"
DEFAULT = "a job in root.default names no queue in Gantry, which in Hadoop is another job"
PARTS = "Gantry has one capacity of a queue, Hadoop one of memory and one of vcores"
NO_LIMIT = "a number below 0 or too large stands for the nearest that Gantry's field takes"
FORM = "a value of an odd form stands for another one in Hadoop"
NAMES = "empty names and queues that are listed twice"

REASONS: dict[tuple[str, str], str] = {
    ("capacity", "absolute-maximum-capacity"): PARTS,
    ("capacity", "calculator"): FORM,
    ("capacity", "disable-preemption"): FORM,
    ("capacity", "leaf"): NAMES,
    ("capacity", "max-parallel-apps"): NO_LIMIT,
    ("capacity", "maximum-allocation"): BARE,
    ("capacity", "maximum-resource"): PARTS,
    ("capacity", "minimum-resource"): PARTS,
    ("capacity", "minimum-user-limit-percent"): NO_LIMIT,
    ("capacity", "ordering"): "fifo-with-partitions is fifo, and a parent's odd ordering is its parent's",
    ("capacity", "maximum-applications"): "as the absolute capacity that they are a part of, rounded down",
    ("capacity", "maximum-applications-per-user"): "as the absolute capacity that they are a part of",
    ("capacity", "placement"): "short names, queues that create queues, and full queues counted otherwise",
    ("capacity", "queue"): NAMES,
    ("capacity", "refused"): REFUSED,
    ("fair", "assignments of a heartbeat"): FORM,
    ("fair", "fairSharePreemptionTimeout"): NO_LIMIT,
    ("fair", "increment-allocation"): BARE,
    ("fair", "locality.threshold.rack"): NO_LIMIT,
    ("fair", "maxAMShare"): NO_LIMIT,
    ("fair", "maxContainerAllocation"): BARE,
    ("fair", "maxRunningApps"): NO_LIMIT,
    ("fair", "maximum-allocation"): BARE,
    ("fair", "minSharePreemptionTimeout"): NO_LIMIT,
    ("fair", "minimum-allocation"): BARE,
    ("fair", "placement"): DEFAULT,
    ("fair", "refused"): REFUSED,
    ("fair", "update-interval-ms"): FORM,
    ("fair", "waitTimeBeforeNextStarvationCheck"): FORM,
    ("fair", "weight"): NO_LIMIT,
}
