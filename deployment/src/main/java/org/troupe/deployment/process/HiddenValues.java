package org.troupe.deployment.process;

import java.util.Collection;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Hides values that may be secrets where other people may see them, as in a report of a run. */
public final class HiddenValues {

  private static final String HIDDEN = "(hidden)";

  private static final Pattern SECRET =
      Pattern.compile(
          "passw|passphrase|secret|token|credential|private|headers|api.?key",
          Pattern.CASE_INSENSITIVE);

  /** A property of the program or the descriptor; those of Troupe itself are documented. */
  private static final Pattern PROPERTY = Pattern.compile("-D(?!troupe\\.).*");

  private static final Pattern BETWEEN_WORDS = Pattern.compile("\\W+");

  private HiddenValues() {}

  /** Returns the value of a setting; a mark if its name sounds like a secret. */
  public static String value(String name, String value) {
    return SECRET.matcher(name).find() ? HIDDEN : value;
  }

  /**
   * Returns an option without the value of a property, whose name does not tell whether it is a
   * secret, and without that of another option whose name sounds like one.
   */
  public static String option(String option) {
    var equals = option.indexOf('=') + 1;
    if (equals <= 1 || equals == option.length()) {
      return option;
    }
    var name = option.substring(0, equals);
    var value = option.substring(equals);
    return name + (PROPERTY.matcher(name).matches() ? HIDDEN : value(name, value));
  }

  /**
   * Returns a command or script without the values that {@link #option} hides.
   *
   * @param options the options in it, which it may quote in any way
   */
  public static String text(String text, Collection<String> options) {
    var shown = text;
    for (var option : options) {
      if (!option(option).equals(option)) {
        var equals = option.indexOf('=') + 1;
        var name = Pattern.quote(option.substring(0, equals - 1));
        var value = quotedAnyhow(option.substring(equals));
        // As a word, or as a field of JSON.
        var pair = "(%s(?:=|\"\\s*,\\s*\"value\"\\s*:)\\W*?)%s(?!\\w)".formatted(name, value);
        shown =
            Pattern.compile(pair)
                .matcher(shown)
                .replaceAll(found -> Matcher.quoteReplacement(found.group(1) + HIDDEN));
      }
    }
    return shown;
  }

  /** Returns a pattern for a value: quotes and escapes add characters between its words. */
  private static String quotedAnyhow(String value) {
    return BETWEEN_WORDS
        .matcher(value)
        .replaceAll(found -> "\\\\W{" + found.group().length() + ",}?");
  }
}
