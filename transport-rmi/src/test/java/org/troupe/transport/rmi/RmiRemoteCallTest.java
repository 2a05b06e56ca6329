package org.troupe.transport.rmi;

import org.troupe.activeobjects.contract.RemoteCallContract;
import org.troupe.activeobjects.transport.Transport;

/** Tests calls between nodes over RMI. */
class RmiRemoteCallTest extends RemoteCallContract {

  @Override
  protected Transport transport() {
    return new RmiTransport();
  }

  /** The JDK's RMI reads from a socket, and an interrupt does not end such a read. */
  @Override
  protected boolean interruptsExchanges() {
    return false;
  }
}
