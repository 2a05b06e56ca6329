package org.troupe.classics.sor;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Store;
import org.troupe.classics.KernelProgram;
import org.troupe.classics.NumberChecksum;
import org.troupe.classics.ProgramNodes;
import org.troupe.classics.ProgramVersion;
import org.troupe.classics.ResultCheck;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Red-black successive over-relaxation of a plate: each member has a strip of rows, and sends its
 * border rows to its neighbours in each half iteration.
 *
 * <p>From Manta's collection (J. Maassen et al., Efficient Java RMI for parallel programming, ACM
 * TOPLAS 23(6), 2001), whose plate had 578 x 578 points.
 */
@Command(
    name = "sor",
    description = "Relaxes a plate by red-black successive over-relaxation (Manta).")
public final class Sor extends KernelProgram<double[]> {

  @Option(names = "--points", paramLabel = "N", description = "the number of points along one side")
  private Integer points;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      description = "the number of times that all points are relaxed")
  private Integer iterations;

  @Option(
      names = "--checkpoint",
      paramLabel = "DIR",
      description = {
        "compute the plate once, with checkpoints in this directory, which all nodes must see; go"
            + " on from the last one there, also with the nodes that are left when one is lost"
      })
  private @Nullable Path checkpoint;

  public static void main(String[] arguments) {
    main(new Sor(), arguments);
  }

  @Override
  protected void prepareProblem(int nodes, List<String> wrong) {
    points = orPreset(points, 34, 578, 4098);
    iterations = orPreset(iterations, 20, 1000, 200);
    requirePositive("--iterations", iterations, wrong);
    requireAtMost("--points", points, LARGEST_SQUARE, "one array holds all points", wrong);
    if (points < nodes + 2) {
      wrong.add(
          "--points %d: each of %d nodes needs a row between the edges; give at least %d, or fewer nodes"
              .formatted(points, nodes, nodes + 2));
    }
  }

  /**
   * Counts the plate, the copy that is compared, and the strips of all members, which are joined in
   * a buffer of up to twice their size.
   */
  @Override
  protected double launcherBytes() {
    return 5.0 * Double.BYTES * points * points;
  }

  @Override
  protected String problem() {
    return text("%d x %d points, %,d iterations", points, points, iterations);
  }

  @Override
  protected ProgramVersion<double[]> sequential() {
    return new ProgramVersion<>() {
      @SuppressWarnings("NullAway.Init") // prepare() sets it
      private PlateRows plate;

      @Override
      public void prepare() {
        plate = new PlateRows(points, 0, points);
      }

      @Override
      public void run() {
        for (var iteration = 0; iteration < iterations; iteration++) {
          plate.relax(1, points - 1, 1);
          plate.relax(1, points - 1, 0);
        }
      }

      @Override
      public double[] result() {
        return inner(plate);
      }
    };
  }

  private double[] inner(PlateRows plate) {
    return Arrays.copyOfRange(plate.values(), plate.row(1), plate.row(points - 1));
  }

  @Override
  protected boolean isComputedOnce() {
    return checkpoint != null;
  }

  @Override
  protected ProgramVersion<double[]> parallel(ProgramNodes nodes) {
    if (checkpoint != null) {
      return new CheckpointedPlate(
          nodes.nodes(), points, iterations, Store.directory(checkpoint), this::printProgress);
    }
    return ProgramVersion.by(
        Group.of(Groups.on(nodes.nodes()).spmd(PlateStrip.class, points)),
        PlateStrip::prepare,
        strip -> strip.relax(iterations),
        PlateStrip::rows,
        parts -> parts.flatMapToDouble(Arrays::stream).toArray());
  }

  @Override
  protected List<ResultCheck> check(double[] expected, double[] found) {
    return List.of(
        ResultCheck.equal("the plate", expected, found),
        ResultCheck.near(
            "the amplitude of its first harmonic",
            PlateHarmonic.expected(points, iterations),
            PlateHarmonic.found(points, found),
            PlateHarmonic.ROUNDING));
  }

  @Override
  protected String checksum(double[] found) {
    return new NumberChecksum().add(found).toString();
  }
}
