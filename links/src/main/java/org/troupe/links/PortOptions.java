package org.troupe.links;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

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

  /** Says whether peers may come who need more than one address to find the port. */
  boolean needIdentity() {
    return bind.getAddress().isAnyLocalAddress() || isRelay || relay.isPresent();
  }
}
