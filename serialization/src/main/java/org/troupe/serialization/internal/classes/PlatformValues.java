package org.troupe.serialization.internal.classes;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.util.Currency;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/** The classes of immutable values that refer to nothing and come with the JDK. */
public final class PlatformValues {

  private static final Set<Class<?>> CLASSES =
      Set.of(
          String.class,
          Boolean.class,
          Byte.class,
          Short.class,
          Character.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          BigInteger.class,
          BigDecimal.class,
          UUID.class,
          URI.class,
          Class.class,
          Locale.class,
          Currency.class,
          OptionalInt.class,
          OptionalLong.class,
          OptionalDouble.class);

  private PlatformValues() {}

  /** Returns whether instances of a class are such values. */
  public static boolean include(Class<?> type) {
    return CLASSES.contains(type) || isJavaTime(type);
  }

  /**
   * The package's documentation promises that its classes are immutable; its clocks are not values.
   */
  private static boolean isJavaTime(Class<?> type) {
    return type.getPackageName().equals("java.time")
        && type.getClassLoader() == null
        && (Comparable.class.isAssignableFrom(type)
            || java.time.ZoneId.class.isAssignableFrom(type)
            || type == java.time.Period.class);
  }
}
