package gantry.referee;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.net.NodeBase;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeAttribute;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceUtilization;
import org.apache.hadoop.yarn.server.api.protocolrecords.NodeHeartbeatResponse;
import org.apache.hadoop.yarn.server.api.records.OpportunisticContainersStatus;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.UpdatedContainerInfo;

/** What a scheduler sees of a NodeManager: a fixed capacity, and what its next beat will report. */
class ReportingNode implements RMNode {
  private static final int PORT = 1234;
  private static final int HOSTS = 250;  // in 10.0.x.*
  final int index;
  private final Resource total;
  private final String rack;
  private final NodeId id;
  private final RMContext context;
  private List<ContainerStatus> launched = new ArrayList<>();
  private List<ContainerStatus> completed = new ArrayList<>();

  ReportingNode(int index, Resource total, String rack, RMContext context) {
    this.index = index;
    this.total = total;
    this.rack = rack;
    this.context = context;
    id = NodeId.newInstance("10.0." + index / HOSTS + "." + (index % HOSTS + 1), PORT);  // literal addresses: no names are looked up
  }

  void report(ContainerStatus status) {
    (status.getState() == org.apache.hadoop.yarn.api.records.ContainerState.COMPLETE ? completed : launched).add(status);
  }

  List<ContainerStatus> completed() {
    return completed;
  }

  @Override public List<UpdatedContainerInfo> pullContainerUpdates() {
    if (launched.isEmpty() && completed.isEmpty()) return new ArrayList<>();
    UpdatedContainerInfo info = new UpdatedContainerInfo(launched, completed, new ArrayList<>());
    launched = new ArrayList<>();
    completed = new ArrayList<>();
    return new ArrayList<>(List.of(info));
  }

  @Override public NodeId getNodeID() { return id; }
  @Override public String getHostName() { return id.getHost(); }
  @Override public int getCommandPort() { return PORT; }
  @Override public int getHttpPort() { return 0; }
  @Override public String getNodeAddress() { return id.toString(); }
  @Override public String getHttpAddress() { return id.getHost() + ":0"; }
  @Override public String getHealthReport() { return ""; }
  @Override public long getLastHealthReportTime() { return 0; }
  @Override public String getNodeManagerVersion() { return "3.4.1"; }
  @Override public Resource getTotalCapability() { return total; }
  @Override public Resource getAllocatedContainerResource() { return Resource.newInstance(0, 0); }
  @Override public boolean isUpdatedCapability() { return false; }
  @Override public void resetUpdatedCapability() { }
  @Override public ResourceUtilization getAggregatedContainersUtilization() { return null; }
  @Override public ResourceUtilization getNodeUtilization() { return null; }
  @Override public Resource getPhysicalResource() { return null; }
  @Override public String getRackName() { return rack; }
  @Override public org.apache.hadoop.net.Node getNode() { return new NodeBase(id.getHost(), rack); }
  @Override public NodeState getState() { return NodeState.RUNNING; }
  @Override public List<ContainerId> getContainersToCleanUp() { return new ArrayList<>(); }
  @Override public List<ApplicationId> getAppsToCleanup() { return new ArrayList<>(); }
  @Override public List<ApplicationId> getRunningApps() { return new ArrayList<>(); }
  @Override public void setAndUpdateNodeHeartbeatResponse(NodeHeartbeatResponse response) { }
  @Override public NodeHeartbeatResponse getLastNodeHeartBeatResponse() { return null; }
  @Override public void resetLastNodeHeartBeatResponse() { }
  @Override public Set<String> getNodeLabels() { return RMNodeLabelsManager.EMPTY_STRING_SET; }
  @Override public List<Container> pullNewlyIncreasedContainers() { return Collections.emptyList(); }
  @Override public OpportunisticContainersStatus getOpportunisticContainersStatus() { return OpportunisticContainersStatus.newInstance(); }
  @Override public long getUntrackedTimeStamp() { return 0; }
  @Override public void setUntrackedTimeStamp(long timeStamp) { }
  @Override public Integer getDecommissioningTimeout() { return null; }
  @Override public Map<String, Long> getAllocationTagsWithCount() { return null; }
  @Override public RMContext getRMContext() { return context; }
  @Override public Set<NodeAttribute> getAllNodeAttributes() { return Collections.emptySet(); }
  @Override public long calculateHeartBeatInterval(long interval, long least, long most, float speedUp, float slowDown) { return interval; }
  @Override public String toString() { return id.getHost(); }
}
