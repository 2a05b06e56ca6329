package org.troupe.links;

/** One route to a port. */
public sealed interface Route {

  /** A route over a connection to a host and port number. */
  sealed interface Dialled extends Route {
    String host();

    int number();
  }

  /** A connection to an address of the port's own machine. */
  record Direct(String host, int number) implements Dialled {
    @Override
    public String toString() {
      return text(host, number);
    }
  }

  /** A connection to a listener that forwards every byte to the port, such as ssh. */
  record Tunnel(String host, int number) implements Dialled {
    @Override
    public String toString() {
      return TUNNEL + text(host, number);
    }
  }

  /** A connection over the grid's relay, at which the port is registered. */
  record Relayed() implements Route {
    @Override
    public String toString() {
      return RELAY;
    }
  }

  String TUNNEL = "tunnel=";
  String RELAY = "relay";

  private static String text(String host, int number) {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + number;
  }
}
