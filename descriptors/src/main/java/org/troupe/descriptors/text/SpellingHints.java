package org.troupe.descriptors.text;

import static java.util.stream.Collectors.joining;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the known name that a misspelt one probably stands for. */
public final class SpellingHints {

  /** A longer list of candidates would not help the reader. */
  private static final int MOST_LISTED = 8;

  /** Limits the cost of the search. */
  private static final int MOST_COMPARED = 1000;

  private SpellingHints() {}

  /** Returns the candidate closest to the written text, if a slip may explain the difference. */
  public static Optional<String> closest(String written, Collection<String> candidates) {
    return candidates.stream()
        .limit(MOST_COMPARED)
        .filter(candidate -> distance(written, candidate) <= tolerance(written, candidate))
        .min(Comparator.comparingInt(candidate -> distance(written, candidate)));
  }

  /** Returns "did you mean", or else the given remedy. */
  public static String remedy(String written, Collection<String> candidates, String otherwise) {
    return closest(written, candidates)
        .map(candidate -> "did you mean '" + candidate + "'?")
        .orElse(otherwise);
  }

  /** Returns "did you mean", or else the list of candidates, if there are any. */
  public static String choice(String written, Collection<String> candidates, String ifNone) {
    return remedy(written, candidates, candidates.isEmpty() ? ifNone : choice(candidates));
  }

  private static String choice(Collection<String> candidates) {
    String listed =
        candidates.stream().limit(MOST_LISTED).map(name -> "'" + name + "'").collect(joining(", "));
    return "choose from " + listed + (candidates.size() > MOST_LISTED ? ", ..." : "");
  }

  /** Returns the largest accepted distance: one slip in three characters, and at most three. */
  private static int tolerance(String written, String candidate) {
    return Math.min(3, (Math.max(written.length(), candidate.length()) + 1) / 3);
  }

  /**
   * Returns the number of letters to insert, remove, replace or swap with a neighbour, ignoring
   * case. Returns a large number without computing it if the lengths alone exclude a slip.
   *
   * @see "F. J. Damerau, CACM 7(3), 171-176, 1964 (here each letter takes part in one swap)"
   */
  static int distance(String first, String second) {
    if (Math.abs(first.length() - second.length()) > 3) {
      return Integer.MAX_VALUE;
    }
    String a = first.toLowerCase(Locale.ROOT);
    String b = second.toLowerCase(Locale.ROOT);
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      d[i][0] = i;
    }
    for (int j = 0; j <= b.length(); j++) {
      d[0][j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      for (int j = 1; j <= b.length(); j++) {
        int replaced = d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        d[i][j] = Math.min(replaced, Math.min(d[i - 1][j], d[i][j - 1]) + 1);
        boolean swapped =
            i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        if (swapped) {
          d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
        }
      }
    }
    return d[a.length()][b.length()];
  }
}
