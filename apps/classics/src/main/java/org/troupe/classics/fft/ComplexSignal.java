package org.troupe.classics.fft;

/** An array of complex numbers. */
record ComplexSignal(double[] re, double[] im) {

  private static final double DECAY = 8; // exponent of the decay over the whole wave
  private static final double TURNS = 100.25;

  static ComplexSignal zero(int length) {
    return new ComplexSignal(new double[length], new double[length]);
  }

  /**
   * Returns powers of the root of unity of an order, the twiddle factors of a transform.
   *
   * @param step the distance between two exponents
   * @param first the first exponent, in steps
   */
  static ComplexSignal roots(int order, int step, int first, int count) {
    var roots = zero(count);
    for (var i = 0; i < count; i++) {
      roots.set(i, 1, -(double) step * (first + i) / order);
    }
    return roots;
  }

  int length() {
    return re.length;
  }

  /**
   * Returns a section of a damped wave of {@code points} numbers: the powers of a complex number.
   */
  static ComplexSignal wave(int points, int first, int count) {
    var signal = zero(count);
    for (var i = 0; i < count; i++) {
      var part = (double) (first + i) / points;
      signal.set(i, Math.exp(-DECAY * part), TURNS * part);
    }
    return signal;
  }

  /** Sets a number by its absolute value and its angle in turns. */
  private void set(int index, double absolute, double turns) {
    var angle = 2 * Math.PI * (turns - Math.rint(turns)); // whole turns would cost precision
    re[index] = absolute * Math.cos(angle);
    im[index] = absolute * Math.sin(angle);
  }

  /** Copies a section of the numbers. */
  void copy(int begin, ComplexSignal to, int toBegin, int count) {
    System.arraycopy(re, begin, to.re, toBegin, count);
    System.arraycopy(im, begin, to.im, toBegin, count);
  }

  /**
   * Returns the largest difference from the transform of the whole wave, relative to the largest
   * value of that transform.
   *
   * <p>The transform of a sequence of powers is the sum of a geometric series: number {@code k} is
   * {@code (1 - z^n) / (1 - z w^k)}, where {@code w} is the root of unity.
   */
  double errorAsSpectrum() {
    var points = length();
    var decay = Math.expm1(-DECAY / points); // |z| - 1
    var end = zero(1);
    end.set(0, Math.exp(-DECAY), TURNS); // z^n
    var error = 0.0;
    var largest = 0.0;
    for (var k = 0; k < points; k++) {
      var part = (TURNS - k) / points;
      var angle = 2 * Math.PI * (part - Math.rint(part));
      var half = Math.sin(angle / 2);
      // 1 - |z| cos, without cancellation near 1
      var underRe = 2 * half * half - decay * Math.cos(angle);
      var underIm = -(1 + decay) * Math.sin(angle);
      var overRe = 1 - end.re[0];
      var overIm = -end.im[0];
      var square = underRe * underRe + underIm * underIm;
      var exactRe = (overRe * underRe + overIm * underIm) / square;
      var exactIm = (overIm * underRe - overRe * underIm) / square;
      error = Math.max(error, Math.hypot(re[k] - exactRe, im[k] - exactIm));
      largest = Math.max(largest, Math.hypot(exactRe, exactIm));
    }
    return error / largest;
  }
}
