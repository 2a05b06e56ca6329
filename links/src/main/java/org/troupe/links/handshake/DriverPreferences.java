package org.troupe.links.handshake;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.troupe.links.Driver;
import org.troupe.links.host.HostIdentity;
import org.troupe.links.host.LinuxSystemCalls;
import org.troupe.links.host.NetworkInterfaces;

/**
 * The drivers that a port offers.
 *
 * @param chosen the user's choice in order of preference; empty for the defaults
 */
public record DriverPreferences(List<Driver> chosen) {

  public static final String PROPERTY = "troupe.links";

  private static final List<Driver> NEED_ONE_HOST = List.of(Driver.SHM, Driver.UDS);

  public DriverPreferences {
    chosen = List.copyOf(chosen);
  }

  /** Returns the preferences of the system property {@value #PROPERTY}. */
  public static DriverPreferences ofProperty() {
    return parse(System.getProperty(PROPERTY, ""));
  }

  /**
   * Parses a list such as {@code shm,uds,tcp}.
   *
   * @throws IllegalArgumentException if a word is no driver
   */
  public static DriverPreferences parse(String list) {
    var chosen = new ArrayList<Driver>();
    for (String word : list.split(",")) {
      if (!word.isBlank()) {
        Driver driver = driver(word.strip(), list);
        if (!chosen.contains(driver)) {
          chosen.add(driver);
        }
      }
    }
    return new DriverPreferences(chosen);
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
   * Returns whether a connection may be unencrypted by default: because it stays in this machine,
   * or in a network that both sides trust.
   *
   * @param peer the remote address of a direct connection
   * @param sameStack whether both ends are in one machine; a loopback address alone does not prove
   *     it, as a process there may forward the bytes
   */
  public static boolean mayBePlain(InetAddress peer, boolean sameStack, boolean sameTrusted) {
    return sameStack && NetworkInterfaces.isHere(peer) || sameTrusted && !peer.isLoopbackAddress();
  }

  /** Returns the drivers that this side can use for a link, the best first. */
  public List<Driver> forLink(boolean mayBePlain) {
    var usable = new ArrayList<Driver>();
    if (chosen.isEmpty()) {
      usable.addAll(NEED_ONE_HOST);
      usable.addAll(defaults(mayBePlain));
    } else {
      usable.addAll(chosen);
    }
    if (!HostIdentity.here().isKnown()) {
      usable.removeAll(NEED_ONE_HOST);
    }
    if (LinuxSystemCalls.system().isEmpty()) {
      usable.remove(Driver.SHM);
    }
    return usable;
  }

  /** Returns the drivers that this side can use for a socket, the best first. */
  public List<Driver> forSocket(boolean mayBePlain) {
    var usable = new ArrayList<>(chosen);
    usable.removeAll(NEED_ONE_HOST);
    // A list of drivers for links only does not restrict sockets.
    return usable.isEmpty() ? defaults(mayBePlain) : usable;
  }

  private static List<Driver> defaults(boolean mayBePlain) {
    return mayBePlain ? List.of(Driver.TCP, Driver.TLS) : List.of(Driver.TLS);
  }

  /** Returns the drivers that both sides can use with each other, in the caller's order. */
  public static List<Driver> common(List<Driver> theirs, List<Driver> ours, boolean sameHost) {
    var common = new ArrayList<>(theirs);
    common.retainAll(ours);
    if (!sameHost) {
      common.removeAll(NEED_ONE_HOST);
    }
    return common;
  }

  /** Returns whether links to other hosts may be unencrypted. */
  public boolean permitUnencrypted() {
    return chosen.contains(Driver.TCP);
  }
}
