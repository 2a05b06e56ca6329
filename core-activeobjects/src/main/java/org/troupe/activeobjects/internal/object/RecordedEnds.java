package org.troupe.activeobjects.internal.object;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;

/**
 * The ends of those objects of a node that other nodes know and that were not simply terminated.
 * Thread-safe.
 */
final class RecordedEnds {

  /*
   * Design: records of objects that are gone
   *
   * A reference within the node holds the body, which knows its end. Other nodes hold a number, and ask for the end of
   * an object that may be long gone. A number without a body and without a record stands for an object that was
   * terminated, so orderly ends cost no memory. Of the others the most recent ones are kept. When a node has had
   * more failures than that, an object that failed before all of them is reported as terminated. Of collected objects
   * only a request that was on its way to the node can ask, so the numbers of the last ones suffice.
   */
  private static final int MOST = 1_000;

  private final Map<Long, End> ends =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, End> eldest) {
          var isForgotten = size() > MOST;
          hasForgottenLosses |= isForgotten && eldest.getValue().how() == End.How.LOST;
          return isForgotten;
        }
      };

  private boolean hasForgottenLosses;

  private final Set<Long> collected = new LinkedHashSet<>(); // the oldest first

  synchronized void addCollected(long number) {
    collected.add(number);
    if (collected.size() > MOST) {
      collected.remove(collected.iterator().next());
    }
  }

  /** Returns whether an object is among those that were collected last. */
  synchronized boolean wasCollected(long number) {
    return collected.contains(number);
  }

  synchronized void add(long number, End end) {
    if (number != 0 && end.how() != End.How.TERMINATED) {
      ends.put(number, end);
    }
  }

  /** Returns whether an object without a record may have been lost, and go on in another run. */
  synchronized boolean haveForgottenLosses() {
    return hasForgottenLosses;
  }

  /** Returns the recorded end of an object; {@code null} if there is none. */
  synchronized @Nullable End of(long number) {
    return ends.get(number);
  }
}
