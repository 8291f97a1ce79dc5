package gantry.referee;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ReflectionUtils;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.exceptions.YarnRuntimeException;
import org.apache.hadoop.yarn.server.resourcemanager.RMContextImpl;
import org.apache.hadoop.yarn.server.resourcemanager.placement.ApplicationPlacementContext;
import org.apache.hadoop.yarn.server.resourcemanager.placement.PlacementManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.LoadedFair;
import org.apache.hadoop.yarn.util.ControlledClock;
import org.apache.hadoop.yarn.util.Records;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;

/** The scheduler that a cluster's files name, as it is when they are read and the nodes are there; a job that it takes stays. Its threads don't run. */
class LoadedScheduler {
  private static final Resource MASTER = Resource.newInstance(1024, 1);
  private final AbstractYarnScheduler<?, ?> scheduler;
  private final RMContextImpl context;
  private final List<RMAppEvent> told = new ArrayList<>();
  private int submitted;

  LoadedScheduler(ClusterFiles files, long[][] nodes) throws Exception {
    DefaultMetricsSystem.shutdown();
    DefaultMetricsSystem.setMiniClusterMode(true);
    QueueMetrics.clearQueueMetrics();
    Configuration conf = files.configuration();
    ResourceUtils.resetResourceTypes(conf);
    context = LoneScheduler.contextOf(conf, this::hear);
    context.setQueuePlacementManager(new PlacementManager());
    scheduler = named(conf);
    context.setScheduler(scheduler);
    if (scheduler instanceof FairScheduler fair) fair.setRMContext(context);
    if (scheduler instanceof CapacityScheduler capacity) {
      capacity.setConf(conf);
      capacity.setRMContext(context);
    }
    scheduler.setClock(new ControlledClock());
    scheduler.init(conf);
    for (int place = 0; place < nodes.length; place++)
      scheduler.handle(new NodeAddedSchedulerEvent(new ReportingNode(place, Script.resource(nodes[place]), "/rack", context)));
    if (scheduler instanceof FairScheduler fair) fair.update();
  }

  /** As ResourceManager.createScheduler. */
  private static AbstractYarnScheduler<?, ?> named(Configuration conf) throws ClassNotFoundException {
    Class<?> named = Class.forName(conf.get(YarnConfiguration.RM_SCHEDULER, YarnConfiguration.DEFAULT_RM_SCHEDULER));
    if (AbstractYarnScheduler.class.isAssignableFrom(named)) return (AbstractYarnScheduler<?, ?>) ReflectionUtils.newInstance(named, conf);
    throw new YarnRuntimeException("Class: " + named.getName() + " not instance of ResourceScheduler");
  }

  private void hear(Event<?> event) {
    if (event instanceof RMAppEvent one) told.add(one);
  }

  /** What it holds of the files, with the limits of these users. */
  Map<String, Object> values(Set<String> users) throws ReflectiveOperationException {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("scheduler", scheduler.getClass().getSimpleName());
    if (scheduler instanceof FairScheduler fair) values.putAll(new LoadedFair(fair).values(users));
    if (scheduler instanceof CapacityScheduler capacity) values.putAll(new LoadedCapacity(capacity).values(users));
    return values;
  }

  /** A job of this user that names this queue: [the queue, "" or why it is refused], the queue null where it was refused before it came to any. */
  String[] submit(String user, String queue) {
    ApplicationId id = ApplicationId.newInstance(1, ++submitted);
    ApplicationSubmissionContext submission = Records.newRecord(ApplicationSubmissionContext.class);
    submission.setApplicationId(id);
    submission.setApplicationName("job");
    submission.setQueue(queue);
    ApplicationPlacementContext placed;
    try {
      placed = context.getQueuePlacementManager().placeApplication(submission, user);
    } catch (Exception refused) {
      return new String[] {null, String.valueOf(refused.getMessage())};
    }
    if (placed != null) submission.setQueue(placed.getQueue());  // as RMAppManager
    ResourceRequest master = LoneScheduler.request(0, MASTER, 1);
    ApplicationAttemptId attempt = ApplicationAttemptId.newInstance(id, 1);
    RMAppAttempt current = LoneScheduler.answering(RMAppAttempt.class, Map.of(
        "getRMAppAttemptMetrics", new RMAppAttemptMetrics(attempt, context), "getSubmissionContext", submission, "getAppAttemptId", attempt));
    context.getRMApps().put(id, LoneScheduler.answering(RMApp.class, Map.of(
        "getApplicationId", id, "getCurrentAppAttempt", current, "getAMResourceRequests", List.of(master), "getUser", user,
        "getApplicationPriority", Priority.newInstance(0), "getApplicationSubmissionContext", submission,
        "getApplicationSchedulingEnvs", new HashMap<String, String>())));
    told.clear();
    try {
      scheduler.handle(new AppAddedSchedulerEvent(id, submission.getQueue(), user, false, null, Priority.newInstance(0), placed));
    } catch (RuntimeException fatal) {  // a ResourceManager would end
      return new String[] {null, String.valueOf(fatal.getMessage())};
    }
    String name = pathOf(placed == null ? submission.getQueue() : placed.getFullQueuePath());
    for (RMAppEvent event : told)
      if (event.getType() == RMAppEventType.APP_REJECTED) return new String[] {name, String.valueOf(event.getDiagnosticMsg())};
    if (scheduler instanceof CapacityScheduler)  // it counts a queue's jobs by their attempts
      try {
        scheduler.handle(new AppAttemptAddedSchedulerEvent(attempt, false));
      } catch (NumberFormatException noLimit) {
        // a user's limit is read here alone; the job has come to its queue
      }
    return new String[] {name, ""};
  }

  void stop() {
    scheduler.stop();
  }

  /** CapacityScheduler takes the last part of a path alone. */
  private String pathOf(String name) {
    return scheduler instanceof CapacityScheduler capacity && capacity.getQueue(name) != null ? capacity.getQueue(name).getQueuePath() : name;
  }
}
