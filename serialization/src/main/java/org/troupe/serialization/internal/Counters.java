package org.troupe.serialization.internal;

import java.util.concurrent.atomic.LongAdder;
import org.troupe.serialization.Tally;

/** Counts for a serializer that was asked to. */
public final class Counters {

  private final LongAdder lookUps = new LongAdder();
  private final LongAdder objectsReused = new LongAdder();

  /** Adds what one encoding has looked up. */
  void addLookUps(int more) {
    lookUps.add(more);
  }

  /** Adds what one decoding has read into. */
  void addObjectsReused(int more) {
    objectsReused.add(more);
  }

  /** Returns the sums so far. */
  public Tally tally() {
    return new Tally(lookUps.sum(), objectsReused.sum());
  }
}
