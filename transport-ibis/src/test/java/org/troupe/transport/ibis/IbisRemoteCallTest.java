package org.troupe.transport.ibis;

import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.activeobjects.contract.RemoteCallContract;
import org.troupe.activeobjects.transport.Transport;
import org.troupe.links.Driver;

/** Tests calls between nodes over each driver. */
@ParameterizedClass
@MethodSource("org.troupe.transport.ibis.Drivers#all")
class IbisRemoteCallTest extends RemoteCallContract {

  @Parameter Driver driver;

  @BeforeParameterizedClassInvocation
  static void choose(Driver driver) {
    Drivers.only(driver);
  }

  @AfterParameterizedClassInvocation
  static void chooseNoMore() {
    Drivers.any();
  }

  @Override
  protected Transport transport() {
    return new IbisTransport();
  }
}
