package org.troupe.links;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;

/** The addresses of this machine. */
final class Interfaces {

  private Interfaces() {}

  static boolean isHere(InetAddress address) {
    try {
      return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException _) {
      return false;
    }
  }

  /** Says whether one of the interfaces is in the network of an address. */
  static boolean isNear(InetAddress address) {
    try {
      return NetworkInterface.networkInterfaces()
          .flatMap(each -> each.getInterfaceAddresses().stream())
          .anyMatch(each -> network(each).contains(address));
    } catch (SocketException _) {
      return false;
    }
  }

  private static Network network(InterfaceAddress each) {
    return new Network(each.getAddress().getAddress(), each.getNetworkPrefixLength());
  }

  /**
   * Returns what others may reach this machine by.
   *
   * @param networks to choose from; all if there are none
   * @throws IOException if this machine is in none of them
   */
  static List<InetAddress> offered(List<String> networks) throws IOException {
    List<InetAddress> all = all().stream().filter(Interfaces::meansSomethingElsewhere).toList();
    List<InetAddress> chosen = networks.isEmpty() ? all : in(networks, all);
    if (chosen.isEmpty() && !networks.isEmpty()) {
      throw new IOException(
          "none of the addresses of this machine ("
              + String.join(", ", all.stream().map(Interfaces::text).toList())
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
  static List<InetAddress> preferred(List<String> networks) throws IOException {
    List<InetAddress> all = all();
    List<InetAddress> chosen = in(networks, all);
    return chosen.isEmpty()
        ? all.stream().filter(Interfaces::meansSomethingElsewhere).toList()
        : chosen;
  }

  private static List<InetAddress> all() throws SocketException {
    return NetworkInterface.networkInterfaces()
        .filter(Interfaces::isUp)
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
  static String text(InetAddress address) {
    String text = address.getHostAddress();
    return address instanceof Inet6Address ? text.replaceFirst("%.*", "") : text;
  }
}
