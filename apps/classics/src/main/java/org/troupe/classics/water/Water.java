package org.troupe.classics.water;

import java.util.Arrays;
import java.util.List;
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
 * Molecular dynamics of water, each molecule with each other: members exchange the positions of
 * their molecules and return the forces on them, one message for each pair of members.
 *
 * <p>In the manner of Water of the SPLASH collection (J. Singh, W.-D. Weber and A. Gupta, SPLASH:
 * Stanford parallel applications for shared memory, Computer Architecture News 20(1), 1992), which
 * Manta ran with 1,728 molecules.
 */
@Command(name = "water", description = "Simulates interacting molecules of water (Manta).")
public final class Water extends KernelProgram<WaterState> {

  /**
   * Sums of forces from several members have another order than those from one, so their last bits
   * differ. Molecules are chaotic, which makes ten times as much of that every 350 steps: so only
   * the first {@link WaterState#COMPARED} steps are compared, after which it still is far below
   * this; all others must keep the energy.
   */
  private static final double TOLERANCE = 1e-10;

  private static final int MOST_MOLECULES = 200_000_000;
  private static final int MOST_STEPS = 100_000;

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
    requireAtMost("--steps", steps, MOST_STEPS, "the energy after each is kept", wrong);
    requireAtMost("--molecules", molecules, MOST_MOLECULES, "one array has all atoms", wrong);
    if (molecules < Math.max(2, nodes)) {
      wrong.add(
          "--molecules %d: each of %d nodes needs one, and each molecule another; give at least %d, or fewer nodes"
              .formatted(molecules, nodes, Math.max(2, nodes)));
    }
  }

  /**
   * Positions, velocities and forces of the atoms, and positions of all, joined in twice their
   * room.
   */
  @Override
  protected double bytesHere() {
    return 7.0 * Double.BYTES * WaterBox.STRIDE * molecules + 8.0 * steps;
  }

  @Override
  protected String problem() {
    return words("%,d molecules, %,d steps", molecules, steps);
  }

  @Override
  protected ProgramVersion<WaterState> sequential() {
    return new ProgramVersion<>() {
      private WaterBox liquid;
      private WaterState state;

      @Override
      public void prepare() {
        liquid = new WaterBox(molecules);
      }

      @Override
      public void run() {
        state = liquid.simulate(0, molecules, steps, this::findForces);
      }

      private void findForces() {
        liquid.rest();
        liquid.bend(0, molecules);
        liquid.attract(0, molecules, 0, molecules);
      }

      @Override
      public WaterState result() {
        return state;
      }
    };
  }

  @Override
  protected ProgramVersion<WaterState> parallel(ProgramNodes crew) {
    return ProgramVersion.by(
        Group.of(Groups.on(crew.nodes()).spmd(WaterMember.class, molecules, steps)),
        WaterMember::prepare,
        WaterMember::simulate,
        WaterMember::state,
        parts -> {
          var states = parts.toList();
          return new WaterState(
              states.stream().flatMapToDouble(each -> Arrays.stream(each.positions())).toArray(),
              states.getFirst().energies());
        });
  }

  @Override
  protected List<ResultCheck> check(WaterState expected, WaterState found) {
    var compared = WaterState.compared(steps);
    return List.of(
        ResultCheck.atMost(
            "the farthest that an atom is from where it should be after %d steps, in nm"
                .formatted(compared),
            TOLERANCE,
            farthest(expected.positions(), found.positions())),
        ResultCheck.near(
            "the energy then",
            expected.energies()[compared],
            found.energies()[compared],
            TOLERANCE),
        ResultCheck.atMost(
            "the most by which the energy changes, in parts of the thermal one",
            SWING,
            swing(found.energies())));
  }

  private double swing(double[] energies) {
    return Arrays.stream(energies).map(each -> Math.abs(each - energies[0])).max().orElseThrow()
        / (molecules * WaterBox.THERMAL_ENERGY);
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
  protected String checksum(WaterState found) {
    return new NumberChecksum()
        .add(Arrays.stream(found.positions()).mapToLong(each -> Math.round(each * 1e5)).toArray())
        .toString();
  }
}
