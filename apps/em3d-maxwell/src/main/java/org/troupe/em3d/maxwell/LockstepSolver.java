package org.troupe.em3d.maxwell;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.troupe.em3d.kernel.CompensatedSum;
import org.troupe.em3d.mesh.MeshPart;
import org.troupe.em3d.mesh.MeshSize;
import org.troupe.em3d.physics.CavityMode;
import org.troupe.em3d.physics.FieldKind;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.physics.VectorField;

/**
 * Advances all sub-domains of a mesh in turns, in the caller's thread: the reference for runs in
 * which each sub-domain has a thread of its own.
 */
public final class LockstepSolver {

  private final List<SubDomain> subDomains = new ArrayList<>();

  /** The border values for neighbour k of sub-domain r: {@code buffers[r][k]}. */
  private final double[][][] buffers;

  private final CompensatedSum sum = new CompensatedSum();
  private final PolynomialOrder order;
  private final double bound;
  private double dt;

  /** Builds the sub-domains of these parts, in rank order, with zero fields. */
  public LockstepSolver(List<? extends MeshPart> parts, Physics physics, PolynomialOrder order) {
    for (MeshPart part : parts) {
      subDomains.add(SubDomain.of(part, physics, order));
    }
    this.order = order;
    buffers = new double[subDomains.size()][][];
    for (SubDomain each : subDomains) {
      double[][] own = new double[each.neighbours()][];
      for (int k = 0; k < own.length; k++) {
        own[k] = new double[each.borderValues(k)];
        SubDomain neighbour = subDomains.get(each.neighbourRank(k));
        each.acceptShapes(k, neighbour.borderShapes(neighbour.neighbourOfRank(each.rank())));
      }
      buffers[each.rank()] = own;
    }
    bound = subDomains.stream().mapToDouble(SubDomain::stableStepBound).min().orElseThrow();
  }

  /** Builds the sub-domains of these parts with zero fields that are constant in each cell. */
  public LockstepSolver(List<? extends MeshPart> parts, Physics physics) {
    this(parts, physics, PolynomialOrder.CONSTANT);
  }

  /** Returns the largest step (m) for which stability is proved, see {@link StepBound}. */
  public double stableStepBound() {
    return bound;
  }

  /** Returns the size of the mesh and of its borders. */
  public MeshSize size() {
    return subDomains.stream()
        .map(each -> each.mesh().size())
        .reduce(MeshSize.NONE, MeshSize::plus);
  }

  /** Returns the sub-domains, in rank order. */
  public List<SubDomain> subDomains() {
    return List.copyOf(subDomains);
  }

  /** Sets the time step (m). */
  public void useStep(double step) {
    dt = step;
    subDomains.forEach(each -> each.useStep(step));
  }

  /**
   * Starts with the exact fields of a mode of the cube.
   *
   * @throws IllegalStateException if the step is not set: H begins half a step before E
   */
  public void start(CavityMode mode) {
    if (dt == 0) {
      throw new IllegalStateException(
          "H starts half a step before E, but there is no time step; set one with useStep first");
    }
    for (SubDomain each : subDomains) {
      each.set(FieldKind.E, mode.electric(0));
      each.set(FieldKind.H, mode.magnetic(-dt / 2));
    }
  }

  /** Starts with this E and with H zero at the same time. The time step must be set. */
  public void startAtRest(VectorField electric) {
    for (SubDomain each : subDomains) {
      each.set(FieldKind.E, electric);
      each.set(FieldKind.H, (x, y, z, value) -> Arrays.fill(value, 0));
    }
    exchange(FieldKind.E);
    for (SubDomain each : subDomains) {
      each.updateInnerH();
      each.updateBorderH();
      each.reflectHalfStep();
    }
  }

  /** Advances both fields by a step. */
  public void step() {
    exchange(FieldKind.E);
    for (SubDomain each : subDomains) {
      each.updateInner();
      each.updateBorderH();
    }
    exchange(FieldKind.H);
    for (SubDomain each : subDomains) {
      each.updateRest();
      each.updateBorderE();
    }
  }

  /** Advances both fields by a step and returns the energy at the beginning of the step. */
  public double stepWithEnergy() {
    sum.reset();
    exchange(FieldKind.E);
    for (SubDomain each : subDomains) {
      each.updateInner(sum);
      each.updateBorderH(sum);
    }
    exchange(FieldKind.H);
    for (SubDomain each : subDomains) {
      each.updateRest(sum);
      each.updateBorderE();
    }
    return sum.value();
  }

  private void exchange(FieldKind field) {
    for (SubDomain each : subDomains) {
      double[][] own = buffers[each.rank()];
      for (int k = 0; k < own.length; k++) {
        each.pack(field, k, own[k]);
        SubDomain neighbour = subDomains.get(each.neighbourRank(k));
        neighbour.accept(field, neighbour.neighbourOfRank(each.rank()), own[k]);
      }
    }
  }

  /**
   * Starts at rest with E, runs for a time (m) and returns the strongest resonance near the
   * expected one, in the projection of E(t) on E(0).
   */
  public ResonancePeak resonance(VectorField electric, double time, double expected) {
    startAtRest(electric);
    List<FieldProjection> projections = subDomains.stream().map(FieldProjection::new).toList();
    double[] samples = new double[(int) Math.round(time / dt) + 1];
    for (int n = 0; n < samples.length; n++) {
      if (n > 0) {
        step();
      }
      sum.reset();
      projections.forEach(each -> each.addTo(sum));
      samples[n] = sum.value();
    }
    double first = samples[0];
    for (int n = 0; n < samples.length; n++) {
      samples[n] /= first;
    }
    return ResonancePeak.of(samples, dt, expected);
  }

  /** Returns the errors after a number of steps from a mode. */
  public FieldErrors errors(CavityMode mode, int steps) {
    return subDomains.stream()
        .map(each -> each.errors(mode, steps * dt, (steps - 0.5) * dt))
        .reduce(FieldErrors::merge)
        .orElseThrow();
  }

  /** Returns the checksum of all fields, see {@link SubDomain#checksum}. */
  public long checksum() {
    return subDomains.stream().mapToLong(SubDomain::checksum).sum();
  }

  /** Returns a field on the whole mesh, {@link PolynomialOrder#cellValues} numbers per cell. */
  public double[] gather(FieldKind field) {
    double[] whole = new double[(int) (order.cellValues() * size().cells())];
    subDomains.forEach(each -> each.gather(field, whole));
    return whole;
  }
}
