package org.troupe.transport.rmi;

import java.io.IOException;
import org.troupe.activeobjects.transport.Transport;

/**
 * Carries frames as calls of the JDK's RMI, over the one authenticated port of the JVM.
 *
 * <p>Peers have to prove the deployment's secret before RMI sees a byte of theirs. An open endpoint
 * does not keep the JVM alive. Stateless; may be shared between threads.
 */
public final class RmiTransport implements Transport {

  /** Makes the transport; usually the service loader does. */
  public RmiTransport() {}

  @Override
  public String name() {
    return "rmi";
  }

  @Override
  public Endpoint open(EndpointOptions options, Receiver receiver) throws IOException {
    return RmiEndpoint.open(options, receiver);
  }
}
