package org.troupe.descriptors.text;

/** Quotes users' text so that a message stays one line of readable length. */
public final class QuotedText {

  private static final int MOST_CHARACTERS = 80;

  private QuotedText() {}

  /** Returns the text in single quotes. */
  public static String quote(String text) {
    return "'" + plain(text) + "'";
  }

  /** Returns the text on one line, shortened if need be. */
  public static String plain(String text) {
    StringBuilder line = new StringBuilder();
    int end = Math.min(text.length(), MOST_CHARACTERS);
    text.substring(0, end).codePoints().forEach(c -> append(line, c));
    return end < text.length() ? line + "..." : line.toString();
  }

  private static void append(StringBuilder line, int c) {
    switch (c) {
      case '\n' -> line.append("\\n");
      case '\r' -> line.append("\\r");
      case '\t' -> line.append("\\t");
      default -> {
        if (Character.isISOControl(c) || c == 0x2028 || c == 0x2029) {
          line.append(String.format("\\u%04x", c));
        } else {
          line.appendCodePoint(c);
        }
      }
    }
  }
}
