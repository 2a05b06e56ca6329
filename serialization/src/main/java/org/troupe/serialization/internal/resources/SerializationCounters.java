package org.troupe.serialization.internal.resources;

import java.util.concurrent.atomic.LongAdder;
import org.troupe.serialization.SerializationCounts;

/** Counts for a serializer that was asked to. */
public final class SerializationCounters {

  private final LongAdder lookUps = new LongAdder();
  private final LongAdder objectsReused = new LongAdder();

  /** Adds what one encoding has looked up. */
  public void addLookUps(int more) {
    lookUps.add(more);
  }

  /** Adds what one decoding has read into. */
  public void addObjectsReused(int more) {
    objectsReused.add(more);
  }

  /** Returns the sums so far. */
  public SerializationCounts tally() {
    return new SerializationCounts(lookUps.sum(), objectsReused.sum());
  }
}
