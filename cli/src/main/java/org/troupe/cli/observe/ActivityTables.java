package org.troupe.cli.observe;

import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.troupe.cli.terminal.TextTable;
import org.troupe.deployment.watch.GridActivity.NodeQueue;
import org.troupe.deployment.watch.GridActivity.NodeWait;
import org.troupe.deployment.watch.WatchRecord;

/** What objects and groups do, as tables of text. */
final class ActivityTables {

  private final UnaryOperator<String> type;

  private ActivityTables(UnaryOperator<String> type) {
    this.type = type;
  }

  /** Returns tables with the full names of classes. */
  static ActivityTables ofFullNames() {
    return new ActivityTables(UnaryOperator.identity());
  }

  /** Returns tables with the names of classes without their packages. */
  static ActivityTables ofSimpleNames() {
    return new ActivityTables(ActivityTables::simple);
  }

  /** Returns the table of objects with requests. */
  TextTable queues(List<NodeQueue> rows) {
    var table = new TextTable("OBJECT", "NODE", "QUEUED", "SERVES", "CALLER", "SINCE AT MOST");
    for (var each : rows) {
      var object = each.object();
      table.row(
          clean(type.apply(object.type()) + " " + object.object()),
          each.node(),
          object.queued(),
          clean(object.serving()),
          clean(object.caller()),
          seconds(object.servingSeconds()));
    }
    return table;
  }

  /** Returns the table of objects that wait. */
  TextTable waits(List<NodeWait> rows) {
    var table = new TextTable("WAITING", "NODE", "SINCE AT MOST", "IN", "WHY");
    for (var each : rows) {
      var object = each.object();
      table.row(
          clean(type.apply(object.type()) + " " + object.object()),
          each.node(),
          seconds(object.waitingSeconds()),
          clean(object.serving()),
          clean(WaitText.of(object)));
    }
    return table;
  }

  /** Returns the table of groups whose members wait for others. */
  TextTable groups(List<WatchRecord.Collective> rows) {
    var table = new TextTable("GROUP OF", "WAITS IN", "SINCE", "ARRIVED", "MISSING");
    for (var each : rows) {
      table.row(
          each.size() + " " + clean(type.apply(each.type())),
          clean(each.operation()),
          seconds(each.waitingSeconds()),
          WaitText.ranges(each.arrived()),
          WaitText.ranges(each.missing()));
    }
    return table;
  }

  // Cells

  /** Returns the name of a class without its package. */
  static String simple(String type) {
    return type.substring(type.lastIndexOf('.') + 1);
  }

  /** Returns a duration, such as {@code 1.2 ms}; a hyphen for one that is not known. */
  static String seconds(double seconds) {
    if (seconds < 0) {
      return "-";
    }
    if (seconds >= 1) {
      return String.format(Locale.ROOT, "%.1f s", seconds);
    }
    return seconds >= 1e-3
        ? String.format(Locale.ROOT, "%.1f ms", seconds * 1e3)
        : String.format(Locale.ROOT, "%.1f us", seconds * 1e6);
  }

  /** Returns the median and the 99th percentile of times; a hyphen if they are not measured. */
  static String text(WatchRecord.@Nullable Times times) {
    return times == null ? "-" : seconds(times.median()) + " / " + seconds(times.p99());
  }

  /** Replaces control characters, by which a program's text could change the terminal. */
  static String clean(String text) {
    return text.replaceAll("\\p{Cc}", "?");
  }
}
