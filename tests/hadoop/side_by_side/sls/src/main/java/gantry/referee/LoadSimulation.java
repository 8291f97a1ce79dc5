package gantry.referee;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.apache.hadoop.yarn.sls.SLSRunner;
import org.apache.hadoop.yarn.sls.SLSRunner.TraceType;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;

/**
 * Plays a script to a ResourceManager by the clock, as YARN's Scheduler Load Simulator does, with the referee's settings.
 * Arguments: the file with the script, its jobs as a Rumen trace, the file of nodes, a folder to write to, and after how many seconds it ends.
 */
public class LoadSimulation {
  private static final long LOOK_MS = 20;
  private static final OperatingSystemMXBean PROCESS = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  public static void main(String[] arguments) throws Exception {
    Logger.getRootLogger().setLevel(Level.OFF);
    Thread.setDefaultUncaughtExceptionHandler((thread, error) -> {  // the ResourceManager's threads would live on
      error.printStackTrace();
      Runtime.getRuntime().halt(1);
    });
    Script script = Script.of(Files.readString(Path.of(arguments[0])));
    String folder = arguments[3];
    SLSRunner simulator = new SLSRunner(settings(script, folder));
    simulator.setSimulationParams(TraceType.RUMEN, new String[] {arguments[1]}, arguments[2], folder, Set.of(), false);
    simulator.start();
    double startUp = ManagementFactory.getRuntimeMXBean().getUptime() / 1e3;
    double startUpCpu = cpu();
    long start = System.nanoTime();
    long end = start + 1_000_000_000L * Long.parseLong(arguments[4]);
    QueueMetrics root = QueueMetrics.getQueueMetrics().get("root");
    int jobs = script.jobs().size();
    while (root.getAppsCompleted() < jobs && System.nanoTime() < end) Thread.sleep(LOOK_MS);
    Files.writeString(Path.of(folder, "measured.json"), String.format(Locale.ROOT,
        "{\"start_up_s\":%.3f,\"start_up_cpu_s\":%.3f,\"clock_s\":%.3f,\"cpu_s\":%.3f,\"decisions\":%d,\"jobs\":%d}", startUp, startUpCpu,
        (System.nanoTime() - start) / 1e9, cpu() - startUpCpu, root.getAggregateAllocatedContainers(), root.getAppsCompleted()));
    Runtime.getRuntime().halt(0);
  }

  private static double cpu() {
    return PROCESS.getProcessCpuTime() / 1e9;
  }

  private static Configuration settings(Script script, String folder) throws Exception {
    Configuration conf = Settings.of(script);
    ResourceUtils.resetResourceTypes(conf);
    conf.set(YarnConfiguration.RM_SCHEDULER, (script.isFair() ? FairScheduler.class : CapacityScheduler.class).getName());
    if (script.isFair()) conf.setLong("yarn.scheduler.fair.update-interval-ms", script.updateMs());
    for (String service : new String[] {"", "scheduler.", "resource-tracker.", "admin.", "webapp."})
      conf.set("yarn.resourcemanager." + service + "address", "localhost:0");
    conf.setLong("yarn.sls.nm.heartbeat.interval.ms", script.heartbeatMs());
    conf.setBoolean("yarn.sls.metrics.switch", false);
    conf.setBoolean("yarn.scheduler.capacity.root.disable_preemption", true);  // RMRunner always sets the monitor up
    conf.set("yarn.node-attribute.fs-store.root-dir", folder + "/node-attribute");
    conf.setBoolean("yarn.sls.dns.caching.enabled", true);
    conf.set("yarn.sls.am.type.mapreduce", AnyNodeMaster.class.getName());
    long[] task = script.jobs().get(0).map();
    for (String kind : new String[] {"container.", "am.container."}) {
      conf.setLong("yarn.sls." + kind + "memory.mb", task[0]);
      conf.setLong("yarn.sls." + kind + "vcores", task[1]);
    }
    return conf;
  }
}
