package org.troupe.activeobjects.internal.observe;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.troupe.activeobjects.collective.OperationCounter;
import org.troupe.activeobjects.hosting.NodeActivity.OperationLine;

/**
 * The parts of a node's members in collective operations, by group, operation and algorithm.
 * Thread-safe.
 */
public final class CollectiveCounts {

  /*
   * A member asks for a counter once per operation and algorithm, and keeps it, so that a part costs two additions. Counters are
   * never removed: the groups of the whole run come first, and those of short phases share a counter when there are too many.
   */
  static final int MOST_COUNTERS = 200;

  private static final String OTHERS = "other groups";

  private final Map<Key, Counter> counters = new LinkedHashMap<>(); // guarded by this

  private record Key(String group, String type, int size, String operation, String algorithm) {}

  private static final class Counter implements OperationCounter {
    private final LongAdder parts = new LongAdder();
    private final LongAdder bytes = new LongAdder();

    @Override
    public void add(long more) {
      if (TierSwitch.isCounting()) {
        parts.increment();
        bytes.add(more);
      }
    }
  }

  /**
   * Returns the counter of an operation; the members of a group on this node share it.
   *
   * @param group the id of the group
   * @param type the name of the class of its members
   * @param size the number of its members
   */
  public synchronized OperationCounter counter(
      String group, String type, int size, String operation, String algorithm) {
    var exact = new Key(group, type, size, operation, algorithm);
    var key =
        counters.size() < MOST_COUNTERS || counters.containsKey(exact)
            ? exact
            : new Key(OTHERS, "", 0, operation, algorithm);
    return counters.computeIfAbsent(key, _ -> new Counter());
  }

  /** Returns a line for each counter that has counted, those of most bytes first. */
  public synchronized List<OperationLine> all() {
    List<OperationLine> lines = new ArrayList<>();
    counters.forEach(
        (key, counter) -> {
          if (counter.parts.sum() > 0) {
            lines.add(
                new OperationLine(
                    key.group(),
                    key.type(),
                    key.size(),
                    key.operation(),
                    key.algorithm(),
                    counter.parts.sum(),
                    counter.bytes.sum()));
          }
        });
    lines.sort(
        Comparator.comparingLong(OperationLine::bytes)
            .thenComparingLong(OperationLine::parts)
            .reversed());
    return lines;
  }
}
