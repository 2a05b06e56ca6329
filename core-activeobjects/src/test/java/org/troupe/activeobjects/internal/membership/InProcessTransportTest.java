package org.troupe.activeobjects.internal.membership;

import org.troupe.activeobjects.contract.TransportContract;
import org.troupe.activeobjects.transport.Transport;

/** The transport within a JVM keeps the contract. */
class InProcessTransportTest extends TransportContract {

  @Override
  protected Transport transport() {
    return new InProcessTransport();
  }
}
