package PACKAGE_NAME;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.Grid;

/** Computes pi on the nodes of a grid: those of the descriptor that is named, or two on this machine. */
public final class Pi {

  private static final long TERMS = 200_000_000;

  private Pi() {}

  public static void main(String[] arguments) throws Exception {
    try (Grid grid = arguments.length > 0 ? Grid.deploy(Path.of(arguments[0])) : Grid.local(2)) {
      Nodes nodes = grid.nodes().await(Nodes.all(), Duration.ofMinutes(5));
      System.out.printf("pi is about %.6f, by %d nodes%n", compute(nodes, TERMS), nodes.size());
    }
  }

  static double compute(Nodes nodes, long terms) {
    List<Sum> sums = new ArrayList<>();
    for (Node node : nodes) {
      sums.add(ActiveObjects.on(node).create(Sum.class, 1.0 / terms));
    }
    for (int i = 0; i < sums.size(); i++) { // all compute at the same time
      sums.get(i).add(terms * i / sums.size(), terms * (i + 1) / sums.size());
    }
    return sums.stream().mapToDouble(Sum::total).sum(); // waits for each
  }
}
