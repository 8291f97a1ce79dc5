package gantry.cluster;

import java.io.IOException;
import java.util.Arrays;

/** main CLASS ARGUMENTS: a program that ends, by its own shutdown hooks, when its standard input does: with the process that started it. */
public final class Watched {
  public static void main(String[] arguments) throws Exception {
    Thread watch = new Thread(() -> {
      try {
        while (System.in.read() >= 0) {}
      } catch (IOException error) { // it is at its end too
      }
      System.exit(0);
    });
    watch.setDaemon(true);
    watch.start();
    Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
  }

  private Watched() {}
}
