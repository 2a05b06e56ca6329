package org.troupe.deployment.process;

import java.util.Collection;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Hides values that may be secrets where other people may see them, as in a report of a run. */
public final class HiddenValues {

  private static final String HIDDEN = "(hidden)";

  private static final String SECRETS =
      "passw|passphrase|secret|token|credential|private|headers|api.?key";

  private static final Pattern SECRET = Pattern.compile(SECRETS, Pattern.CASE_INSENSITIVE);

  /** A secret in a URL: of its user, or of a parameter. */
  private static final Pattern IN_URL =
      Pattern.compile(
          "(://[^/?#\\s:@]*:)[^/?#\\s]+(?=@)|([?&;][^=&;\\s]*(?:"
              + SECRETS
              + ")[^=&;\\s]*=)[^&;\\s]+",
          Pattern.CASE_INSENSITIVE);

  /** A property of the program or the descriptor; those of Troupe itself are documented. */
  private static final Pattern PROPERTY = Pattern.compile("-D(?!troupe\\.).*");

  /** A JVM's note on the variable of the environment from which it takes options. */
  private static final Pattern PICKED_UP = Pattern.compile("(?:NOTE: )?Picked up \\w+:.*");

  private static final Pattern BETWEEN_WORDS = Pattern.compile("\\W+");

  /** A character between words, which may be an escape of JSON, such as that of a line's end. */
  private static final String QUOTED = "(?:\\\\[bfnrt]|\\\\u\\p{XDigit}{4}|\\W)";

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
      return withoutSecretsOfUrls(option);
    }
    var name = option.substring(0, equals);
    var value = option.substring(equals);
    var shown = PROPERTY.matcher(name).matches() ? HIDDEN : value(name, value);
    return shown.equals(value) ? withoutSecretsOfUrls(option) : name + shown;
  }

  private static String withoutSecretsOfUrls(String text) {
    return IN_URL
        .matcher(text)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(
                    Objects.requireNonNullElse(found.group(1), found.group(2)) + HIDDEN));
  }

  /**
   * Returns a command line without the values that {@link #option} hides, and without each word
   * behind an option whose name sounds like a secret.
   *
   * @param line words with spaces between
   */
  public static String line(String line) {
    var words = line.split(" ", -1);
    var isSecret = false;
    for (var i = 0; i < words.length; i++) {
      var isOption = words[i].startsWith("-");
      var shown = isSecret && !isOption ? HIDDEN : option(words[i]);
      isSecret = isOption && !words[i].contains("=") && SECRET.matcher(words[i]).find();
      words[i] = shown;
    }
    return String.join(" ", words);
  }

  /** Returns a line that a JVM has printed, without hidden values of the options that it notes. */
  static String printed(String line) {
    return PICKED_UP.matcher(line).matches() ? line(line) : line;
  }

  /** Returns the value of a property of the program or the descriptor; a mark if it is hidden. */
  public static String property(String name, String value) {
    var option = "-D" + name + "=";
    return option(option + value).substring(option.length());
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
        .replaceAll(
            found -> Matcher.quoteReplacement(QUOTED + "{" + found.group().length() + ",}?"));
  }
}
