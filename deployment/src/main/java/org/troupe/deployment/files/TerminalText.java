package org.troupe.deployment.files;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text of other programs and hosts before it is shown to users: a terminal obeys control characters
 * in it, which could hide text, forge it, or type for the user.
 */
public final class TerminalText {

  /** Control characters, except those of line ends and tabs, and marks of direction. */
  private static final String CONTROL =
      "[\\p{Cc}&&[^\\t\\n\\r]]|\\r(?!\\n)|[\\u202a-\\u202e\\u2066-\\u2069]";

  private static final Pattern CONTROLS = Pattern.compile(CONTROL);

  /** A change of colours in the first group, or another control character. */
  private static final Pattern COLOURS = Pattern.compile("(\u001b\\[[0-9;:]*m)|" + CONTROL);

  private static final String INSTEAD = "?";

  private TerminalText() {}

  /**
   * Returns a text with a question mark for each control character but line ends and tabs, and for
   * each mark that changes the direction of the text behind it.
   */
  public static String plain(String text) {
    return CONTROLS.matcher(text).replaceAll(INSTEAD);
  }

  /** Returns a text as {@link #plain} does, but keeps the sequences that change colours. */
  public static String coloured(String text) {
    return COLOURS
        .matcher(text)
        .replaceAll(
            found -> {
              var colour = found.group(1);
              return colour == null ? INSTEAD : Matcher.quoteReplacement(colour);
            });
  }
}
