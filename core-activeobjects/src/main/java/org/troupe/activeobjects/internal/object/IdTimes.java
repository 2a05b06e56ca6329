package org.troupe.activeobjects.internal.object;

/**
 * The times at which a node has drawn its ids, as far as the ticks of its clock tell. Thread-safe.
 */
final class IdTimes {

  /*
   * Ids ascend, so those that were drawn between two ticks lie between the last ids of these ticks, and drawing one reads no clock.
   * When there is no more space, every second tick is dropped: old ids are known less exactly.
   */
  static final int MOST = 1_024;

  // guarded by this
  private final long[] lastIds = new long[MOST];
  private final long[] nanos = new long[MOST];
  private int size = 1;

  /**
   * Begins with the first id.
   *
   * @param nowNanos before which no id was drawn
   */
  IdTimes(long nowNanos) {
    nanos[0] = nowNanos;
  }

  /** Records the last id that was drawn until now. */
  synchronized void tick(long nowNanos, long lastId) {
    if (size == MOST) {
      for (var i = 0; i < MOST / 2; i++) {
        lastIds[i] = lastIds[2 * i];
        nanos[i] = nanos[2 * i];
      }
      size = MOST / 2;
    }
    lastIds[size] = lastId;
    nanos[size] = nowNanos;
    size++;
  }

  /** Returns a time after which an id was drawn: that of the last tick before. */
  synchronized long before(long id) {
    var at = size - 1;
    while (at > 0 && lastIds[at] >= id) {
      at--;
    }
    return nanos[at];
  }
}
