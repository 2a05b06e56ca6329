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
 * The addresses on which a port listens, and the routes by which peers reach it. Immutable.
 *
 * @param bind an address of this machine, or the wildcard for all; port number 0 lets the system
 *     choose
 * @param networks the networks whose addresses a port that listens on all addresses publishes, such
 *     as {@code 10.1.0.0/16}; empty for every address that other hosts may reach
 * @param isRelay whether the port connects peers that cannot reach each other
 * @param relay the grid's relay, at which the port registers, and over which it connects to peers
 *     that it cannot reach otherwise
 * @param trusted the name of a network in which connections between ports of the same name are not
 *     encrypted, as no other party can intercept them; empty for none
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

  /** Returns the options of a port that listens on one address, without a relay. */
  static PortOptions at(InetSocketAddress bind) {
    return new PortOptions(bind, List.of(), false, Optional.empty(), "");
  }

  /**
   * Returns the address of a port with these options.
   *
   * @param number the port number
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
    var routes = new ArrayList<Route>();
    hosts.forEach(host -> routes.add(Address.direct(NetworkInterfaces.text(host), number)));
    relay.ifPresent(_ -> routes.add(new Route.Relayed()));
    String identity = HexFormat.of().formatHex(Secret.randomBytes(Address.IDENTITY_BYTES));
    return new Address(routes, identity, HostIdentity.here().mark());
  }
}
