package org.troupe.classics.fft;

/**
 * Some signals of equal length side by side, called lines, which are transformed together: each
 * lane of a vector instruction processes one of them.
 *
 * @see "J. W. Cooley, J. W. Tukey, An algorithm for the machine calculation of complex Fourier
 *     series, Mathematics of Computation 19(90), 1965"
 */
final class SignalBatch {

  /**
   * The largest number of lines, with which lines of some thousand points fit into a second-level
   * cache.
   */
  static final int MOST = 32;

  private final int length; // a power of two
  private final int count;

  /*
   * Arrays by index and line. Loops over lines access all arrays at the same index, and the compiler
   * vectorises them. With all numbers in one array it would have to assume that its sections overlap.
   */
  private final double[][] re;
  private final double[][] im;
  private final ComplexSignal roots; // of unity

  SignalBatch(int length, int count) {
    this.length = length;
    this.count = count;
    re = new double[length][count];
    im = new double[length][count];
    roots = ComplexSignal.roots(length, 1, 0, length);
  }

  int count() {
    return count;
  }

  /** Loads the number at an index of all lines from adjacent elements. */
  void load(int index, ComplexSignal from, int begin) {
    System.arraycopy(from.re(), begin, re[index], 0, count);
    System.arraycopy(from.im(), begin, im[index], 0, count);
  }

  /** Loads some numbers of one line. */
  void loadLine(int line, int index, ComplexSignal from, int begin, int length) {
    for (var i = 0; i < length; i++) {
      re[index + i][line] = from.re()[begin + i];
      im[index + i][line] = from.im()[begin + i];
    }
  }

  /** Stores the number at an index of all transforms to adjacent elements. */
  void store(int index, ComplexSignal to, int begin) {
    System.arraycopy(re[bitReversed(index)], 0, to.re(), begin, count);
    System.arraycopy(im[bitReversed(index)], 0, to.im(), begin, count);
  }

  /** Returns the position of an index after the transform: its bits reversed. */
  private int bitReversed(int index) {
    return Integer.reverse(index) >>> Integer.numberOfLeadingZeros(length) + 1;
  }

  /**
   * Transforms all lines, by radix 4 and, if the length is not a power of four, a last step of
   * radix 2.
   */
  void transform() {
    var part = length;
    for (; part >= 4; part /= 4) {
      var quarter = part / 4;
      for (var i = 0; i < quarter; i++) {
        for (var begin = 0; begin < length; begin += part) {
          radix4(begin + i, quarter, i * (length / part));
        }
      }
    }
    if (part == 2) {
      for (var begin = 0; begin < length; begin += 2) {
        radix2(begin);
      }
    }
  }

  private void radix2(int at) {
    var ar = re[at];
    var ai = im[at];
    var br = re[at + 1];
    var bi = im[at + 1];
    for (var i = 0; i < ar.length; i++) {
      var r = ar[i];
      var j = ai[i];
      ar[i] = r + br[i];
      ai[i] = j + bi[i];
      br[i] = r - br[i];
      bi[i] = j - bi[i];
    }
  }

  private void radix4(int at, int quarter, int root) {
    var ar = re[at];
    var ai = im[at];
    var br = re[at + quarter];
    var bi = im[at + quarter];
    var cr = re[at + 2 * quarter];
    var ci = im[at + 2 * quarter];
    var dr = re[at + 3 * quarter];
    var di = im[at + 3 * quarter];
    var ur = roots.re()[root];
    var ui = roots.im()[root];
    var vr = roots.re()[2 * root];
    var vi = roots.im()[2 * root];
    var wr = roots.re()[3 * root];
    var wi = roots.im()[3 * root];
    for (var i = 0; i < ar.length; i++) {
      var sumR = ar[i] + cr[i];
      var sumI = ai[i] + ci[i];
      var diffR = ar[i] - cr[i];
      var diffI = ai[i] - ci[i];
      var otherSumR = br[i] + dr[i];
      var otherSumI = bi[i] + di[i];
      var turnedR = bi[i] - di[i]; // the difference of b and d, times -i
      var turnedI = dr[i] - br[i];
      ar[i] = sumR + otherSumR;
      ai[i] = sumI + otherSumI;
      var evenR = sumR - otherSumR;
      var evenI = sumI - otherSumI;
      br[i] = evenR * vr - evenI * vi;
      bi[i] = evenR * vi + evenI * vr;
      var oddR = diffR + turnedR;
      var oddI = diffI + turnedI;
      cr[i] = oddR * ur - oddI * ui;
      ci[i] = oddR * ui + oddI * ur;
      var lastR = diffR - turnedR;
      var lastI = diffI - turnedI;
      dr[i] = lastR * wr - lastI * wi;
      di[i] = lastR * wi + lastI * wr;
    }
  }

  /**
   * Multiplies the number at an index of all transforms by twiddle factors.
   *
   * @param roots a factor for each line
   * @param firstR the real part of a common factor
   * @param firstI its imaginary part
   */
  void twiddle(int index, ComplexSignal roots, double firstR, double firstI) {
    var r = re[bitReversed(index)];
    var j = im[bitReversed(index)];
    var rootsR = roots.re();
    var rootsI = roots.im();
    for (var i = 0; i < r.length; i++) {
      var rootR = rootsR[i] * firstR - rootsI[i] * firstI;
      var rootI = rootsR[i] * firstI + rootsI[i] * firstR;
      var was = r[i];
      r[i] = was * rootR - j[i] * rootI;
      j[i] = was * rootI + j[i] * rootR;
    }
  }
}
