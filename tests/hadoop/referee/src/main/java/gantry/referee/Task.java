package gantry.referee;

import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;

/** A container of a job, in the order of Job's kinds. size: as the scheduler gave it. */
record Task(Job job, int kind, int index, ReportingNode node, ContainerId id, Resource size, long start) { }
