package gantry.referee;

import java.util.List;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.sls.appmaster.MRAMSimulator;
import org.apache.hadoop.yarn.sls.scheduler.ContainerSimulator;

/** The simulator's MapReduce master without data locality: a trace must name a host for each task, and these jobs want none. */
public class AnyNodeMaster extends MRAMSimulator {
  @Override protected List<ResourceRequest> packageRequests(List<ContainerSimulator> tasks, int priority) {
    return super.packageRequests(tasks, priority).stream().filter(request -> request.getResourceName().equals(ResourceRequest.ANY)).toList();
  }
}
