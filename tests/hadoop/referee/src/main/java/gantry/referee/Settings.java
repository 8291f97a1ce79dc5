package gantry.referee;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.StringJoiner;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.util.resource.DefaultResourceCalculator;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;

/** A script's settings as yarn-site.xml, capacity-scheduler.xml and fair-scheduler.xml would have them. */
class Settings {
  private static final YarnConfiguration BASE = new YarnConfiguration();  // its XML is parsed once
  private static final String CAPACITY = "yarn.scheduler.capacity.";
  private static final String FAIR = "yarn.scheduler.fair.";
  private static final int LARGEST_MB = 1 << 30;
  private static final int LARGEST_VCORES = 1 << 30;

  static Configuration of(Script script) throws IOException {
    Configuration conf = new YarnConfiguration(BASE);
    conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 1);  // nothing is rounded
    conf.setInt("yarn.resource-types.memory-mb.increment-allocation", script.incrementMb());
    conf.setInt(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, LARGEST_MB);
    conf.setInt(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_VCORES, LARGEST_VCORES);
    if (script.isFair()) fair(conf, script);
    else if (!script.isFifo()) capacity(conf, script);
    Script.orNone(script.conf()).forEach(conf::set);
    return conf;
  }

  private static void capacity(Configuration conf, Script script) {
    boolean dominant = script.scheduler().equals("capacity-drc");
    conf.set(CAPACITY + "resource-calculator", (dominant ? DominantResourceCalculator.class : DefaultResourceCalculator.class).getName());
    conf.setFloat(CAPACITY + "maximum-am-resource-percent", script.amLimit() == null ? 1000f : script.amLimit().floatValue());
    conf.setInt(CAPACITY + "node-locality-delay", 0);
    conf.setBoolean(CAPACITY + "per-node-heartbeat.multiple-assignments-enabled", script.perBeat() != 1);
    conf.setInt(CAPACITY + "per-node-heartbeat.maximum-offswitch-assignments", script.perBeat() == 0 ? Integer.MAX_VALUE : script.perBeat());
    conf.setInt(CAPACITY + "per-node-heartbeat.maximum-container-assignments", script.perBeat() == 0 ? -1 : script.perBeat());
    conf.set(CAPACITY + "root.capacity", "100");
    for (Script.Queue queue : script.queues()) {
      String own = CAPACITY + queue.name() + ".";
      StringJoiner children = new StringJoiner(",");
      for (Script.Queue child : script.childrenOf(queue.name())) children.add(child.shortName());
      if (children.length() > 0) conf.set(own + "queues", children.toString());
      if (queue.parent().isEmpty()) continue;
      conf.set(own + "capacity", queue.capacity());
      conf.set(own + "maximum-capacity", queue.maxCapacity());
      if (children.length() == 0) leaf(conf, queue, own);
      Script.orNone(queue.settings()).forEach((key, value) -> conf.set(own + key, value));
    }
  }

  private static void leaf(Configuration conf, Script.Queue queue, String own) {
    conf.set(own + "maximum-applications", "100000");
    conf.set(own + "user-limit-factor", queue.userLimitFactor() == null ? "100000" : queue.userLimitFactor().toString());
    if (queue.minUserLimitPct() != null) conf.setInt(own + "minimum-user-limit-percent", queue.minUserLimitPct());
    if ("fair".equals(queue.policy())) conf.set(own + "ordering-policy", "fair");
  }

  private static void fair(Configuration conf, Script script) throws IOException {
    File file = File.createTempFile("fair-scheduler", ".xml");
    file.deleteOnExit();
    Files.writeString(file.toPath(), allocations(script));
    conf.set(FAIR + "allocation.file", file.getAbsolutePath());
    conf.setBoolean(FAIR + "assignmultiple", script.perBeat() != 1);
    conf.setBoolean(FAIR + "dynamic.max.assign", false);
    conf.setInt(FAIR + "max.assign", script.perBeat() == 0 ? -1 : script.perBeat());
    if (!script.reservations()) conf.setFloat("yarn.scheduler.reservation-threshold.increment-multiple", LARGEST_MB);
  }

  private static String allocations(Script script) {
    StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?>\n<allocations>\n");
    element(xml, "defaultQueueSchedulingPolicy", script.scheduler());
    element(xml, "queueMaxAMShareDefault", script.amLimit() == null ? -1.0 : script.amLimit());
    Script.orNone(script.allocations()).forEach((tag, value) -> element(xml, tag, value));
    Script.orNone(script.userMaxApps()).forEach(
        (user, most) -> xml.append("<user name=\"").append(user).append("\"><maxRunningApps>").append(most).append("</maxRunningApps></user>\n"));
    for (Script.Queue root : script.childrenOf("")) queue(xml, script, root);
    return xml.append("</allocations>\n").toString();
  }

  private static void queue(StringBuilder xml, Script script, Script.Queue queue) {
    boolean isParent = !script.childrenOf(queue.name()).isEmpty();
    xml.append("<queue name=\"").append(queue.shortName()).append('"').append(isParent ? " type=\"parent\"" : "").append(">\n");
    if (queue.policy() != null) element(xml, "schedulingPolicy", queue.policy());
    element(xml, "weight", queue.weight());
    if (queue.minShare() != null) element(xml, "minResources", share(queue.minShare()));
    if (queue.maxShare() != null) element(xml, "maxResources", share(queue.maxShare()));
    Script.orNone(queue.settings()).forEach((tag, value) -> element(xml, tag, value));
    for (Script.Queue child : script.childrenOf(queue.name())) queue(xml, script, child);
    xml.append("</queue>\n");
  }

  private static String share(long[] size) {
    return size[0] + " mb, " + size[1] + " vcores";
  }

  private static void element(StringBuilder xml, String tag, Object value) {
    xml.append('<').append(tag).append('>').append(value).append("</").append(tag).append(">\n");
  }
}
