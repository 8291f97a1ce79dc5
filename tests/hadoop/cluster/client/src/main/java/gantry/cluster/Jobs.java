package gantry.cluster;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.terasort.TeraInputFormat;
import org.apache.hadoop.examples.terasort.TeraOutputFormat;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.SleepJob;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.map.InverseMapper;
import org.apache.hadoop.mapreduce.lib.map.RegexMapper;
import org.apache.hadoop.mapreduce.lib.map.TokenCounterMapper;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.hadoop.mapreduce.lib.partition.InputSampler;
import org.apache.hadoop.mapreduce.lib.partition.TotalOrderPartitioner;
import org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer;
import org.apache.hadoop.mapreduce.lib.reduce.LongSumReducer;

/** Hadoop's example jobs as its own examples set them up: WordCount, TeraSort, Grep and its second job, and SleepJob of its tests. */
final class Jobs {
  static Job of(Line line, Configuration cluster, Path in, Path out) throws Exception {
    Configuration own = new Configuration(cluster);
    own.set("mapreduce.job.queuename", line.queue());
    own.set("mapreduce.job.reduce.slowstart.completedmaps", line.slowstart());
    own.setInt("mapreduce.map.memory.mb", line.mapMb());
    own.setInt("mapreduce.reduce.memory.mb", line.reduceMb());
    Job job = switch (line.kind()) {
      case "sleep" -> sleep(line, own);
      case "words" -> words(own);
      case "sort" -> sort(line, own, in, out);
      case "grep" -> grep(own);
      default -> throw new IOException("no kind of job is called " + line.kind());
    };
    if (!line.kind().equals("sleep")) {
      job.setNumReduceTasks(line.reduces());
      FileInputFormat.setInputPaths(job, in.toString());
      FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(out.toString()));
    }
    job.setJobName(line.name());
    return job;
  }

  /** Grep's second job: what was found, by how often. */
  static Job ordered(Line line, Configuration cluster, Path in, Path out) throws IOException {
    Job job = Job.getInstance(cluster, line.name() + "-order");
    job.getConfiguration().set("mapreduce.job.queuename", line.queue());
    job.setInputFormatClass(SequenceFileInputFormat.class);
    job.setMapperClass(InverseMapper.class);
    job.setSortComparatorClass(LongWritable.DecreasingComparator.class);
    job.setOutputKeyClass(LongWritable.class);
    job.setOutputValueClass(Text.class);
    job.setNumReduceTasks(1);
    FileInputFormat.setInputPaths(job, in.toString());
    FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(out.toString()));
    return job;
  }

  private static Job sleep(Line line, Configuration own) throws IOException {
    SleepJob sleep = new SleepJob();
    sleep.setConf(own);
    return sleep.createJob(line.maps(), line.reduces(), line.amount(), 1, line.reduceMs(), 1);
  }

  private static Job words(Configuration own) throws IOException {
    Job job = Job.getInstance(own);
    job.setMapperClass(TokenCounterMapper.class);
    job.setCombinerClass(IntSumReducer.class);
    job.setReducerClass(IntSumReducer.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(IntWritable.class);
    return job;
  }

  private static Job grep(Configuration own) throws IOException {
    own.set(RegexMapper.PATTERN, "w1[0-9]*");
    Job job = Job.getInstance(own);
    job.setMapperClass(RegexMapper.class);
    job.setCombinerClass(LongSumReducer.class);
    job.setReducerClass(LongSumReducer.class);
    job.setOutputFormatClass(SequenceFileOutputFormat.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(LongWritable.class);
    return job;
  }

  private static Job sort(Line line, Configuration own, Path in, Path out) throws Exception {
    Job job = Job.getInstance(own);
    job.setInputFormatClass(TeraInputFormat.class);
    job.setOutputFormatClass(TeraOutputFormat.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(Text.class);
    job.setPartitionerClass(TotalOrderPartitioner.class);
    job.setNumReduceTasks(line.reduces());
    FileInputFormat.setInputPaths(job, in.toString());
    FileInputFormat.setMaxInputSplitSize(job, Data.share(line));
    TotalOrderPartitioner.setPartitionFile(job.getConfiguration(), new org.apache.hadoop.fs.Path(out + "-cuts"));
    InputSampler.writePartitionFile(job, new InputSampler.SplitSampler<Text, Text>(1000, line.maps()));
    return job;
  }

  private Jobs() {}
}
