package org.troupe.activeobjects.internal.membership;

import org.troupe.activeobjects.contract.RemoteCallContract;
import org.troupe.activeobjects.transport.Transport;

/** The contract over connections that send without waiting, with hardly any room for it. */
class SharedLinkTest extends RemoteCallContract {

  @Override
  protected Transport transport() {
    return new FaultyTransport(true);
  }
}
