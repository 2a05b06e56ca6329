package org.troupe.classics.water;

import java.util.Arrays;
import java.util.List;
import org.troupe.classics.Check;
import org.troupe.classics.Checksum;
import org.troupe.classics.Crew;
import org.troupe.classics.Kernel;
import org.troupe.classics.Version;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Molecular dynamics of water, each molecule with each other: members exchange the positions of
 * their molecules and return the forces on them, one message for each pair of members.
 *
 * <p>In the manner of Water of the SPLASH collection (J. Singh, W.-D. Weber and A. Gupta, SPLASH:
 * Stanford parallel applications for shared memory, Computer Architecture News 20(1), 1992), which
 * Manta ran with 1,728 molecules.
 */
@Command(
    name = "water",
    description = "Simulates molecules of water, each with each other (Manta).")
public final class Water extends Kernel<State> {

  /**
   * Sums of forces from several members have another order than those from one, so their last bits
   * differ; in the few steps here that does not grow much.
   */
  private static final double TOLERANCE = 1e-10;

  /** Of a molecule's thermal energy; so much comes and goes with the square of the step. */
  private static final double SWING = 2e-3;

  @Option(names = "--molecules", paramLabel = "N", description = "how many there are")
  private Integer molecules;

  @Option(names = "--steps", paramLabel = "N", description = "how many, of 0.2 fs each")
  private Integer steps;

  public static void main(String[] arguments) {
    main(new Water(), arguments);
  }

  @Override
  protected void prepareProblem(int nodes, List<String> wrong) {
    molecules = or(molecules, 64, 1728, 4096);
    steps = or(steps, 5, 10, 10);
    requirePositive("--steps", steps, wrong);
    if (molecules < Math.max(2, nodes)) {
      wrong.add(
          "--molecules %d: each of %d nodes needs one, and each molecule another; give at least %d, or fewer nodes"
              .formatted(molecules, nodes, Math.max(2, nodes)));
    }
  }

  @Override
  protected String problem() {
    return "%,d molecules, %,d steps".formatted(molecules, steps);
  }

  @Override
  protected Version<State> sequential() {
    return new Version<>() {
      private Liquid liquid;
      private double[] energies;

      @Override
      public void prepare() {
        liquid = new Liquid(molecules);
        energies = new double[steps + 1];
      }

      @Override
      public void run() {
        findForces();
        energies[0] = liquid.potential() + liquid.kinetic(0, molecules);
        for (var step = 1; step <= steps; step++) {
          liquid.accelerate(0, molecules);
          liquid.move(0, molecules);
          findForces();
          liquid.accelerate(0, molecules);
          energies[step] = liquid.potential() + liquid.kinetic(0, molecules);
        }
      }

      private void findForces() {
        liquid.rest();
        liquid.bend(0, molecules);
        liquid.attract(0, molecules, 0, molecules);
      }

      @Override
      public State result() {
        return new State(liquid.positions(), energies);
      }
    };
  }

  @Override
  protected Version<State> parallel(Crew crew) {
    return new Version<>() {
      private final Group<Share> shares =
          Group.of(Groups.on(crew.nodes()).spmd(Share.class, molecules, steps));

      @Override
      public void prepare() {
        shares.tell(Share::prepare).join();
      }

      @Override
      public void run() {
        shares.tell(Share::simulate).join();
      }

      @Override
      public State result() {
        var states = shares.ask(Share::state).stream().toList();
        return new State(
            states.stream().flatMapToDouble(each -> Arrays.stream(each.positions())).toArray(),
            states.getFirst().energies());
      }
    };
  }

  @Override
  protected List<Check> check(State expected, State found) {
    return List.of(
        Check.atMost(
            "the farthest that an atom is from where it should be, in nm",
            TOLERANCE,
            farthest(expected.positions(), found.positions())),
        Check.near(
            "the energy in the end", expected.energies()[steps], found.energies()[steps], 1e-10),
        Check.atMost(
            "the most by which the energy changes, in parts of the thermal one",
            SWING,
            swing(found.energies())));
  }

  private double swing(double[] energies) {
    return Arrays.stream(energies).map(each -> Math.abs(each - energies[0])).max().orElseThrow()
        / (molecules * Liquid.THERMAL_ENERGY);
  }

  private static double farthest(double[] expected, double[] found) {
    if (expected.length != found.length) {
      return Double.POSITIVE_INFINITY;
    }
    var most = 0.0;
    for (var i = 0; i < expected.length; i++) {
      most = Math.max(most, Math.abs(expected[i] - found[i])); // NaN stays
    }
    return most;
  }

  /** Of positions to a hundred-thousandth of a nanometre, which rounding does not reach. */
  @Override
  protected String checksum(State found) {
    return new Checksum()
        .add(Arrays.stream(found.positions()).mapToLong(each -> Math.round(each * 1e5)).toArray())
        .toString();
  }
}
