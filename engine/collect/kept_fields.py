"""What is kept of the servers' answers: a list of what may go into the archive; all else is left out."""

import re

# What is kept of an answer: by key the kind of its value, an object's own keys, or [keys] of each object of a list. All else is left out.
PLAIN, USER, JOB, ADDRESS, RACK, QUEUE = "plain", "user", "job", "address", "rack", "queue"


def plain(*keys):
    return dict.fromkeys(keys, PLAIN)


AMOUNT = dict(
    plain("memory", "vCores"), resourceInformations={"resourceInformation": [plain("name", "value", "units", "minimumAllocation", "maximumAllocation")]}
)
OF_QUEUE = dict(
    plain(
        "type", "capacity", "maxCapacity", "absoluteCapacity", "absoluteMaxCapacity", "weight", "normalizedWeight", "mode", "state", "queueType", "maxApps",
        "maxParallelApps", "maxApplications", "maxApplicationsPerUser", "userLimit", "userLimitFactor", "configuredMaxAMResourceLimit", "preemptionDisabled",
        "intraQueuePreemptionDisabled", "orderingPolicyInfo", "orderingPolicyDisplayName", "queuePriority", "defaultPriority", "isAbsoluteResource",
        "autoCreateChildQueueEnabled", "creationMethod", "schedulingPolicy", "preemptable",
    ),
    queueName=QUEUE, queuePath=QUEUE,
)  # fmt: skip
for _key in (
    "minResources", "maxResources", "amMaxResources", "steadyFairResources", "fairResources", "clusterResources", "maxContainerAllocation",
    "minEffectiveCapacity", "maxEffectiveCapacity", "maximumAllocation", "AMResourceLimit",
):  # fmt: skip
    OF_QUEUE[_key] = AMOUNT
OF_QUEUE["queues"] = OF_QUEUE["childQueues"] = {"queue": [OF_QUEUE]}
SCHEDULER = {"scheduler": {"schedulerInfo": dict(OF_QUEUE, rootQueue=OF_QUEUE)}}
INFO = {"clusterInfo": plain("id", "startedOn", "state", "haState", "hadoopVersion", "resourceManagerVersion")}
METRICS = {
    "clusterMetrics": plain("appsSubmitted", "appsCompleted", "totalMB", "totalVirtualCores", "totalNodes", "activeNodes", "lostNodes", "unhealthyNodes")
}
NODE = dict(
    plain("state", "version", "usedMemoryMB", "availMemoryMB", "usedVirtualCores", "availableVirtualCores"),
    id=ADDRESS, rack=RACK, nodeHostName=ADDRESS, nodeHTTPAddress=ADDRESS, totalResource=AMOUNT,
)  # fmt: skip
APP = dict(
    plain(
        "id", "state", "finalStatus", "clusterId", "applicationType", "priority", "startedTime", "launchTime", "finishedTime", "elapsedTime", "memorySeconds",
        "vcoreSeconds", "numNonAMContainerPreempted", "numAMContainerPreempted", "unmanagedApplication",
    ),
    user=USER, name=JOB, queue=QUEUE,
)  # fmt: skip
MASTER = dict(plain("id", "appAttemptId", "appAttemptState", "startTime", "finishedTime", "containerId"), nodeHttpAddress=ADDRESS, nodeId=ADDRESS)
OF_JOB = dict(
    plain(
        "id", "state", "submitTime", "startTime", "finishTime", "mapsTotal", "mapsCompleted", "reducesTotal", "reducesCompleted", "uberized", "avgMapTime",
        "avgReduceTime", "avgShuffleTime", "avgMergeTime", "failedMapAttempts", "killedMapAttempts", "successfulMapAttempts", "failedReduceAttempts",
        "killedReduceAttempts", "successfulReduceAttempts",
    ),
    user=USER, name=JOB, queue=QUEUE,
)  # fmt: skip
TASK = plain("id", "type", "state", "startTime", "finishTime", "elapsedTime", "successfulAttempt")
ATTEMPT = dict(
    plain(
        "id", "type", "state", "startTime", "finishTime", "elapsedTime", "assignedContainerId", "shuffleFinishTime", "mergeFinishTime", "elapsedShuffleTime",
        "elapsedMergeTime", "elapsedReduceTime",
    ),
    nodeHttpAddress=ADDRESS, rack=RACK,
)  # fmt: skip
COUNTERS = {"jobCounters": {"id": PLAIN, "counterGroup": [{"counter": [plain("name", "totalCounterValue", "mapCounterValue", "reduceCounterValue")]}]}}
COUNTED = re.compile(
    r"(REDUCE_SHUFFLE|MAP_OUTPUT|MAP_OUTPUT_MATERIALIZED|(HDFS|FILE)_BYTES_(READ|WRITTEN))(_BYTES)?|(DATA_LOCAL|RACK_LOCAL|OTHER_LOCAL|TOTAL_LAUNCHED|SHUFFLED)_MAPS"
    r"|SHUFFLED_MAPS|TOTAL_LAUNCHED_REDUCES|CPU_MILLISECONDS"
)
# Of a job's properties; none of them is a name or a path but its queue.
PROPERTY = re.compile(
    r"mapreduce\.job\.(maps|reduces|priority|queuename|reduce\.slowstart\.completedmaps|running\.(map|reduce)\.limit|ubertask\.(enable|max(maps|reduces|bytes))"
    r"|speculative\.[a-z-]+)|mapreduce\.(map|reduce)\.(memory\.mb|cpu\.vcores|resource\.[a-z-]+|speculative|maxattempts)|mapreduce\.am\.max-attempts"
    r"|mapreduce\.map\.output\.compress|mapreduce\.reduce\.shuffle\.(parallelcopies|fetch\.[a-z.-]+|input\.buffer\.percent)|mapreduce\.task\.(timeout|io\.sort\.(mb|factor))"
    r"|mapreduce\.input\.fileinputformat\.split\.(minsize|maxsize)|dfs\.(blocksize|replication)"
    r"|yarn\.app\.mapreduce\.am\.(resource\.[a-z-]+|scheduler\.heartbeat\.interval-ms|job\.reduce\.(rampup|preemption)\.limit)"
    r"|yarn\.scheduler\.(minimum|increment|maximum)-allocation-(mb|vcores)|yarn\.nodemanager\.resource\.(memory-mb|cpu-vcores)|yarn\.resourcemanager\.scheduler\.class"
)
# Of the ResourceManager's own configuration; what a node offers stands in the answer `nodes`.
SITE = re.compile(
    r"yarn\.resourcemanager\.(scheduler\.class|scheduler\.monitor\.enable|nodemanagers\.heartbeat-interval-ms|monitor\.capacity\.preemption\.[a-z_]+)"
    r"|yarn\.scheduler\.(minimum|increment|maximum)-allocation-(mb|vcores)|yarn\.resource-types\.[a-z-]+\.increment-allocation"
    r"|yarn\.scheduler\.fair\.(update-interval-ms|locality\.threshold\.(node|rack)|preemption|preemption\.cluster-utilization-threshold|waitTimeBeforeKill"
    r"|waitTimeBeforeNextStarvationCheck|am\.preemption|assignmultiple|dynamic\.max\.assign|max\.assign|user-as-default-queue|allow-undeclared-pools)"
    r"|yarn\.scheduler\.capacity\.(resource-calculator|maximum-am-resource-percent|node-locality-delay|rack-locality-additional-delay|user\.max-parallel-apps"
    r"|per-node-heartbeat\.[a-z-]+)"
)
HARMLESS = re.compile(r"[A-Za-z0-9_.,:%+*\[\]= -]{0,200}")


def cut(value, shape, names):
    """What the shape keeps of an answer."""
    if isinstance(shape, str):
        return names.of(shape, value)
    if isinstance(shape, list):
        return [cut(one, shape[0], names) for one in (value if isinstance(value, list) else [value]) if isinstance(one, dict)]
    if not isinstance(value, dict):
        return {}
    return {key: cut(value[key], inner, names) for key, inner in shape.items() if value.get(key) is not None}


def listed(answer, outer, inner):
    """The objects of an answer's list; Hadoop writes null or nothing for an empty one, and Hadoop 2 one object for a list of one."""
    found = (answer.get(outer) or {}).get(inner) if isinstance(answer, dict) and isinstance(answer.get(outer) or {}, dict) else None
    return [one for one in (found if isinstance(found, list) else [found]) if isinstance(one, dict)]
