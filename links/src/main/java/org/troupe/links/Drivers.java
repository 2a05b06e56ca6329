package org.troupe.links;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The drivers that a port offers.
 *
 * @param chosen in order of preference, by the user; empty for the usual ones
 */
record Drivers(List<Driver> chosen) {

  static final String PROPERTY = "troupe.links";

  private static final Set<Driver> NEED_ONE_HOST = EnumSet.of(Driver.SHM, Driver.UDS);

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

  /**
   * Returns what this side would use for a link with a peer, best first.
   *
   * <p>Unless somebody has chosen otherwise, what leaves the machine is encrypted, and what stays
   * there is not.
   */
  List<Driver> forLink(InetAddress peer) {
    var usable = new ArrayList<Driver>();
    if (chosen.isEmpty()) {
      usable.addAll(List.of(Driver.SHM, Driver.UDS));
      usable.add(isHere(peer) ? Driver.TCP : Driver.TLS);
    } else {
      usable.addAll(chosen);
    }
    if (!Host.here().isKnown()) {
      usable.removeAll(NEED_ONE_HOST);
    }
    if (Linux.system().isEmpty()) {
      usable.remove(Driver.SHM);
    }
    return usable;
  }

  /** Returns what this side would use for a socket. */
  List<Driver> forSocket(InetAddress peer) {
    var usable = new ArrayList<>(chosen);
    usable.removeAll(NEED_ONE_HOST);
    if (usable.isEmpty()) { // a list of drivers for links says nothing about sockets
      usable.add(isHere(peer) ? Driver.TCP : Driver.TLS);
    }
    return usable;
  }

  /** Returns what is in both lists and works between the two, in the order of the caller. */
  static List<Driver> common(List<Driver> theirs, List<Driver> ours, boolean sameHost) {
    var common = new ArrayList<>(theirs);
    common.retainAll(ours);
    if (!sameHost) {
      common.removeAll(NEED_ONE_HOST);
    }
    return common;
  }

  /** Says whether links to other hosts may be left without encryption. */
  boolean areOpenToTheNetwork() {
    return chosen.contains(Driver.TCP);
  }

  private static boolean isHere(InetAddress address) {
    try {
      return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException _) {
      return false;
    }
  }
}
