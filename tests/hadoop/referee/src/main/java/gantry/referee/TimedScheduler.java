package gantry.referee;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;

/** A scheduler that counts the CPU time this thread spends in its calls. */
class TimedScheduler extends LoneScheduler {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private long spent;  // ns

  TimedScheduler(Script script) throws Exception {
    super(script);
    spent = 0;
  }

  static long now() {
    return THREADS.getCurrentThreadCpuTime();
  }

  double spentSeconds() {
    return spent / 1e9;
  }

  @Override void update() {
    long start = now();
    super.update();
    spent += now() - start;
  }

  @Override void submit(ApplicationAttemptId attempt, String queue, String user, int asked, Resource master) throws Exception {
    long start = now();
    super.submit(attempt, queue, user, asked, master);
    spent += now() - start;
  }

  @Override void remove(ApplicationAttemptId attempt) {
    long start = now();
    super.remove(attempt);
    spent += now() - start;
  }

  @Override Allocation ask(ApplicationAttemptId attempt, List<ResourceRequest> asks, List<ContainerId> released) {
    long start = now();
    Allocation answer = super.ask(attempt, asks, released);
    spent += now() - start;
    return answer;
  }

  @Override void complete(ReportingNode node) {
    long start = now();
    super.complete(node);
    spent += now() - start;
  }

  @Override List<ApplicationAttemptId> beat(ReportingNode node) {
    long start = now();
    List<ApplicationAttemptId> allocated = super.beat(node);
    spent += now() - start;
    return allocated;
  }
}
