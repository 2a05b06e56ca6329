package ibis.ipl.internal;

import static ibis.ipl.internal.Instances.receive;
import static ibis.ipl.internal.Instances.receiver;
import static ibis.ipl.internal.Instances.send;
import static ibis.ipl.internal.Instances.sender;
import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ibis.ipl.ForkedJvm;
import ibis.ipl.Ibis;
import ibis.ipl.IbisIdentifier;
import ibis.ipl.PortType;
import ibis.ipl.ReadMessage;
import ibis.ipl.ReceivePort;
import ibis.ipl.ReceivePortIdentifier;
import ibis.ipl.SendPort;
import ibis.ipl.WriteMessage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.links.Secret;
import org.troupe.testing.LogRecords;
import org.troupe.testing.Polling;

/** Ports in two JVMs, of which one is killed. */
@Timeout(120)
class TwoJvmsTest {

  private static final PortType TYPE = Instances.type(PortType.CONNECTION_ONE_TO_ONE);

  @TempDir private Path folder;

  /** The other JVM: sends back what it is sent, until it is killed. */
  static final class Echo {

    public static void main(String[] arguments) throws Exception {
      var properties = new Properties();
      properties.setProperty("ibis.secret", arguments[0]);
      try (var instances = new Instances(TYPE)) {
        Ibis ibis = instances.add(properties);
        ReceivePort in = receiver(ibis, TYPE, "echo");
        System.out.println("at " + encode(ibis.identifier()));
        SendPort out = ibis.createSendPort(TYPE);
        while (true) {
          ReadMessage message = in.receive();
          Object object = message.readObject();
          message.finish();
          if (object instanceof ReceivePortIdentifier back) {
            out.connect(back);
            continue;
          }
          WriteMessage answer = out.newMessage();
          answer.writeObject(object);
          answer.finish();
        }
      }
    }
  }

  private static String encode(Object object) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  private static Object decode(String text) throws Exception {
    byte[] bytes = Base64.getDecoder().decode(text);
    try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return in.readObject();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "uds", "shm"})
  void objectsGoThereAndBackAndAKilledPeerIsNoticed(String driver) throws Exception {
    String secret = Secret.random().reveal();
    var properties = new Properties();
    properties.setProperty("ibis.secret", secret);
    properties.setProperty("ibis.listen.address", "127.0.0.1");
    List<String> options =
        List.of("-D" + Instances.LINKS + "=" + driver, "-Dibis.listen.address=127.0.0.1");
    System.setProperty(Instances.LINKS, driver);
    try (var instances = new Instances(TYPE);
        var other = ForkedJvm.start(folder, Echo.class, options, secret)) {
      Ibis here = instances.add(properties);
      IbisIdentifier there = (IbisIdentifier) decode(other.await("at "));
      ReceivePort in = receiver(here, TYPE, "in");
      SendPort out = here.createSendPort(TYPE);
      out.connect(there, "echo");
      WriteMessage introduction = out.newMessage();
      introduction.writeObject(in.identifier());
      introduction.finish();
      for (int i = 0; i < 20; i++) {
        Object object = Map.of("number", i, "pair", new ContentsTest.Pair("p", i));
        WriteMessage message = out.newMessage();
        message.writeObject(object);
        message.finish();
        ReadMessage answer = in.receive();
        assertThat(answer.readObject()).isEqualTo(object);
        answer.finish();
      }
      assertThat(in.connectedTo()).hasSize(1);
      var waiting = Instances.start(() -> in.receive());

      other.kill();

      Polling.until("the receiver notices", () -> in.connectedTo().length == 0);
      assertThat(in.lostConnections()).hasSize(1);
      assertThat(waiting.isDone()).isFalse(); // somebody else may connect yet
      Polling.until(
          "the sender notices",
          () -> {
            WriteMessage message = out.newMessage();
            try {
              message.writeObject(new byte[100_000]);
              message.finish();
              return false;
            } catch (IOException e) {
              message.finish(e);
              return true;
            }
          });
      assertThat(out.connectedTo()).isEmpty();
      ReceivePort next = receiver(here, TYPE, "next");
      out.connect(next.identifier());
      send(out, 5);
      assertThat(receive(next)).isEqualTo(5);
    } finally {
      System.clearProperty(Instances.LINKS);
    }
  }

  @Test
  void whoDoesNotKnowTheSecretCannotConnect(LogRecords records) throws Exception {
    try (var instances = new Instances(TYPE);
        var others = new Instances(TYPE)) {
      var ours = new Properties();
      ours.setProperty("ibis.secret", Secret.random().reveal());
      ours.setProperty("ibis.listen.address", "127.0.0.1");
      var theirs = new Properties();
      theirs.setProperty("ibis.secret", Secret.random().reveal());
      theirs.setProperty("ibis.listen.address", "127.0.0.1");
      ReceivePort in = receiver(instances.add(ours), TYPE, "in");
      Ibis stranger = others.add(theirs);
      assertThatThrownBy(() -> sender(stranger, in)).hasMessageContaining("secret");
      // Before the port is closed, which ends handshakes without a record.
      records.expect(WARNING, "refused a connection", "does not know this deployment's secret");
    }
  }
}
