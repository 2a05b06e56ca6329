package org.troupe.transport.ibis;

import java.io.IOException;
import org.troupe.activeobjects.spi.Transport;

/**
 * Carries frames over the links of the JVM's one authenticated port: TCP, TLS, Unix domain sockets
 * or shared memory, whatever both sides have and is best.
 *
 * <p>An open endpoint does not keep the JVM alive. Stateless; may be shared between threads.
 */
public final class IbisTransport implements Transport {

  /** Makes the transport; usually the service loader does. */
  public IbisTransport() {}

  @Override
  public String name() {
    return "ibis";
  }

  @Override
  public Endpoint open(EndpointOptions options, Receiver receiver) throws IOException {
    return LinkEndpoint.open(options, receiver);
  }
}
