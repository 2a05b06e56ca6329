package org.troupe.em3d.maxwell;

import org.troupe.em3d.physics.FieldKind;

/**
 * A checksum of the fields. The sum (modulo 2^64) over all sub-domains does not depend on the
 * division.
 *
 * <p>Each bit pattern is hashed together with the global number of its cell, so that the checksum
 * also detects right values in wrong cells.
 */
final class FieldChecksum {

  private FieldChecksum() {}

  /** Returns the checksum of both fields of a sub-domain. */
  static long of(SubDomain subDomain) {
    int n = subDomain.order().cellValues();
    int[] globalCells = subDomain.mesh().globalCells();
    double[] e = subDomain.values(FieldKind.E);
    double[] h = subDomain.values(FieldKind.H);
    long sum = 0;
    for (int cell = 0; cell < globalCells.length; cell++) {
      long number = 2L * n * globalCells[cell];
      for (int k = 0; k < n; k++) {
        sum += hash(number + k, e[n * cell + k]);
        sum += hash(number + n + k, h[n * cell + k]);
      }
    }
    return sum;
  }

  /** The finaliser of splitmix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014). */
  private static long hash(long number, double value) {
    long z = Double.doubleToRawLongBits(value) + (number + 1) * 0x9e3779b97f4a7c15L;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }
}
