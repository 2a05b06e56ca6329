package org.troupe.descriptors.text;

import java.time.Duration;

/** Parses amounts with units, which their {@link ValueType} has accepted. */
public final class QuantityParser {

  private QuantityParser() {}

  /** Returns the bytes in an amount such as {@code 512m}; units are powers of 1024. */
  public static long bytes(String text) {
    int power = "kmgt".indexOf(Character.toLowerCase(unit(text))) + 1;
    return number(text) << 10 * power;
  }

  /** Returns a time such as {@code 01:30:00} or {@code 90m}. */
  public static Duration time(String text) {
    String[] parts = text.split(":");
    if (parts.length == 3) {
      return Duration.ofHours(Long.parseLong(parts[0]))
          .plusMinutes(Long.parseLong(parts[1]))
          .plusSeconds(Long.parseLong(parts[2]));
    }
    return switch (unit(text)) {
      case 's' -> Duration.ofSeconds(number(text));
      case 'm' -> Duration.ofMinutes(number(text));
      case 'h' -> Duration.ofHours(number(text));
      case 'd' -> Duration.ofDays(number(text));
      default -> throw new IllegalArgumentException(text);
    };
  }

  private static char unit(String text) {
    return text.charAt(text.length() - 1);
  }

  private static long number(String text) {
    return Long.parseLong(text.substring(0, text.length() - 1));
  }
}
