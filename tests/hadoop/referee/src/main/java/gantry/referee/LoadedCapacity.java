package gantry.referee;

import java.lang.reflect.Field;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.SchedulingMonitor;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.capacity.ProportionalCapacityPreemptionPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueResourceQuotas;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractCSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractParentQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.FairOrderingPolicy;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;

/** What a CapacityScheduler holds of its files. Resources are [MB, vcores]. */
record LoadedCapacity(CapacityScheduler scheduler) {
  Map<String, Object> values(Set<String> users) throws ReflectiveOperationException {
    Map<String, Object> queues = new LinkedHashMap<>();
    add((AbstractCSQueue) scheduler.getRootQueue(), queues);
    return Map.of("settings", settings(users), "queues", queues);
  }

  private Map<String, Object> settings(Set<String> users) throws ReflectiveOperationException {
    CapacitySchedulerConfiguration conf = scheduler.getConfiguration();
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("calculator", scheduler.getResourceCalculator().getClass().getSimpleName());
    settings.put("minimum", LoaderMain.pair(scheduler.getMinimumResourceCapability()));
    settings.put("maximum", LoaderMain.pair(ResourceUtils.fetchMaximumAllocationFromConfig(conf)));
    settings.put("node-locality-delay", conf.getNodeLocalityDelay());
    settings.put("rack-locality-additional-delay", conf.getRackLocalityAdditionalDelay());
    settings.put("assign-multiple", conf.getAssignMultipleEnabled());
    settings.put("assign-most", conf.getMaxAssignPerHeartbeat());
    settings.put("assign-off-switch", conf.getOffSwitchPerHeartbeatLimit());
    settings.put("maximum-applications", conf.getMaximumSystemApplications());
    Map<String, Object> most = new TreeMap<>();
    for (String user : users) most.put(user, LoaderMain.orNone(() -> conf.getMaxParallelAppsForUser(user)));
    settings.put("users", most);
    settings.put("preemption", preemption());
    return settings;
  }

  /** Of its monitor, null where there is none. */
  private Map<String, Object> preemption() throws ReflectiveOperationException {
    SchedulingMonitor monitor = scheduler.getSchedulingMonitorManager().getAvailableSchedulingMonitor();
    if (monitor == null || !(monitor.getSchedulingEditPolicy() instanceof ProportionalCapacityPreemptionPolicy policy)) return null;
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("observe-only", policy.isObserveOnly());
    settings.put("monitoring-interval", policy.getMonitoringInterval());
    settings.put("max-wait-before-kill", field(policy, "maxWaitTime"));
    settings.put("total-preemption-per-round", field(policy, "percentageClusterPreemptionAllowed"));
    settings.put("max-ignored-over-capacity", policy.getMaxIgnoreOverCapacity());
    settings.put("natural-termination-factor", policy.getNaturalTerminationFactor());
    return settings;
  }

  private static Object field(ProportionalCapacityPreemptionPolicy policy, String name) throws ReflectiveOperationException {
    Field field = ProportionalCapacityPreemptionPolicy.class.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(policy);
  }

  private static void add(AbstractCSQueue queue, Map<String, Object> queues) {
    Map<String, Object> values = new LinkedHashMap<>();
    QueueResourceQuotas resources = queue.getQueueResourceQuotas();
    values.put("leaf", queue instanceof AbstractLeafQueue);
    values.put("state", queue.getState().name());
    values.put("absolute-capacity", queue.getAbsoluteCapacity());
    values.put("absolute-maximum-capacity", queue.getAbsoluteMaximumCapacity());
    values.put("minimum-resource", LoaderMain.pair(resources.getEffectiveMinResource()));
    values.put("maximum-resource", LoaderMain.pair(resources.getEffectiveMaxResource()));
    values.put("priority", queue.getPriority().getPriority());
    values.put("disable-preemption", queue.getPreemptionDisabled());
    values.put("max-parallel-apps", queue.getMaxParallelApps());
    if (queue instanceof AbstractLeafQueue leaf) {
      values.put("user-limit-factor", leaf.getUserLimitFactor());
      values.put("minimum-user-limit-percent", leaf.getUserLimit());
      values.put("maximum-am-resource-percent", leaf.getMaxAMResourcePerQueuePercent());
      values.put("maximum-applications", leaf.getMaxApplications());
      values.put("maximum-applications-per-user", leaf.getMaxApplicationsPerUser());
      values.put("ordering", leaf.getOrderingPolicy().getConfigName());
      values.put("size-based-weight", leaf.getOrderingPolicy() instanceof FairOrderingPolicy<?> fair && fair.getSizeBasedWeight());
      values.put("maximum-allocation", LoaderMain.pair(leaf.getMaximumAllocation()));
    }
    if (queue instanceof AbstractParentQueue parent) values.put("ordering", parent.getQueueOrderingPolicy().getConfigName());
    queues.put(queue.getQueuePath(), values);
    if (queue.getChildQueues() != null)
      for (CSQueue child : queue.getChildQueues()) add((AbstractCSQueue) child, queues);
  }
}
