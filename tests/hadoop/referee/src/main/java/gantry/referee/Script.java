package gantry.referee;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Resource;

/**
 * One script, as tests/hadoop/scripts.py writes it: a cluster, queues, jobs, and a scheduler with its settings. Sizes are [MB, vcores], times ms.
 *
 * @param scheduler fifo, fair, drf, capacity (DefaultResourceCalculator) or capacity-drc (DominantResourceCalculator)
 * @param perBeat containers a beat, 0 for no limit
 * @param updateMs of FairScheduler's update thread, 0: at each beat
 * @param incrementMb requests are rounded up to its multiples
 * @param master ramp-up: Hadoop's own; null: one that asks for all reduces at once
 * @param amLimit part of a queue for its masters (maxAMShare, maximum-am-resource-percent), null: no limit
 * @param racks of each node, null: all are on one
 * @param joins when each node registers, ms, null: all are there at first
 * @param conf properties as the XML files have them, null: none
 * @param allocations elements of fair-scheduler.xml beside the queues, null: none
 * @param userMaxApps FairScheduler's maxRunningApps of users, by their names, null: none
 */
@JsonIgnoreProperties("gantry")
record Script(
    String id, String scheduler, @JsonProperty("heartbeat_ms") long heartbeatMs, @JsonProperty("per_beat") int perBeat,
    @JsonProperty("update_ms") long updateMs, boolean reservations, @JsonProperty("increment_mb") int incrementMb,
    @JsonProperty("am_limit") Double amLimit, String master, List<long[]> nodes, List<String> racks, long[] joins, List<Queue> queues, List<Job> jobs,
    Map<String, String> conf, Map<String, String> allocations, @JsonProperty("user_max_apps") Map<String, String> userMaxApps) {

  private static final ObjectMapper MAPPER = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);

  /** Percentages and shares as Hadoop's files have them, null: not written there. settings: its further elements, or properties. */
  record Queue(
      String name, double weight, @JsonProperty("min_share") long[] minShare, @JsonProperty("max_share") long[] maxShare, String capacity,
      @JsonProperty("max_capacity") String maxCapacity, String policy, @JsonProperty("user_limit_factor") Double userLimitFactor,
      @JsonProperty("min_user_limit_pct") Integer minUserLimitPct, Map<String, String> settings) {
    String shortName() {
      return name.substring(name.lastIndexOf('.') + 1);
    }

    String parent() {
      return name.contains(".") ? name.substring(0, name.lastIndexOf('.')) : "";
    }
  }

  /** am null: no master's container. slow: maps that must have finished before reduces are asked for. blocks: of each map the nodes, null: anywhere. priority null: 0. */
  record Job(
      String queue, String user, long arrival, long[] am, long startup, long[] map, long[] maps, long[] reduce, long[] reduces, int slow,
      Integer priority, List<int[]> blocks) { }

  static Script of(String line) throws IOException {
    return MAPPER.readValue(line, Script.class);
  }

  boolean isFair() {
    return scheduler.equals("fair") || scheduler.equals("drf");
  }

  /** Does FairScheduler kill for starved applications? */
  boolean isPreempting() {
    return isFair() && "true".equals(orNone(conf).get("yarn.scheduler.fair.preemption"));
  }

  boolean hasRealMasters() {
    return "ramp-up".equals(master);
  }

  /** Only memory must fit: DefaultResourceCalculator. */
  boolean isMemoryOnly() {
    return isFifo() || scheduler.equals("capacity");
  }

  boolean isFifo() {
    return scheduler.equals("fifo");
  }

  static Map<String, String> orNone(Map<String, String> settings) {
    return settings == null ? Map.of() : settings;
  }

  String rackOf(int node) {
    return racks == null ? "/rack" : racks.get(node);
  }

  long joinOf(int node) {
    return joins == null ? 0 : joins[node];
  }

  List<Queue> childrenOf(String parent) {
    return queues.stream().filter(queue -> queue.parent().equals(parent)).toList();
  }

  static Resource resource(long[] size) {
    return Resource.newInstance(size[0], (int) size[1]);
  }
}
