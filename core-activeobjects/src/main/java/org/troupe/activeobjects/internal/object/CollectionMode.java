package org.troupe.activeobjects.internal.object;

import java.util.function.UnaryOperator;

/** Which active objects are collected although references to them have left their JVM. */
public enum CollectionMode {
  /** None: such an object lives until it is terminated or its node ends. */
  OFF,
  /** Those to which no node refers any more, cycles over several nodes excepted. */
  LISTED,
  /** Those to which nothing refers any more, cycles over several nodes included. */
  CYCLES;

  private static final String PROPERTY = "troupe.collect";

  /**
   * Returns the mode that the system property {@code troupe.collect} sets.
   *
   * @throws IllegalArgumentException if its value is no mode; the message names the values
   */
  public static CollectionMode of(UnaryOperator<String> properties) {
    var text = properties.apply(PROPERTY);
    return switch (text) {
      case null -> LISTED;
      case "listed" -> LISTED;
      case "off" -> OFF;
      case "cycles" -> CYCLES;
      default ->
          throw new IllegalArgumentException(
              PROPERTY
                  + " is '"
                  + text
                  + "', which is no mode of collection; write listed, cycles or off");
    };
  }
}
