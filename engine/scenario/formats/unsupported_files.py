"""Files that are known and not read: each is named as what it is, with what would be read in its place."""

from __future__ import annotations

import re

from engine.messages import msg
from engine.scenario.formats.file_format import FileFormat

# JobHistory of Hadoop 1: lines such as Job JOBID="…" JOBNAME="…" .
JOB_LOG = re.compile(rb'\s*Meta VERSION="')
# CapacitySchedulerConf of Hadoop 1; YARN's file may hold such names beside its own
CAPACITY_NAME = re.compile(rb"<name>\s*mapred\.capacity-scheduler\.")
YARN_NAME = re.compile(rb"<name>\s*yarn\.")
# LZFChunk of compress-lzf, which Spark takes for spark.io.compression.codec lzf
LZF_CHUNK = (b"ZV\0", b"ZV\1")

HADOOP_1_LOG = FileFormat(
    "hadoop-1-log",
    msg("scenario.unsupported_files.job_log_hadoop_1"),
    (),
    (),
    refusal=msg("scenario.unsupported_files.job_log_hadoop_1_not_read"),
)
HADOOP_1_CAPACITY = FileFormat(
    "hadoop-1-capacity-xml",
    msg("scenario.unsupported_files.capacity_file_hadoop_1"),
    (),
    (),
    refusal=msg("scenario.unsupported_files.capacity_file_hadoop_1_not_read"),
)
# SynthTraceJobProducer of SLS
SYNTH = FileFormat(
    "synth",
    msg("scenario.unsupported_files.synth_workload"),
    ("workloads", "num_jobs", "nodes_per_rack"),
    (),
    refusal=msg("scenario.unsupported_files.synth_workload_not_read"),
)
LZF = FileFormat(
    "lzf",
    msg("scenario.unsupported_files.lzf_log"),
    (),
    (),
    refusal=msg("scenario.unsupported_files.lzf_log_not_read"),
)
BROKEN = FileFormat(
    "broken",
    msg("scenario.unsupported_files.broken"),
    (),
    (),
    refusal=msg("scenario.unsupported_files.broken_not_read"),
)
UNSUPPORTED = (HADOOP_1_LOG, HADOOP_1_CAPACITY, SYNTH, LZF, BROKEN)


def unsupported_kind(head: bytes) -> str | None:
    """The kind of a file that begins so, of those that no key of an object tells."""
    if head.startswith(LZF_CHUNK):
        return LZF.kind
    if JOB_LOG.match(head):
        return HADOOP_1_LOG.kind
    if CAPACITY_NAME.search(head) and not YARN_NAME.search(head):
        return HADOOP_1_CAPACITY.kind
    return None
