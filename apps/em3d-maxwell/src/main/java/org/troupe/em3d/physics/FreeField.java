package org.troupe.em3d.physics;

import java.util.List;

/**
 * The exact E of sources in free space, to which a computed field is compared if no wall reflects.
 *
 * <p>The field of a dipole with moment p z is {@code 1/(4 pi) ((3 (z.r) r - z)(p/r^3 + p'/r^2) +
 * ((z.r) r - z) p''/r)} at the time t - r, averaged over the ball that carries it.
 */
public record FreeField(List<FieldSource> sources) {

  /** Quadrature points per axis of a ball; the relative error is about 1e-3. */
  private static final int POINTS = 9;

  private static final double DIFFERENCE = 1e-4; // of a ball's radius, for p''

  /** Copies the sources. */
  public FreeField {
    sources = List.copyOf(sources);
  }

  /** Returns E at a point outside the sources at a time (m). */
  public Vector3 at(Vector3 point, double time) {
    Vector3 sum = new Vector3(0, 0, 0);
    for (FieldSource source : sources) {
      sum =
          sum.plus(
              switch (source) {
                case FieldSource.PlaneWave wave ->
                    wave.amplitude().times(wave.pulse().at(time - wave.delay(point)));
                case FieldSource.Dipole dipole -> of(dipole, point, time);
              });
    }
    return sum;
  }

  private static Vector3 of(FieldSource.Dipole dipole, Vector3 point, double time) {
    double spacing = 2 * dipole.radius() / POINTS;
    Vector3 sum = new Vector3(0, 0, 0);
    double weights = 0;
    for (int k = 0; k < POINTS * POINTS * POINTS; k++) {
      Vector3 from =
          new Vector3(k % POINTS, k / POINTS % POINTS, k / POINTS / POINTS)
              .plus(new Vector3(1, 1, 1).times(-(POINTS - 1) / 2.0))
              .times(spacing)
              .plus(dipole.centre());
      double weight = dipole.weight(from);
      if (weight > 0) {
        sum = sum.plus(radiated(dipole, point.plus(from.times(-1)), time).times(weight));
        weights += weight;
      }
    }
    return sum.times(1 / weights);
  }

  private static Vector3 radiated(FieldSource.Dipole dipole, Vector3 from, double time) {
    SourcePulse pulse = dipole.pulse();
    double r = from.length();
    double then = time - r;
    double difference = DIFFERENCE * dipole.radius();
    double bend =
        (pulse.slope(then + difference) - pulse.slope(then - difference)) / (2 * difference);
    Vector3 along = from.times(dipole.moment().dot(from) / (r * r));
    Vector3 across = along.plus(dipole.moment().times(-1));
    return along
        .times(2)
        .plus(across)
        .times(pulse.at(then) / (r * r * r) + pulse.slope(then) / (r * r))
        .plus(across.times(bend / r))
        .times(1 / (4 * Math.PI));
  }
}
