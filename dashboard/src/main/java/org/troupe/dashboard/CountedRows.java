package org.troupe.dashboard;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.troupe.deployment.watch.WatchRecord;

/** The rows with counts that runs have sent for metrics, for their sums. Thread-safe. */
final class CountedRows {

  /*
   * Design: sums that do not fall
   *
   * A program keeps the last rows of a node only, such as 40 pairs of nodes. A row that it drops would make the sum of its counter fall, which
   * Prometheus takes for a restart and adds the whole sum as growth. So rows that the program has dropped stay here with their last
   * counts. A run has at most MOST_ROWS, of which the one that has not come for the longest time is dropped; of the runs the last ones are kept.
   */
  private static final int MOST_ROWS = 100_000;
  private static final int MOST_RUNS = 8;

  private final Map<String, Map<String, WatchRecord>> runs = // guarded by this
      new LinkedHashMap<>();

  /** Returns the records of a whole round with the rows that were dropped before. */
  synchronized List<WatchRecord> with(List<WatchRecord> records) {
    var run = records.stream().map(CountedRows::run).filter(it -> !it.isEmpty()).findFirst();
    if (run.isEmpty()) {
      return records;
    }
    var rows = runs.remove(run.get());
    if (rows == null) {
      rows = new LinkedHashMap<>();
    }
    runs.put(run.get(), rows); // as the last one
    shorten(runs, MOST_RUNS);
    Set<String> present = new HashSet<>();
    for (var each : records) {
      if (isCount(each)) {
        present.add(each.key());
        rows.remove(each.key());
        rows.put(each.key(), each);
      }
    }
    shorten(rows, MOST_ROWS);
    List<WatchRecord> all = new ArrayList<>();
    rows.forEach(
        (key, row) -> {
          if (!present.contains(key)) {
            all.add(row);
          }
        });
    all.addAll(records);
    return all;
  }

  private static String run(WatchRecord record) {
    return record instanceof WatchRecord.Begin begin ? begin.run() + "\t" + begin.id() : "";
  }

  private static boolean isCount(WatchRecord record) {
    return record instanceof WatchRecord.Method
        || record instanceof WatchRecord.Pair
        || record instanceof WatchRecord.Failure;
  }

  private static void shorten(Map<String, ?> map, int most) {
    var keys = map.keySet().iterator();
    while (map.size() > most) {
      keys.next();
      keys.remove();
    }
  }
}
