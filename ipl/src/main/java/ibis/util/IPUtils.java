package ibis.util;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Finds the addresses of this host. */
public final class IPUtils {

  private IPUtils() {}

  /** Returns whether an address is neither loopback nor link-local, whichever network it is of. */
  public static boolean isExternalAddress(InetAddress address) {
    return !address.isLoopbackAddress()
        && !address.isLinkLocalAddress()
        && !address.isAnyLocalAddress()
        && !address.isMulticastAddress();
  }

  /** Returns whether an address is of a private network. */
  public static boolean isLocalAddress(InetAddress address) {
    return address.isSiteLocalAddress() || isUniqueLocal(address);
  }

  /** The private networks of IPv6, RFC 4193. */
  private static boolean isUniqueLocal(InetAddress address) {
    byte[] bytes = address.getAddress();
    return bytes.length == 16 && (bytes[0] & 0xfe) == 0xfc;
  }

  /**
   * Returns the address at which other hosts most probably reach this one: a public one rather than
   * one of a private network, IPv4 rather than IPv6; loopback if there is nothing else.
   */
  public static InetAddress getLocalHostAddress() {
    return Stream.of(getLocalHostAddresses())
        .min(
            Comparator.comparing(IPUtils::isLocalAddress)
                .thenComparing(address -> !(address instanceof Inet4Address)))
        .orElse(InetAddress.getLoopbackAddress());
  }

  /** Returns the addresses of all interfaces that are up, without loopback and link-local ones. */
  public static InetAddress[] getLocalHostAddresses() {
    List<NetworkInterface> interfaces;
    try {
      interfaces = Collections.list(NetworkInterface.getNetworkInterfaces());
    } catch (SocketException _) {
      return new InetAddress[0]; // the interfaces cannot be listed
    }
    return interfaces.stream()
        .filter(IPUtils::isUp)
        .flatMap(NetworkInterface::inetAddresses)
        .filter(IPUtils::isExternalAddress)
        .toArray(InetAddress[]::new);
  }

  private static boolean isUp(NetworkInterface candidate) {
    try {
      return candidate.isUp() && !candidate.isLoopback();
    } catch (SocketException _) {
      return false; // the interface was removed meanwhile
    }
  }
}
