package org.troupe.links.host;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.troupe.links.Network;

/** The addresses of this machine. */
public final class NetworkInterfaces {

  /** Who connects to a thousand peers asks a thousand times, and the system takes its time. */
  private static final long LASTING_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The networks that this machine was in when it was last looked. */
  private record Seen(long nanos, List<Network> networks) {}

  private static volatile Seen last = new Seen(System.nanoTime() - LASTING_NANOS, List.of());

  private NetworkInterfaces() {}

  public static boolean isHere(InetAddress address) {
    try {
      return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException _) {
      return false;
    }
  }

  /** Says whether one of the interfaces is in the network of an address. */
  public static boolean isNear(InetAddress address) {
    try {
      return networks().stream().anyMatch(each -> each.contains(address));
    } catch (SocketException _) {
      return false;
    }
  }

  private static List<Network> networks() throws SocketException {
    var seen = last;
    long now = System.nanoTime();
    if (now - seen.nanos >= LASTING_NANOS) {
      seen =
          new Seen(
              now,
              NetworkInterface.networkInterfaces()
                  .flatMap(each -> each.getInterfaceAddresses().stream())
                  .map(NetworkInterfaces::network)
                  .toList());
      last = seen;
    }
    return seen.networks;
  }

  private static Network network(InterfaceAddress each) {
    return new Network(each.getAddress().getAddress(), each.getNetworkPrefixLength());
  }

  /**
   * Returns the addresses by which other hosts may reach this machine.
   *
   * @param networks to choose from; all if there are none
   * @throws IOException if this machine is in none of them
   */
  public static List<InetAddress> offered(List<String> networks) throws IOException {
    List<InetAddress> all =
        all().stream().filter(NetworkInterfaces::meansSomethingElsewhere).toList();
    List<InetAddress> chosen = networks.isEmpty() ? all : in(networks, all);
    if (chosen.isEmpty() && !networks.isEmpty()) {
      throw new IOException(
          "none of the addresses of this machine ("
              + String.join(", ", all.stream().map(NetworkInterfaces::text).toList())
              + ") is in "
              + String.join(", ", networks)
              + ", the networks that it should offer to others; correct these");
    }
    return chosen;
  }

  /**
   * Returns the addresses in one of the networks, also those of loopback; if there is none, all
   * that others may reach this machine by.
   */
  public static List<InetAddress> preferred(List<String> networks) throws IOException {
    List<InetAddress> all = all();
    List<InetAddress> chosen = in(networks, all);
    return chosen.isEmpty()
        ? all.stream().filter(NetworkInterfaces::meansSomethingElsewhere).toList()
        : chosen;
  }

  private static List<InetAddress> all() throws SocketException {
    return NetworkInterface.networkInterfaces()
        .filter(NetworkInterfaces::isUp)
        .flatMap(NetworkInterface::inetAddresses)
        .toList();
  }

  private static List<InetAddress> in(List<String> networks, List<InetAddress> addresses) {
    List<Network> wanted = networks.stream().map(Network::parse).toList();
    return addresses.stream()
        .filter(address -> wanted.stream().anyMatch(network -> network.contains(address)))
        .toList();
  }

  private static boolean isUp(NetworkInterface each) {
    try {
      return each.isUp();
    } catch (SocketException _) {
      return false;
    }
  }

  private static boolean meansSomethingElsewhere(InetAddress address) {
    return !address.isLoopbackAddress()
        && !address.isLinkLocalAddress()
        && !address.isAnyLocalAddress()
        && !address.isMulticastAddress();
  }

  /** Returns an address without the scope, which means nothing elsewhere. */
  public static String text(InetAddress address) {
    String text = address.getHostAddress();
    return address instanceof Inet6Address ? text.replaceFirst("%.*", "") : text;
  }
}
