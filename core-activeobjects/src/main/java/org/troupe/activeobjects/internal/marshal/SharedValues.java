package org.troupe.activeobjects.internal.marshal;

import org.jspecify.annotations.Nullable;

/**
 * The values of a payload with several holders, decoded once for all of them if none of the values
 * needs a copy. Thread-safe.
 */
public final class SharedValues {

  private volatile Object @Nullable [] values;
  private boolean needsCopies; // a late reader only checks the values again

  /** Returns the values; {@code null} if each holder has to decode copies of its own. */
  Object @Nullable [] known() {
    return values;
  }

  /** Keeps decoded values for the other holders, if they may be shared. */
  void decoded(Object[] decoded, Marshaller marshaller) {
    if (needsCopies) {
      return;
    }
    if (marshaller.allShareable(decoded)) {
      values = decoded;
    } else {
      needsCopies = true;
    }
  }
}
