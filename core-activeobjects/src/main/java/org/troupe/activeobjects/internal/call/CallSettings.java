package org.troupe.activeobjects.internal.call;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a program for all its calls, taken from system properties.
 *
 * @param strict {@code troupe.strict}: a call on a stub that would wait is an error, for programs
 *     that must never wait
 * @param sites {@code troupe.callSites}: asynchronous calls record their source line, for the stack
 *     trace of a failure
 * @param timeout {@code troupe.callTimeout}: how long a call may take, or {@code null} for no limit
 */
public record CallSettings(boolean strict, boolean sites, @Nullable Duration timeout) {

  public static CallSettings of(UnaryOperator<String> properties) {
    var sites = properties.apply("troupe.callSites");
    return new CallSettings(
        Boolean.parseBoolean(properties.apply("troupe.strict")),
        sites == null || Boolean.parseBoolean(sites),
        duration("troupe.callTimeout", properties.apply("troupe.callTimeout")));
  }

  /** Returns the time that a property gives; {@code null} without the property. */
  public static @Nullable Duration duration(String property, @Nullable String text) {
    if (text == null) {
      return null;
    }
    try {
      var duration = Duration.parse(text);
      if (duration.isPositive()) {
        return duration;
      }
    } catch (DateTimeParseException e) {
      // reported below
    }
    throw new IllegalArgumentException(
        property + " is '" + text + "'; write a positive duration such as PT30S");
  }
}
