package org.troupe.deployment.watch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The groups whose members wait for each other, from the waits that nodes report. Used by one
 * thread.
 */
public final class CollectiveRows {

  private final Map<String, WatchRecord.Collective> open = new HashMap<>(); // of the last round

  /**
   * Returns the rows of a round: of each group of which members wait, and of those of which none
   * waits any longer.
   */
  public List<WatchRecord> of(List<WatchRecord> rows) {
    Map<String, List<WatchRecord.Wait>> waits = new HashMap<>();
    for (var row : rows) {
      if (row instanceof WatchRecord.Waits its) {
        for (var each : its.waits()) {
          if (!each.group().isEmpty()) {
            waits.computeIfAbsent(each.group(), _ -> new ArrayList<>()).add(each);
          }
        }
      }
    }
    List<WatchRecord> result = new ArrayList<>();
    open.values().removeIf(each -> !waits.containsKey(each.group()) && result.add(ended(each)));
    waits.forEach(
        (group, members) -> {
          var row = row(group, members);
          open.put(group, row);
          result.add(row);
        });
    return result;
  }

  private static WatchRecord.Collective ended(WatchRecord.Collective last) {
    return new WatchRecord.Collective(
        last.group(), last.type(), last.size(), "", List.of(), List.of(), 0);
  }

  private static WatchRecord.Collective row(String group, List<WatchRecord.Wait> members) {
    members.sort(Comparator.comparingDouble(WatchRecord.Wait::waitingSeconds).reversed());
    var first = members.getFirst();
    var arrived = new TreeSet<Integer>();
    var missing = new TreeSet<Integer>();
    for (var each : members) {
      arrived.add(each.rank());
      missing.addAll(each.missing());
    }
    missing.removeAll(arrived);
    return new WatchRecord.Collective(
        group,
        first.type(),
        first.size(),
        first.awaited(),
        List.copyOf(arrived),
        List.copyOf(missing),
        first.waitingSeconds());
  }
}
