package gantry.referee;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.LonePreemption;
import org.apache.hadoop.yarn.util.resource.Resources;

/** Plays the nodes, the masters and the clock of Gantry's model to a scheduler of Hadoop, event by event, and notes what it decides. */
class Replay {
  private static final int IDLE_ROUNDS = 400;  // without an event: nothing will ever happen; masters kill reduces after 300 s
  private static final long MOST_ATTEMPTS = 100;  // of a task, on average: then queues kill each other's containers for ever
  private static final long MASTERS_HEARTBEAT_MS = 1000;  // yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms

  private record End(long at, Task task) { }

  private record Kill(long at, List<RMContainer> victims) { }

  private record Timer(long at, Job job) { }

  private final Script script;
  private final LoneScheduler scheduler;
  private final List<Job> jobs = new ArrayList<>();
  private final Map<ApplicationAttemptId, Job> byAttempt = new HashMap<>();
  private final PriorityQueue<End> ends = new PriorityQueue<>(Comparator.comparingLong(End::at)
      .thenComparingInt(end -> end.task.node().index).thenComparingLong(end -> end.task.id().getContainerId()));
  private final PriorityQueue<Timer> timers = new PriorityQueue<>(Comparator.comparingLong(Timer::at).thenComparingInt(timer -> timer.job.index));
  private final Map<Integer, List<ResourceRequest>> asks = new TreeMap<>();  // of this instant, by job
  private final List<List<Task>> running = new ArrayList<>();  // on each node
  private final List<List<Task>> unreported = new ArrayList<>();  // ended since the node's last beat
  private final StringJoiner placements = new StringJoiner(",");
  private final StringJoiner reservations = new StringJoiner(",");
  private final StringJoiner kills = new StringJoiner(",");
  private final LonePreemption preemption;  // null: FairScheduler kills nothing
  private final ArrayDeque<Kill> due = new ArrayDeque<>();
  private final ArrayDeque<ReportingNode> joining = new ArrayDeque<>();  // nodes that are still to come, in that order
  private final Map<Integer, Integer> reservedFor = new HashMap<>();
  private long killed;  // for other jobs
  private long now;
  private int unfinished;

  Replay(Script script) throws Exception {
    this(script, new LoneScheduler(script));
  }

  Replay(Script script, LoneScheduler scheduler) throws Exception {
    this.script = script;
    this.scheduler = scheduler;
    preemption = script.isPreempting() ? scheduler.preemption() : null;
    for (ReportingNode ignored : scheduler.nodes) {
      running.add(new ArrayList<>());
      unreported.add(new ArrayList<>());
    }
    for (Script.Job plan : script.jobs()) {
      Job job = new Job(jobs.size(), plan, scheduler.nodes);
      byAttempt.put(job.attempt, job);
      jobs.add(job);
    }
    scheduler.nodes.stream().filter(node -> script.joinOf(node.index) > 0)
        .sorted(Comparator.comparingLong(node -> script.joinOf(node.index))).forEach(joining::add);
    unfinished = jobs.size();
  }

  /** [[ms, node, job, kind], …] in the order of decisions; where maps have blocks, the task's index too. */
  String placements() {
    return "[" + placements + "]";
  }

  /** [[ms, node, job or -1], …]: each beat after which a node is reserved for another job than before. */
  String reservations() {
    return "[" + reservations + "]";
  }

  /** [[ms, node, job, kind], …]: containers that ran and were killed for other jobs. */
  String kills() {
    return "[" + kills + "]";
  }

  String run() throws Exception {
    int arrived = 0;
    int nodes = scheduler.nodes.size();
    int next = 0;
    long round = 0;
    long lastEvent = 0;
    long nextUpdate = 0;
    long nextRound = scheduler.monitoringMs() > 0 ? 0 : Long.MAX_VALUE;
    long mastersBeat = script.hasRealMasters() ? 0 : Long.MAX_VALUE;
    while (unfinished > 0) {
      long upcoming = next < nodes ? beatAt(round, next) : beatAt(round + 1, 0);
      upcoming = Math.min(upcoming, Math.min(mastersBeat, nextRound));
      if (!ends.isEmpty()) upcoming = Math.min(upcoming, ends.peek().at);
      if (!timers.isEmpty()) upcoming = Math.min(upcoming, timers.peek().at);
      if (arrived < jobs.size()) upcoming = Math.min(upcoming, jobs.get(arrived).plan.arrival());
      if (!joining.isEmpty()) upcoming = Math.min(upcoming, joinsAt());
      if (!ends.isEmpty() || !timers.isEmpty() || arrived < jobs.size() || !joining.isEmpty()) lastEvent = round;
      if (round > lastEvent + IDLE_ROUNDS) return "deadlock";
      if (preemption != null) upcoming = Math.min(upcoming, nextUpdate);
      if (!due.isEmpty()) upcoming = Math.min(upcoming, due.peek().at);
      nextUpdate = updateUntil(nextUpdate, upcoming - 1);
      now = upcoming;
      scheduler.clock.setTime(now);
      while (!ends.isEmpty() && ends.peek().at == now) end(ends.poll().task);
      while (!joining.isEmpty() && joinsAt() == now) join(joining.poll());
      if (nextRound == now) {
        for (ContainerId victim : scheduler.watch()) if (wasMaster(victim)) return "master killed";
        nextRound += scheduler.monitoringMs();
        if (killed > MOST_ATTEMPTS * tasks()) return "endless";
      }
      while (arrived < jobs.size() && jobs.get(arrived).plan.arrival() == now) arrive(jobs.get(arrived++));
      if (mastersBeat == now) {
        for (Job job : jobs) if (job.allocator != null && job.began < now && !job.isDone) job.allocator.beat();
        mastersBeat += MASTERS_HEARTBEAT_MS;
      }
      while (!timers.isEmpty() && timers.peek().at == now) begin(timers.poll().job);
      while (!due.isEmpty() && due.peek().at == now) for (RMContainer victim : due.poll().victims) if (preempt(victim)) return "master killed";
      request();
      nextUpdate = updateUntil(nextUpdate, now);
      while (unfinished > 0) {
        if (next == nodes) {
          next = 0;
          round++;
        }
        if (beatAt(round, next) != now) break;
        ReportingNode node = scheduler.nodes.get(next++);
        if (joining.contains(node)) continue;
        beat(node);
        request();
      }
    }
    return "finished";
  }

  private long joinsAt() {
    return script.joinOf(joining.peek().index);
  }

  /** FairScheduler.addNode has the update thread update at once. */
  private void join(ReportingNode node) throws Exception {
    scheduler.join(node);
    if (script.updateMs() > 0) updateUntil(now, now);
  }

  private long tasks() {
    return jobs.stream().mapToLong(job -> job.plan.maps().length + job.plan.reduces().length).sum();
  }

  /** FairScheduler's update thread up to a time; when it updates next. */
  private long updateUntil(long next, long last) throws Exception {
    while (script.updateMs() > 0 && next <= last) {
      scheduler.clock.setTime(next);
      scheduler.update();
      List<RMContainer> marked = preemption == null ? List.of() : preemption.marked();
      if (!marked.isEmpty()) due.add(new Kill(next + preemption.warningMs(), marked));
      next += script.updateMs();
    }
    return next;
  }

  /** The scheduler kills a container; its task, if it ran, is asked for again. Was it a master, which this does not play? */
  private boolean preempt(RMContainer victim) {
    scheduler.kill(victim);
    return wasMaster(victim.getContainerId());
  }

  /** The scheduler has killed a container. */
  private boolean wasMaster(ContainerId victim) {
    Task task = running.stream().flatMap(List::stream).filter(one -> one.id().equals(victim)).findFirst().orElse(null);
    if (task == null) return false;
    Job job = task.job();
    killed++;
    kills.add("[" + now + "," + task.node().index + "," + job.index + "," + task.kind() + "]");
    running.get(task.node().index).remove(task);
    unreported.get(task.node().index).add(task);
    ends.removeIf(end -> end.task == task);
    if (task.kind() == Job.MAP) {
      job.isMapPlaced[task.index()] = false;
      job.placedMaps--;
      job.runningMaps--;
      ask(job, Job.MAP, job.plan.maps().length - job.placedMaps);
    } else if (task.kind() == Job.REDUCE) {
      job.isReducePlaced[task.index()] = false;
      job.waitingReduces.remove(task);
      if (!job.hasReducesWithheld) ask(job, Job.REDUCE, job.unplacedReduces());
    }
    return task.kind() == Job.MASTER;
  }

  private long beatAt(long round, int node) {
    return node * script.heartbeatMs() / scheduler.nodes.size() + round * script.heartbeatMs();
  }

  private void arrive(Job job) throws Exception {
    long[] first = job.plan.am() == null ? job.plan.map() : job.plan.am();
    int priority = job.plan.priority() == null ? 0 : job.plan.priority();
    scheduler.submit(job.attempt, job.plan.queue(), job.plan.user(), priority, Script.resource(first));
    if (job.plan.am() == null) begin(job);
    else ask(job, Job.MASTER, 1);
  }

  private void begin(Job job) throws Exception {
    job.hasBegun = true;
    job.began = now;
    if (script.hasRealMasters()) {
      job.allocator = new MapReduceMaster(job, scheduler, reduce -> kill(job, reduce));
      if (job.waitingMaps != null) askNear(job);
      return;
    }
    if (job.waitingMaps != null) askNear(job);
    else ask(job, Job.MAP, job.plan.maps().length);
    askReducesIfDue(job);
  }

  private void askReducesIfDue(Job job) {
    if (script.hasRealMasters() || job.hasAskedReduces || job.plan.reduces().length == 0 || job.finishedMaps < job.plan.slow()) return;
    job.hasAskedReduces = true;
    ask(job, Job.REDUCE, job.plan.reduces().length);
  }

  /** For maps with blocks: at their nodes, their racks and anywhere. */
  private void askNear(Job job) {
    asks.computeIfAbsent(job.index, index -> new ArrayList<>()).addAll(job.waitingMaps.asks(job.size(Job.MAP)));
  }

  private void ask(Job job, int kind, int count) {
    asks.computeIfAbsent(job.index, index -> new ArrayList<>()).add(LoneScheduler.request(Job.PRIORITY[kind], Script.resource(job.size(kind)), count));
  }

  /** The requests of this instant reach the scheduler, in the order of jobs; then jobs that their own reduces block kill some (KILL-1). */
  private void request() {
    for (Job job : jobs) {
      if (!job.hasReducesWithheld || job.waitsForMaps()) continue;
      job.hasReducesWithheld = false;
      ask(job, Job.REDUCE, job.unplacedReduces());
    }
    tell();
    for (Job job : jobs)
      if (job.hasBegun && job.allocator == null && !job.isDone && job.waitsForMaps() && job.runningMaps == 0 && !job.waitingReduces.isEmpty()) killReduces(job);
    tell();
  }

  private void tell() {
    asks.forEach((index, requests) -> scheduler.allocate(jobs.get(index).attempt, requests));
    asks.clear();
  }

  private void killReduces(Job job) {
    List<Task> fewest = null;
    for (ReportingNode node : scheduler.nodes) {
      if (joining.contains(node)) continue;
      List<Task> inTheWay = reducesInTheWay(job, node);
      if (inTheWay != null && (fewest == null || inTheWay.size() < fewest.size())) fewest = inTheWay;
    }
    if (fewest == null || fewest.isEmpty()) return;
    for (Task reduce : fewest) kill(job, reduce);
    job.hasReducesWithheld = true;
    ask(job, Job.REDUCE, 0);
  }

  /** Did it run? */
  private boolean kill(Job job, Task reduce) {
    if (!running.get(reduce.node().index).remove(reduce)) return false;
    unreported.get(reduce.node().index).add(reduce);
    job.waitingReduces.remove(reduce);
    job.isReducePlaced[reduce.index()] = false;
    return true;
  }

  /** The fewest of the job's reduces on a node, latest first, without which a map of it would fit; null: none of them is enough. */
  private List<Task> reducesInTheWay(Job job, ReportingNode node) {
    Resource left = Resources.subtract(node.getTotalCapability(), scheduler.given(Script.resource(job.plan.map()), job.plan.queue()));
    for (Task task : running.get(node.index)) Resources.subtractFrom(left, task.size());
    List<Task> found = new ArrayList<>();
    for (Task reduce : running.get(node.index).stream().filter(task -> task.job() == job && task.kind() == Job.REDUCE).sorted(Job.LATEST_FIRST).toList()) {
      if (isEnough(left)) break;
      Resources.addTo(left, reduce.size());
      found.add(reduce);
    }
    return isEnough(left) ? found : null;
  }

  private boolean isEnough(Resource left) {
    return left.getMemorySize() >= 0 && (left.getVirtualCores() >= 0 || script.isMemoryOnly());
  }

  private void end(Task task) {
    Job job = task.job();
    running.get(task.node().index).remove(task);
    unreported.get(task.node().index).add(task);
    if (task.kind() == Job.MAP) {
      job.runningMaps--;
      job.finishedMaps++;
      askReducesIfDue(job);
      if (job.hasMapsDone()) for (Task reduce : job.waitingReduces) computes(reduce);
    }
    if (++job.finishedTasks < job.plan.maps().length + job.plan.reduces().length) return;
    job.isDone = true;
    unfinished--;
    if (job.allocator != null) job.allocator.stop();
    if (job.master == null) return;
    running.get(job.master.node().index).remove(job.master);
    unreported.get(job.master.node().index).add(job.master);
  }

  private void computes(Task task) {
    ends.add(new End(now + task.job().durations(task.kind())[task.index()], task));
  }

  private void beat(ReportingNode node) throws Exception {
    List<Job> over = new ArrayList<>();
    for (Task task : unreported.get(node.index)) {
      ContainerStatus ended = status(task.id(), ContainerState.COMPLETE);
      node.report(ended);
      if (task.job().allocator != null) task.job().allocator.seen(ended);
      if (--task.job().unseen == 0 && task.job().isDone) over.add(task.job());
    }
    unreported.get(node.index).clear();
    if (script.isFair() && script.updateMs() == 0) {  // demand is cached in FairScheduler: it sees the ends, renews it, and then places
      scheduler.complete(node);
      scheduler.update();
    }
    List<ApplicationAttemptId> allocated = List.copyOf(scheduler.beat(node));
    for (ApplicationAttemptId attempt : new LinkedHashSet<>(allocated)) byAttempt.get(attempt).given.addAll(scheduler.allocate(attempt, new ArrayList<>()));
    for (ApplicationAttemptId attempt : allocated) place(byAttempt.get(attempt), node);
    noteReservation(node);
    for (Job job : over) scheduler.remove(job.attempt);
  }

  private void place(Job job, ReportingNode node) throws Exception {
    Container container = job.given.poll();
    if (container == null || !container.getNodeId().equals(node.getNodeID())) throw new IllegalStateException("the scheduler gave a container on another node");
    int kind = Job.kindOf(container.getPriority());
    Task task = new Task(job, kind, job.place(kind, node), node, container.getId(), container.getResource(), now);
    job.unseen++;
    placements.add("[" + now + "," + node.index + "," + job.index + "," + kind + (script.racks() == null ? "" : "," + task.index()) + "]");
    if (kind == Job.MAP && job.waitingMaps != null) askNear(job);
    running.get(node.index).add(task);
    if (kind != Job.MASTER && job.allocator != null) job.allocator.given(container, task);
    node.report(status(task.id(), ContainerState.RUNNING));
    if (kind == Job.MASTER) {
      job.master = task;
      if (job.plan.startup() == 0) begin(job);
      else timers.add(new Timer(now + job.plan.startup(), job));
    } else if (kind == Job.MAP || job.hasMapsDone()) computes(task);
    else job.waitingReduces.add(task);
  }

  private void noteReservation(ReportingNode node) {
    ApplicationAttemptId attempt = scheduler.reserved(node);
    int job = attempt == null ? -1 : byAttempt.get(attempt).index;
    if (reservedFor.getOrDefault(node.index, -1) == job) return;
    reservedFor.put(node.index, job);
    reservations.add("[" + now + "," + node.index + "," + job + "]");
  }

  private static ContainerStatus status(ContainerId id, ContainerState state) {
    return ContainerStatus.newInstance(id, state, "", 0);
  }
}
