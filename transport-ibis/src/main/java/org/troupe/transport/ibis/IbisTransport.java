package org.troupe.transport.ibis;

import ibis.ipl.Ibis;
import ibis.ipl.IbisProperties;
import java.io.IOException;
import org.troupe.activeobjects.transport.Transport;

/**
 * Carries frames over the links of the JVM's one authenticated port: TCP, TLS, Unix domain sockets
 * or shared memory, in the order of speed of those that both sides have.
 *
 * <p>If the system property {@code ibis.implementation} names an implementation of the Ibis
 * Portability Layer that is not Troupe's, frames go through its ports instead. It has to be the
 * same in all JVMs.
 *
 * <p>An open endpoint does not keep the JVM alive. Stateless; may be shared between threads.
 */
public final class IbisTransport implements Transport {

  /** The package of Troupe's implementation, which its module does not export. */
  private static final String OURS = "ibis.ipl.internal";

  /** Creates the transport; usually called by the service loader. */
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
    if (ibis.getClass().getPackageName().equals(OURS)) {
      ibis.end(); // Troupe's implementation under an alias
      return LinkEndpoint.open(options, receiver);
    }
    return PortsEndpoint.open(ibis, options, receiver);
  }
}
