package org.troupe.activeobjects.contract;

import java.io.IOException;
import org.troupe.activeobjects.transport.Transport;

/**
 * A transport whose first endpoint is a relay and whose other endpoints can be reached only over
 * it.
 */
public final class RelayedTransport implements Transport {

  private final Transport transport;
  private String relay = ""; // accessed only by the thread of the test

  /**
   * Hides the endpoints of a transport.
   *
   * @param transport one whose addresses are those of links
   */
  public RelayedTransport(Transport transport) {
    this.transport = transport;
  }

  @Override
  public String name() {
    return transport.name();
  }

  @Override
  public Endpoint open(EndpointOptions options, Receiver receiver) throws IOException {
    var usual = options.listening();
    var listening =
        new Listening(usual.host(), 0, usual.networks(), relay.isEmpty(), relay, usual.trusted());
    var endpoint = transport.open(new EndpointOptions(options.secret(), listening), receiver);
    if (relay.isEmpty()) {
      relay = endpoint.address();
      return endpoint;
    }
    return new Hidden(endpoint);
  }

  /** An endpoint whose address claims to be on another host, so that peers do not use loopback. */
  private record Hidden(Endpoint endpoint) implements Endpoint {

    @Override
    public String address() {
      return endpoint.address().replaceFirst("~.*", "~000000000000");
    }

    @Override
    public Connection connect(String address) throws IOException {
      return endpoint.connect(address);
    }

    @Override
    public void close() {
      endpoint.close();
    }
  }
}
