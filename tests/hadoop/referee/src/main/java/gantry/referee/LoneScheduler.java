package gantry.referee;

import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.LocalConfigurationProvider;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.proto.YarnServiceProtos.SchedulerResourceTypes;
import org.apache.hadoop.yarn.server.resourcemanager.RMContextImpl;
import org.apache.hadoop.yarn.server.resourcemanager.ahs.RMApplicationHistoryWriter;
import org.apache.hadoop.yarn.server.resourcemanager.metrics.SystemMetricsPublisher;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.SchedulingEditPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.capacity.ProportionalCapacityPreemptionPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.NullRMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.placement.ApplicationPlacementContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.ContainerAllocationExpirer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerImpl;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerImpl;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.constraint.AllocationTagsManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ContainerPreemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.LonePreemption;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fifo.FifoScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.security.AMRMTokenSecretManager;
import org.apache.hadoop.yarn.server.resourcemanager.security.ClientToAMTokenSecretManagerInRM;
import org.apache.hadoop.yarn.server.resourcemanager.security.NMTokenSecretManagerInRM;
import org.apache.hadoop.yarn.server.resourcemanager.security.RMContainerTokenSecretManager;
import org.apache.hadoop.yarn.util.ControlledClock;
import org.apache.hadoop.yarn.util.Records;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;

/**
 * A scheduler of Hadoop alone, with no ResourceManager and no thread: `init` is called and `start` never, so that nothing updates or reloads
 * by itself. What it would tell the ResourceManager ends in `told`.
 */
class LoneScheduler {
  private static final ContainerUpdates NO_UPDATES = new ContainerUpdates();
  private static final int MASTER_PRIORITY = 0;
  private static final Field START_TIME = startTime();

  final ControlledClock clock = new ControlledClock();
  final List<ReportingNode> nodes = new ArrayList<>();
  private final List<ApplicationAttemptId> allocated = new ArrayList<>();  // of the beat under way, in the order of decisions
  private final Map<ApplicationAttemptId, Container> masters = new HashMap<>();
  private final AbstractYarnScheduler<?, ?> scheduler;
  private final RMContextImpl context;
  private final boolean isFifo;
  private final SchedulingEditPolicy monitor;  // of CapacityScheduler, null where it is off
  private final List<ContainerPreemptEvent> chosen = new ArrayList<>();  // by its round that is under way
  private final boolean hasFairLeaves;

  LoneScheduler(Script script) throws Exception {
    DefaultMetricsSystem.shutdown();
    DefaultMetricsSystem.setMiniClusterMode(true);
    QueueMetrics.clearQueueMetrics();
    clock.setTime(0);
    isFifo = script.isFifo();
    hasFairLeaves = script.queues().stream().anyMatch(queue -> "fair".equals(Script.orNone(queue.settings()).get("ordering-policy")));
    Configuration conf = Settings.of(script);
    ResourceUtils.resetResourceTypes(conf);  // which keep the minimum allocation of the first settings they meet
    context = contextOf(conf, this::told);
    scheduler = script.isFair() ? new FairScheduler() : isFifo ? new FifoScheduler() : new CapacityScheduler();
    context.setScheduler(scheduler);
    if (scheduler instanceof FairScheduler fair) fair.setRMContext(context);
    if (scheduler instanceof CapacityScheduler capacity) {
      capacity.setConf(conf);
      capacity.setRMContext(context);
    }
    if (scheduler instanceof FifoScheduler fifo) {
      fifo.setConf(conf);
      fifo.setRMContext(context);
    }
    scheduler.setClock(clock);
    scheduler.init(conf);
    for (long[] size : script.nodes()) {
      ReportingNode node = new ReportingNode(nodes.size(), Script.resource(size), script.rackOf(nodes.size()), context);
      nodes.add(node);
      if (script.joinOf(node.index) == 0) join(node);
    }
    boolean isWatched = scheduler instanceof CapacityScheduler && conf.getBoolean(YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS, false);
    monitor = isWatched ? new ProportionalCapacityPreemptionPolicy(context, (CapacityScheduler) scheduler, clock) : null;
    update();
  }

  /** An application's start, by which FairOrderingPolicy breaks ties, is read from the machine's clock; the script's stands there instead. */
  private static Field startTime() {
    try {
      Field field = SchedulerApplicationAttempt.class.getDeclaredField("startTime");
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException error) {
      throw new IllegalStateException(error);
    }
  }

  /** What a scheduler knows of its ResourceManager; each event that it sends comes to the handler at once. */
  static RMContextImpl contextOf(Configuration conf, EventHandler<Event> handler) throws Exception {
    Dispatcher dispatcher = new Dispatcher() {
      @Override public EventHandler<Event> getEventHandler() { return handler; }
      @Override public void register(Class<? extends Enum> type, EventHandler ignored) { }
    };
    RMContainerTokenSecretManager tokens = new RMContainerTokenSecretManager(conf);
    tokens.rollMasterKey();
    NMTokenSecretManagerInRM nodeTokens = new NMTokenSecretManagerInRM(conf);
    nodeTokens.rollMasterKey();
    RMContextImpl made = new RMContextImpl(dispatcher, new ContainerAllocationExpirer(dispatcher), null, null, null, new AMRMTokenSecretManager(conf, null),
        tokens, nodeTokens, new ClientToAMTokenSecretManagerInRM());
    RMNodeLabelsManager labels = new NullRMNodeLabelsManager();
    labels.init(conf);
    made.setNodeLabelManager(labels);
    made.setYarnConfiguration(conf);
    made.setSystemMetricsPublisher(answering(SystemMetricsPublisher.class, Map.of()));
    made.setRMApplicationHistoryWriter(new RMApplicationHistoryWriter());  // never initialised: it writes nothing
    made.setAllocationTagsManager(new AllocationTagsManager(made));
    LocalConfigurationProvider files = new LocalConfigurationProvider();
    files.init(conf);
    made.setConfigurationProvider(files);
    return made;
  }

  private void told(Event<?> event) {
    if (event instanceof RMAppAttemptEvent attempt && attempt.getType() == RMAppAttemptEventType.CONTAINER_ALLOCATED)
      allocated.add(attempt.getApplicationAttemptId());
    if (event instanceof ContainerPreemptEvent one) chosen.add(one);  // the monitor holds locks, so in Hadoop another thread hands them on
    else if (event instanceof SchedulerEvent own) scheduler.handle(own);
  }

  /** Between rounds of CapacityScheduler's monitor, 0 where it is off. */
  long monitoringMs() {
    return monitor == null ? 0 : monitor.getMonitoringInterval();
  }

  /** A round of it; the containers that it killed. */
  List<ContainerId> watch() {
    monitor.editSchedule();
    List<ContainerId> killed = new ArrayList<>();
    for (ContainerPreemptEvent one : chosen) {
      if (one.getType() == SchedulerEventType.MARK_CONTAINER_FOR_KILLABLE) killed.add(one.getContainer().getContainerId());
      scheduler.handle(one);
    }
    chosen.clear();
    return killed;
  }

  /** What FairScheduler's update thread does: demand and fair shares. */
  void update() {
    if (scheduler instanceof FairScheduler fair) fair.update();
  }

  /** The node registers. */
  void join(ReportingNode node) {
    scheduler.handle(new NodeAddedSchedulerEvent(node));
  }

  /** An attempt of CapacityScheduler begins at the time of the machine, to the millisecond, and jobs that wait become runnable in that order. */
  void submit(ApplicationAttemptId attempt, String queue, String user, int wanted, Resource asked) throws Exception {
    if (scheduler instanceof CapacityScheduler) waitForNextMillisecond();
    Resource master = normalized(asked, scheduler.getMaximumResourceCapability(queue));  // as RMAppManager does
    String name = isFifo ? "default" : queue;
    Priority priority = scheduler.checkAndGetApplicationPriority(  // what the cluster and the scheduler let it be
        Priority.newInstance(wanted), UserGroupInformation.createRemoteUser(user), name, attempt.getApplicationId());
    ApplicationSubmissionContext submission = Records.newRecord(ApplicationSubmissionContext.class);
    submission.setApplicationId(attempt.getApplicationId());
    RMAppAttempt current = answering(RMAppAttempt.class, Map.of(
        "getRMAppAttemptMetrics", new RMAppAttemptMetrics(attempt, context), "getSubmissionContext", submission, "getAppAttemptId", attempt,
        "getMasterContainer", (Supplier<Container>) () -> masters.get(attempt)));
    RMApp app = answering(RMApp.class, Map.of(
        "getApplicationId", attempt.getApplicationId(), "getCurrentAppAttempt", current, "getApplicationSubmissionContext", submission,
        "getAMResourceRequests", List.of(request(MASTER_PRIORITY, master, 1)), "getApplicationPriority", priority, "getUser", user,
        "getApplicationSchedulingEnvs", new HashMap<String, String>()));
    context.getRMApps().put(attempt.getApplicationId(), app);
    scheduler.handle(new AppAddedSchedulerEvent(attempt.getApplicationId(), name, user, false, null, priority, new ApplicationPlacementContext(name)));
    scheduler.handle(new AppAttemptAddedSchedulerEvent(attempt, false));
    if (hasFairLeaves) START_TIME.setLong(scheduler.getApplicationAttempt(attempt), clock.getTime());
  }

  /** The size of the containers that a request is given: FairScheduler alone minds what its queue's largest may be. */
  Resource given(Resource asked, String queue) {
    return normalized(asked, scheduler.getMaximumResourceCapability(scheduler instanceof FairScheduler ? queue : null));
  }

  private Resource normalized(Resource asked, Resource largest) {
    return scheduler.getNormalizedResource(asked, largest);
  }

  private static void waitForNextMillisecond() {
    for (long now = System.currentTimeMillis(); System.currentTimeMillis() == now; ) Thread.onSpinWait();
  }

  void remove(ApplicationAttemptId attempt) {
    scheduler.handle(new AppAttemptRemovedSchedulerEvent(attempt, RMAppAttemptState.FINISHED, false));
    scheduler.handle(new AppRemovedSchedulerEvent(attempt.getApplicationId(), RMAppState.FINISHED));
    context.getRMApps().remove(attempt.getApplicationId());
  }

  /** Asks, and takes the containers that the last beats gave. */
  List<Container> allocate(ApplicationAttemptId attempt, List<ResourceRequest> asks) {
    List<Container> given = ask(attempt, asks, new ArrayList<>()).getContainers();
    for (Container container : given) {
      if (container.getPriority().getPriority() != MASTER_PRIORITY) continue;
      masters.put(attempt, container);
      ((RMContainerImpl) scheduler.getRMContainer(container.getId())).setAMContainer(true);  // as RMAppAttemptImpl does
    }
    return given;
  }

  /** Its answer names the headroom too. */
  Allocation ask(ApplicationAttemptId attempt, List<ResourceRequest> asks, List<ContainerId> released) {
    return scheduler.allocate(attempt, asks, null, released, null, null, NO_UPDATES);
  }

  Resource largest() {
    return scheduler.getMaximumResourceCapability();
  }

  EnumSet<SchedulerResourceTypes> resourceTypes() {
    return scheduler.getSchedulingResourceTypes();
  }

  /** What FairScheduler's preemption thread does. */
  LonePreemption preemption() throws ReflectiveOperationException {
    return new LonePreemption((FairScheduler) scheduler);
  }

  void kill(RMContainer container) {
    ContainerStatus status = SchedulerUtils.createPreemptedContainerStatus(container.getContainerId(), SchedulerUtils.PREEMPTED_CONTAINER);
    scheduler.completedContainer(container, status, RMContainerEventType.KILL);
  }

  /** What the node's next beat reports as ended leaves the books of its job and queue; its room is free only once the beat itself reports it. */
  void complete(ReportingNode node) {
    for (ContainerStatus status : node.completed())
      scheduler.completedContainer(scheduler.getRMContainer(status.getContainerId()), status, RMContainerEventType.FINISHED);
  }

  /** The attempts that were given a container, in the order of decisions. */
  List<ApplicationAttemptId> beat(ReportingNode node) {
    allocated.clear();
    scheduler.handle(new NodeUpdateSchedulerEvent(node));
    return allocated;
  }

  /** The attempt a node is reserved for, or null. */
  ApplicationAttemptId reserved(ReportingNode node) {
    SchedulerNode known = scheduler.getSchedulerNode(node.getNodeID());
    RMContainer held = known == null ? null : known.getReservedContainer();
    return held == null ? null : held.getApplicationAttemptId();
  }

  static ResourceRequest request(int priority, Resource size, int count) {
    return request(ResourceRequest.ANY, priority, size, count);
  }

  /** place: a host, a rack or ANY. */
  static ResourceRequest request(String place, int priority, Resource size, int count) {
    ResourceRequest request = ResourceRequest.newInstance(Priority.newInstance(priority), place, Resource.newInstance(size), count, true);
    request.setNodeLabelExpression(RMNodeLabelsManager.NO_LABEL);
    return request;
  }

  /** An interface whose methods answer from a table, all others null, 0 or false. (Mockito's mocks walk the stack on each call: ten times slower.) */
  @SuppressWarnings("unchecked")
  static <T> T answering(Class<T> type, Map<String, Object> answers) {
    return (T) Proxy.newProxyInstance(LoneScheduler.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
      Object answer = answers.get(method.getName());
      if (answer instanceof Supplier<?> supplier) return supplier.get();
      if (answer != null) return answer;
      Class<?> wanted = method.getReturnType();
      if (method.getName().equals("hashCode")) return System.identityHashCode(self);
      if (method.getName().equals("equals")) return self == arguments[0];
      if (wanted == boolean.class) return false;
      if (wanted == int.class) return 0;
      if (wanted == long.class) return 0L;
      if (wanted == float.class) return 0f;
      return null;
    });
  }
}
