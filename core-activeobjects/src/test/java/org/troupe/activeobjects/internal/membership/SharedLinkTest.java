package org.troupe.activeobjects.internal.membership;

import org.troupe.activeobjects.contract.RemoteCallContract;
import org.troupe.activeobjects.transport.Transport;

/** Tests calls over connections that accept offers into very short queues. */
class SharedLinkTest extends RemoteCallContract {

  @Override
  protected Transport transport() {
    return new FaultyTransport(true);
  }
}
