package gantry.cluster;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * main STEP...: a Spark application whose tasks sleep. A step is a stage, such as "a=40x3000" (40 tasks of about 3,000 ms) or "c=a+b:16x2000" (it reads what
 * one or two others wrote), or "pause=4000": a job to here, then the driver alone for so many ms. The last stage is a job.
 */
public final class Stages {
  private static final int KEYS = 97;

  public static void main(String[] steps) throws Exception {
    try (JavaSparkContext spark = new JavaSparkContext(new SparkConf())) {
      Map<String, JavaPairRDD<Integer, Integer>> made = new HashMap<>();
      JavaPairRDD<Integer, Integer> last = null;
      for (String step : steps) {
        String[] named = step.split("=");
        if (named[0].equals("pause")) {
          last.count();
          Thread.sleep(Long.parseLong(named[1]));
          continue;
        }
        String[] part = named[1].split("[:x]");
        int tasks = Integer.parseInt(part[part.length - 2]);
        int ms = Integer.parseInt(part[part.length - 1]);
        int salt = made.size();
        last = inputs(spark, made, part, tasks).mapPartitionsToPair(rows -> slept(rows, ms, salt));
        made.put(named[0], last);
      }
      last.count();
    }
  }

  private static JavaPairRDD<Integer, ?> inputs(JavaSparkContext spark, Map<String, JavaPairRDD<Integer, Integer>> made, String[] part, int tasks) {
    if (part.length == 2) {
      List<Integer> all = IntStream.range(0, tasks * KEYS).boxed().toList();
      return spark.parallelize(all, tasks).mapToPair(row -> new Tuple2<>(row % KEYS, row));
    }
    String[] read = part[0].split("[+]");
    return read.length == 1 ? made.get(read[0]).groupByKey(tasks) : made.get(read[0]).cogroup(made.get(read[1]), tasks);
  }

  /** What a task writes, after 0.6 to 1.4 of its stage's ms, the same in each run. */
  private static Iterator<Tuple2<Integer, Integer>> slept(Iterator<? extends Tuple2<Integer, ?>> rows, int ms, int salt) throws InterruptedException {
    int task = TaskContext.getPartitionId();
    long jitter = ((31L * salt + task) * 2654435761L >>> 7) % 1000;
    Thread.sleep((long) (ms * (0.6 + 0.8 * jitter / 1000)));
    List<Tuple2<Integer, Integer>> written = new ArrayList<>();
    while (rows.hasNext()) written.add(new Tuple2<>(rows.next()._1, task));
    return written.iterator();
  }

  private Stages() {}
}
