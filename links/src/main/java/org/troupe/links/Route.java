package org.troupe.links;

/** One route to a port. */
public sealed interface Route {

  /** A connection to a host and a number; what listens there has to be the port itself. */
  sealed interface Dialled extends Route {
    String host();

    int number();
  }

  /** To an address of the port's own machine. */
  record Direct(String host, int number) implements Dialled {
    @Override
    public String toString() {
      return text(host, number);
    }
  }

  /** To something else that passes every byte on to the port, such as ssh. */
  record Tunnel(String host, int number) implements Dialled {
    @Override
    public String toString() {
      return TUNNEL + text(host, number);
    }
  }

  /** Over the grid's relay, to which the port keeps a connection. */
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
