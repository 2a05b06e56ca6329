package org.troupe.groups.spmd;

import org.troupe.groups.Operation;

/** Combines stretches of arrays of numbers. */
final class ArrayReduction {

  /*
   * One loop per operation and type: each compiles to vector instructions of its own. A single loop with the operation
   * chosen inside, or behind an interface, does not.
   */
  private ArrayReduction() {}

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
      case AND, OR, XOR -> by.check(double.class);
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
      case AND, OR, XOR -> by.check(float.class);
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
