package org.troupe.transport.rmi;

import org.troupe.activeobjects.contract.Relayed;
import org.troupe.activeobjects.contract.TransportContract;
import org.troupe.activeobjects.transport.Transport;

/** The transport keeps the contract between nodes that cannot reach each other. */
class RelayedContractTest extends TransportContract {

  @Override
  protected Transport transport() {
    return new Relayed(new RmiTransport());
  }
}
