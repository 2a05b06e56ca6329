package org.troupe.em3d.physics;

/** The time dependence of a source; times are in metres. */
public sealed interface SourcePulse {

  /** Returns the value at a time. */
  double at(double time);

  /** Returns the derivative at a time, 1/m. */
  double slope(double time);

  /** Returns the time (m) before which the pulse is negligible. */
  double begin();

  /**
   * {@code exp(-((t - peak)/width)^2)}, which has angular frequencies up to about {@code 3/width}.
   *
   * @param peak the time of its maximum (m); at least four widths, so that the pulse starts near
   *     zero
   * @param width positive (m)
   */
  record Gaussian(double peak, double width) implements SourcePulse {

    private static final double LEAST_WIDTHS = 4;

    /** Rejects a pulse that would start with a jump. */
    public Gaussian {
      if (!(width > 0 && width < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "a pulse of width %s m does not exist; give a positive width".formatted(width));
      }
      if (!(peak >= LEAST_WIDTHS * width && peak < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "a pulse of width %s m that peaks at %s m would begin with a jump; let it peak at %s m or later"
                .formatted(width, peak, LEAST_WIDTHS * width));
      }
    }

    @Override
    public double at(double time) {
      double s = (time - peak) / width;
      return Math.exp(-s * s);
    }

    @Override
    public double slope(double time) {
      return -2 * (time - peak) / (width * width) * at(time);
    }

    @Override
    public double begin() {
      return peak - LEAST_WIDTHS * width;
    }
  }

  /**
   * {@code sin(omega t)} with an envelope that rises as {@code sin^2} over some periods.
   *
   * @param omega angular frequency, positive (1/m)
   * @param rise the number of periods until the full amplitude, positive
   * @param begin the time at which it starts, 0 or later (m)
   */
  record Wave(double omega, double rise, double begin) implements SourcePulse {

    /** Creates a wave that starts at time 0. */
    public Wave(double omega, double rise) {
      this(omega, rise, 0);
    }

    /** Rejects values that define no wave. */
    public Wave {
      if (!(omega > 0 && omega < Double.POSITIVE_INFINITY)
          || !(rise > 0 && rise < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "a wave of angular frequency %s 1/m that rises over %s periods does not exist; give positive numbers"
                .formatted(omega, rise));
      }
      if (!(begin >= 0 && begin < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "a wave cannot begin at %s m; let it begin at 0 or later".formatted(begin));
      }
    }

    @Override
    public double at(double moment) {
      double time = moment - begin;
      double swell = Math.sin(quarter(time));
      return time <= 0 ? 0 : swell * swell * Math.sin(omega * time);
    }

    @Override
    public double slope(double moment) {
      double time = moment - begin;
      if (time <= 0) {
        return 0;
      }
      double swell = Math.sin(quarter(time));
      double steady = omega * swell * swell * Math.cos(omega * time);
      return time >= full()
          ? steady
          : steady + omega / 4 / rise * Math.sin(2 * quarter(time)) * Math.sin(omega * time);
    }

    private double full() {
      return rise * 2 * Math.PI / omega;
    }

    /** Returns the phase of the envelope, which grows from 0 to pi/2. */
    private double quarter(double time) {
      return Math.PI / 2 * Math.min(1, time / full());
    }
  }
}
