package org.troupe.links.handshake;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.util.List;
import org.troupe.links.Driver;
import org.troupe.links.Secret;

/** The caller's handshake with any server ends in an agreement or an IOException. */
class HandshakeCallerFuzzTest {

  private static final int HELLO_BYTES = 44;
  private static final int NONCE_BYTES = 32;
  private static final int PROOF_BYTES = 64 + 32;
  private static final int FORGES_PROOF = 1;
  private static final int FORGES_ANSWER = 2;
  private static final int MOST_DETAILS = 2048;

  private static final Secret SECRET = Secret.parse("5e".repeat(32));
  private static final byte[] PORT = "port".getBytes(US_ASCII);

  @FuzzTest
  void agreesOnlyIfTheServerProvesTheSecret(byte[] bytes) throws IOException {
    var script = new Script(bytes);
    int choice = script.choice();
    byte[] challenge = script.take(NONCE_BYTES);
    byte[] verdict = script.take(5);
    byte[] forged = script.take(32);
    var socket = new ScriptedSocket();
    socket.then(() -> challenge);
    socket.then(() -> verdict);
    socket.then(
        () ->
            (choice & FORGES_PROOF) != 0
                ? forged
                : SECRET.sign(
                    "server".getBytes(US_ASCII),
                    PORT,
                    socket.written(0, HELLO_BYTES),
                    challenge,
                    socket.written(HELLO_BYTES, PROOF_BYTES),
                    verdict));
    Handshake.Agreement agreement;
    try {
      agreement = new Handshake(SECRET, WireVersions.OURS).call(socket, "the peer", PORT, "pair");
    } catch (IOException expected) {
      return;
    }
    assertThat(choice & FORGES_PROOF).as("whether the proof was forged").isZero();
    assertThat(agreement.version()).isEqualTo(WireVersions.OURS.highest());

    byte[] head = script.take(3);
    byte[] mac = script.take(32);
    byte[] details = script.rest(MOST_DETAILS);
    byte[] answer = new byte[head.length + details.length];
    System.arraycopy(head, 0, answer, 0, head.length);
    System.arraycopy(details, 0, answer, head.length, details.length);
    socket.then(() -> answer);
    socket.then(
        () ->
            (choice & FORGES_ANSWER) != 0
                ? mac
                : SECRET.sign(
                    "answer".getBytes(US_ASCII), agreement.session(), new byte[] {0}, answer));
    try {
      var read =
          new DriverNegotiation(SECRET)
              .readAnswer(
                  socket, agreement.session(), 0, "the peer", "pair", List.of(Driver.values()));
      assertThat(choice & FORGES_ANSWER).as("whether the answer was forged").isZero();
      assertThat(read.details()).isEqualTo(details);
    } catch (IOException expected) {
      // The documented refusal.
    }
  }
}
