package org.troupe.em3d.physics;

/** What brings energy into the fields. */
public sealed interface FieldSource {

  /** How its strength changes with time. */
  SourcePulse pulse();

  /**
   * A plane wave that enters through the {@linkplain BoundaryCondition#ABSORBING absorbing} faces:
   * {@code E = e f(t - d.x)}, {@code H = d x E / Z}, with the impedance Z of what fills the cell at
   * the face. Parts of it that run along an absorbing face are disturbed there.
   *
   * @param direction where it goes, {@code (x, y, z)}; its length does not matter
   * @param amplitude e, V/m, at right angles to the direction
   * @param pulse f, in time at the origin (m)
   */
  record PlaneWave(Vector3 direction, Vector3 amplitude, SourcePulse pulse) implements FieldSource {

    private static final double TOLERANCE = 1e-9;

    /** Makes the direction a unit vector; refuses what is no plane wave. */
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

    /** How long after the beginning it comes to a point; negative if it is there already (m). */
    public double arrival(Vector3 point) {
      return pulse.begin() + delay(point);
    }

    /** Refuses a wave that would have come to a point, where it is to enter, before time 0. */
    public void requireNotYetAt(Vector3 point) {
      double arrival = arrival(point);
      if (arrival < -TOLERANCE) {
        throw new IllegalArgumentException(
            "a plane wave along %s would be at the absorbing face at %s %s m before the run begins; let its pulse begin at least so much later, or move the mesh so that the wave comes to the origin first"
                .formatted(direction, point, -arrival));
      }
    }

    /** When it reaches a point, after the origin (m). */
    public double delay(Vector3 point) {
      return direction.dot(point);
    }

    /**
     * What it adds to dE/dt of a cell, times f, through an absorbing face with unit vector n:
     * {@code 1/eps w x (H - n x E / Z)}; nothing where it goes out.
     *
     * @param w the face's outward area vector over twice the cell's volume
     */
    public Vector3 toE(Vector3 w, Medium medium) {
      Vector3 n = w.times(1 / w.length());
      return w.cross(magnetic().plus(n.cross(amplitude).times(-1)))
          .times(1 / (medium.epsilon() * medium.impedance()));
    }

    /** The same for dH/dt: {@code -1/mu w x (E + Z n x H)}. */
    public Vector3 toH(Vector3 w, Medium medium) {
      Vector3 n = w.times(1 / w.length());
      return w.cross(amplitude.plus(n.cross(magnetic()))).times(-1 / medium.mu());
    }

    /** Z H over f. */
    private Vector3 magnetic() {
      return direction.cross(amplitude);
    }
  }

  /**
   * A small oscillating dipole: a current {@code J = p'(t) w(|x - centre|)} along its moment,
   * spread over a ball by {@code w(r) = cos^2(pi r/2R)} over the sum of that, so that the cells
   * together carry the whole current. On a single cell it would excite what the mesh cannot carry.
   *
   * @param centre of the ball, metres
   * @param moment its direction and strength: eps0 times it is in A s m
   * @param radius R, metres: some cells wide
   * @param pulse p(t)
   * @param extent the sum of {@code V cos^2} over the cells that carry it, cubic metres; NaN until
   *     the dipole is normalised on a mesh
   */
  record Dipole(Vector3 centre, Vector3 moment, double radius, SourcePulse pulse, double extent)
      implements FieldSource {

    /** One that is on no mesh yet. */
    public Dipole(Vector3 centre, Vector3 moment, double radius, SourcePulse pulse) {
      this(centre, moment, radius, pulse, Double.NaN);
    }

    /** Refuses what is no dipole. */
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

    /** What it adds to dE/dt at a point, times p': {@code -w/eps} times the moment. */
    public Vector3 toE(Vector3 point, Medium medium) {
      if (Double.isNaN(extent)) {
        throw new IllegalStateException(
            "the dipole at %s m is on no mesh, so its current is not known; normalise it on the mesh first"
                .formatted(centre));
      }
      return moment.times(-weight(point) / (extent * medium.epsilon()));
    }

    public boolean reaches(Vector3 point) {
      return weight(point) > 0;
    }

    /** The current density at a point over that at the centre. */
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
