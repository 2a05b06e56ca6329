package ibis.satin.impl;

import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.Grid;
import org.troupe.deployment.GridOptions;
import org.troupe.descriptors.Descriptor;

/** Runs woven programs over JVMs of this machine: their number, then {@code CLASS,ARG...} each. */
public final class OnNodes {

  private OnNodes() {}

  public static void main(String[] arguments) throws Throwable {
    try (Grid grid =
        Grid.deploy(Descriptor.local(Integer.parseInt(arguments[0])), GridOptions.standard())) {
      Satin.useNodes(grid.nodes().await(Nodes.all(), Duration.ofMinutes(1)));
      for (String program : List.of(arguments).subList(1, arguments.length)) {
        String[] words = program.split(",");
        run(words[0], Arrays.copyOfRange(words, 1, words.length));
      }
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
