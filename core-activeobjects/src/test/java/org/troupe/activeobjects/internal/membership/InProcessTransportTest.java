package org.troupe.activeobjects.internal.membership;

import org.troupe.activeobjects.contract.RemoteCallContract;
import org.troupe.activeobjects.transport.Transport;

/** The transport within a JVM keeps the contract. */
class InProcessTransportTest extends RemoteCallContract {

  @Override
  protected Transport transport() {
    return new InProcessTransport();
  }
}
