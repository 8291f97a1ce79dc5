package gantry.referee;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;

/** Reads one script a line and writes one line of decisions for each. Arguments: the file of scripts, the file of decisions. */
public class Main {
  public static void main(String[] arguments) throws Exception {
    Logger.getRootLogger().setLevel(Level.OFF);
    Thread.setDefaultUncaughtExceptionHandler((thread, error) -> {  // the masters' threads would live on
      error.printStackTrace();
      System.exit(1);
    });
    List<String> scripts = Files.readAllLines(Path.of(arguments[0]));
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(Path.of(arguments[1])))) {
      for (String line : scripts) {
        Script script = Script.of(line);
        Replay replay = new Replay(script);
        String status = replay.run();
        boolean isEndless = status.equals("endless");  // what it decided until it was given up says nothing
        out.println("{\"id\":\"" + script.id() + "\",\"status\":\"" + status + "\",\"placements\":" + (isEndless ? "[]" : replay.placements())
            + ",\"reservations\":" + (isEndless ? "[]" : replay.reservations()) + ",\"kills\":" + (isEndless ? "[]" : replay.kills()) + "}");
      }
    }
    System.exit(0);  // schedulers leave threads behind
  }
}
