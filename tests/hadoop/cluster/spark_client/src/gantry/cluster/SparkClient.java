package gantry.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.spark.launcher.InProcessLauncher;
import org.apache.spark.launcher.SparkAppHandle;

/**
 * main BATCH JAR ZERO: submits the Spark applications of a batch, each at its time after ZERO ms, and waits for them. A line of the batch, separated by tabs:
 * arrival in s, name, user, queue, steps of {@link Stages}, and properties, such as spark.executor.instances=4.
 *
 * <p>On standard output, separated by tabs: "submitted" name, id, user, queue, planned ms, called ms, returned ms; "ended" name, id, whether it succeeded.
 */
public final class SparkClient {
  public static void main(String[] arguments) throws Exception {
    long zero = Long.parseLong(arguments[2]);
    List<Thread> threads = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of(arguments[0]))) {
      String[] part = line.split("\t");
      threads.add(new Thread(() -> run(part, arguments[1], zero + Math.round(1000 * Double.parseDouble(part[0])))));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) thread.join();
    System.exit(0);
  }

  private static void run(String[] part, String jar, long planned) {
    try {
      InProcessLauncher launcher = new InProcessLauncher();
      launcher.setMaster("yarn").setDeployMode("cluster").setAppName(part[1]).setMainClass(Stages.class.getName()).setAppResource(jar);
      launcher.setConf("spark.yarn.queue", part[3]).addAppArgs(part[4].split(" "));
      for (String property : Arrays.asList(part).subList(5, part.length)) {
        String[] named = property.split("=", 2);
        launcher.setConf(named[0], named[1]);
      }
      Thread.sleep(Math.max(0, planned - System.currentTimeMillis()));
      Listener listener = new Listener(part, planned, System.currentTimeMillis());
      PrivilegedExceptionAction<SparkAppHandle> submit = () -> launcher.startApplication(listener);
      SparkAppHandle application = UserGroupInformation.createRemoteUser(part[2]).doAs(submit);
      listener.ended.await();
      say("ended", part[1], application.getAppId(), application.getState() == SparkAppHandle.State.FINISHED);
    } catch (Exception error) {
      say("failed", part[1], String.valueOf(error).replaceAll("\\s+", " "));
    }
  }

  private static final class Listener implements SparkAppHandle.Listener {
    private final CountDownLatch ended = new CountDownLatch(1);
    private final String[] part;
    private final long planned;
    private final long called;

    Listener(String[] part, long planned, long called) {
      this.part = part;
      this.planned = planned;
      this.called = called;
    }

    @Override
    public void infoChanged(SparkAppHandle application) { // its id is known
      say("submitted", part[1], application.getAppId(), part[2], part[3], planned, called, System.currentTimeMillis());
    }

    @Override
    public void stateChanged(SparkAppHandle application) {
      if (application.getState().isFinal()) ended.countDown();
    }
  }

  private static synchronized void say(Object... parts) {
    System.out.println(String.join("\t", Arrays.stream(parts).map(String::valueOf).toList()));
  }

  private SparkClient() {}
}
