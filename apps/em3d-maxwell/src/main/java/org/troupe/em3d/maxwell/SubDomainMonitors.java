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
 * Computes a sub-domain's part of the monitors' readings. For one thread.
 *
 * <p>In each step, {@link #before} is called before H is advanced, {@link #after} between H and E,
 * when the neighbours' E is there; {@link #drain} returns the readings since then.
 */
public final class SubDomainMonitors {

  /** Larger values overflow in products; a run with such fields is about to fail. */
  private static final double BEYOND_USE = 1e100;

  /**
   * A sub-domain's part of one reading.
   *
   * @param monitor index of the monitor
   * @param step the step of the E that was read
   * @param sums for each channel, terms to be summed exactly over all sub-domains
   */
  public record Share(int monitor, int step, double[][] sums) {}

  private final SubDomain subDomain;
  private final List<FieldMonitor> monitors;
  private final List<LocalMonitor> locals = new ArrayList<>();
  private final List<Share> shares = new ArrayList<>();

  /** Finds the cells and faces of the monitors in a sub-domain. */
  public SubDomainMonitors(SubDomain subDomain, Physics physics, List<FieldMonitor> monitors) {
    this.subDomain = subDomain;
    this.monitors = List.copyOf(monitors);
    for (FieldMonitor monitor : monitors) {
      locals.add(
          switch (monitor) {
            case FieldMonitor.Probe probe -> new LocalProbe(probe);
            case FieldMonitor.Flux flux -> new LocalFlux(flux);
            case FieldMonitor.Outflow outflow -> new LocalOutflow(outflow, physics);
          });
    }
  }

  /** Returns whether a monitor has a reading of this sub-domain in a step. */
  public boolean areDue(int step) {
    for (int k = 0; k < locals.size(); k++) {
      if (isDue(k, step)) {
        return true;
      }
    }
    return false;
  }

  /** Saves H half a step before the reading, where a monitor needs it. */
  public void before(int step) {
    for (int k = 0; k < locals.size(); k++) {
      if (isDue(k, step)) {
        locals.get(k).saveH();
      }
    }
  }

  /** Takes the readings, with E of a step and H half a step after it. */
  public void after(int step) {
    for (int k = 0; k < locals.size(); k++) {
      if (isDue(k, step)) {
        shares.add(new Share(k, step, locals.get(k).read()));
      }
    }
  }

  private boolean isDue(int monitor, int step) {
    return step % monitors.get(monitor).every() == 0 && locals.get(monitor).ownCells.length > 0;
  }

  /** Returns and forgets the readings since the last call. */
  public List<Share> drain() {
    List<Share> taken = List.copyOf(shares);
    shares.clear();
    return taken;
  }

  /** A monitor restricted to this sub-domain. */
  private abstract static class LocalMonitor {

    int[] ownCells = {}; // a cell is listed once for each of its faces that are read
    final ExactSum[] sums;
    private double[] oldH = {}; // H half a step before the reading
    private final double[] value = new double[3];

    LocalMonitor(FieldMonitor monitor) {
      sums = new ExactSum[monitor.channels()];
      Arrays.setAll(sums, k -> new ExactSum());
    }

    void saveH() {
      if (oldH.length == 0) {
        oldH = new double[3 * ownCells.length];
      }
      for (int k = 0; k < ownCells.length; k++) {
        put(FieldKind.H, k, value);
        System.arraycopy(value, 0, oldH, 3 * k, 3);
      }
    }

    double[][] read() {
      for (int k = 0; k < ownCells.length; k++) {
        put(FieldKind.H, k, value);
        double[] h = {
          (oldH[3 * k] + value[0]) / 2,
          (oldH[3 * k + 1] + value[1]) / 2,
          (oldH[3 * k + 2] + value[2]) / 2
        };
        putElectric(k, value);
        if (isBounded(h) && isBounded(value)) {
          add(k, Vector3.at(value, 0), Vector3.at(h, 0));
        } else {
          Arrays.stream(sums).forEach(sum -> sum.add(Double.NaN));
        }
      }
      return Arrays.stream(sums).map(ExactSum::drain).toArray(double[][]::new);
    }

    private static boolean isBounded(double[] vector) {
      return Math.abs(vector[0]) < BEYOND_USE
          && Math.abs(vector[1]) < BEYOND_USE
          && Math.abs(vector[2]) < BEYOND_USE;
    }

    /** Stores the value of a field that the monitor needs, for entry k of {@code cellsFound}. */
    abstract void put(FieldKind field, int k, double[] target);

    void putElectric(int k, double[] target) {
      put(FieldKind.E, k, target);
    }

    /** Adds the contribution of entry k, with both fields at the same time. */
    abstract void add(int k, Vector3 e, Vector3 h);
  }

  private final class LocalProbe extends LocalMonitor {

    private final FieldMonitor.Probe probe;

    LocalProbe(FieldMonitor.Probe probe) {
      super(probe);
      this.probe = probe;
      int[] global = subDomain.mesh().globalCells();
      ownCells =
          IntStream.range(0, global.length)
              .filter(cell -> Arrays.binarySearch(probe.cells(), global[cell]) >= 0)
              .toArray();
    }

    /** The mean of a linear function is its value at the barycentre. */
    @Override
    void put(FieldKind field, int k, double[] target) {
      Vector3 at =
          probe.cells().length == 1
              ? probe.point()
              : Vector3.at(subDomain.mesh().barycentres(), ownCells[k]);
      subDomain.at(field, ownCells[k], at.x(), at.y(), at.z(), target);
    }

    @Override
    void add(int k, Vector3 e, Vector3 h) {
      double weight = probe.cells().length == 1 ? 1 : subDomain.mesh().volumes()[ownCells[k]];
      double[] values = {e.x(), e.y(), e.z(), h.x(), h.y(), h.z(), 1};
      for (int channel = 0; channel < values.length; channel++) {
        sums[channel].add(weight * values[channel]);
      }
    }
  }

  private final class LocalFlux extends LocalMonitor {

    private final int[] faces;
    private final double[] areas; // outward from the inner cells

    LocalFlux(FieldMonitor.Flux flux) {
      super(flux);
      PartMesh mesh = subDomain.mesh();
      int[] cellsFound = new int[flux.faces().length];
      faces = new int[cellsFound.length];
      areas = new double[3 * cellsFound.length];
      int count = 0;
      for (int cell = 0; cell < mesh.cells(); cell++) {
        int first = 4 * mesh.globalCells()[cell];
        int at = Arrays.binarySearch(flux.faces(), first);
        for (int k = at < 0 ? -1 - at : at;
            k < flux.faces().length && flux.faces()[k] < first + 4;
            k++) {
          cellsFound[count] = cell;
          faces[count] = flux.faces()[k] - first;
          area(mesh, cell, faces[count]).times(flux.inner()[k] ? 1 : -1).put(areas, count++);
        }
      }
      ownCells = Arrays.copyOf(cellsFound, count);
    }

    @Override
    void put(FieldKind field, int k, double[] target) {
      subDomain.onFace(field, ownCells[k], faces[k], false, target);
    }

    @Override
    void putElectric(int k, double[] target) {
      subDomain.onFace(FieldKind.E, ownCells[k], faces[k], true, target);
    }

    /** Adds half of the flux; the sub-domain of the cell behind the face adds the other half. */
    @Override
    void add(int k, Vector3 behindE, Vector3 h) {
      sums[0].add(behindE.cross(h).dot(Vector3.at(areas, k)) / 2);
    }
  }

  /** Returns the outward area vector of a face; the four of a cell add up to zero. */
  private static Vector3 area(PartMesh mesh, int cell, int face) {
    return SubDomain.faceWeight(mesh, cell, face).times(2 * mesh.volumes()[cell]);
  }

  private final class LocalOutflow extends LocalMonitor {

    private final int[] walls;
    private final double[] impedances;
    private final List<FieldSource.PlaneWave> waves = new ArrayList<>();

    LocalOutflow(FieldMonitor.Outflow outflow, Physics physics) {
      super(outflow);
      PartMesh mesh = subDomain.mesh();
      int group = mesh.wallNames().indexOf(outflow.surface());
      walls =
          IntStream.range(0, mesh.wallCells().length)
              .filter(wall -> mesh.wallGroups()[wall] == group)
              .filter(
                  wall -> NonCurlTerms.boundary(mesh, wall, physics) == BoundaryCondition.ABSORBING)
              .toArray();
      ownCells = Arrays.stream(walls).map(wall -> mesh.wallCells()[wall]).toArray();
      impedances =
          Arrays.stream(ownCells).mapToDouble(cell -> subDomain.media[cell].impedance()).toArray();
      for (FieldSource source : physics.sources()) {
        if (source instanceof FieldSource.PlaneWave wave) {
          waves.add(wave);
        }
      }
    }

    private Vector3 centre(int k) {
      return Vector3.at(subDomain.mesh().wallCentres(), walls[k]);
    }

    @Override
    void put(FieldKind field, int k, double[] target) {
      Vector3 at = centre(k);
      subDomain.at(field, ownCells[k], at.x(), at.y(), at.z(), target);
    }

    /** Adds the flux with the fields that the Silver-Mueller condition implies behind the face. */
    @Override
    void add(int k, Vector3 e, Vector3 h) {
      Vector3 half = Vector3.at(subDomain.mesh().wallWeights(), walls[k]);
      Vector3 n = half.times(1 / half.length());
      double z = impedances[k];
      Vector3 behindE = n.cross(h).times(-z);
      Vector3 behindH = n.cross(e).times(1 / z);
      for (FieldSource.PlaneWave wave : waves) {
        Vector3 in =
            wave.amplitude().times(wave.pulse().at(subDomain.time() - wave.delay(centre(k))));
        Vector3 inH = wave.direction().cross(in).times(1 / z);
        behindE = behindE.plus(in).plus(n.cross(inH).times(z));
        behindH = behindH.plus(inH).plus(n.cross(in).times(-1 / z));
      }
      Vector3 area = half.times(2 * subDomain.mesh().volumes()[ownCells[k]]);
      sums[0].add(e.cross(behindH).plus(behindE.cross(h)).dot(area) / 2);
    }
  }
}
