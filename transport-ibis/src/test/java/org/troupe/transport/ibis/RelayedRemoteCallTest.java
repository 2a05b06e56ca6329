package org.troupe.transport.ibis;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.troupe.activeobjects.contract.RelayedTransport;
import org.troupe.activeobjects.contract.RemoteCallContract;
import org.troupe.activeobjects.transport.Transport;
import org.troupe.links.Driver;

/** Tests calls between nodes that reach each other only over a relay. */
class RelayedRemoteCallTest extends RemoteCallContract {

  @BeforeAll
  static void choose() {
    Drivers.only(Driver.TLS); // otherwise links over the relay negotiate shared memory
  }

  @AfterAll
  static void chooseNoMore() {
    Drivers.any();
  }

  @Override
  protected Transport transport() {
    return new RelayedTransport(new IbisTransport());
  }
}
