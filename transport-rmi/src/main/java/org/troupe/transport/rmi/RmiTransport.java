package org.troupe.transport.rmi;

import java.io.IOException;
import org.troupe.activeobjects.transport.Transport;

/**
 * Carries frames as calls of the JDK's RMI, over the one authenticated port of the JVM.
 *
 * <p>A peer must prove the deployment's secret before RMI reads any of its bytes. An open endpoint
 * does not keep the JVM alive. Stateless; may be shared between threads.
 */
public final class RmiTransport implements Transport {

  /** Creates the transport; usually called by the service loader. */
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
