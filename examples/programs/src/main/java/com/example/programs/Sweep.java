package com.example.programs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.Grid;
import org.troupe.skeletons.Flow;
import org.troupe.skeletons.Skeletons;

/**
 * A sweep over a parameter, by a master and workers: at which growth rates is the logistic map {@code x -> r x (1 - x)} chaotic?
 *
 * <p>Arguments: a descriptor, or nothing for two JVMs on this machine.
 */
public final class Sweep {

  private static final int RATES = 1_200;
  private static final double FIRST_RATE = 2.8;
  private static final double LAST_RATE = 4;

  private Sweep() {}

  /** The Lyapunov exponent at a rate; the map is chaotic if it is positive. */
  public record Point(double rate, double exponent) {}

  /** The state of a worker, which is made once on each. */
  public static class Orbit {

    private static final double START = 0.3;
    private static final int TRANSIENT_STEPS = 1_000;
    private static final int STEPS = 100_000;

    /** Returns the mean growth of a small distance in a step, as a logarithm. */
    public Point exponent(double rate) {
      double x = START;
      for (int i = 0; i < TRANSIENT_STEPS; i++) {
        x = rate * x * (1 - x);
      }
      double sum = 0;
      for (int i = 0; i < STEPS; i++) {
        x = rate * x * (1 - x);
        sum += Math.log(Math.abs(rate * (1 - 2 * x)));
      }
      return new Point(rate, sum / STEPS);
    }
  }

  public static void main(String[] arguments) throws Exception {
    Path table = Path.of("exponents.csv");
    try (Grid grid = arguments.length > 0 ? Grid.deploy(Path.of(arguments[0])) : Grid.local(2)) {
      List<Point> points = sweep(grid.nodes().await(Nodes.all(), Duration.ofMinutes(5)), RATES);
      Files.write(table, csv(points).toList());
      System.out.printf(
          Locale.ROOT,
          "%s has %d rates; the exponent at rate 4 is %.2f, and ln 2 is %.2f%n",
          table,
          points.size(),
          points.getLast().exponent(),
          Math.log(2));
    }
  }

  /** Returns the exponents in the order of the rates, whatever the order in which they arrive. */
  static List<Point> sweep(Nodes nodes, int rates) {
    List<Double> inputs =
        IntStream.range(0, rates)
            .mapToObj(i -> FIRST_RATE + (LAST_RATE - FIRST_RATE) * i / (rates - 1))
            .toList();
    var farm = Skeletons.farm(Orbit::new, (Orbit orbit, Double rate) -> orbit.exponent(rate));
    try (Flow<Double, Point> flow = farm.on(nodes)) {
      return flow.withProgress().all(inputs);
    }
  }

  private static Stream<String> csv(List<Point> points) {
    return Stream.concat(
        Stream.of("rate,exponent"), points.stream().map(each -> each.rate() + "," + each.exponent()));
  }
}
