import java.util.ArrayList;
import java.util.List;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Node;

/**
 * Computes pi with two active objects, each on a node of its own. Both nodes are in this JVM, which is
 * enough for a first try. This command, in the folder of this file, needs a JDK 25:
 *
 *     java -cp "TROUPE_JARS/*" CLASS_NAME.java
 *
 * To start each node as a JVM of its own, make two changes in this file: add
 *
 *     import org.troupe.deployment.Grid;
 *
 * and, in main, replace "LocalNodes nodes = LocalNodes.start(2)" by "Grid nodes = Grid.local(2)". Then
 * compile the file, because the nodes load its classes, and run it:
 *
 *     javac -cp "TROUPE_JARS/*" -d classes CLASS_NAME.java
 *     "TROUPE_COMMAND" run --class-path classes --main CLASS_NAME
 */
public class CLASS_NAME {

  public static class Sum { // an ordinary class

    private final double step;
    private double total;

    public Sum(double step) {
      this.step = step;
    }

    public void add(long from, long to) { // one-way: a call returns at once
      for (long i = from; i < to; i++) {
        double x = (i + 0.5) * step;
        total += 4 / (1 + x * x) * step;
      }
    }

    public double total() { // waits for the answer
      return total;
    }
  }

  public static void main(String[] arguments) {
    long terms = 100_000_000;
    try (LocalNodes nodes = LocalNodes.start(2)) {
      List<Sum> sums = new ArrayList<>();
      for (Node node : nodes.nodes()) {
        sums.add(ActiveObjects.on(node).create(Sum.class, 1.0 / terms));
      }
      for (int i = 0; i < sums.size(); i++) { // all compute at the same time
        sums.get(i).add(terms * i / sums.size(), terms * (i + 1) / sums.size());
      }
      System.out.printf("pi is about %.6f%n", sums.stream().mapToDouble(Sum::total).sum());
    }
  }
}
