package ibis.ipl.internal;

import static ibis.ipl.internal.Instances.receiver;
import static ibis.ipl.internal.Instances.sender;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ibis.ipl.ConnectionClosedException;
import ibis.ipl.Ibis;
import ibis.ipl.PortType;
import ibis.ipl.ReadMessage;
import ibis.ipl.ReceivePort;
import ibis.ipl.SendPort;
import ibis.ipl.WriteMessage;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.opentest4j.ValueWrapper;

/** Which objects may travel, and who hears of one that may not. */
@Timeout(60)
class RefusedObjectsTest {

  private static final PortType OURS = Instances.type(PortType.CONNECTION_ONE_TO_ONE);

  /** In this form, no sender looks at what it writes. */
  private static final PortType TYPE =
      Instances.type(PortType.CONNECTION_ONE_TO_ONE, PortType.SERIALIZATION_OBJECT_SUN);

  private static final PortType MANY =
      Instances.type(PortType.CONNECTION_ONE_TO_MANY, PortType.SERIALIZATION_OBJECT_SUN);

  @AutoClose private final Instances instances = new Instances(OURS, TYPE, MANY);

  private final Ibis here = instances.add();
  private final Ibis there = instances.add();
  private final BlockingQueue<Throwable> losses = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> logged = new LinkedBlockingQueue<>();
  private final Logger logger = Logger.getLogger("ibis.ipl.internal");
  private final Handler recorder =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          logged.add(new java.util.logging.SimpleFormatter().formatMessage(record));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    logger.addHandler(recorder);
  }

  @AfterEach
  void unlisten() {
    logger.removeHandler(recorder);
  }

  private static void send(SendPort port, Object object) throws IOException {
    WriteMessage message = port.newMessage();
    message.writeObject(object);
    message.finish();
  }

  private static Object refused() {
    return new X500Principal("CN=a");
  }

  /** The class of a library in a jar, which neither made the instance nor gave it an upcall. */
  @Test
  void objectsOfLibrariesTravel() throws Exception {
    ReceivePort in = receiver(there, OURS, "in");
    SendPort out = sender(here, in);
    send(out, List.of(ValueWrapper.create(17)));
    ReadMessage message = in.receive();
    assertThat(((ValueWrapper) ((List<?>) message.readObject()).getFirst()).getValue())
        .isEqualTo(17);
    message.finish();
    assertThat(ValueWrapper.class.getProtectionDomain().getCodeSource().getLocation().getPath())
        .endsWith(".jar");
  }

  @Test
  void aRefusalInAnUpcallReachesTheSenderAndTheLog() throws Exception {
    ReceivePort in = there.createReceivePort(TYPE, "in", message -> message.readObject());
    in.enableConnections();
    in.enableMessageUpcalls();
    SendPort out = here.createSendPort(TYPE, "out", (_, _, cause) -> losses.add(cause), null);
    out.connect(in.identifier());

    send(out, refused());

    Throwable loss = losses.poll(20, TimeUnit.SECONDS); // the sender writes nothing more
    assertThat(loss)
        .isInstanceOf(ConnectionClosedException.class)
        .hasMessageContaining("X500Principal");
    assertThat(out.connectedTo()).isEmpty();
    assertThat(logged).anyMatch(line -> line.contains("X500Principal") && line.contains("out"));
  }

  @Test
  void withoutAnUpcallTheNextMessageSaysThatItsReceiverIsLost() throws Exception {
    ReceivePort first = there.createReceivePort(MANY, "first", message -> message.readObject());
    first.enableConnections();
    first.enableMessageUpcalls();
    ReceivePort second = receiver(there, MANY, "second");
    SendPort out = sender(here, first);
    out.connect(second.identifier());
    send(out, refused());
    Instances.eventually("one is left", () -> out.connectedTo().length == 1);

    assertThatThrownBy(() -> send(out, "next"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("X500Principal");

    second.receive().finish();
    ReadMessage message = second.receive();
    assertThat(message.readObject()).isEqualTo("next");
    message.finish();
    send(out, "told once");
  }

  @Test
  void theWriterOfALongMessageHearsTheReason() throws Exception {
    ReceivePort in =
        there.createReceivePort(
            TYPE,
            "in",
            message -> {
              message.readInt();
              throw new IOException("the reader has enough");
            });
    in.enableConnections();
    in.enableMessageUpcalls();
    SendPort out = sender(here, in);
    WriteMessage message = out.newMessage();
    message.writeInt(1);

    assertThatThrownBy(
            () -> {
              double[] much = new double[1 << 20];
              while (true) {
                message.writeArray(much);
                message.flush();
              }
            })
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the reader has enough");
    assertThatThrownBy(message::finish).hasMessageContaining("the reader has enough");
  }
}
