package gantry.referee;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.security.Groups;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;

/**
 * Starts a scheduler on the files of each case and says what it made of them. Arguments: a file of cases, a file for the answers, a line each.
 *
 * A case: {"files": {name: base64 of its bytes}, "nodes": [[MB, vcores]...], "jobs": [[user, queue as the client names it]...]}. An answer: "refused", [class,
 * message] of the last cause, or "scheduler", "settings", "queues" by their paths, and "jobs", [queue, why it is refused or ""]....
 */
public class LoaderMain {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final TypeReference<Map<String, byte[]>> FILES = new TypeReference<>() { };

  public static void main(String[] arguments) throws Exception {
    Logger.getRootLogger().setLevel(Level.OFF);
    Thread.setDefaultUncaughtExceptionHandler((thread, error) -> {  // the schedulers' timers would live on
      error.printStackTrace();
      System.exit(1);
    });
    Configuration users = new Configuration(false);
    users.set(CommonConfigurationKeys.HADOOP_SECURITY_GROUP_MAPPING, EachAlone.class.getName());
    Groups.getUserToGroupsMappingServiceWithLoadedConfiguration(users);  // once for all: it stays as first asked for
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(Path.of(arguments[1])))) {
      for (String line : Files.readAllLines(Path.of(arguments[0]))) out.println(MAPPER.writeValueAsString(answer(MAPPER.readTree(line))));
    }
    System.exit(0);  // schedulers leave threads behind
  }

  private static Map<String, Object> answer(JsonNode asked) throws Exception {
    try (ClusterFiles files = new ClusterFiles(MAPPER.convertValue(asked.get("files"), FILES))) {
      LoadedScheduler loaded;
      try {
        loaded = new LoadedScheduler(files, MAPPER.convertValue(asked.get("nodes"), long[][].class));
      } catch (Exception | Error refusal) {
        return Map.of("refused", cause(refusal, files));
      }
      Set<String> users = new LinkedHashSet<>();
      for (JsonNode job : asked.get("jobs")) users.add(job.get(0).asText());
      Map<String, Object> answer = loaded.values(users);
      List<Object> jobs = new ArrayList<>();
      for (JsonNode job : asked.get("jobs")) jobs.add(loaded.submit(job.get(0).asText(), job.get(1).asText()));
      answer.put("jobs", jobs);
      loaded.stop();
      return answer;
    }
  }

  private static String[] cause(Throwable error, ClusterFiles files) {
    Throwable last = error;
    while (last.getCause() != null) last = last.getCause();
    return new String[] {last.getClass().getSimpleName(), files.withoutFolder(String.valueOf(last.getMessage()))};
  }

  /** What is read only when it is used may be no number; null then. */
  public static Number orNone(Supplier<Number> value) {
    try {
      return value.get();
    } catch (NumberFormatException error) {
      return null;
    }
  }

  public static long[] pair(Resource size) {
    return new long[] {size.getMemorySize(), size.getVirtualCores()};
  }
}
