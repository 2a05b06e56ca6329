package org.troupe.activeobjects.hosting;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How closely a JVM observes the requests that its active objects serve. */
public enum ObservationTier {
  /** Nothing is recorded. */
  OFF,
  /** Requests are counted per class and method. */
  COUNTS,
  /** One of 64 requests is timed, too: in the queue, and in service. */
  TIMES,
  /** Every request is timed, and the last ones are kept one by one. */
  TRACE;

  /** The system property that sets the tier with which a JVM begins. */
  public static final String PROPERTY = "troupe.observe";

  /** The tier without that property. */
  public static final ObservationTier STANDARD = COUNTS;

  /**
   * Returns the tier with a name, such as {@code times}.
   *
   * @throws IllegalArgumentException if there is none; the message lists the names
   */
  public static ObservationTier named(String name) {
    return Stream.of(values())
        .filter(each -> each.toString().equals(name))
        .findAny()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no tier of observation '%s'; choose from %s"
                        .formatted(
                            name,
                            Stream.of(values())
                                .map(ObservationTier::toString)
                                .collect(Collectors.joining(", ")))));
  }

  /**
   * Returns the tier that {@value #PROPERTY} names.
   *
   * @throws IllegalArgumentException if it names none
   */
  public static ObservationTier ofProperty() {
    var value = System.getProperty(PROPERTY);
    try {
      return value == null ? STANDARD : named(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(PROPERTY + ": " + e.getMessage(), e);
    }
  }

  /** Returns whether this tier records all that another one does. */
  public boolean includes(ObservationTier other) {
    return compareTo(other) >= 0;
  }

  /** Returns the name as users write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
