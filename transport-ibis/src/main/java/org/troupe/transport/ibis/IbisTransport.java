package org.troupe.transport.ibis;

import ibis.ipl.Ibis;
import ibis.ipl.IbisProperties;
import ibis.ipl.internal.Starter;
import java.io.IOException;
import org.troupe.activeobjects.spi.Transport;

/**
 * Carries frames over the links of the JVM's one authenticated port: TCP, TLS, Unix domain sockets
 * or shared memory, whatever both sides have and is best.
 *
 * <p>If the system property {@code ibis.implementation} names an implementation of the Ibis
 * Portability Layer that is not Troupe's, frames go through its ports instead. It has to be the
 * same in all JVMs.
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
    if (System.getProperty(IbisProperties.IMPLEMENTATION) == null) {
      return LinkEndpoint.open(options, receiver);
    }
    Ibis ibis = PortsEndpoint.instance(options);
    if (ibis.getClass().getPackage() == Starter.class.getPackage()) {
      ibis.end(); // ours by another name, such as one that old scripts use
      return LinkEndpoint.open(options, receiver);
    }
    return PortsEndpoint.open(ibis, options, receiver);
  }
}
