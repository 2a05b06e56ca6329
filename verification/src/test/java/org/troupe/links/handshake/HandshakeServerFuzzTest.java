package org.troupe.links.handshake;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.util.List;
import org.troupe.links.Secret;
import org.troupe.links.host.HostIdentity;

/** The server's handshake with any caller ends in an agreement or an IOException. */
class HandshakeServerFuzzTest {

  private static final int HELLO_BYTES = 44;
  private static final int NONCE_BYTES = 32;
  private static final int OFFER_BYTES = 5 + 3 * 32;
  private static final int FORGES_PROOF = 1;
  private static final int FORGES_OFFER = 2;

  private static final Secret SECRET = Secret.parse("5e".repeat(32));
  private static final byte[] PORT = "port".getBytes(US_ASCII);
  private static final DriverNegotiation.NetworkLocation LOCATION =
      new DriverNegotiation.NetworkLocation(new HostIdentity("", ""), "trusted");

  @FuzzTest
  void agreesOnlyIfTheCallerProvesTheSecret(byte[] bytes) throws IOException {
    var script = new Script(bytes);
    int choice = script.choice();
    byte[] hello = script.take(HELLO_BYTES);
    byte[] service = script.take(Handshake.SERVICE_BYTES);
    byte[] forged = script.take(32);
    var socket = new ScriptedSocket();
    socket.then(() -> hello);
    socket.then(() -> service);
    socket.then(
        () ->
            (choice & FORGES_PROOF) != 0
                ? forged
                : SECRET.sign(
                    "caller".getBytes(US_ASCII),
                    PORT,
                    hello,
                    socket.written(0, NONCE_BYTES),
                    service));
    Handshake.Agreement agreement;
    try {
      agreement =
          new Handshake(SECRET, WireVersions.OURS).serve(socket, List.of(PORT), "pair"::equals);
    } catch (IOException expected) {
      return;
    }
    assertThat(choice & FORGES_PROOF).as("whether the proof was forged").isZero();
    assertThat(agreement.service()).isEqualTo("pair");
    assertThat(agreement.version()).isEqualTo(WireVersions.OURS.highest());

    byte[] offer = script.take(OFFER_BYTES);
    byte[] mac = script.take(32);
    socket.then(() -> offer);
    socket.then(
        () ->
            (choice & FORGES_OFFER) != 0
                ? mac
                : SECRET.sign("offer".getBytes(US_ASCII), agreement.session(), offer));
    try {
      var read = new DriverNegotiation(SECRET).readOffer(socket, agreement.session(), LOCATION);
      assertThat(choice & FORGES_OFFER).as("whether the offer was forged").isZero();
      assertThat(read.drivers()).doesNotContainNull();
      assertThat(read.sameHost()).as("whether both are on an unknown host").isFalse();
    } catch (IOException expected) {
      assertThat(choice & FORGES_OFFER).as("whether the offer was forged").isNotZero();
    }
  }
}
