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
 * @param chosen in order of preference, by the user; empty for the usual ones
 */
public record DriverPreferences(List<Driver> chosen) {

  public static final String PROPERTY = "troupe.links";

  private static final List<Driver> NEED_ONE_HOST = List.of(Driver.SHM, Driver.UDS);

  public DriverPreferences {
    chosen = List.copyOf(chosen);
  }

  public static DriverPreferences ofProperty() {
    return parse(System.getProperty(PROPERTY, ""));
  }

  /**
   * Reads a list such as {@code shm,uds,tcp}.
   *
   * @throws IllegalArgumentException if it names what is no driver
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
   * Says whether what goes to a peer may go without encryption, if nobody has chosen: because it
   * stays in this machine, or in a network that both sides trust.
   *
   * @param peer the other end of the connection, as this side sees it; nobody between must have put
   *     it there
   * @param sameStack whether both ends are in one machine: something on loopback may pass on what
   *     it gets to another one
   */
  public static boolean mayBePlain(InetAddress peer, boolean sameStack, boolean sameTrusted) {
    return sameStack && NetworkInterfaces.isHere(peer) || sameTrusted && !peer.isLoopbackAddress();
  }

  /** Returns what this side would use for a link with a peer, best first. */
  public List<Driver> forLink(boolean mayBePlain) {
    var usable = new ArrayList<Driver>();
    if (chosen.isEmpty()) {
      usable.addAll(NEED_ONE_HOST);
      usable.addAll(usual(mayBePlain));
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

  /** Returns what this side would use for a socket. */
  public List<Driver> forSocket(boolean mayBePlain) {
    var usable = new ArrayList<>(chosen);
    usable.removeAll(NEED_ONE_HOST);
    // A list of drivers for links says nothing about sockets.
    return usable.isEmpty() ? usual(mayBePlain) : usable;
  }

  private static List<Driver> usual(boolean mayBePlain) {
    return mayBePlain ? List.of(Driver.TCP, Driver.TLS) : List.of(Driver.TLS);
  }

  /** Returns what is in both lists and works between the two, in the order of the caller. */
  public static List<Driver> common(List<Driver> theirs, List<Driver> ours, boolean sameHost) {
    var common = new ArrayList<>(theirs);
    common.retainAll(ours);
    if (!sameHost) {
      common.removeAll(NEED_ONE_HOST);
    }
    return common;
  }

  /** Says whether links to other hosts may be left without encryption. */
  public boolean areOpenToTheNetwork() {
    return chosen.contains(Driver.TCP);
  }
}
