package org.troupe.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Guesses what was meant. */
final class SpellingGuess {

  private SpellingGuess() {}

  /** Returns "; did you mean ..." if one of the candidates is close to what was written. */
  static Optional<String> hint(String written, Collection<String> candidates) {
    return candidates.stream()
        .filter(candidate -> distance(written, candidate) <= (candidate.length() + 1) / 3)
        .min(Comparator.comparingInt(candidate -> distance(written, candidate)))
        .map(candidate -> "; did you mean '" + candidate + "'?");
  }

  /** The number of letters to insert, remove, replace or swap with a neighbour. */
  static int distance(String first, String second) {
    String a = first.toLowerCase(Locale.ROOT);
    String b = second.toLowerCase(Locale.ROOT);
    int[] beforeLast = new int[b.length() + 1];
    int[] last = new int[b.length() + 1];
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] free = beforeLast;
      beforeLast = last;
      last = row;
      row = free;
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = last[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, Math.min(last[j], row[j - 1]) + 1);
        boolean swapped =
            i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        if (swapped) {
          row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
        }
      }
    }
    return row[b.length()];
  }
}
