package org.troupe.dashboard;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.troupe.deployment.watch.WatchRecord;
import org.troupe.deployment.watch.WatchRecord.Method;

/** The rows with counts that runs have sent for metrics, for their sums. Thread-safe. */
final class CountedRows {

  /*
   * Design: sums that do not fall
   *
   * A program keeps the last rows of a node only, such as 40 pairs of nodes. A row that it drops would make the sum of its counter fall, which
   * Prometheus takes for a restart and adds the whole sum as growth. So rows that the program has dropped stay here with their last
   * counts. A run has at most MOST_ROWS, of which the one that has not come for the longest time is dropped; of the runs the last ones are kept.
   *
   * The methods that have no series of their own are summed up. So a method has the same place in all answers: those that are busiest in the first one have
   * series, and later ones as long as there is space.
   */
  private static final int MOST_ROWS = 100_000;
  private static final int MOST_RUNS = 8;

  private final Map<String, Run> runs = new LinkedHashMap<>(); // guarded by this

  /** A method of a class, on all nodes. */
  record MethodName(String type, String method) {

    static MethodName of(Method row) {
      return new MethodName(row.type(), row.method());
    }
  }

  /** The records for an answer, and the methods that have series of their own. */
  record Counted(List<WatchRecord> records, Set<MethodName> methods) {}

  /** What is kept of a run. */
  private record Run(Map<String, WatchRecord> rows, Set<MethodName> methods) {}

  /** Returns the records of a whole round with the rows that were dropped before. */
  synchronized Counted with(List<WatchRecord> records) {
    var name = records.stream().map(CountedRows::run).filter(it -> !it.isEmpty()).findFirst();
    if (name.isEmpty()) {
      return counted(records, new HashSet<>());
    }
    var run = runs.remove(name.get());
    if (run == null) {
      run = new Run(new LinkedHashMap<>(), new HashSet<>());
    }
    runs.put(name.get(), run); // as the last one
    shorten(runs, MOST_RUNS);
    var rows = run.rows();
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
    return counted(all, run.methods());
  }

  /** Adds the busiest methods to those with series of their own, as long as there is space. */
  private static Counted counted(List<WatchRecord> records, Set<MethodName> methods) {
    Map<MethodName, Long> others = new HashMap<>();
    for (var each : records) {
      if (each instanceof Method row && !methods.contains(MethodName.of(row))) {
        others.merge(MethodName.of(row), row.served(), Long::sum);
      }
    }
    others.entrySet().stream()
        .sorted(
            Map.Entry.<MethodName, Long>comparingByValue()
                .reversed()
                .thenComparing(each -> each.getKey().type())
                .thenComparing(each -> each.getKey().method()))
        .limit(GridMetrics.MOST_METHODS - methods.size())
        .forEach(each -> methods.add(each.getKey()));
    return new Counted(records, Set.copyOf(methods));
  }

  private static String run(WatchRecord record) {
    return record instanceof WatchRecord.Begin begin ? begin.run() + "\t" + begin.id() : "";
  }

  private static boolean isCount(WatchRecord record) {
    return record instanceof Method
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
