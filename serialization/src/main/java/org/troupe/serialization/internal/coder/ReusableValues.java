package org.troupe.serialization.internal.coder;

import java.util.Arrays;

/**
 * The objects of the previous call, into which the next call is decoded. Not to be shared between
 * threads.
 */
public final class ReusableValues {

  /*
   * Which object is reused. A decoder numbers the objects that it creates in the order of the bytes.
   * An object of the next call is read into the object of the same number within the same argument,
   * if that has its class and length. Looking for it in the slot of the previous graph instead, and
   * then in a table of the objects reused already, took longer than to allocate a new object.
   *
   * Ownership. Only objects that the decoder created have numbers, so a live object of this JVM is
   * never overwritten, nor one that the method has put into the graph. If readResolve replaced an
   * object, or an argument without @Reused may hold an object of one with it, nothing is kept for the
   * next call. Such calls are rare, and finding out which objects are affected would slow down all
   * others.
   */

  private static final Object[] NOTHING = {};

  private final boolean[] reused;
  private final boolean all;

  /** The objects that each value led to first, as a range of numbers. */
  private final int[] from;

  private final int[] to;

  private Object[] kept = NOTHING;

  /**
   * Creates an empty set of objects.
   *
   * @param reused which of the values may be reused
   */
  public ReusableValues(boolean[] reused) {
    this.reused = reused.clone();
    this.from = new int[reused.length];
    this.to = new int[reused.length];
    boolean every = true;
    for (boolean one : reused) {
      every &= one;
    }
    this.all = every;
  }

  /** Returns the objects by their numbers; they are forgotten here. */
  Object[] take() {
    Object[] objects = kept;
    kept = NOTHING;
    return objects;
  }

  /** Returns the number of the first object of a value. */
  int from(int value) {
    return from[value];
  }

  /** Returns the number after the last object of a value that may be reused. */
  int to(int value) {
    return reused[value] ? to[value] : 0;
  }

  /** Sets the numbers of the objects of a value, after those of the previous call were used. */
  void setRange(int value, int first, int end) {
    from[value] = first;
    to[value] = end;
  }

  /**
   * Returns whether all values are reused, so that an object met twice is shared among reused
   * values only.
   */
  boolean isOfAll() {
    return all;
  }

  /** Keeps the objects of the values that are reused. */
  void keep(Object[] objects) {
    for (int i = 0; i < reused.length; i++) {
      if (!reused[i]) {
        Arrays.fill(objects, from[i], to[i], null);
      }
    }
    kept = objects;
  }
}
