package gantry.referee;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.converter.ConversionOptions;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.converter.DryRunResultHolder;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.converter.FSConfigToCSConfigConverter;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.converter.FSConfigToCSConfigConverterParams;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.converter.FSConfigToCSConfigConverterParams.PreemptionMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.converter.FSConfigToCSConfigRuleHandler;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;

/**
 * Converts each case's fair-scheduler.xml by Hadoop's fs2cs. Arguments: a file of cases, a file for the answers, a line each.
 *
 * A case: {"files": {name: base64 of its bytes}, "percentages": whether weights become percentages}. An answer: "refused", the message of the last cause, or
 * "capacity" and "site", the properties of the files written, "told", the warnings, and "starts", whether CapacityScheduler starts with the files.
 */
public class ConverterMain {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final TypeReference<Map<String, byte[]>> FILES = new TypeReference<>() { };

  public static void main(String[] arguments) throws Exception {
    Logger.getRootLogger().setLevel(Level.OFF);
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(Path.of(arguments[1])))) {
      for (String line : Files.readAllLines(Path.of(arguments[0]))) out.println(MAPPER.writeValueAsString(answer(MAPPER.readTree(line))));
    }
    System.exit(0);  // schedulers leave threads behind
  }

  private static Map<String, Object> answer(JsonNode asked) throws Exception {
    Path folder = Files.createTempDirectory("converted");
    DefaultMetricsSystem.shutdown();
    DefaultMetricsSystem.setMiniClusterMode(true);
    QueueMetrics.clearQueueMetrics();
    Map<String, byte[]> given = MAPPER.convertValue(asked.get("files"), FILES);
    for (Map.Entry<String, byte[]> file : given.entrySet()) Files.write(folder.resolve(file.getKey()), file.getValue());
    try (ClusterFiles files = new ClusterFiles(Map.of())) {
      ResourceUtils.resetResourceTypes(files.configuration());
      DryRunResultHolder told = new DryRunResultHolder();
      ConversionOptions options = new ConversionOptions(told, true);  // so that warnings are kept
      Path out = Files.createDirectory(folder.resolve("out"));
      try {
        new FSConfigToCSConfigConverter(new FSConfigToCSConfigRuleHandler(options), options).convert(
            FSConfigToCSConfigConverterParams.Builder.create().withYarnSiteXmlConfig(folder.resolve("yarn-site.xml").toString())
            .withFairSchedulerXmlConfig(folder.resolve("fair-scheduler.xml").toString()).withOutputDirectory(out.toString())
            .withConvertPlacementRules(true).withUsePercentages(asked.get("percentages").asBoolean()).withDisablePreemption(PreemptionMode.ENABLED).build());
      } catch (Exception | Error refusal) {
        Throwable last = refusal;
        while (last.getCause() != null) last = last.getCause();
        return Map.of("refused", String.valueOf(last.getMessage()).replace(folder + "/", ""));
      }
      Map<String, Object> answer = new TreeMap<>(Map.of("capacity", properties(out, "capacity-scheduler.xml"), "site", properties(out, "yarn-site.xml")));
      answer.put("told", new TreeSet<>(told.getWarnings()));
      answer.put("starts", starts(out));
      return answer;
    }
  }

  /** As a ResourceManager reads both files; fs2cs itself starts it without yarn-site.xml's properties. */
  private static boolean starts(Path folder) throws Exception {
    Map<String, byte[]> written = new TreeMap<>();
    for (String name : new String[] {"capacity-scheduler.xml", "yarn-site.xml"}) written.put(name, Files.readAllBytes(folder.resolve(name)));
    try (ClusterFiles files = new ClusterFiles(written)) {
      new LoadedScheduler(files, new long[][] {{8192, 8}}).stop();
      return true;
    } catch (Exception | Error refusal) {
      return false;
    }
  }

  private static Map<String, String> properties(Path folder, String name) {
    Configuration conf = new Configuration(false);
    conf.addResource(new org.apache.hadoop.fs.Path(folder.resolve(name).toString()));
    Map<String, String> properties = new TreeMap<>();
    conf.forEach(entry -> properties.put(entry.getKey(), entry.getValue()));
    return properties;
  }
}
