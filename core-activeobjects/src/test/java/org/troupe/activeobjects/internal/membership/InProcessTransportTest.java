package org.troupe.activeobjects.internal.membership;

import org.troupe.activeobjects.contract.RemoteCallContract;
import org.troupe.activeobjects.transport.Transport;

/** Tests calls between nodes over the transport within a JVM. */
class InProcessTransportTest extends RemoteCallContract {

  @Override
  protected Transport transport() {
    return new InProcessTransport();
  }
}
