package gantry.referee;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Priority;

/** A job as its master knows it. */
class Job {
  static final int MASTER = 0;
  static final int REDUCE = 1;
  static final int MAP = 2;
  static final int[] PRIORITY = {0, 10, 20};  // RMAppAttemptImpl.AM_CONTAINER_PRIORITY, RMContainerAllocator.PRIORITY_REDUCE, PRIORITY_MAP
  static final Comparator<Task> LATEST_FIRST = Comparator.comparingLong(Task::start).thenComparingInt(Task::index).reversed();

  final int index;
  final Script.Job plan;
  final ApplicationAttemptId attempt;
  final List<Task> waitingReduces = new ArrayList<>();
  final ArrayDeque<Container> given = new ArrayDeque<>();
  final boolean[] isMapPlaced;
  final boolean[] isReducePlaced;
  Task master;
  final WaitingMaps waitingMaps;  // where they have blocks, else null
  MapReduceMaster allocator;  // where the script has the real one
  long began;
  int placedMaps;
  int runningMaps;
  int finishedMaps;
  int finishedTasks;
  int unseen;  // containers whose end the scheduler has not seen
  boolean hasBegun;
  boolean hasAskedReduces;
  boolean hasReducesWithheld;
  boolean isDone;

  Job(int index, Script.Job plan, List<ReportingNode> nodes) {
    this.index = index;
    this.plan = plan;
    attempt = ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, index + 1), 1);
    isMapPlaced = new boolean[plan.maps().length];
    isReducePlaced = new boolean[plan.reduces().length];
    waitingMaps = plan.blocks() == null ? null : new WaitingMaps(plan.blocks(), nodes);
  }

  long[] durations(int kind) {
    return kind == MAP ? plan.maps() : plan.reduces();
  }

  long[] size(int kind) {
    return kind == MASTER ? plan.am() : kind == MAP ? plan.map() : plan.reduce();
  }

  static int kindOf(Priority priority) {
    for (int kind = MASTER; kind < MAP; kind++) if (PRIORITY[kind] == priority.getPriority()) return kind;
    return MAP;
  }

  boolean hasMapsDone() {
    return finishedMaps == plan.maps().length;
  }

  boolean waitsForMaps() {
    return placedMaps < plan.maps().length;
  }

  int unplacedReduces() {
    int count = 0;
    for (boolean isPlaced : isReducePlaced) if (!isPlaced) count++;
    return count;
  }

  /** The index of the task that a new container of a kind runs: the first that has none, of maps with blocks the nearest. */
  int place(int kind, ReportingNode node) {
    if (kind == MASTER) return 0;
    if (kind == MAP) {
      runningMaps++;
      placedMaps++;
      if (waitingMaps != null) return waitingMaps.take(node);
    }
    boolean[] isPlaced = kind == MAP ? isMapPlaced : isReducePlaced;
    int first = 0;
    while (isPlaced[first]) first++;
    isPlaced[first] = true;
    return first;
  }
}
