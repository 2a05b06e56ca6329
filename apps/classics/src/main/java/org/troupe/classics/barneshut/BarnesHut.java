package org.troupe.classics.barneshut;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
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
 * Gravity in a star cluster, where a group of distant stars acts as one. In each step, before they
 * compute forces, members send each other the parts of their trees that the receivers' stars need.
 *
 * <p>Manta's Barnes-Hut used the same scheme with 30,000 bodies.
 */
@Command(
    name = "barnes-hut",
    description = "Simulates stars under gravity with the Barnes-Hut algorithm (Manta).")
public final class BarnesHut extends KernelProgram<CelestialBody[]> {

  private static final int SAMPLE = 200;
  private static final int MOST_BODIES = 200_000_000;

  /**
   * The tolerance of the mean relative error of the forces, divided by the square of theta. The
   * largest value found was 0.08, for 20 bodies; it is about 0.01 for 30,000.
   */
  private static final double TOLERANCE = 0.1;

  @Option(names = "--bodies", paramLabel = "N", description = "the number of bodies")
  private Integer bodies;

  @Option(names = "--steps", paramLabel = "N", description = "the number of steps, of 1/40 each")
  private Integer steps;

  @Option(
      names = "--theta",
      paramLabel = "T",
      description =
          "a cell attracts as a whole if its edge is below T times its distance (default:"
              + " ${DEFAULT-VALUE})")
  private double theta = 0.5;

  public static void main(String[] arguments) {
    main(new BarnesHut(), arguments);
  }

  @Override
  protected void prepareProblem(int nodes, List<String> wrong) {
    bodies = orPreset(bodies, 500, 30_000, 200_000);
    steps = orPreset(steps, 5, 6, 3);
    requirePositive("--steps", steps, wrong);
    requireAtMost("--bodies", bodies, MOST_BODIES, "one array holds the tree", wrong);
    if (bodies < Math.max(2, nodes)) {
      wrong.add(
          "--bodies %d: each of %d nodes needs one, and each body another; give at least %d, or fewer nodes"
              .formatted(bodies, nodes, Math.max(2, nodes)));
    }
    if (!(theta > 0 && theta <= 1)) { // nor NaN
      wrong.add(
          "--theta " + theta + ": give more than 0 and at most 1; above 1 the forces are wrong");
    }
  }

  /**
   * Counts per body three objects of 100 bytes, two tree cells of 52, a point of 48, and the arrays
   * of the comparison.
   */
  @Override
  protected double launcherBytes() {
    return 600.0 * bodies;
  }

  @Override
  protected String problem() {
    return text("%,d bodies, theta %s, %,d steps", bodies, theta, steps);
  }

  @Override
  protected ProgramVersion<CelestialBody[]> sequential() {
    return new ProgramVersion<>() {
      @SuppressWarnings("NullAway.Init") // prepare() sets it
      private CelestialBody[] all;

      @Override
      public void prepare() {
        all = CelestialBody.cluster(bodies);
      }

      @Override
      public void run() {
        for (var step = 0; step < steps; step++) {
          CelestialBody.move(all);
          tree(all).attract(all);
          CelestialBody.move(all);
        }
      }

      @Override
      public CelestialBody[] result() {
        return byId(Arrays.stream(all));
      }
    };
  }

  /** Sorts the bodies and returns their tree. */
  private Octree tree(CelestialBody[] all) {
    var cube = BoundingCube.around(BoundingCube.bounds(all));
    cube.sort(all);
    return new Octree(PointMasses.of(all), cube, theta);
  }

  private static CelestialBody[] byId(Stream<CelestialBody> bodies) {
    return bodies.sorted(Comparator.comparingInt(each -> each.id)).toArray(CelestialBody[]::new);
  }

  @Override
  protected ProgramVersion<CelestialBody[]> parallel(ProgramNodes nodes) {
    return ProgramVersion.by(
        Group.of(Groups.on(nodes.nodes()).spmd(ZoneBodies.class, bodies, steps, theta)),
        ZoneBodies::prepare,
        ZoneBodies::simulate,
        ZoneBodies::bodies,
        parts -> byId(parts.flatMap(Arrays::stream)));
  }

  @Override
  protected List<ResultCheck> check(CelestialBody[] expected, CelestialBody[] found) {
    return List.of(
        ResultCheck.equal(
            "positions and velocities, body by body", numbers(expected), numbers(found)),
        ResultCheck.atMost(
            "the error of the forces, relative to direct summation",
            TOLERANCE * theta * theta,
            error(found)));
  }

  /**
   * Returns the root mean square of the relative error of the tree's forces on a sample of bodies.
   */
  private double error(CelestialBody[] found) {
    var all = found.clone();
    var tree = tree(all);
    var sum = 0.0;
    var sample = Math.min(SAMPLE, all.length);
    for (var i = 0; i < sample; i++) {
      var body = found[(int) ((long) i * all.length / sample)];
      var byTree = new double[3];
      tree.attract(body.x, body.y, body.z, byTree);
      var each = Octree.directSum(body, all);
      var wrong = 0.0;
      var right = 0.0;
      for (var axis = 0; axis < 3; axis++) {
        wrong += Math.pow(byTree[axis] - each[axis], 2);
        right += Math.pow(each[axis], 2);
      }
      sum += wrong / right;
    }
    return Math.sqrt(sum / sample);
  }

  @Override
  protected String checksum(CelestialBody[] found) {
    return new NumberChecksum().add(numbers(found)).toString();
  }

  private static double[] numbers(CelestialBody[] bodies) {
    return Arrays.stream(bodies)
        .flatMapToDouble(each -> DoubleStream.of(each.x, each.y, each.z, each.vx, each.vy, each.vz))
        .toArray();
  }
}
