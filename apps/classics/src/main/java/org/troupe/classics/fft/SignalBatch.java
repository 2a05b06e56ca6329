package org.troupe.classics.fft;

/**
 * Some signals of the same length side by side, transformed together, so that a processor's vectors
 * can take a number of each.
 *
 * @see "J. W. Cooley, J. W. Tukey, An algorithm for the machine calculation of complex Fourier
 *     series, Mathematics of Computation 19(90), 1965"
 */
final class SignalBatch {

  /** How many at most, so that signals of some thousand points fit into a second cache. */
  static final int MOST = 32;

  private final int length; // a power of two
  private final int count;

  /*
   * By index and line. In loops over lines all arrays are used at the same index, which the compiler makes vectors of;
   * not so with all numbers in one array, where it has to fear that stretches of it overlap.
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

  /** Takes the number at an index of all lines from where they follow each other. */
  void load(int index, ComplexSignal from, int begin) {
    System.arraycopy(from.re(), begin, re[index], 0, count);
    System.arraycopy(from.im(), begin, im[index], 0, count);
  }

  /** Takes some numbers of one line. */
  void loadLine(int line, int index, ComplexSignal from, int begin, int length) {
    for (var i = 0; i < length; i++) {
      re[index + i][line] = from.re()[begin + i];
      im[index + i][line] = from.im()[begin + i];
    }
  }

  /** Stores the number at an index of all lines' transforms. */
  void store(int index, ComplexSignal to, int begin) {
    System.arraycopy(re[place(index)], 0, to.re(), begin, count);
    System.arraycopy(im[place(index)], 0, to.im(), begin, count);
  }

  /** Where the transform leaves an index: its bits reversed. */
  private int place(int index) {
    return Integer.reverse(index) >>> Integer.numberOfLeadingZeros(length) + 1;
  }

  /** Transforms, from the whole length down, by quarters; what is left at the end by halves. */
  void transform() {
    var part = length;
    for (; part >= 4; part /= 4) {
      var quarter = part / 4;
      for (var i = 0; i < quarter; i++) {
        for (var begin = 0; begin < length; begin += part) {
          four(begin + i, quarter, i * (length / part));
        }
      }
    }
    if (part == 2) {
      for (var begin = 0; begin < length; begin += 2) {
        two(begin);
      }
    }
  }

  private void two(int at) {
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

  private void four(int at, int quarter, int root) {
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
      var gapR = ar[i] - cr[i];
      var gapI = ai[i] - ci[i];
      var otherSumR = br[i] + dr[i];
      var otherSumI = bi[i] + di[i];
      var turnedR = bi[i] - di[i]; // their gap by -i
      var turnedI = dr[i] - br[i];
      ar[i] = sumR + otherSumR;
      ai[i] = sumI + otherSumI;
      var evenR = sumR - otherSumR;
      var evenI = sumI - otherSumI;
      br[i] = evenR * vr - evenI * vi;
      bi[i] = evenR * vi + evenI * vr;
      var oddR = gapR + turnedR;
      var oddI = gapI + turnedI;
      cr[i] = oddR * ur - oddI * ui;
      ci[i] = oddR * ui + oddI * ur;
      var lastR = gapR - turnedR;
      var lastI = gapI - turnedI;
      dr[i] = lastR * wr - lastI * wi;
      di[i] = lastR * wi + lastI * wr;
    }
  }

  /**
   * Multiplies the number at an index of all transforms, of each line by another root.
   *
   * @param roots of the lines; all of them are to be multiplied by the first one before
   */
  void turn(int index, ComplexSignal roots, double firstR, double firstI) {
    var r = re[place(index)];
    var j = im[place(index)];
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
