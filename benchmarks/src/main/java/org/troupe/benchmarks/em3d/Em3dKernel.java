package org.troupe.benchmarks.em3d;

import org.troupe.benchmarks.harness.TurnProtocol;
import org.troupe.em3d.kernel.CompensatedSum;
import org.troupe.em3d.maxwell.PolynomialOrder;
import org.troupe.em3d.maxwell.StepBound;
import org.troupe.em3d.maxwell.SubDomain;
import org.troupe.em3d.mesh.CubeDivision;
import org.troupe.em3d.mesh.CubePart;
import org.troupe.em3d.physics.CavityMode;
import org.troupe.em3d.physics.FieldKind;
import org.troupe.em3d.physics.Medium;
import org.troupe.em3d.physics.MediumMap;
import org.troupe.em3d.physics.Physics;

/** The kernel of the solver on one part of a cube, in one thread and without communication. */
final class Em3dKernel {

  /*
   * It does the work of a sub-domain in a step, including the copies to and from border buffers and the
   * energy in every tenth step, but uses its own border values instead of its neighbours'. That is
   * different physics at equal cost. The first steps are not measured; neither are those of its peer.
   */
  private static final double CFL = 0.9;
  private static final int ENERGY_EVERY = 10;
  private static final long MOST_WARM_UP_NANOS = 20_000_000_000L; // a busy machine compiles slowly

  private final SubDomain cells;
  private final double[][] buffers;
  private final CompensatedSum energy = new CompensatedSum();

  private Em3dKernel(CubePart part) {
    cells =
        SubDomain.of(
            part, Physics.cavity(MediumMap.uniform(Medium.VACUUM)), PolynomialOrder.CONSTANT);
    buffers = new double[cells.neighbours()][];
    for (var k = 0; k < buffers.length; k++) {
      buffers[k] = new double[cells.borderValues(k)];
      cells.acceptShapes(k, cells.borderShapes(k));
    }
    var dt = StepBound.step(cells.stableStepBound(), CFL);
    var mode = CavityMode.inVacuum(1, 1, 1);
    cells.useStep(dt);
    cells.set(FieldKind.E, mode.electric(0));
    cells.set(FieldKind.H, mode.magnetic(-dt / 2));
  }

  static void main(String[] arguments) throws Exception {
    var points = Integer.parseInt(arguments[0]);
    var division = CubeDivision.auto(Integer.parseInt(arguments[1]), points);
    var kernel = new Em3dKernel(new CubePart(points, division, Integer.parseInt(arguments[2])));
    var steps = Integer.parseInt(arguments[3]);
    TurnProtocol.serve(() -> kernel.millisPerStep(steps));
  }

  private double millisPerStep(int steps) {
    warmUp();
    var began = System.nanoTime();
    for (var step = 0; step < steps; step++) {
      if (step % ENERGY_EVERY == 0) {
        stepWithEnergy();
      } else {
        step();
      }
    }
    return (System.nanoTime() - began) / 1e6 / steps;
  }

  /** Steps until the vector kernel is in use, or a time limit. */
  private void warmUp() {
    var began = System.nanoTime();
    while (cells.kernel().startsWith("scalar") && System.nanoTime() - began < MOST_WARM_UP_NANOS) {
      step();
    }
    stepWithEnergy();
    step();
  }

  private void step() {
    pack(FieldKind.E);
    cells.updateInner();
    accept(FieldKind.E);
    cells.updateBorderH();
    pack(FieldKind.H);
    cells.updateRest();
    accept(FieldKind.H);
    cells.updateBorderE();
  }

  private void stepWithEnergy() {
    energy.reset();
    pack(FieldKind.E);
    cells.updateInner(energy);
    accept(FieldKind.E);
    cells.updateBorderH(energy);
    pack(FieldKind.H);
    cells.updateRest(energy);
    accept(FieldKind.H);
    cells.updateBorderE();
  }

  private void pack(FieldKind field) {
    for (var k = 0; k < buffers.length; k++) {
      cells.pack(field, k, buffers[k]);
    }
  }

  private void accept(FieldKind field) {
    for (var k = 0; k < buffers.length; k++) {
      cells.accept(field, k, buffers[k]);
    }
  }
}
