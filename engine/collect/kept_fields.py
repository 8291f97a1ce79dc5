"""What is kept of the servers' answers: a list of what may go into the archive; all else is left out."""

import re
from typing import Any

# What is kept of an answer: by key the kind of its value, an object's own keys, or [keys] of each object of a
# list. All else is left out.
PLAIN, USER, JOB, ADDRESS, RACK, QUEUE = "plain", "user", "job", "address", "rack", "queue"


def plain_fields(*keys: str) -> "dict[str, Any]":
    return dict.fromkeys(keys, PLAIN)


RESOURCE_FIELDS = dict(
    plain_fields("memory", "vCores"),
    resourceInformations={
        "resourceInformation": [
            plain_fields("name", "value", "units", "minimumAllocation", "maximumAllocation")
        ]
    },
)
QUEUE_FIELDS = dict(
    plain_fields(
        "type",
        "capacity",
        "maxCapacity",
        "absoluteCapacity",
        "absoluteMaxCapacity",
        "weight",
        "normalizedWeight",
        "mode",
        "state",
        "queueType",
        "maxApps",
        "maxParallelApps",
        "maxApplications",
        "maxApplicationsPerUser",
        "userLimit",
        "userLimitFactor",
        "configuredMaxAMResourceLimit",
        "preemptionDisabled",
        "intraQueuePreemptionDisabled",
        "orderingPolicyInfo",
        "orderingPolicyDisplayName",
        "queuePriority",
        "defaultPriority",
        "isAbsoluteResource",
        "autoCreateChildQueueEnabled",
        "creationMethod",
        "schedulingPolicy",
        "preemptable",
    ),
    queueName=QUEUE,
    queuePath=QUEUE,
)
for _key in (
    "minResources", "maxResources", "amMaxResources", "steadyFairResources", "fairResources", "clusterResources", "maxContainerAllocation",  # noqa: E501
    "minEffectiveCapacity", "maxEffectiveCapacity", "maximumAllocation", "AMResourceLimit",
):  # fmt: skip
    QUEUE_FIELDS[_key] = RESOURCE_FIELDS
QUEUE_FIELDS["queues"] = QUEUE_FIELDS["childQueues"] = {"queue": [QUEUE_FIELDS]}
SCHEDULER_FIELDS = {"scheduler": {"schedulerInfo": dict(QUEUE_FIELDS, rootQueue=QUEUE_FIELDS)}}
INFO_FIELDS = {
    "clusterInfo": plain_fields(
        "id", "startedOn", "state", "haState", "hadoopVersion", "resourceManagerVersion"
    )
}
METRICS_FIELDS = {
    "clusterMetrics": plain_fields(
        "appsSubmitted",
        "appsCompleted",
        "totalMB",
        "totalVirtualCores",
        "totalNodes",
        "activeNodes",
        "lostNodes",
        "unhealthyNodes",
    )
}
NODE_FIELDS = dict(
    plain_fields(
        "state", "version", "usedMemoryMB", "availMemoryMB", "usedVirtualCores", "availableVirtualCores"
    ),
    id=ADDRESS,
    rack=RACK,
    nodeHostName=ADDRESS,
    nodeHTTPAddress=ADDRESS,
    totalResource=RESOURCE_FIELDS,
)
APP_FIELDS = dict(
    plain_fields(
        "id",
        "state",
        "finalStatus",
        "clusterId",
        "applicationType",
        "priority",
        "startedTime",
        "launchTime",
        "finishedTime",
        "elapsedTime",
        "memorySeconds",
        "vcoreSeconds",
        "allocatedMB",
        "allocatedVCores",
        "runningContainers",
        "numNonAMContainerPreempted",
        "numAMContainerPreempted",
        "unmanagedApplication",
    ),
    user=USER,
    name=JOB,
    queue=QUEUE,
)
MASTER_FIELDS = dict(
    plain_fields("id", "appAttemptId", "appAttemptState", "startTime", "finishedTime", "containerId"),
    nodeHttpAddress=ADDRESS,
    nodeId=ADDRESS,
)
JOB_FIELDS = dict(
    plain_fields(
        "id",
        "state",
        "submitTime",
        "startTime",
        "finishTime",
        "mapsTotal",
        "mapsCompleted",
        "reducesTotal",
        "reducesCompleted",
        "uberized",
        "avgMapTime",
        "avgReduceTime",
        "avgShuffleTime",
        "avgMergeTime",
        "failedMapAttempts",
        "killedMapAttempts",
        "successfulMapAttempts",
        "failedReduceAttempts",
        "killedReduceAttempts",
        "successfulReduceAttempts",
    ),
    user=USER,
    name=JOB,
    queue=QUEUE,
)
TASK_FIELDS = plain_fields(
    "id", "type", "state", "startTime", "finishTime", "elapsedTime", "successfulAttempt"
)
ATTEMPT_FIELDS = dict(
    plain_fields(
        "id",
        "type",
        "state",
        "startTime",
        "finishTime",
        "elapsedTime",
        "assignedContainerId",
        "shuffleFinishTime",
        "mergeFinishTime",
        "elapsedShuffleTime",
        "elapsedMergeTime",
        "elapsedReduceTime",
    ),
    nodeHttpAddress=ADDRESS,
    rack=RACK,
)
COUNTER_FIELDS = {
    "jobCounters": {
        "id": PLAIN,
        "counterGroup": [
            {"counter": [plain_fields("name", "totalCounterValue", "mapCounterValue", "reduceCounterValue")]}
        ],
    }
}
# Of a bean of /jmx: what the reader of queue metrics takes.
BEAN_FIELDS = dict(
    plain_fields(
        "name",
        "AppsSubmitted",
        "AggregateContainersAllocated",
        "AllocatedContainers",
        "AllocatedMB",
        "AllocatedVCores",
        "PendingContainers",
        "PendingMB",
        "PendingVCores",
        "AvailableMB",
        "AvailableVCores",
        "NumActiveNMs",
    ),
    **{"tag.Queue": QUEUE},
)
KEPT_COUNTERS = re.compile(
    r"(REDUCE_SHUFFLE|MAP_OUTPUT|MAP_OUTPUT_MATERIALIZED|(HDFS|FILE)_BYTES_(READ|WRITTEN))(_BYTES)?|(DATA_LOCAL|RACK_LOCAL|OTHER_LOCAL|TOTAL_LAUNCHED|SHUFFLED)_MAPS"
    r"|SHUFFLED_MAPS|TOTAL_LAUNCHED_REDUCES|CPU_MILLISECONDS"
)
# Of a job's properties; none of them is a name or a path but its queue.
KEPT_JOB_PROPERTIES = re.compile(
    r"mapreduce\.job\.(maps|reduces|priority|queuename|reduce\.slowstart\.completedmaps|running\.(map|reduce)\.limit|ubertask\.(enable|max(maps|reduces|bytes))"
    r"|speculative\.[a-z-]+)|mapreduce\.(map|reduce)\.(memory\.mb|cpu\.vcores|resource\.[a-z-]+|speculative|maxattempts)|mapreduce\.am\.max-attempts"
    r"|mapreduce\.map\.output\.compress|mapreduce\.reduce\.shuffle\.(parallelcopies|fetch\.[a-z.-]+|input\.buffer\.percent)|mapreduce\.task\.(timeout|io\.sort\.(mb|factor))"
    r"|mapreduce\.input\.fileinputformat\.split\.(minsize|maxsize)|dfs\.(blocksize|replication)"
    r"|yarn\.app\.mapreduce\.am\.(resource\.[a-z-]+|scheduler\.heartbeat\.interval-ms|job\.reduce\.(rampup|preemption)\.limit)"
    r"|yarn\.scheduler\.(minimum|increment|maximum)-allocation-(mb|vcores)|yarn\.nodemanager\.resource\.(memory-mb|cpu-vcores)|yarn\.resourcemanager\.scheduler\.class"
)
# Of the ResourceManager's own configuration; what a node offers stands in the answer `nodes`.
KEPT_SITE_PROPERTIES = re.compile(
    r"yarn\.acl\.enable|yarn\.resourcemanager\.(scheduler\.class|scheduler\.monitor\.(enable|policies)|nodemanagers\.heartbeat-interval-ms|monitor\.capacity\.preemption\.[a-z_]+)"
    r"|yarn\.scheduler\.(minimum|increment|maximum)-allocation-(mb|vcores)|yarn\.resource-types\.[a-z-]+\.increment-allocation"
    r"|yarn\.scheduler\.fair\.(update-interval-ms|locality\.threshold\.(node|rack)|preemption|preemption\.cluster-utilization-threshold|waitTimeBeforeKill"
    r"|waitTimeBeforeNextStarvationCheck|am\.preemption|assignmultiple|dynamic\.max\.assign|max\.assign|user-as-default-queue|allow-undeclared-pools)"
    r"|yarn\.scheduler\.capacity\.(resource-calculator|maximum-am-resource-percent|node-locality-delay|rack-locality-additional-delay|maximum-applications|user\.max-parallel-apps"
    r"|per-node-heartbeat\.[a-z-]+)"
)
# Of the queues of a ResourceManager whose store of them can be changed: (queue, what of it), without ACLs.
KEPT_QUEUE_PROPERTIES = re.compile(
    r"yarn\.scheduler\.capacity\.(root(?:\.[^.]+)*?)\.(queues|capacity|maximum-capacity|user-limit-factor|minimum-user-limit-percent|state|priority|disable_preemption"
    r"|ordering-policy(?:\.fair\.enable-size-based-weight)?|maximum-applications|max-parallel-apps|maximum-allocation-(?:mb|vcores)|maximum-am-resource-percent"
    r"|(?:maximum|default)-application-lifetime|auto-create-child-queue\.enabled|auto-queue-creation-v2\.enabled)"
)
KEPT_QUEUE_DEFAULTS = re.compile(
    r"yarn\.scheduler\.capacity\.(user-limit-factor|minimum-user-limit-percent|max-parallel-apps|global-queue-max-application|legacy-queue-mode\.enabled)"
)
SAFE_VALUE = re.compile(r"[A-Za-z0-9_.,:%+*\[\]= -]{0,200}")


def filter_fields(value: "Any", shape: "Any", names: "Any") -> "Any":
    """What the shape keeps of an answer. names: an Anonymiser."""
    if isinstance(shape, str):
        return names.anonymise(shape, value)
    if isinstance(shape, list):
        return [
            filter_fields(item, shape[0], names)
            for item in (value if isinstance(value, list) else [value])
            if isinstance(item, dict)
        ]
    if not isinstance(value, dict):
        return {}
    return {
        key: filter_fields(value[key], inner, names)
        for key, inner in shape.items()
        if value.get(key) is not None
    }


def list_entries(answer: "Any", outer: str, inner: str) -> "list[dict[str, Any]]":
    """The objects of an answer's list; Hadoop writes null or nothing for an empty one, and Hadoop 2 one
    object for a list of one.
    """
    entries = (
        (answer.get(outer) or {}).get(inner)
        if isinstance(answer, dict) and isinstance(answer.get(outer) or {}, dict)
        else None
    )
    return [
        entry for entry in (entries if isinstance(entries, list) else [entries]) if isinstance(entry, dict)
    ]
