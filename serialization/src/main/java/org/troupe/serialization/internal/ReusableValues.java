package org.troupe.serialization.internal;

import org.jspecify.annotations.Nullable;

/**
 * The values of the previous call, into which the next call is decoded. Not to be shared between
 * threads.
 */
public final class ReusableValues {

  /*
   * Ownership. Only objects that the decoder created may be overwritten: not a live object of this
   * JVM, not one returned by readResolve, not one that an argument without @Reused holds too. If a
   * call contains any of these, nothing is kept for the next call. Such calls are rare, and finding
   * out which objects are affected would slow down all others.
   */

  private final boolean[] reused;
  private final boolean all;
  private Object @Nullable [] kept;

  /**
   * Creates an empty set of values.
   *
   * @param reused which of the values may be reused
   */
  public ReusableValues(boolean[] reused) {
    this.reused = reused.clone();
    boolean every = true;
    for (boolean one : reused) {
      every &= one;
    }
    this.all = every;
  }

  Object[] values() {
    return kept == null ? new Object[reused.length] : kept.clone();
  }

  /**
   * Returns whether all values are reused, so that an object met twice is shared among reused
   * values only.
   */
  boolean isOfAll() {
    return all;
  }

  /** Keeps the values for the next call, if all objects in them may be overwritten. */
  void keep(Object[] values, boolean ours) {
    kept = null;
    if (!ours) {
      return;
    }
    kept = values.clone();
    for (int i = 0; i < reused.length; i++) {
      if (!reused[i]) {
        kept[i] = null;
      }
    }
  }

  /** Forgets the values, which may be partly overwritten by another call. */
  void forget() {
    kept = null;
  }
}
