package org.troupe.classics.water;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class WaterBoxTest {

  /** Some of them are so far apart that their interaction is reduced. */
  private static final int MOLECULES = 27;

  private static final double NUDGE = 1e-6; // nm

  private final WaterBox liquid = new WaterBox(MOLECULES);

  private double potential() {
    liquid.resetForces();
    liquid.bend(0, MOLECULES);
    liquid.attract(0, MOLECULES, 0, MOLECULES);
    return liquid.potential();
  }

  private double potentialAt(int coordinate, double place) {
    liquid.positions()[coordinate] = place;
    return potential();
  }

  @Test
  void forcesAreTheNegativeGradientOfTheEnergy() {
    potential();
    var forces = liquid.forces().clone();
    var largest = Arrays.stream(forces).map(Math::abs).max().orElseThrow();

    for (var i = 0; i < forces.length; i++) {
      var place = liquid.positions()[i];
      var fall = potentialAt(i, place - NUDGE) - potentialAt(i, place + NUDGE);
      liquid.positions()[i] = place;
      assertThat(forces[i])
          .as("coordinate %d", i)
          .isCloseTo(fall / (2 * NUDGE), within(1e-6 * largest));
    }
  }

  @Test
  void energyDoesNotDependOnTheOrderOfPairs() {
    var atOnce = potential();
    liquid.resetForces();
    liquid.bend(0, MOLECULES);
    for (var from = 0; from < MOLECULES; from += 9) {
      for (var to = 18; to >= 0; to -= 9) {
        liquid.attract(from, from + 9, to, to + 9);
      }
    }

    assertThat(liquid.potential()).isCloseTo(atOnce, within(1e-9 * Math.abs(atOnce)));
  }
}
