package org.troupe.deployment.batch;

import java.util.ArrayList;
import java.util.List;

/** Splits a string into words as a POSIX shell does, since DRMAA has one string for all options. */
final class ShellWords {

  private ShellWords() {}

  /**
   * Returns the words of a string, without expansions.
   *
   * @throws IllegalArgumentException if a quote is not closed
   */
  static List<String> split(String words) {
    var arguments = new ArrayList<String>();
    StringBuilder word = null;
    var quote = '\0';
    for (var i = 0; i < words.length(); i++) {
      var c = words.charAt(i);
      if (quote == '\0' && Character.isWhitespace(c)) {
        if (word != null) {
          arguments.add(word.toString());
        }
        word = null;
        continue;
      }
      word = word == null ? new StringBuilder() : word;
      if (c == quote) {
        quote = '\0';
      } else if (quote == '\0' && (c == '\'' || c == '"')) {
        quote = c;
      } else if (c == '\\' && quote != '\'' && i + 1 < words.length()) {
        word.append(words.charAt(++i));
      } else {
        word.append(c);
      }
    }
    if (quote != '\0') {
      throw new IllegalArgumentException("a quote is not closed in: " + words);
    }
    if (word != null) {
      arguments.add(word.toString());
    }
    return arguments;
  }
}
