package org.troupe.transport.rmi;

import org.troupe.activeobjects.contract.RelayedTransport;
import org.troupe.activeobjects.contract.RemoteCallContract;
import org.troupe.activeobjects.transport.Transport;

/** Tests calls between nodes that reach each other only over a relay. */
class RelayedRemoteCallTest extends RemoteCallContract {

  @Override
  protected Transport transport() {
    return new RelayedTransport(new RmiTransport());
  }
}
