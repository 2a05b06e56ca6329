package org.troupe.transport.rmi;

import org.troupe.activeobjects.contract.RemoteCallContract;
import org.troupe.activeobjects.transport.Transport;

/** RMI keeps the contract of transports. */
class RmiRemoteCallTest extends RemoteCallContract {

  @Override
  protected Transport transport() {
    return new RmiTransport();
  }

  /** The JDK's RMI reads from a socket, of which an interrupt tells a platform thread nothing. */
  @Override
  protected boolean interruptsExchanges() {
    return false;
  }
}
