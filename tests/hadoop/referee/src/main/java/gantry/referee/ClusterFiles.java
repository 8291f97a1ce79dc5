package gantry.referee;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Files of a cluster in a folder that stands first in the class path, where Hadoop looks for them by their names. The libraries' own files of these names are
 * hidden.
 */
class ClusterFiles implements AutoCloseable {
  private static final Set<String> NAMES = Set.of("core-site.xml", "yarn-site.xml", "capacity-scheduler.xml", "fair-scheduler.xml", "resource-types.xml");
  private final Path folder;
  private final ClassLoader before = Thread.currentThread().getContextClassLoader();
  private final URLClassLoader loader;

  ClusterFiles(Map<String, byte[]> files) throws IOException {
    folder = Files.createTempDirectory("cluster");
    for (Map.Entry<String, byte[]> file : files.entrySet()) Files.write(folder.resolve(file.getKey()), file.getValue());
    loader = new First(folder.toUri().toURL(), before);
    Thread.currentThread().setContextClassLoader(loader);
  }

  /** As a ResourceManager reads it when it starts. */
  Configuration configuration() {
    Configuration conf = new YarnConfiguration();
    conf.setClassLoader(loader);
    return conf;
  }

  /** A sentence without the folder's name, which is another each time. */
  String withoutFolder(String text) {
    return text.replace(folder.toUri().toString(), "").replace("file:" + folder + "/", "").replace(folder + "/", "");
  }

  @Override
  public void close() throws IOException {
    Thread.currentThread().setContextClassLoader(before);
    loader.close();
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) Files.delete(file);
    }
    Files.delete(folder);
  }

  private static class First extends URLClassLoader {
    First(URL folder, ClassLoader parent) {
      super(new URL[] {folder}, parent);
    }

    @Override
    public URL getResource(String name) {
      return NAMES.contains(name) ? findResource(name) : super.getResource(name);
    }
  }
}
