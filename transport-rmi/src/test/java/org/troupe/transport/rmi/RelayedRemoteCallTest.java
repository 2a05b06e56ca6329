package org.troupe.transport.rmi;

import org.troupe.activeobjects.contract.RelayedTransport;
import org.troupe.activeobjects.contract.RemoteCallContract;
import org.troupe.activeobjects.transport.Transport;

/** The transport keeps the contract between nodes that cannot reach each other. */
class RelayedRemoteCallTest extends RemoteCallContract {

  @Override
  protected Transport transport() {
    return new RelayedTransport(new RmiTransport());
  }
}
