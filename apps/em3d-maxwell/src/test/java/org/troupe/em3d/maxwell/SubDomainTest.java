package org.troupe.em3d.maxwell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.troupe.em3d.mesh.CubeDivision;
import org.troupe.em3d.mesh.CubePart;
import org.troupe.em3d.physics.CavityMode;
import org.troupe.em3d.physics.FieldKind;
import org.troupe.em3d.physics.Medium;
import org.troupe.em3d.physics.MediumMap;
import org.troupe.em3d.physics.Physics;

/** A sub-domain refuses to compute with border values that are missing or arrived twice. */
class SubDomainTest {

  private static final Physics VACUUM = Physics.cavity(MediumMap.uniform(Medium.VACUUM));

  private final SubDomain middle =
      SubDomain.of(new CubePart(7, new CubeDivision(3, 1, 1), 1), VACUUM, PolynomialOrder.CONSTANT);

  @Test
  void knowsItsNeighbours() {
    assertThat(middle.neighbours()).isEqualTo(2);
    assertThat(middle.neighbourRank(0)).isZero();
    assertThat(middle.neighbourRank(1)).isEqualTo(2);
    assertThat(middle.neighbourOfRank(2)).isEqualTo(1);
    assertThat(middle.borderValues(0)).isEqualTo(3 * 2 * 36);
    assertThatThrownBy(() -> middle.neighbourOfRank(1))
        .hasMessage("sub-domain 1 has no border with sub-domain 1");
  }

  @Test
  void needsAStep() {
    LockstepSolver solver = new LockstepSolver(CubePart.all(3, new CubeDivision(1, 1, 1)), VACUUM);

    assertThatThrownBy(middle::updateInnerH)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("sub-domain 1 has no time step; set one with useStep first");
    assertThatThrownBy(middle::updateInnerE).hasMessageContaining("has no time step");
    assertThatThrownBy(() -> solver.start(CavityMode.inVacuum(1, 1, 1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("there is no time step");
  }

  @Test
  void waitsForAllBorderValues() {
    middle.useStep(0.01);
    middle.accept(FieldKind.E, 0, new double[216]);
    middle.updateInnerH();

    assertThatThrownBy(middle::updateBorderH)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "sub-domain 1 lacks border values of E from sub-domain 2 (and 0 others); accept them"
                + " first");
    assertThatThrownBy(middle::updateBorderE).hasMessageContaining("values of H from sub-domain 0");
  }

  @Test
  void refusesBorderValuesThatComeTwice() {
    middle.accept(FieldKind.H, 1, new double[216]);

    assertThatThrownBy(() -> middle.accept(FieldKind.H, 1, new double[216]))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "sub-domain 1 got border values of H twice from sub-domain 2 within one half step");
  }

  @Test
  void takesBorderValuesOfTheNextHalfStepEarly() {
    middle.useStep(0.01);
    middle.accept(FieldKind.E, 0, new double[216]);
    middle.accept(FieldKind.E, 1, new double[216]);
    middle.accept(FieldKind.H, 0, new double[216]);
    middle.updateBorderH();
    middle.accept(FieldKind.E, 0, new double[216]);
    middle.accept(FieldKind.H, 1, new double[216]);
    middle.updateBorderE();

    assertThatThrownBy(middle::updateBorderH).hasMessageContaining("from sub-domain 2");
  }

  @Test
  void refusesBorderValuesOfAnotherBorder() {
    assertThatThrownBy(() -> middle.accept(FieldKind.E, 0, new double[24]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("sub-domains 1 and 0 share 72 border faces and so exchange 216 values, not 24");
  }

  @Test
  void needsTheShapesOfItsNeighboursForTheStep() {
    middle.acceptShapes(0, middle.borderShapes(0));

    assertThatThrownBy(middle::stableStepBound)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("lacks border shapes from sub-domain 2");
  }

  @Test
  void stepsOnCubesAreTheKnownFractionOfTheEdge() {
    SubDomain cube =
        SubDomain.of(
            new CubePart(9, new CubeDivision(1, 1, 1), 0), VACUUM, PolynomialOrder.CONSTANT);

    // 4 / (6 (1 + sqrt 2)) of the edge 1/8
    assertThat(cube.stableStepBound()).isBetween(0.034517796, 0.034517797);
  }

  @Test
  void takesMediaByRegion() {
    var cube = new CubePart(3, new CubeDivision(1, 1, 1), 0);
    MediumMap dense = MediumMap.byRegion(Map.of("cube", new Medium(4, 1)));
    MediumMap other = MediumMap.byRegion(Map.of("glass", new Medium(4, 1), "air", Medium.VACUUM));

    assertThat(
            SubDomain.of(cube, Physics.cavity(dense), PolynomialOrder.CONSTANT).stableStepBound())
        .isEqualTo(2 * SubDomain.of(cube, VACUUM, PolynomialOrder.CONSTANT).stableStepBound());
    assertThatThrownBy(() -> SubDomain.of(cube, Physics.cavity(other), PolynomialOrder.CONSTANT))
        .hasMessage(
            "the mesh has a physical volume 'cube', but media are given for [air, glass] only; add"
                + " it");
    assertThatThrownBy(() -> new Medium(0, 1)).hasMessageContaining("permittivity 0.0");
  }

  @Test
  void modesThatVanishAreRefused() {
    assertThatThrownBy(() -> CavityMode.inVacuum(0, 0, 3))
        .hasMessage(
            "cavity mode 0,0,3 does not exist; use numbers of 0 or more, at most one of them 0");
  }

  @Test
  void resonanceIsThatOfTheSignal() {
    double[] samples = new double[1000];
    for (int k = 0; k < samples.length; k++) {
      samples[k] = 0.7 * Math.cos(2.7 * 0.024 * k) + 0.3 * Math.cos(7 * 0.024 * k);
    }
    ResonancePeak found = ResonancePeak.of(samples, 0.024, 2.5);

    assertThat(found.omega()).isBetween(2.6995, 2.7005);
    assertThat(found.amplitude()).isBetween(0.699, 0.701);
  }
}
