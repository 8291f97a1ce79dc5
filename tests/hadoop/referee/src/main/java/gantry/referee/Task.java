package gantry.referee;

import org.apache.hadoop.yarn.api.records.ContainerId;

/** A container of a job, in the order of Job's kinds. */
record Task(Job job, int kind, int index, ReportingNode node, ContainerId id, long start) {
  long[] size() {
    return job.size(kind);
  }
}
