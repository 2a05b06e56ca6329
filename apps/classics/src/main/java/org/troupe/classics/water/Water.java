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
 * Molecular dynamics of water, where each molecule interacts with each other one: members send each
 * other the positions of their molecules and return the forces on them, in one message per
 * direction for each pair of members.
 *
 * <p>Modelled on Water of the SPLASH suite (J. Singh, W.-D. Weber and A. Gupta, SPLASH: Stanford
 * parallel applications for shared memory, Computer Architecture News 20(1), 1992), which Manta ran
 * with 1,728 molecules.
 */
@Command(name = "water", description = "Simulates interacting water molecules (Manta).")
public final class Water extends KernelProgram<WaterState> {

  /**
   * The tolerance of positions, in nm. The order of summation of forces depends on the number of
   * members, so their last bits differ. The chaotic motion amplifies the difference tenfold every
   * 350 steps. So only the first {@link WaterState#COMPARED} steps are compared, after which the
   * difference is still far below this tolerance; all steps must conserve the energy.
   */
  private static final double TOLERANCE = 1e-10;

  private static final int MOST_MOLECULES = 200_000_000;
  private static final int MOST_STEPS = 100_000;

  /**
   * The tolerance of the energy per molecule, as a fraction of its thermal energy; the fluctuation
   * is proportional to the square of the step.
   */
  private static final double ENERGY_TOLERANCE = 2e-3;

  @Option(names = "--molecules", paramLabel = "N", description = "the number of molecules")
  private Integer molecules;

  @Option(names = "--steps", paramLabel = "N", description = "the number of steps, of 0.2 fs each")
  private Integer steps;

  public static void main(String[] arguments) {
    main(new Water(), arguments);
  }

  @Override
  protected void prepareProblem(int nodes, List<String> wrong) {
    molecules = orPreset(molecules, 64, 1728, 4096);
    steps = orPreset(steps, 5, 10, 10);
    requirePositive("--steps", steps, wrong);
    requireAtMost("--steps", steps, MOST_STEPS, "the energy after each step is kept", wrong);
    requireAtMost("--molecules", molecules, MOST_MOLECULES, "one array holds all atoms", wrong);
    if (molecules < Math.max(2, nodes)) {
      wrong.add(
          "--molecules %d: each of %d nodes needs one, and each molecule another; give at least %d, or fewer nodes"
              .formatted(molecules, nodes, Math.max(2, nodes)));
    }
  }

  /**
   * Counts the positions, velocities and forces of the atoms, and the positions from all members,
   * which are joined in a buffer of up to twice their size.
   */
  @Override
  protected double launcherBytes() {
    return 7.0 * Double.BYTES * WaterBox.STRIDE * molecules + 8.0 * steps;
  }

  @Override
  protected String problem() {
    return text("%,d molecules, %,d steps", molecules, steps);
  }

  @Override
  protected ProgramVersion<WaterState> sequential() {
    return new ProgramVersion<>() {
      @SuppressWarnings("NullAway.Init") // prepare() sets it
      private WaterBox liquid;

      @SuppressWarnings("NullAway.Init") // run() sets it
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
        liquid.resetForces();
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
  protected ProgramVersion<WaterState> parallel(ProgramNodes nodes) {
    return ProgramVersion.by(
        Group.of(Groups.on(nodes.nodes()).spmd(WaterMember.class, molecules, steps)),
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
            "the largest deviation of a coordinate after %d steps, in nm".formatted(compared),
            TOLERANCE,
            farthest(expected.positions(), found.positions())),
        ResultCheck.near(
            "the energy after these steps",
            expected.energies()[compared],
            found.energies()[compared],
            TOLERANCE),
        ResultCheck.atMost(
            "the largest change of the energy, relative to the thermal energy",
            ENERGY_TOLERANCE,
            energyChange(found.energies())));
  }

  private double energyChange(double[] energies) {
    return Arrays.stream(energies).map(each -> Math.abs(each - energies[0])).max().orElseThrow()
        / (molecules * WaterBox.THERMAL_ENERGY);
  }

  private static double farthest(double[] expected, double[] found) {
    if (expected.length != found.length) {
      return Double.POSITIVE_INFINITY;
    }
    var most = 0.0;
    for (var i = 0; i < expected.length; i++) {
      most = Math.max(most, Math.abs(expected[i] - found[i])); // keeps NaN
    }
    return most;
  }

  /** Rounds positions to 1e-5 nm, far above the differences by rounding. */
  @Override
  protected String checksum(WaterState found) {
    return new NumberChecksum()
        .add(Arrays.stream(found.positions()).mapToLong(each -> Math.round(each * 1e5)).toArray())
        .toString();
  }
}
