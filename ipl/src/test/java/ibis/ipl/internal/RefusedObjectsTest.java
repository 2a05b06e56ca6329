package ibis.ipl.internal;

import static ibis.ipl.internal.Instances.receiver;
import static ibis.ipl.internal.Instances.sender;
import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;
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
import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.opentest4j.ValueWrapper;
import org.troupe.testing.LogRecords;
import org.troupe.testing.Polling;

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
  void aRefusalInAnUpcallReachesTheSenderAndTheLog(LogRecords records) throws Exception {
    records.allow(WARNING, "closed its connection with send port");
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
    records.expect(
        ERROR, "receive port 'in'", "cannot read an object of send port 'out'", "X500Principal");
    records.expect(WARNING, "an upcall of receive port", "X500Principal");
  }

  @Test
  void withoutAnUpcallTheNextMessageSaysThatItsReceiverIsLost(LogRecords records) throws Exception {
    records.allow(WARNING, "closed its connection with send port");
    ReceivePort first = there.createReceivePort(MANY, "first", message -> message.readObject());
    first.enableConnections();
    first.enableMessageUpcalls();
    ReceivePort second = receiver(there, MANY, "second");
    SendPort out = sender(here, first);
    out.connect(second.identifier());
    send(out, refused());
    Polling.until("one is left", () -> out.connectedTo().length == 1);

    assertThatThrownBy(() -> send(out, "next"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("X500Principal");

    second.receive().finish();
    ReadMessage message = second.receive();
    assertThat(message.readObject()).isEqualTo("next");
    message.finish();
    send(out, "told once");
    records.expect(ERROR, "receive port 'first'", "cannot read an object", "X500Principal");
    records.expect(WARNING, "an upcall of receive port", "X500Principal");
  }

  @Test
  void theWriterOfALongMessageHearsTheReason(LogRecords records) throws Exception {
    records.allow(WARNING, "closed its connection with send port");
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
    records.expect(WARNING, "an upcall of receive port", "the reader has enough");
  }
}
