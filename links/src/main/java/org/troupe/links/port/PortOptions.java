package org.troupe.links.port;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.troupe.links.Address;
import org.troupe.links.Route;
import org.troupe.links.Secret;
import org.troupe.links.host.HostIdentity;
import org.troupe.links.host.NetworkInterfaces;

/**
 * Where a port listens, and how peers come to it. Immutable.
 *
 * @param bind an address of this machine, or the wildcard for all; port number 0 lets the system
 *     choose
 * @param networks which addresses of this machine peers are told if it listens on all, such as
 *     {@code 10.1.0.0/16}; empty for every one that others may reach
 * @param isRelay whether it connects peers that cannot reach each other
 * @param relay the port of the grid that is the relay; it is told to pass on to this port those who
 *     find no other way, and it is dialled for peers that cannot be reached otherwise
 * @param trusted the name of the network that this port and its peers of the same name are in, and
 *     that nobody else can listen to: between them nothing is encrypted; empty for none
 */
public record PortOptions(
    InetSocketAddress bind,
    List<String> networks,
    boolean isRelay,
    Optional<Address> relay,
    String trusted) {

  /** Copies the list. */
  public PortOptions {
    networks = List.copyOf(networks);
  }

  /** Returns the options of a port that has one address, for peers that can reach it. */
  static PortOptions at(InetSocketAddress bind) {
    return new PortOptions(bind, List.of(), false, Optional.empty(), "");
  }

  /**
   * Returns by what a port with these options can be reached.
   *
   * @param number that it has got
   * @throws IOException if this machine has no address in the networks
   */
  Address address(int number) throws IOException {
    InetAddress bound = bind.getAddress();
    if (!bound.isAnyLocalAddress() && !isRelay && relay.isEmpty()) {
      return new Address(bound.getHostAddress(), number);
    }
    var hosts = new ArrayList<InetAddress>();
    if (bound.isAnyLocalAddress()) {
      hosts.addAll(NetworkInterfaces.offered(networks));
      hosts.add(InetAddress.getLoopbackAddress());
    } else {
      hosts.add(bound);
    }
    var ways = new ArrayList<Route>();
    hosts.forEach(host -> ways.add(Address.direct(NetworkInterfaces.text(host), number)));
    relay.ifPresent(_ -> ways.add(new Route.Relayed()));
    String identity = HexFormat.of().formatHex(Secret.randomBytes(Address.IDENTITY_BYTES));
    return new Address(ways, identity, HostIdentity.here().mark());
  }
}
