package ibis.satin.impl;

import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.Grid;
import org.troupe.deployment.GridOptions;
import org.troupe.descriptors.Descriptor;

/**
 * Runs woven programs over JVMs of this machine: their number, then {@code CLASS,ARG...} each. A
 * program whose name follows a {@code !} is to end with an exception, which is printed.
 */
public final class OnNodes {

  /** Options of JVMs that live for a moment: what the second compiler makes comes too late. */
  public static final List<String> QUICK = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private static Grid grid;

  private OnNodes() {}

  /** Starts one more node. */
  public static void request() {
    grid.nodes("default").request(1);
  }

  public static void main(String[] arguments) throws Throwable {
    GridOptions options = GridOptions.standard().withJvmOptions(QUICK);
    try (Grid deployed = Grid.deploy(Descriptor.local(Integer.parseInt(arguments[0])), options)) {
      grid = deployed;
      Satin.useNodes(grid.nodes().await(Nodes.all(), Duration.ofMinutes(1)));
      for (String program : List.of(arguments).subList(1, arguments.length)) {
        String[] words = program.split(",");
        String[] rest = Arrays.copyOfRange(words, 1, words.length);
        if (words[0].startsWith("!")) {
          failing(words[0].substring(1), rest);
        } else {
          run(words[0], rest);
        }
      }
    }
  }

  private static void failing(String program, String[] arguments) {
    try {
      run(program, arguments);
      throw new AssertionError(program + " has not thrown");
    } catch (Exception expected) {
      System.out.println(program + " has thrown " + expected + " (checked)");
    } catch (Throwable other) {
      throw new AssertionError(other);
    }
  }

  private static void run(String program, String[] arguments) throws Throwable {
    try {
      Class.forName("ibis.satin.programs." + program)
          .getMethod("main", String[].class)
          .invoke(null, (Object) arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }
}
