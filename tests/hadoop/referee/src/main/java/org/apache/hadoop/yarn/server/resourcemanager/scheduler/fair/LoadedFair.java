package org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair;

import gantry.referee.LoaderMain;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.util.resource.Resources;

/** What a FairScheduler holds of its files. Resources are [MB, vcores]; much of it only this package may read. */
public record LoadedFair(FairScheduler scheduler) {
  public Map<String, Object> values(Set<String> users) {
    Map<String, Object> queues = new LinkedHashMap<>();
    add(scheduler.getQueueManager().getRootQueue(), queues);
    return Map.of("settings", settings(users), "queues", queues);
  }

  private Map<String, Object> settings(Set<String> users) {
    FairSchedulerConfiguration conf = scheduler.getConf();
    AllocationConfiguration allocations = scheduler.getAllocationConfiguration();
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("minimum", LoaderMain.pair(scheduler.getMinimumResourceCapability()));
    settings.put("maximum", LoaderMain.pair(conf.getMaximumAllocation()));
    settings.put("increment", LoaderMain.pair(scheduler.getIncrementResourceCapability()));
    settings.put("update-interval-ms", conf.getUpdateInterval());
    settings.put("locality.threshold.node", scheduler.getNodeLocalityThreshold());
    settings.put("locality.threshold.rack", scheduler.getRackLocalityThreshold());
    settings.put("assignmultiple", scheduler.assignMultiple);
    settings.put("dynamic.max.assign", scheduler.maxAssignDynamic);
    settings.put("max.assign", scheduler.maxAssign);
    settings.put("preemption", conf.getPreemptionEnabled());
    settings.put("cluster-utilization-threshold", LoaderMain.orNone(conf::getPreemptionUtilizationThreshold));
    settings.put("waitTimeBeforeKill", LoaderMain.orNone(conf::getWaitTimeBeforeKill));
    settings.put("waitTimeBeforeNextStarvationCheck", LoaderMain.orNone(conf::getWaitTimeBeforeNextStarvationCheck));
    Map<String, Object> most = new TreeMap<>();
    for (String user : users) most.put(user, allocations.getUserMaxApps(user));
    settings.put("users", most);
    return settings;
  }

  private void add(FSQueue queue, Map<String, Object> queues) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("leaf", queue instanceof FSLeafQueue);
    values.put("weight", queue.getWeight());
    values.put("minResources", LoaderMain.pair(queue.getMinShare()));
    values.put("maxResources", LoaderMain.pair(queue.getMaxShare()));
    values.put("maxRunningApps", queue.getMaxRunningApps());
    if (queue instanceof FSLeafQueue) {
      values.put("maxAMShare", queue.getMaxAMShare());
      Resource largest = Resources.componentwiseMin(queue.getMaximumContainerAllocation(), scheduler.getConf().getMaximumAllocation());
      values.put("maxContainerAllocation", LoaderMain.pair(largest));
    }
    values.put("schedulingPolicy", queue.getPolicy().getName());
    values.put("minSharePreemptionTimeout", queue.getMinSharePreemptionTimeout());
    values.put("fairSharePreemptionTimeout", queue.getFairSharePreemptionTimeout());
    values.put("fairSharePreemptionThreshold", queue.getFairSharePreemptionThreshold());
    values.put("allowPreemptionFrom", queue.isPreemptable());
    queues.put(queue.getName(), values);
    for (FSQueue child : queue.getChildQueues()) add(child, queues);
  }
}
