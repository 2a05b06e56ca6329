package org.troupe.groups.spmd;

import org.troupe.groups.Operation;

/** Combines stretches of arrays of numbers. */
final class ArrayReduction {

  /*
   * Vectorization
   *
   * There is one loop per operation and type, because each of them compiles to vector instructions. A single loop
   * that chooses the operation inside, or calls it through an interface, does not.
   */
  private ArrayReduction() {}

  /** Requires that an operation applies to a type of numbers, before any element is combined. */
  static void checkApplicable(Operation by, Class<?> element) {
    var isBitwise = by == Operation.AND || by == Operation.OR || by == Operation.XOR;
    if (isBitwise && (element == double.class || element == float.class)) {
      throw new IllegalArgumentException(
          by + " combines bits, and a " + element + " is no whole number; use SUM, MIN or MAX");
    }
  }

  /** Sets {@code into[at + i]} to itself combined with {@code from[start + i]}. */
  static void combine(Operation by, Object into, int at, Object from, int start, int length) {
    switch (into) {
      case double[] all -> combine(by, all, at, (double[]) from, start, length);
      case float[] all -> combine(by, all, at, (float[]) from, start, length);
      case int[] all -> combine(by, all, at, (int[]) from, start, length);
      case long[] all -> combine(by, all, at, (long[]) from, start, length);
      case byte[] all -> combine(by, all, at, (byte[]) from, start, length);
      default -> throw new AssertionError(into.getClass());
    }
  }

  private static void combine(
      Operation by, double[] into, int at, double[] from, int start, int length) {
    switch (by) {
      case SUM -> {
        for (var i = 0; i < length; i++) {
          into[at + i] = into[at + i] + from[start + i];
        }
      }
      case PRODUCT -> {
        for (var i = 0; i < length; i++) {
          into[at + i] = into[at + i] * from[start + i];
        }
      }
      case MIN -> {
        for (var i = 0; i < length; i++) {
          into[at + i] = Math.min(into[at + i], from[start + i]);
        }
      }
      case MAX -> {
        for (var i = 0; i < length; i++) {
          into[at + i] = Math.max(into[at + i], from[start + i]);
        }
      }
      case AND, OR, XOR -> checkApplicable(by, double.class);
    }
  }

  private static void combine(
      Operation by, float[] into, int at, float[] from, int start, int length) {
    switch (by) {
      case SUM -> {
        for (var i = 0; i < length; i++) {
          into[at + i] = into[at + i] + from[start + i];
        }
      }
      case PRODUCT -> {
        for (var i = 0; i < length; i++) {
          into[at + i] = into[at + i] * from[start + i];
        }
      }
      case MIN -> {
        for (var i = 0; i < length; i++) {
          into[at + i] = Math.min(into[at + i], from[start + i]);
        }
      }
      case MAX -> {
        for (var i = 0; i < length; i++) {
          into[at + i] = Math.max(into[at + i], from[start + i]);
        }
      }
      case AND, OR, XOR -> checkApplicable(by, float.class);
    }
  }

  private static void combine(Operation by, int[] into, int at, int[] from, int start, int length) {
    switch (by) {
      case SUM -> {
        for (var i = 0; i < length; i++) {
          into[at + i] = into[at + i] + from[start + i];
        }
      }
      case PRODUCT -> {
        for (var i = 0; i < length; i++) {
          into[at + i] = into[at + i] * from[start + i];
        }
      }
      case MIN -> {
        for (var i = 0; i < length; i++) {
          into[at + i] = Math.min(into[at + i], from[start + i]);
        }
      }
      case MAX -> {
        for (var i = 0; i < length; i++) {
          into[at + i] = Math.max(into[at + i], from[start + i]);
        }
      }
      case AND -> {
        for (var i = 0; i < length; i++) {
          into[at + i] = into[at + i] & from[start + i];
        }
      }
      case OR -> {
        for (var i = 0; i < length; i++) {
          into[at + i] = into[at + i] | from[start + i];
        }
      }
      case XOR -> {
        for (var i = 0; i < length; i++) {
          into[at + i] = into[at + i] ^ from[start + i];
        }
      }
    }
  }

  private static void combine(
      Operation by, long[] into, int at, long[] from, int start, int length) {
    switch (by) {
      case SUM -> {
        for (var i = 0; i < length; i++) {
          into[at + i] = into[at + i] + from[start + i];
        }
      }
      case PRODUCT -> {
        for (var i = 0; i < length; i++) {
          into[at + i] = into[at + i] * from[start + i];
        }
      }
      case MIN -> {
        for (var i = 0; i < length; i++) {
          into[at + i] = Math.min(into[at + i], from[start + i]);
        }
      }
      case MAX -> {
        for (var i = 0; i < length; i++) {
          into[at + i] = Math.max(into[at + i], from[start + i]);
        }
      }
      case AND -> {
        for (var i = 0; i < length; i++) {
          into[at + i] = into[at + i] & from[start + i];
        }
      }
      case OR -> {
        for (var i = 0; i < length; i++) {
          into[at + i] = into[at + i] | from[start + i];
        }
      }
      case XOR -> {
        for (var i = 0; i < length; i++) {
          into[at + i] = into[at + i] ^ from[start + i];
        }
      }
    }
  }

  private static void combine(
      Operation by, byte[] into, int at, byte[] from, int start, int length) {
    switch (by) {
      case SUM -> {
        for (var i = 0; i < length; i++) {
          into[at + i] = (byte) (into[at + i] + from[start + i]);
        }
      }
      case PRODUCT -> {
        for (var i = 0; i < length; i++) {
          into[at + i] = (byte) (into[at + i] * from[start + i]);
        }
      }
      case MIN -> {
        for (var i = 0; i < length; i++) {
          into[at + i] = (byte) (Math.min(into[at + i], from[start + i]));
        }
      }
      case MAX -> {
        for (var i = 0; i < length; i++) {
          into[at + i] = (byte) (Math.max(into[at + i], from[start + i]));
        }
      }
      case AND -> {
        for (var i = 0; i < length; i++) {
          into[at + i] = (byte) (into[at + i] & from[start + i]);
        }
      }
      case OR -> {
        for (var i = 0; i < length; i++) {
          into[at + i] = (byte) (into[at + i] | from[start + i]);
        }
      }
      case XOR -> {
        for (var i = 0; i < length; i++) {
          into[at + i] = (byte) (into[at + i] ^ from[start + i]);
        }
      }
    }
  }
}
