package org.troupe.cli.observe;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.troupe.deployment.watch.WatchRecord;

/** What an object waits for, in the words of the page ({@code waitgraph.js}). */
final class WaitText {

  private static final int RANGES = 6; // of ranks

  private static final Pattern PACKAGES =
      Pattern.compile("(?:[\\p{L}_$][\\p{L}\\p{N}_$]*\\.)+(?=[\\p{L}_$])");

  private WaitText() {}

  /** Returns words that follow "waits", such as {@code in barrier() for rank 7 of 16}. */
  static String of(WatchRecord.Wait wait) {
    if (!wait.missing().isEmpty()) {
      var size = wait.size() > 0 ? " of " + wait.size() : "";
      return "in " + wait.awaited() + " for " + ranks(wait.missing()) + size;
    }
    var of = wait.awaitedObject().isEmpty() ? "" : " of " + wait.awaitedObject();
    return switch (wait.kind()) {
      case "queue" ->
          "for space in the full queue" + (of.isEmpty() ? " (" + wait.awaited() + ")" : of);
      case "credit" ->
          "for space on the link to node "
              + (wait.awaitedNode().isEmpty() ? wait.awaited() : wait.awaitedNode());
      case "end" -> "for the end" + (of.isEmpty() ? " of " + wait.awaited() : of);
      default ->
          "for "
              + (wait.awaitedMethod().isEmpty()
                  ? result(wait.awaited())
                  : withoutPackages(wait.awaitedMethod()) + of);
    };
  }

  private static String result(String awaited) {
    return awaited.isEmpty() ? "a result" : withoutPackages(awaited);
  }

  private static String withoutPackages(String method) {
    return PACKAGES.matcher(method).replaceAll("").replace('$', '.');
  }

  private static String ranks(List<Integer> ranks) {
    return (ranks.size() == 1 ? "rank " : "ranks ") + ranges(ranks);
  }

  /** Returns ranks as ranges, such as {@code 0-2 and 7}; a hyphen if there are none. */
  static String ranges(List<Integer> ranks) {
    List<String> ranges = new ArrayList<>();
    var left = new TreeSet<>(ranks);
    while (!left.isEmpty()) {
      int first = left.removeFirst();
      var last = first;
      while (left.remove(last + 1)) {
        last++;
      }
      ranges.add(first == last ? "" + first : first + "-" + last);
    }
    if (ranges.size() < 2) {
      return ranges.isEmpty() ? "-" : ranges.getFirst();
    }
    var more = ranges.size() - RANGES;
    return String.join(", ", ranges.subList(0, Math.min(RANGES, ranges.size() - 1)))
        + " and "
        + (more > 0 ? more + " more" : ranges.getLast());
  }
}
