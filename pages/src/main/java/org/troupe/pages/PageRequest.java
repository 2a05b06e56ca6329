package org.troupe.pages;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request of a page.
 *
 * @param path below the site's prefix, without a slash in front
 * @param parameters those of the query, decoded; the first one of a name
 * @param body what was posted; empty for other methods
 */
public record PageRequest(String path, Map<String, String> parameters, String body) {

  private static final int MOST_PARAMETERS = 100;

  /** Copies the parameters. */
  public PageRequest {
    parameters = Map.copyOf(parameters);
  }

  /** Returns a parameter; empty if there is none of that name. */
  public String text(String name) {
    return parameters.getOrDefault(name, "");
  }

  /** Returns whether a parameter is there, with or without a value. */
  public boolean has(String name) {
    return parameters.containsKey(name);
  }

  /**
   * Returns a parameter that is a number.
   *
   * @param absent its value if it is missing
   * @throws PageException if it is none, or not within the bounds
   */
  public int number(String name, int absent, int least, int most) {
    var text = text(name);
    if (text.isEmpty()) {
      return absent;
    }
    try {
      var number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new PageException(
        PageException.WRONG,
        "the parameter '%s' is '%s'".formatted(name, text),
        "give a number from %d to %d".formatted(least, most));
  }

  /**
   * Returns the parameters of a query.
   *
   * @param query as it was sent; {@code null} if there was none
   * @throws PageException if it cannot be decoded
   */
  static Map<String, String> parameters(@Nullable String query) {
    Map<String, String> parameters = new HashMap<>();
    if (query == null || query.isEmpty()) {
      return parameters;
    }
    var words = query.split("&", MOST_PARAMETERS + 1);
    if (words.length > MOST_PARAMETERS) {
      throw malformed();
    }
    for (var each : words) {
      var equals = each.indexOf('=');
      var name = equals < 0 ? each : each.substring(0, equals);
      var value = equals < 0 ? "" : each.substring(equals + 1);
      parameters.putIfAbsent(decoded(name), decoded(value));
    }
    return parameters;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw malformed();
    }
  }

  private static PageException malformed() {
    return new PageException(
        PageException.WRONG,
        "the query cannot be decoded",
        "write name=value, with & between, at most " + MOST_PARAMETERS + " of them");
  }
}
