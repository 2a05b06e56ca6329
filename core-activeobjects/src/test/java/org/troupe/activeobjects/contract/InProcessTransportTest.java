package org.troupe.activeobjects.contract;

import org.troupe.activeobjects.internal.InProcessTransport;
import org.troupe.activeobjects.spi.Transport;

/** The transport within a JVM keeps the contract. */
class InProcessTransportTest extends TransportContract {

  @Override
  protected Transport transport() {
    return new InProcessTransport();
  }
}
