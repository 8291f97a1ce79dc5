package gantry.referee;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.yarn.api.records.ResourceRequest;

/**
 * A job's maps that wait, by the nodes and racks of their blocks: what its master asks for (RMContainerRequestor.addContainerReq, decContainerReq),
 * and which of them a container is given to (RMContainerAllocator.assignMapsWithLocality).
 */
class WaitingMaps {
  private final List<int[]> blocks;  // of each map, the nodes
  private final List<ReportingNode> nodes;
  private final TreeSet<Integer> waiting = new TreeSet<>();
  private final Map<String, Integer> counts = new HashMap<>();  // by host and rack, 0 once there were any
  private final Set<String> changed = new LinkedHashSet<>();  // since the master last asked

  WaitingMaps(List<int[]> blocks, List<ReportingNode> nodes) {
    this.blocks = blocks;
    this.nodes = nodes;
    for (int map = 0; map < blocks.size(); map++) {
      waiting.add(map);
      count(map, 1);
    }
  }

  /** The map that a new container runs: the first with a block on its node, on its rack, or of all. */
  int take(ReportingNode node) {
    int taken = firstAt(node.getHostName());
    if (taken < 0) taken = firstAt(node.getRackName());
    if (taken < 0) taken = waiting.first();
    waiting.remove(taken);
    count(taken, -1);
    return taken;
  }

  /** What the master asks for now: places where none waits any more are named too, as Hadoop's does. */
  List<ResourceRequest> asks(long[] size) {
    List<ResourceRequest> asks = new ArrayList<>();
    for (String place : changed) asks.add(LoneScheduler.request(place, Job.PRIORITY[Job.MAP], Script.resource(size), counts.get(place)));
    asks.add(LoneScheduler.request(ResourceRequest.ANY, Job.PRIORITY[Job.MAP], Script.resource(size), waiting.size()));
    changed.clear();
    return asks;
  }

  private int firstAt(String place) {
    for (int map : waiting) if (placesOf(map).contains(place)) return map;
    return -1;
  }

  private void count(int map, int change) {
    for (String place : placesOf(map)) {
      counts.merge(place, change, Integer::sum);
      changed.add(place);
    }
  }

  private Set<String> placesOf(int map) {
    Set<String> places = new LinkedHashSet<>();
    for (int node : blocks.get(map)) places.add(nodes.get(node).getHostName());
    for (int node : blocks.get(map)) places.add(nodes.get(node).getRackName());
    return places;
  }
}
