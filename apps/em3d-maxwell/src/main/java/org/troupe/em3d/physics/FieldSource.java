package org.troupe.em3d.physics;

/** A source of the fields. */
public sealed interface FieldSource {

  /** The time dependence of its strength. */
  SourcePulse pulse();

  /**
   * A plane wave that enters through the {@linkplain BoundaryCondition#ABSORBING absorbing} faces:
   * {@code E = e f(t - d.x)}, {@code H = d x E / Z}, with the impedance Z of the medium in the cell
   * at the face. An absorbing face along which the wave travels disturbs it.
   *
   * @param direction the direction of propagation, {@code (x, y, z)}, of any length
   * @param amplitude e, V/m, at right angles to the direction
   * @param pulse f, in time at the origin (m)
   */
  record PlaneWave(Vector3 direction, Vector3 amplitude, SourcePulse pulse) implements FieldSource {

    private static final double TOLERANCE = 1e-9;

    /** Normalises the direction; rejects vectors that define no plane wave. */
    public PlaneWave {
      if (!(direction.length() > 0) || !(amplitude.length() > 0)) {
        throw new IllegalArgumentException(
            "a plane wave needs a direction and an amplitude; %s and %s will not do"
                .formatted(direction, amplitude));
      }
      direction = direction.times(1 / direction.length());
      if (Math.abs(direction.dot(amplitude)) > TOLERANCE * amplitude.length()) {
        throw new IllegalArgumentException(
            "the E of a plane wave is at right angles to its direction, but %s is not to %s"
                .formatted(amplitude, direction));
      }
    }

    /**
     * Returns the time (m) at which the wave reaches a point; negative if before the start of the
     * run.
     */
    public double arrival(Vector3 point) {
      return pulse.begin() + delay(point);
    }

    /** Rejects a wave that would reach a point of entry before time 0. */
    public void requireNotYetAt(Vector3 point) {
      double arrival = arrival(point);
      if (arrival < -TOLERANCE) {
        throw new IllegalArgumentException(
            "a plane wave along %s would be at the absorbing face at %s %s m before the run begins; let its pulse begin at least so much later, or move the mesh so that the wave comes to the origin first"
                .formatted(direction, point, -arrival));
      }
    }

    /** Returns the delay (m) from the origin to a point. */
    public double delay(Vector3 point) {
      return direction.dot(point);
    }

    /**
     * Returns the contribution to dE/dt of a cell, divided by f, through an absorbing face with
     * unit normal n: {@code 1/eps w x (H - n x E / Z)}, which is zero where the wave leaves.
     *
     * @param w the face's outward area vector over twice the cell's volume
     */
    public Vector3 toE(Vector3 w, Medium medium) {
      Vector3 n = w.times(1 / w.length());
      return w.cross(magnetic().plus(n.cross(amplitude).times(-1)))
          .times(1 / (medium.epsilon() * medium.impedance()));
    }

    /**
     * Returns the contribution to dH/dt of a cell, divided by f: {@code -1/mu w x (E + Z n x H)}.
     */
    public Vector3 toH(Vector3 w, Medium medium) {
      Vector3 n = w.times(1 / w.length());
      return w.cross(amplitude.plus(n.cross(magnetic()))).times(-1 / medium.mu());
    }

    /** Returns Z H, divided by f. */
    private Vector3 magnetic() {
      return direction.cross(amplitude);
    }
  }

  /**
   * A small oscillating dipole: a current {@code J = p'(t) w(|x - centre|)} along its moment,
   * spread over a ball with the weight {@code w(r) = cos^2(pi r/2R)}, normalised so that the cells
   * together carry the whole current. In a single cell the current would excite waves that the mesh
   * cannot resolve.
   *
   * @param centre of the ball, metres
   * @param moment direction and strength; multiplied by eps0 it is in A s m
   * @param radius R, metres: several cells
   * @param pulse p(t)
   * @param extent the sum of {@code V cos^2} over the cells that carry it, cubic metres; NaN until
   *     the dipole is normalised on a mesh
   */
  record Dipole(Vector3 centre, Vector3 moment, double radius, SourcePulse pulse, double extent)
      implements FieldSource {

    /** Creates a dipole that is not normalised on a mesh yet. */
    public Dipole(Vector3 centre, Vector3 moment, double radius, SourcePulse pulse) {
      this(centre, moment, radius, pulse, Double.NaN);
    }

    /** Rejects values that define no dipole. */
    public Dipole {
      if (!(radius > 0 && radius < Double.POSITIVE_INFINITY) || !(moment.length() > 0)) {
        throw new IllegalArgumentException(
            "a dipole of radius %s m and moment %s does not exist; give positive ones"
                .formatted(radius, moment));
      }
      if (extent <= 0) {
        throw new IllegalArgumentException(
            "no cell carries the dipole at %s m, whose radius is %s m; make its radius larger, or the mesh finer"
                .formatted(centre, radius));
      }
    }

    /**
     * Returns the contribution to dE/dt at a point, divided by p': {@code -w/eps} times the moment.
     */
    public Vector3 toE(Vector3 point, Medium medium) {
      if (Double.isNaN(extent)) {
        throw new IllegalStateException(
            "the dipole at %s m is not normalised, so its current is not known; normalise it on the mesh first"
                .formatted(centre));
      }
      return moment.times(-weight(point) / (extent * medium.epsilon()));
    }

    public boolean reaches(Vector3 point) {
      return weight(point) > 0;
    }

    /** Returns the current density at a point, relative to that at the centre. */
    public double weight(Vector3 point) {
      double distance = point.plus(centre.times(-1)).length();
      if (distance >= radius) {
        return 0;
      }
      double cos = Math.cos(Math.PI * distance / (2 * radius));
      return cos * cos;
    }

    /** Returns this dipole with the sum of {@code V cos^2} over the cells that carry it. */
    public Dipole withExtent(double newExtent) {
      return new Dipole(centre, moment, radius, pulse, newExtent);
    }
  }
}
