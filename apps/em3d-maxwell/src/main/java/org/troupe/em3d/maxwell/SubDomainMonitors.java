package org.troupe.em3d.maxwell;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.troupe.em3d.kernel.ExactSum;
import org.troupe.em3d.mesh.PartMesh;
import org.troupe.em3d.physics.BoundaryCondition;
import org.troupe.em3d.physics.FieldKind;
import org.troupe.em3d.physics.FieldMonitor;
import org.troupe.em3d.physics.FieldSource;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.physics.Vector3;

/**
 * Takes a sub-domain's share of readings. For one thread.
 *
 * <p>In each step, {@link #before} is called before H is advanced, {@link #after} between H and E,
 * when the neighbours' E is there; {@link #take} gives what was read since.
 */
public final class SubDomainMonitors {

  /** Beyond, products overflow; the run is about to end anyway. */
  private static final double BEYOND_USE = 1e100;

  /**
   * A sub-domain's share of one reading.
   *
   * @param gauge its number
   * @param step whose E was read
   * @param sums for each channel, terms whose exact sum over all sub-domains counts
   */
  public record Share(int gauge, int step, double[][] sums) {}

  private final SubDomain cells;
  private final List<FieldMonitor> gauges;
  private final List<Local> locals = new ArrayList<>();
  private final List<Share> shares = new ArrayList<>();

  /** Looks for what there is to read in a sub-domain. */
  public SubDomainMonitors(SubDomain cells, Physics physics, List<FieldMonitor> gauges) {
    this.cells = cells;
    this.gauges = List.copyOf(gauges);
    for (FieldMonitor gauge : gauges) {
      locals.add(
          switch (gauge) {
            case FieldMonitor.Probe probe -> new Mean(probe);
            case FieldMonitor.Flux flux -> new Through(flux);
            case FieldMonitor.Outflow outflow -> new Out(outflow, physics);
          });
    }
  }

  /** Says whether there is anything to read here in a step. */
  public boolean areDue(int step) {
    for (int k = 0; k < locals.size(); k++) {
      if (isDue(k, step)) {
        return true;
      }
    }
    return false;
  }

  /** Keeps the H of half a step before, where it will be needed. */
  public void before(int step) {
    for (int k = 0; k < locals.size(); k++) {
      if (isDue(k, step)) {
        locals.get(k).hold();
      }
    }
  }

  /** Reads, with E of a step and H of half a step after it. */
  public void after(int step) {
    for (int k = 0; k < locals.size(); k++) {
      if (isDue(k, step)) {
        shares.add(new Share(k, step, locals.get(k).read()));
      }
    }
  }

  private boolean isDue(int gauge, int step) {
    return step % gauges.get(gauge).every() == 0 && locals.get(gauge).own.length > 0;
  }

  /** Returns all that was read since this was asked last. */
  public List<Share> take() {
    List<Share> taken = List.copyOf(shares);
    shares.clear();
    return taken;
  }

  /** What one gauge has to do with this sub-domain. */
  private abstract static class Local {

    int[] own = {}; // a cell may be there for several of its faces
    final ExactSum[] sums;
    private double[] held; // H of half a step before
    private final double[] value = new double[3];

    Local(FieldMonitor gauge) {
      sums = new ExactSum[gauge.channels()];
      Arrays.setAll(sums, k -> new ExactSum());
    }

    void hold() {
      if (held == null) {
        held = new double[3 * own.length];
      }
      for (int k = 0; k < own.length; k++) {
        put(FieldKind.H, k, value);
        System.arraycopy(value, 0, held, 3 * k, 3);
      }
    }

    double[][] read() {
      for (int k = 0; k < own.length; k++) {
        put(FieldKind.H, k, value);
        double[] h = {
          (held[3 * k] + value[0]) / 2,
          (held[3 * k + 1] + value[1]) / 2,
          (held[3 * k + 2] + value[2]) / 2
        };
        putElectric(k, value);
        if (isBounded(h) && isBounded(value)) {
          add(k, Vector3.at(value, 0), Vector3.at(h, 0));
        } else {
          Arrays.stream(sums).forEach(sum -> sum.add(Double.NaN));
        }
      }
      return Arrays.stream(sums).map(ExactSum::take).toArray(double[][]::new);
    }

    private static boolean isBounded(double[] vector) {
      return Math.abs(vector[0]) < BEYOND_USE
          && Math.abs(vector[1]) < BEYOND_USE
          && Math.abs(vector[2]) < BEYOND_USE;
    }

    /** What counts of a field, for the own cell k. */
    abstract void put(FieldKind field, int k, double[] target);

    void putElectric(int k, double[] target) {
      put(FieldKind.E, k, target);
    }

    /** Adds the fields of one time. */
    abstract void add(int k, Vector3 e, Vector3 h);
  }

  private final class Mean extends Local {

    private final FieldMonitor.Probe probe;

    Mean(FieldMonitor.Probe probe) {
      super(probe);
      this.probe = probe;
      int[] global = cells.mesh().globalCells();
      own =
          IntStream.range(0, global.length)
              .filter(cell -> Arrays.binarySearch(probe.cells(), global[cell]) >= 0)
              .toArray();
    }

    /** The mean of what is linear is its value at the barycentre. */
    @Override
    void put(FieldKind field, int k, double[] target) {
      Vector3 at =
          probe.cells().length == 1
              ? probe.point()
              : Vector3.at(cells.mesh().barycentres(), own[k]);
      cells.at(field, own[k], at.x(), at.y(), at.z(), target);
    }

    @Override
    void add(int k, Vector3 e, Vector3 h) {
      double weight = probe.cells().length == 1 ? 1 : cells.mesh().volumes()[own[k]];
      double[] values = {e.x(), e.y(), e.z(), h.x(), h.y(), h.z(), 1};
      for (int channel = 0; channel < values.length; channel++) {
        sums[channel].add(weight * values[channel]);
      }
    }
  }

  private final class Through extends Local {

    private final int[] faces;
    private final double[] areas; // outward from the inner cells

    Through(FieldMonitor.Flux flux) {
      super(flux);
      PartMesh mesh = cells.mesh();
      int[] ownCells = new int[flux.faces().length];
      faces = new int[ownCells.length];
      areas = new double[3 * ownCells.length];
      int count = 0;
      for (int cell = 0; cell < mesh.cells(); cell++) {
        int first = 4 * mesh.globalCells()[cell];
        int at = Arrays.binarySearch(flux.faces(), first);
        for (int k = at < 0 ? -1 - at : at;
            k < flux.faces().length && flux.faces()[k] < first + 4;
            k++) {
          ownCells[count] = cell;
          faces[count] = flux.faces()[k] - first;
          area(mesh, cell, faces[count]).times(flux.inner()[k] ? 1 : -1).put(areas, count++);
        }
      }
      own = Arrays.copyOf(ownCells, count);
    }

    @Override
    void put(FieldKind field, int k, double[] target) {
      cells.onFace(field, own[k], faces[k], false, target);
    }

    @Override
    void putElectric(int k, double[] target) {
      cells.onFace(FieldKind.E, own[k], faces[k], true, target);
    }

    /** Half of what passes: the other half is read where the cell behind the face is. */
    @Override
    void add(int k, Vector3 behindE, Vector3 h) {
      sums[0].add(behindE.cross(h).dot(Vector3.at(areas, k)) / 2);
    }
  }

  /** The outward area vector of a face; the four add up to zero. */
  private static Vector3 area(PartMesh mesh, int cell, int face) {
    return SubDomain.faceWeight(mesh, cell, face).times(2 * mesh.volumes()[cell]);
  }

  private final class Out extends Local {

    private final int[] walls;
    private final double[] impedances;
    private final List<FieldSource.PlaneWave> waves = new ArrayList<>();

    Out(FieldMonitor.Outflow outflow, Physics physics) {
      super(outflow);
      PartMesh mesh = cells.mesh();
      int group = mesh.wallNames().indexOf(outflow.surface());
      walls =
          IntStream.range(0, mesh.wallCells().length)
              .filter(wall -> mesh.wallGroups()[wall] == group)
              .filter(
                  wall -> NonCurlTerms.boundary(mesh, wall, physics) == BoundaryCondition.ABSORBING)
              .toArray();
      own = Arrays.stream(walls).map(wall -> mesh.wallCells()[wall]).toArray();
      impedances = Arrays.stream(own).mapToDouble(cell -> cells.media[cell].impedance()).toArray();
      for (FieldSource source : physics.sources()) {
        if (source instanceof FieldSource.PlaneWave wave) {
          waves.add(wave);
        }
      }
    }

    private Vector3 centre(int k) {
      return Vector3.at(cells.mesh().wallCentres(), walls[k]);
    }

    @Override
    void put(FieldKind field, int k, double[] target) {
      Vector3 at = centre(k);
      cells.at(field, own[k], at.x(), at.y(), at.z(), target);
    }

    /** With what the condition of Silver and Mueller puts behind the face. */
    @Override
    void add(int k, Vector3 e, Vector3 h) {
      Vector3 half = Vector3.at(cells.mesh().wallWeights(), walls[k]);
      Vector3 n = half.times(1 / half.length());
      double z = impedances[k];
      Vector3 behindE = n.cross(h).times(-z);
      Vector3 behindH = n.cross(e).times(1 / z);
      for (FieldSource.PlaneWave wave : waves) {
        Vector3 in = wave.amplitude().times(wave.pulse().at(cells.time() - wave.delay(centre(k))));
        Vector3 inH = wave.direction().cross(in).times(1 / z);
        behindE = behindE.plus(in).plus(n.cross(inH).times(z));
        behindH = behindH.plus(inH).plus(n.cross(in).times(-1 / z));
      }
      Vector3 area = half.times(2 * cells.mesh().volumes()[own[k]]);
      sums[0].add(e.cross(behindH).plus(behindE.cross(h)).dot(area) / 2);
    }
  }
}
