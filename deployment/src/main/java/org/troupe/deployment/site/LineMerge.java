package org.troupe.deployment.site;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Merges two versions of a text that have one origin, line by line.
 *
 * @param lines the merged text
 * @param kept the places that both versions have changed, where the first one wins
 */
record LineMerge(List<String> lines, List<Conflict> kept) {

  /*
   * As in diff3: lines that all three texts share divide them into regions. A region that one version has not changed is
   * taken from the other. Files have some dozen lines, so the quadratic table of the longest common subsequence is small.
   */

  /** A place that both versions have changed. */
  record Conflict(List<String> kept, List<String> proposed) {}

  /**
   * @param first the version that wins where both have changed a line
   */
  static LineMerge of(List<String> origin, List<String> first, List<String> second) {
    var inFirst = matches(origin, first);
    var inSecond = matches(origin, second);
    var merged = new ArrayList<String>();
    var conflicts = new ArrayList<Conflict>();
    var o = 0;
    var f = 0;
    var s = 0;
    for (var i = 0; i <= origin.size(); i++) {
      var isEnd = i == origin.size();
      if (!isEnd && (inFirst[i] < 0 || inSecond[i] < 0)) {
        continue; // not shared
      }
      var toFirst = isEnd ? first.size() : inFirst[i];
      var toSecond = isEnd ? second.size() : inSecond[i];
      var was = origin.subList(o, i);
      var one = first.subList(f, toFirst);
      var other = second.subList(s, toSecond);
      conflict(was, one, other).ifPresent(conflicts::add);
      merged.addAll(one.equals(was) ? other : one);
      if (!isEnd) {
        merged.add(origin.get(i));
      }
      o = i + 1;
      f = toFirst + 1;
      s = toSecond + 1;
    }
    return new LineMerge(List.copyOf(merged), List.copyOf(conflicts));
  }

  private static Optional<Conflict> conflict(
      List<String> was, List<String> one, List<String> other) {
    return one.equals(was) || other.equals(was) || one.equals(other)
        ? Optional.empty()
        : Optional.of(new Conflict(List.copyOf(one), List.copyOf(other)));
  }

  /** Returns for each line of one text its index in the other, or -1, in rising order. */
  private static int[] matches(List<String> origin, List<String> changed) {
    var length = new int[origin.size() + 1][changed.size() + 1];
    for (var i = origin.size() - 1; i >= 0; i--) {
      for (var j = changed.size() - 1; j >= 0; j--) {
        length[i][j] =
            origin.get(i).equals(changed.get(j))
                ? 1 + length[i + 1][j + 1]
                : Math.max(length[i + 1][j], length[i][j + 1]);
      }
    }
    var matches = new int[origin.size()];
    var j = 0;
    for (var i = 0; i < origin.size(); i++) {
      while (j < changed.size()
          && !origin.get(i).equals(changed.get(j))
          && length[i][j + 1] >= length[i + 1][j]) {
        j++;
      }
      matches[i] = j < changed.size() && origin.get(i).equals(changed.get(j)) ? j++ : -1;
    }
    return matches;
  }
}
