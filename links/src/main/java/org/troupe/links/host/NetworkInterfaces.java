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

  /** How long the list of networks is cached, as its system calls are slow. */
  private static final long CACHE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The networks of this machine at a time. */
  private record Snapshot(long nanos, List<Network> networks) {}

  private static volatile Snapshot last = new Snapshot(System.nanoTime() - CACHE_NANOS, List.of());

  private NetworkInterfaces() {}

  /** Returns whether an address is one of this machine. */
  public static boolean isHere(InetAddress address) {
    try {
      return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException _) {
      return false;
    }
  }

  /** Returns whether one of the interfaces is in the network of an address. */
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
    if (now - seen.nanos >= CACHE_NANOS) {
      seen =
          new Snapshot(
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
   * @param networks restricts the addresses to these networks, unless empty
   * @throws IOException if this machine is in none of them
   */
  public static List<InetAddress> offered(List<String> networks) throws IOException {
    List<InetAddress> all =
        all().stream().filter(NetworkInterfaces::isReachableFromOtherHosts).toList();
    List<InetAddress> chosen = networks.isEmpty() ? all : in(networks, all);
    if (chosen.isEmpty() && !networks.isEmpty()) {
      throw new IOException(
          "none of the addresses of this machine ("
              + String.join(", ", all.stream().map(NetworkInterfaces::text).toList())
              + ") is in "
              + String.join(", ", networks)
              + ", the networks whose addresses it should publish; correct these");
    }
    return chosen;
  }

  /**
   * Returns the addresses in one of the networks, including loopback; if there is none, all
   * addresses by which other hosts may reach this machine.
   */
  public static List<InetAddress> preferred(List<String> networks) throws IOException {
    List<InetAddress> all = all();
    List<InetAddress> chosen = in(networks, all);
    return chosen.isEmpty()
        ? all.stream().filter(NetworkInterfaces::isReachableFromOtherHosts).toList()
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

  private static boolean isReachableFromOtherHosts(InetAddress address) {
    return !address.isLoopbackAddress()
        && !address.isLinkLocalAddress()
        && !address.isAnyLocalAddress()
        && !address.isMulticastAddress();
  }

  /** Returns an address without its scope, which is valid on this machine only. */
  public static String text(InetAddress address) {
    String text = address.getHostAddress();
    return address instanceof Inet6Address ? text.replaceFirst("%.*", "") : text;
  }
}
