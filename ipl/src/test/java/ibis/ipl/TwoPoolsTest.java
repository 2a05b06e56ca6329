package ibis.ipl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Members of two pools side by side in one JVM, with the same names for everything. */
@Timeout(60)
class TwoPoolsTest {

  private static final PortType TYPE =
      new PortType(
          PortType.COMMUNICATION_RELIABLE,
          PortType.SERIALIZATION_OBJECT,
          PortType.RECEIVE_EXPLICIT,
          PortType.CONNECTION_ONE_TO_ONE);

  @AutoClose private final TestPool server = new TestPool();

  private Pair red;
  private Pair blue;

  TwoPoolsTest() throws IOException {}

  @BeforeEach
  void join() throws Exception {
    red = new Pair("red");
    blue = new Pair("blue");
  }

  /** Two members of a pool: one has a port named {@code in}. */
  private final class Pair {

    private final String pool;
    private final Ibis sender;
    private final Ibis receiver;
    private final ReceivePort in;

    Pair(String pool) throws Exception {
      this.pool = pool;
      sender = member(pool);
      receiver = member(pool);
      in = receiver.createReceivePort(TYPE, "in");
      in.enableConnections();
    }

    private Ibis member(String name) throws IbisCreationFailedException {
      var properties = server.properties();
      properties.setProperty(IbisProperties.POOL_NAME, name);
      return server.joinAs(properties, TestPool.ALL, null, TYPE);
    }

    /** Sends the pool's name from the one to whoever the other was elected to be. */
    void talks() throws Exception {
      IbisIdentifier elected = receiver.registry().elect("receiver");
      assertThat(elected).isEqualTo(receiver.identifier());
      SendPort out = sender.createSendPort(TYPE);
      out.connect(sender.registry().getElectionResult("receiver"), "in");
      WriteMessage message = out.newMessage();
      message.writeObject(pool);
      message.finish();
      ReadMessage heard = in.receive();
      assertThat(heard.readObject()).isEqualTo(pool);
      assertThat(heard.origin().ibisIdentifier()).isEqualTo(sender.identifier());
      heard.finish();
      out.close();
    }
  }

  @Test
  void electionsAndPortsOfOneNameBelongToTheirPool() throws Exception {
    red.talks();
    blue.talks();
    assertThat(red.sender.identifier().poolName()).isEqualTo("red");
    assertThat(blue.sender.identifier().poolName()).isEqualTo("blue");
  }

  @Test
  void theEndOfOnePoolIsNotThatOfTheOther() throws Exception {
    red.talks();
    red.sender.end();
    red.receiver.end();
    blue.talks();
  }

  @Test
  void theTerminationOfOnePoolIsNotThatOfTheOther() throws Exception {
    red.sender.registry().terminate();
    assertThat(red.receiver.registry().waitUntilTerminated()).isEqualTo(red.sender.identifier());
    assertThat(blue.receiver.registry().hasTerminated()).isFalse();
    blue.talks();
  }
}
