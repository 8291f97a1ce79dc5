package gantry.referee;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.JobId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.MRAppMaster;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptContainerAssignedEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerRequestEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.LoneAllocator;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;
import org.apache.hadoop.yarn.api.ApplicationMasterProtocol;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterResponse;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.apache.hadoop.yarn.util.Clock;
import org.apache.hadoop.yarn.util.Records;

/**
 * A job's master with Hadoop's own RMContainerAllocator: it decides when reduces are asked for, withdrawn and killed. What it learns it learns
 * on its beats, but that a map has finished, which its tasks tell it; what it asks for reaches the scheduler at once. Which of its maps with blocks a container runs is the task's matter, known at once.
 */
class MapReduceMaster {
  private static final Configuration BASE = new Configuration();  // its XML is parsed once
  private static final ApplicationAttemptId NOBODY = ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 0), 1);
  /** Its context's class is asked for. */
  private static final MRAppMaster SHELL = new MRAppMaster(NOBODY, ContainerId.newContainerId(NOBODY, 1), "localhost", 1, 1, 0);
  private static final String[] NO_HOSTS = {};

  private final Job job;
  private final LoneScheduler scheduler;
  private final Predicate<Task> kill;
  private final LoneAllocator allocator;
  private final JobId id;
  private final Map<TaskAttemptId, ContainerId> assigned = new HashMap<>();
  private final Map<ContainerId, Task> tasks = new HashMap<>();
  private final List<Container> allocated = new ArrayList<>();  // not yet known to the allocator
  private final List<ContainerStatus> completed = new ArrayList<>();
  private final List<Task> killed = new ArrayList<>();  // on this beat
  private final int[] attempts = new int[Job.PRIORITY.length];
  private boolean isBeating;

  MapReduceMaster(Job job, LoneScheduler scheduler, Predicate<Task> kill) throws Exception {
    this.job = job;
    this.scheduler = scheduler;
    this.kill = kill;
    id = MRBuilderUtils.newJobId(job.attempt.getApplicationId(), job.index + 1);
    Configuration conf = new Configuration(BASE);
    conf.setFloat(MRJobConfig.COMPLETED_MAPS_FOR_REDUCE_SLOWSTART, (float) ((double) job.plan.slow() / job.plan.maps().length));
    allocator = new LoneAllocator(context(conf), resourceManager());
    allocator.init(conf);
    allocator.start();
    for (int map = 0; map < job.plan.maps().length; map++) request(Job.MAP);
    for (int reduce = 0; reduce < job.plan.reduces().length; reduce++) request(Job.REDUCE);
    allocator.tell();
  }

  /** A container that a node gave; the task in it runs, the allocator hears of it on its next beat. */
  void given(Container container, Task task) {
    tasks.put(container.getId(), task);
    allocated.add(container);
  }

  /** The scheduler has seen a container's end. */
  void seen(ContainerStatus status) {
    if (tasks.containsKey(status.getContainerId())) completed.add(status);
  }

  void beat() throws Exception {
    isBeating = true;
    allocator.heartbeat();
    isBeating = false;
    for (Task ignored : killed) request(Job.REDUCE);
    killed.clear();
    allocator.tell();
  }

  void stop() {
    allocator.stop();
  }

  private void request(int kind) throws ReflectiveOperationException {
    TaskId task = MRBuilderUtils.newTaskId(id, attempts[kind]++, kind == Job.MAP ? TaskType.MAP : TaskType.REDUCE);
    allocator.request(new ContainerRequestEvent(MRBuilderUtils.newTaskAttemptId(task, 0), Script.resource(job.size(kind)), NO_HOSTS, NO_HOSTS));
  }

  private void handle(Event<?> event) {
    if (event instanceof TaskAttemptContainerAssignedEvent given) assigned.put(given.getTaskAttemptID(), given.getContainer().getId());
    if (!(event instanceof TaskAttemptKillEvent)) return;
    Task task = taskOf(((TaskAttemptKillEvent) event).getTaskAttemptID());
    if (kill.test(task)) killed.add(task);
  }

  private Task taskOf(TaskAttemptId attempt) {
    return tasks.get(assigned.get(attempt));
  }

  /** The later a reduce was started the less it has done. */
  private float progress(TaskAttemptId attempt) {
    Task own = taskOf(attempt);
    return tasks.values().stream().filter(task -> task.kind() == Job.REDUCE && Job.LATEST_FIRST.compare(task, own) < 0).count();
  }

  private MRAppMaster.RunningAppContext context(Configuration conf) {
    EventHandler<Event> handler = this::handle;
    org.apache.hadoop.mapreduce.v2.app.job.Job known = known();
    return SHELL.new RunningAppContext(conf, null) {
      @Override public ApplicationAttemptId getApplicationAttemptId() { return job.attempt; }
      @Override public ApplicationId getApplicationID() { return job.attempt.getApplicationId(); }
      @Override public org.apache.hadoop.mapreduce.v2.app.job.Job getJob(JobId ignored) { return known; }
      @Override public EventHandler<Event> getEventHandler() { return handler; }
      @Override public Clock getClock() { return scheduler.clock; }
    };
  }

  private org.apache.hadoop.mapreduce.v2.app.job.Job known() {
    return answering(org.apache.hadoop.mapreduce.v2.app.job.Job.class, Map.of(
        "getID", ignored -> id,
        "getTotalMaps", ignored -> job.plan.maps().length,
        "getTotalReduces", ignored -> job.plan.reduces().length,
        "getCompletedMaps", ignored -> job.finishedMaps,
        "getCompletedReduces", ignored -> job.finishedTasks - job.finishedMaps,
        "getProgress", ignored -> 0f,
        "getTask", ignored -> answering(org.apache.hadoop.mapreduce.v2.app.job.Task.class, Map.of(
            "getAttempt", attempt -> answering(TaskAttempt.class, Map.of("getProgress", none -> progress((TaskAttemptId) attempt)))))));
  }

  private ApplicationMasterProtocol resourceManager() {
    return new ApplicationMasterProtocol() {
      @Override public RegisterApplicationMasterResponse registerApplicationMaster(RegisterApplicationMasterRequest request) {
        RegisterApplicationMasterResponse response = Records.newRecord(RegisterApplicationMasterResponse.class);
        response.setMaximumResourceCapability(scheduler.largest());
        response.setSchedulerResourceTypes(scheduler.resourceTypes());
        response.setApplicationACLs(Map.of());
        response.setQueue(job.plan.queue());
        return response;
      }

      @Override public FinishApplicationMasterResponse finishApplicationMaster(FinishApplicationMasterRequest request) {
        return FinishApplicationMasterResponse.newInstance(true);
      }

      @Override public AllocateResponse allocate(AllocateRequest request) {
        List<ResourceRequest> asks = new ArrayList<>();  // copies, as over the wire: the scheduler counts in its own
        for (ResourceRequest ask : request.getAskList())
          if (job.waitingMaps == null || Job.kindOf(ask.getPriority()) != Job.MAP) asks.add(LoneScheduler.request(ask.getPriority().getPriority(), ask.getCapability(), ask.getNumContainers()));
        Allocation allocation = scheduler.ask(job.attempt, asks, request.getReleaseList());
        if (!allocation.getContainers().isEmpty() || !request.getReleaseList().isEmpty())
          throw new IllegalStateException("a container was given or released between beats of nodes");
        AllocateResponse response = AllocateResponse.newInstance(
            0, isBeating ? List.copyOf(completed) : List.of(), isBeating ? new ArrayList<>(allocated) : List.of(),
            Collections.emptyList(), allocation.getResourceLimit(), null, scheduler.nodes.size(), null, Collections.emptyList());
        if (isBeating) {
          completed.clear();
          allocated.clear();
        }
        return response;
      }
    };
  }

  /** An interface whose methods answer from a table, given their first argument; all others null. */
  @SuppressWarnings("unchecked")
  private static <T> T answering(Class<T> type, Map<String, Function<Object, Object>> answers) {
    return (T) Proxy.newProxyInstance(MapReduceMaster.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
      Function<Object, Object> answer = answers.get(method.getName());
      return answer == null ? null : answer.apply(arguments == null ? null : arguments[0]);
    });
  }
}
