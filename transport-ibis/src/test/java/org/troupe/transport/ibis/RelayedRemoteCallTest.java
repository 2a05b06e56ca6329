package org.troupe.transport.ibis;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.troupe.activeobjects.contract.RelayedTransport;
import org.troupe.activeobjects.contract.RemoteCallContract;
import org.troupe.activeobjects.transport.Transport;
import org.troupe.links.Driver;

/** The transport keeps the contract between nodes that cannot reach each other. */
class RelayedRemoteCallTest extends RemoteCallContract {

  @BeforeAll
  static void choose() {
    Drivers.only(Driver.TLS); // else links over the relay agree on memory that they share
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
