package org.troupe.serialization.internal;

import org.jspecify.annotations.Nullable;

/** What the values of a call before have left, to be read into. Not to be shared by threads. */
public final class ReusableValues {

  /*
   * An object that came some other way than by being read is not ours to read into: a live one of
   * this JVM, one that a readResolve gave, one that an argument that is not reused holds too. Where
   * any is met, nothing is kept for the next call; such calls are rare, and telling which objects
   * lead to it would cost all others.
   */

  private final boolean[] reused;
  private final boolean all;
  private Object @Nullable [] kept;

  /**
   * Creates one that holds nothing yet.
   *
   * @param reused which of the values may be read into
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

  /** Says whether an object that is met twice is nobody else's all the same. */
  boolean isOfAll() {
    return all;
  }

  /** Keeps the values for the next call, if all that is in them may be read into. */
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

  /** Forgets what is kept, of which parts of another call may be in by now. */
  void forget() {
    kept = null;
  }
}
