package org.troupe.links;

import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.links.port.Port;
import org.troupe.links.port.PortTest;
import org.troupe.testing.LogRecords;

/** Who listens where a port of ours was expected, and does not know the secret. */
@Timeout(60)
class ImpostorsTest {

  private final Secret secret = Secret.random();
  private Port here;
  private ServerSocket impostor;
  private Address address;

  @BeforeEach
  void open() throws IOException {
    here = Port.open(secret);
    impostor = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    address = new Address(impostor.getInetAddress().getHostAddress(), impostor.getLocalPort());
  }

  @AfterEach
  void close() throws IOException {
    here.close();
    impostor.close();
  }

  /** What an impostor does with the connection of a caller. */
  private interface Trick {
    void play(Socket caller) throws IOException;
  }

  private void answerWith(Trick trick) {
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try (Socket caller = impostor.accept()) {
                trick.play(caller);
                caller.getInputStream().readAllBytes();
              } catch (IOException _) {
                // the test has ended, or the caller has hung up on the impostor, as it should
              }
            });
  }

  private void assertExposed() {
    assertThatThrownBy(() -> here.connectSocket(address, "echo", PortTest.LONG))
        .isInstanceOf(WrongSecretException.class)
        .hasMessageContaining(address.toString());
  }

  @Test
  void areExposedByAWelcomeWithoutProof() {
    answerWith(
        caller -> {
          caller.getInputStream().readNBytes(44);
          caller.getOutputStream().write(new byte[32]);
          caller.getInputStream().readNBytes(96);
          byte[] verdict = new byte[37];
          verdict[0] = 1;
          verdict[2] = 1;
          verdict[4] = 1;
          caller.getOutputStream().write(verdict);
        });

    assertExposed();
  }

  @Test
  void areExposedByReflectingTheCallersOwnNonceAndProof() {
    answerWith(
        caller -> {
          byte[] hello = caller.getInputStream().readNBytes(44);
          caller.getOutputStream().write(hello, 12, 32);
          byte[] proof = caller.getInputStream().readNBytes(96);
          caller.getOutputStream().write(new byte[] {1, 0, 1, 0, 1});
          caller.getOutputStream().write(proof, 64, 32);
        });

    assertExposed();
  }

  @Test
  void areNotBelievedAboutVersions() {
    answerWith(
        caller -> {
          caller.getInputStream().readNBytes(44);
          caller.getOutputStream().write(new byte[32]);
          caller.getInputStream().readNBytes(96);
          byte[] verdict = new byte[37];
          verdict[0] = 2;
          Arrays.fill(verdict, 1, 5, (byte) 9);
          caller.getOutputStream().write(verdict);
        });

    assertExposed();
  }

  @Test
  void cannotPassTheHandshakeOnToARealPort(LogRecords records) throws Exception {
    var accepted = new LinkedBlockingQueue<Socket>();
    try (Port real = Port.open(secret);
        var onward = new Socket(real.address().host(), real.address().port())) {
      real.serveSockets("echo", accepted::add);
      answerWith(
          caller -> {
            onward.getOutputStream().write(caller.getInputStream().readNBytes(44));
            caller.getOutputStream().write(onward.getInputStream().readNBytes(32));
            onward.getOutputStream().write(caller.getInputStream().readNBytes(96));
            caller.getOutputStream().write(onward.getInputStream().readNBytes(37));
          });

      assertExposed();
      assertThat(accepted).isEmpty();
      records.expect(WARNING, "refused a connection", "does not know this deployment's secret");
    }
  }
}
