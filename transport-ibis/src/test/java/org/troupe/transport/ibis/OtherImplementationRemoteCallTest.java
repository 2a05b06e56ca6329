package org.troupe.transport.ibis;

import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ibis.ipl.IbisProperties;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.troupe.activeobjects.contract.RemoteCallContract;
import org.troupe.activeobjects.transport.Transport;
import org.troupe.activeobjects.transport.Transport.EndpointOptions;
import org.troupe.links.Secret;
import org.troupe.testing.LogRecords;

/** Tests calls between nodes over another implementation of the portability layer. */
class OtherImplementationRemoteCallTest extends RemoteCallContract {

  @BeforeAll
  static void choose(LogRecords records) {
    records.allow(WARNING, "is still being connected to receive port");
    IbisProperties
        .getDefaultProperties(); // read once per JVM, so that the other tests keep Troupe's
    // implementation
    System.setProperty(IbisProperties.IMPLEMENTATION, PlainStarter.NAME);
  }

  @AfterAll
  static void chooseNoMore() {
    System.clearProperty(IbisProperties.IMPLEMENTATION);
  }

  @Override
  protected Transport transport() {
    return new IbisTransport();
  }

  private Transport.Endpoint open(String secret) throws IOException {
    return transport().open(new EndpointOptions(secret, "127.0.0.1", 0), (_, _) -> {});
  }

  @Test
  void goesThroughPorts() throws IOException {
    try (var endpoint = open(Secret.random().reveal())) {
      assertThat(endpoint).isInstanceOf(PortsEndpoint.class);
    }
  }

  @Test
  void refusesAPeerWithAnotherSecret(LogRecords records) throws Exception {
    try (var stranger = open(Secret.random().reveal());
        var endpoint = open(Secret.random().reveal())) {
      assertThatThrownBy(() -> stranger.connect(endpoint.address()))
          .isInstanceOf(IOException.class);
      records.expect(WARNING, "does not know this deployment's secret");
    }
  }
}
