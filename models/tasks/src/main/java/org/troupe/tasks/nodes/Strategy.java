package org.troupe.tasks.nodes;

import java.util.Arrays;
import java.util.Locale;

/** From which nodes a node without work takes tasks. */
public enum Strategy {
  /**
   * From nodes of its own cluster, one after the other, and meanwhile from one node of another
   * cluster at a time, without waiting for it.
   */
  CRS,
  /** From any node, chosen at random each time. */
  RS,
  /** From the node on which the root task runs. */
  MW;

  /**
   * Returns the strategy of the property {@code troupe.tasks.steal}; {@link #CRS} without it.
   *
   * @throws IllegalArgumentException if it names none; the message lists them
   */
  public static Strategy ofProperties() {
    var name = System.getProperty("troupe.tasks.steal", "CRS");
    return Arrays.stream(values())
        .filter(each -> each.name().equals(name.strip().toUpperCase(Locale.ROOT)))
        .findAny()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "-Dtroupe.tasks.steal=" + name + " is no strategy; give CRS, RS or MW"));
  }
}
