package org.troupe.serialization.internal.resources;

import java.util.concurrent.atomic.LongAdder;
import org.troupe.serialization.SerializationCounts;

/** The counts of a serializer whose builder enabled them. */
public final class SerializationCounters {

  private final LongAdder lookUps = new LongAdder();
  private final LongAdder objectsReused = new LongAdder();

  /** Adds the look-ups of one encoding. */
  public void addLookUps(int more) {
    lookUps.add(more);
  }

  /** Adds the objects that one decoding has reused. */
  public void addObjectsReused(int more) {
    objectsReused.add(more);
  }

  /** Returns the sums so far. */
  public SerializationCounts tally() {
    return new SerializationCounts(lookUps.sum(), objectsReused.sum());
  }
}
