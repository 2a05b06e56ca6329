package ibis.ipl.util.messagecombining;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ibis.ipl.Ibis;
import ibis.ipl.PortType;
import ibis.ipl.ReadMessage;
import ibis.ipl.ReceivePort;
import ibis.ipl.SendPort;
import ibis.ipl.TestPool;
import ibis.ipl.WriteMessage;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CombiningTest {

  /** Carries bytes only; combined messages carry everything all the same. */
  private static final PortType TYPE =
      new PortType(
          PortType.CONNECTION_ONE_TO_ONE,
          PortType.SERIALIZATION_BYTE,
          PortType.COMMUNICATION_RELIABLE,
          PortType.RECEIVE_EXPLICIT);

  private TestPool pool;
  private ReceivePort in;
  private SendPort out;
  private MessageCombiner combiner;

  @BeforeEach
  void connect() throws Exception {
    pool = new TestPool();
    Ibis ibis = pool.join(TestPool.ALL, TYPE);
    in = ibis.createReceivePort(TYPE, "in");
    in.enableConnections();
    out = ibis.createSendPort(TYPE);
    out.connect(in.identifier());
    combiner = new MessageCombiner(null, out);
  }

  @AfterEach
  void end() throws IOException {
    pool.close();
  }

  private void send(Object object, int number) throws IOException {
    WriteMessage message = combiner.newMessage();
    message.writeObject(object);
    message.writeInt(number);
    message.finish();
  }

  @Test
  void sendsManyMessagesAsOne() throws Exception {
    send(List.of("a"), 1);
    send("b", 2);
    WriteMessage dropped = combiner.newMessage();
    dropped.writeInt(3);
    dropped.finish(new IOException("on purpose"));
    combiner.sendAccumulatedMessages();
    combiner.sendAccumulatedMessages();

    var splitter = new MessageSplitter(null, null);
    ReadMessage whole = in.receive();
    splitter.setMessageToSplit(whole);
    ReadMessage first = splitter.receive();
    assertThat(first.readObject()).isEqualTo(List.of("a"));
    assertThatThrownBy(splitter::receive).isInstanceOf(IOException.class);
    first.finish();
    ReadMessage second = splitter.receive();
    assertThat(second.readObject()).isEqualTo("b");
    assertThat(second.readInt()).isEqualTo(2);
    assertThat(second.origin()).isEqualTo(out.identifier());
    second.finish();
    assertThat(splitter.receive()).isNull();
    whole.finish();
    assertThat(out.getManagementProperty("Messages")).isEqualTo("1");
  }

  @Test
  void receivesFromAPortByItself() throws Exception {
    var splitter = new MessageSplitter(null, in);
    for (int i = 0; i < 4; i++) {
      send("text", i);
      if (i % 2 == 1) {
        combiner.sendAccumulatedMessages();
      }
    }

    for (int i = 0; i < 4; i++) {
      ReadMessage part = splitter.receive();
      assertThat(part.readObject()).isEqualTo("text");
      assertThat(part.readInt()).isEqualTo(i);
      part.finish();
    }
  }

  @Test
  void saysWhatIsNoCombinedMessage() throws Exception {
    WriteMessage message = out.newMessage();
    message.writeArray(new byte[] {-1, 0, 0, 0});
    message.finish();

    assertThatThrownBy(() -> new MessageSplitter(null, in).receive())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no MessageCombiner");
  }
}
