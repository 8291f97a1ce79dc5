package gantry.cluster;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.terasort.TeraGen;
import org.apache.hadoop.util.ToolRunner;

/** What the jobs read, the same in each run: text of 5,000 words, or TeraGen's records. */
final class Data {
  private static final int RECORD = 100; // bytes of one of TeraGen's

  static void make(Line job, Path to) throws Exception {
    if (job.kind().equals("sort")) records(job, to);
    else if (!job.kind().equals("sleep")) text(job, to);
  }

  /** Bytes of TeraGen's records that one map reads: they stand in one file, for its local runner has one map. */
  static int share(Line job) {
    return RECORD * rows(job);
  }

  private static int rows(Line job) {
    return 1024 * job.amount() / RECORD;
  }

  private static void records(Line job, Path to) throws Exception {
    Configuration here = new Configuration(false);
    here.addResource("core-site.xml");
    here.set("mapreduce.framework.name", "local");
    String all = Integer.toString(rows(job) * job.maps());
    if (ToolRunner.run(here, new TeraGen(), new String[] {all, to.toString()}) != 0) throw new IOException("TeraGen failed for " + job.name());
  }

  private static void text(Line job, Path to) throws IOException {
    Files.createDirectories(to);
    Random random = new Random(job.name().hashCode());
    for (int map = 0; map < job.maps(); map++) {
      try (Writer out = Files.newBufferedWriter(to.resolve("part-" + map), StandardCharsets.US_ASCII)) {
        for (int written = 0; written < 1024 * job.amount(); ) {
          String word = "w" + random.nextInt(5000) + (random.nextInt(10) == 0 ? "\n" : " ");
          out.write(word);
          written += word.length();
        }
      }
    }
  }

  private Data() {}
}
