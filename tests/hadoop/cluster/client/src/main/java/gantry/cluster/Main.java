package gantry.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * main BATCH DATA: submits the jobs of a batch, each at its time, and waits for them. Data are made, and jobs set up, before time 0.
 *
 * <p>On standard output, separated by tabs: "zero" ms; "submitted" name, id, user, queue, planned ms, called ms, returned ms; "ended" name, id, whether it
 * succeeded.
 */
public final class Main {
  private static final long BEFORE_ZERO_MS = 2000;

  public static void main(String[] arguments) throws Exception {
    Path data = Path.of(arguments[1]);
    Configuration cluster = new JobConf(new YarnConfiguration());
    List<Line> batch = Files.readAllLines(Path.of(arguments[0])).stream().map(Line::of).toList();
    List<Job> jobs = new ArrayList<>();
    for (Line line : batch) {
      Data.make(line, data.resolve("in-" + line.name()));
      jobs.add(as(line.user(), () -> Jobs.of(line, cluster, data.resolve("in-" + line.name()), data.resolve("out-" + line.name()))));
    }
    long zero = System.currentTimeMillis() + BEFORE_ZERO_MS;
    say("zero", zero);
    List<Thread> threads = new ArrayList<>();
    for (int number = 0; number < batch.size(); number++) {
      Line line = batch.get(number);
      Job job = jobs.get(number);
      threads.add(new Thread(() -> run(line, job, zero + Math.round(1000 * line.arrivalS()), cluster, data)));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) thread.join();
    System.exit(0);
  }

  private static void run(Line line, Job job, long planned, Configuration cluster, Path data) {
    try {
      Thread.sleep(Math.max(0, planned - System.currentTimeMillis()));
      Path out = data.resolve("out-" + line.name());
      boolean good = played(line, line.name(), job, planned);
      if (good && line.kind().equals("grep")) {
        Job second = as(line.user(), () -> Jobs.ordered(line, cluster, out, data.resolve("out-" + line.name() + "-order")));
        played(line, line.name() + "-order", second, System.currentTimeMillis());
      }
    } catch (Exception error) {
      say("failed", line.name(), String.valueOf(error).replaceAll("\\s+", " "));
    }
  }

  private static boolean played(Line line, String name, Job job, long planned) throws Exception {
    return as(line.user(), () -> {
      long called = System.currentTimeMillis();
      job.submit();
      say("submitted", name, job.getJobID(), line.user(), line.queue(), planned, called, System.currentTimeMillis());
      boolean good = job.waitForCompletion(false);
      say("ended", name, job.getJobID(), good);
      return good;
    });
  }

  private static <T> T as(String user, PrivilegedExceptionAction<T> action) throws Exception {
    return UserGroupInformation.createRemoteUser(user).doAs(action);
  }

  private static synchronized void say(Object... parts) {
    System.out.println(String.join("\t", java.util.Arrays.stream(parts).map(String::valueOf).toList()));
  }

  private Main() {}
}
