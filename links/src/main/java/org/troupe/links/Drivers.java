package org.troupe.links;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The drivers that a port offers.
 *
 * @param chosen in order of preference, by the user; empty for the usual ones
 */
record Drivers(List<Driver> chosen) {

  static final String PROPERTY = "troupe.links";

  Drivers {
    chosen = List.copyOf(chosen);
  }

  static Drivers ofProperty() {
    return parse(System.getProperty(PROPERTY, ""));
  }

  /**
   * Reads a list such as {@code shm,uds,tcp}.
   *
   * @throws IllegalArgumentException if it names what is no driver
   */
  static Drivers parse(String list) {
    var chosen = new ArrayList<Driver>();
    for (String word : list.split(",")) {
      if (!word.isBlank()) {
        Driver driver = driver(word.strip(), list);
        if (!chosen.contains(driver)) {
          chosen.add(driver);
        }
      }
    }
    return new Drivers(chosen);
  }

  private static Driver driver(String word, String list) {
    for (Driver driver : Driver.values()) {
      if (driver.name().equalsIgnoreCase(word)) {
        return driver;
      }
    }
    throw new IllegalArgumentException(
        "'"
            + word
            + "' in system property '"
            + PROPERTY
            + "' ("
            + list
            + ") is no driver; write some of "
            + Arrays.stream(Driver.values())
                .map(driver -> driver.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", ")));
  }

  /** Returns what this side would use for a connection, best first. */
  List<Driver> offered() {
    var offered = new ArrayList<>(chosen.isEmpty() ? List.of(Driver.TCP) : chosen);
    offered.retainAll(EnumSet.of(Driver.TCP));
    return offered;
  }

  /** Returns what a port would use of an offer, in the order of the caller. */
  List<Driver> common(List<Driver> theirs, boolean sameHost, InetAddress peer) {
    var common = new ArrayList<>(theirs);
    common.retainAll(offered());
    return common;
  }
}
