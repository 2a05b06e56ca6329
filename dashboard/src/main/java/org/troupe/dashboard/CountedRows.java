package org.troupe.dashboard;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.troupe.deployment.watch.WatchRecord;
import org.troupe.deployment.watch.WatchRecord.Method;
import org.troupe.deployment.watch.WatchRecord.Pair;

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
   *
   * A pair of nodes may change its driver, as from a relay to a connection of its own. The traffic over the former driver stays in the series of that driver.
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

  /**
   * The rows for an answer.
   *
   * @param records where a pair has the counts of its present driver only
   * @param former what pairs have sent by other drivers
   * @param methods those that have series of their own
   */
  record Counted(List<WatchRecord> records, List<Pair> former, Set<MethodName> methods) {}

  /**
   * The rows and counts of a run that later counts need.
   *
   * @param rows the last ones as they came, by their keys
   * @param former by the key of a pair, then by the driver
   */
  private record Run(
      Map<String, WatchRecord> rows,
      Map<String, Map<String, Pair>> former,
      Set<MethodName> methods) {

    Run() {
      this(new LinkedHashMap<>(), new LinkedHashMap<>(), new HashSet<>());
    }

    /** Takes a row. */
    void put(WatchRecord row) {
      var last = rows.remove(row.key());
      rows.put(row.key(), row); // as the last one
      if (row instanceof Pair pair
          && last instanceof Pair before
          && !before.driver().equals(pair.driver())) {
        var others = former.computeIfAbsent(row.key(), _ -> new HashMap<>());
        others.merge(before.driver(), sent(before, others.values(), 0), CountedRows::sum);
      }
    }

    /** Returns a row; a pair with the counts of its present driver only. */
    WatchRecord present(WatchRecord row) {
      var others = former.get(row.key());
      return row instanceof Pair pair && others != null
          ? sent(pair, others.values(), pair.roundTripSeconds())
          : row;
    }
  }

  private static Pair sum(Pair a, Pair b) {
    return new Pair(
        a.node(),
        a.peer(),
        a.driver(),
        a.messages() + b.messages(),
        a.bytes() + b.bytes(),
        a.resets() + b.resets(),
        a.roundTripSeconds());
  }

  /** Returns what a pair has sent beside what it has sent by other drivers. */
  private static Pair sent(Pair all, Collection<Pair> others, double roundTripSeconds) {
    var messages = all.messages();
    var bytes = all.bytes();
    var resets = all.resets();
    for (var each : others) {
      messages -= each.messages();
      bytes -= each.bytes();
      resets -= each.resets();
    }
    return new Pair(
        all.node(), all.peer(), all.driver(), messages, bytes, resets, roundTripSeconds);
  }

  /** Returns the records of a whole round with the rows that were dropped before. */
  synchronized Counted with(List<WatchRecord> records) {
    var name = records.stream().map(CountedRows::run).filter(it -> !it.isEmpty()).findFirst();
    if (name.isEmpty()) {
      return counted(records, new Run());
    }
    var known = runs.remove(name.get());
    var run = known == null ? new Run() : known;
    runs.put(name.get(), run); // as the last one
    shorten(runs, MOST_RUNS);
    Set<String> present = new HashSet<>();
    for (var each : records) {
      if (isCount(each)) {
        present.add(each.key());
        run.put(each);
      }
    }
    shorten(run.rows(), MOST_ROWS);
    shorten(run.former(), MOST_ROWS);
    List<WatchRecord> all = new ArrayList<>();
    run.rows()
        .forEach(
            (key, row) -> {
              if (!present.contains(key)) {
                all.add(run.present(row));
              }
            });
    records.forEach(each -> all.add(run.present(each)));
    return counted(all, run);
  }

  /** Adds the busiest methods to those with series of their own, as long as there is space. */
  private static Counted counted(List<WatchRecord> records, Run run) {
    var methods = run.methods();
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
    var former = run.former().values().stream().flatMap(each -> each.values().stream()).toList();
    return new Counted(records, former, Set.copyOf(methods));
  }

  private static String run(WatchRecord record) {
    return record instanceof WatchRecord.Begin begin ? begin.run() + "\t" + begin.id() : "";
  }

  private static boolean isCount(WatchRecord record) {
    return record instanceof Method
        || record instanceof Pair
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
