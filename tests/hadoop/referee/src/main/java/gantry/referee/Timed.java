package gantry.referee;

import com.sun.management.OperatingSystemMXBean;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;

/**
 * Plays one script several times and tells the CPU seconds of each: this thread's in the scheduler's calls (`scheduler_s`), with the driver around
 * them (`thread_s`), and the whole process's, which compiles and collects garbage beside it (`process_s`). The scheduler is made and its settings are
 * read before. Arguments: the file with the script, how often, the file to write: a line a run, the last also with its decisions.
 */
public class Timed {
  private static final OperatingSystemMXBean PROCESS = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  public static void main(String[] arguments) throws Exception {
    Logger.getRootLogger().setLevel(Level.OFF);
    Script script = Script.of(Files.readString(Path.of(arguments[0])));
    int runs = Integer.parseInt(arguments[1]);
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(Path.of(arguments[2])))) {
      for (int run = 1; run <= runs; run++) {
        TimedScheduler scheduler = new TimedScheduler(script);
        Replay replay = new Replay(script, scheduler);
        long process = PROCESS.getProcessCpuTime();
        long thread = TimedScheduler.now();
        String status = replay.run();
        double threadSeconds = (TimedScheduler.now() - thread) / 1e9;
        double processSeconds = (PROCESS.getProcessCpuTime() - process) / 1e9;
        out.printf(Locale.ROOT, "{\"status\":\"%s\",\"scheduler_s\":%.6f,\"thread_s\":%.6f,\"process_s\":%.6f,\"placements\":%s}%n", status,
            scheduler.spentSeconds(), threadSeconds, processSeconds, run == runs ? replay.placements() : "[]");
      }
    }
    System.exit(0);  // schedulers leave threads behind
  }
}
