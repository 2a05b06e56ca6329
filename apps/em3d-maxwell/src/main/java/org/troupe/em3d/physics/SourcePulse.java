package org.troupe.em3d.physics;

/** How a source changes with time (m). */
public sealed interface SourcePulse {

  /** Its value. */
  double at(double time);

  /** Its derivative, 1/m. */
  double slope(double time);

  /** When it begins: before, it is nearly nothing (m). */
  double begin();

  /**
   * {@code exp(-((t - peak)/width)^2)}: all frequencies up to about {@code 3/width}.
   *
   * @param peak when it is 1 (m); at least four widths, so that it begins from nearly nothing
   * @param width positive (m)
   */
  record Gaussian(double peak, double width) implements SourcePulse {

    private static final double LEAST_WIDTHS = 4;

    /** Refuses a pulse that would begin with a jump. */
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
   * {@code sin(omega t)} that swells, as {@code sin^2}, over some periods: one frequency.
   *
   * @param omega angular frequency, positive (1/m)
   * @param rise how many periods it takes until it has its full strength, positive
   * @param begin when it begins, 0 or later (m)
   */
  record Wave(double omega, double rise, double begin) implements SourcePulse {

    /** One that begins at once. */
    public Wave(double omega, double rise) {
      this(omega, rise, 0);
    }

    /** Refuses what is no wave. */
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

    /** From 0 to pi/2 while it rises. */
    private double quarter(double time) {
      return Math.PI / 2 * Math.min(1, time / full());
    }
  }
}
