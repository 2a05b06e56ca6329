package ibis.ipl.internal.base;

import static ibis.ipl.internal.Instances.receive;
import static ibis.ipl.internal.Instances.receiver;
import static ibis.ipl.internal.Instances.result;
import static ibis.ipl.internal.Instances.send;
import static ibis.ipl.internal.Instances.sender;
import static ibis.ipl.internal.Instances.start;
import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ibis.ipl.ConnectionClosedException;
import ibis.ipl.Ibis;
import ibis.ipl.PortType;
import ibis.ipl.ReadMessage;
import ibis.ipl.ReceivePort;
import ibis.ipl.SendPort;
import ibis.ipl.SendPortIdentifier;
import ibis.ipl.WriteMessage;
import ibis.ipl.internal.Instances;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.testing.LogRecords;
import org.troupe.testing.Polling;

/** What depends on links, over each driver. */
@Timeout(60)
class EveryDriverTest {

  private static final PortType ONE = Instances.type(PortType.CONNECTION_ONE_TO_ONE);
  private static final PortType MANY = Instances.type(PortType.CONNECTION_MANY_TO_MANY);

  private interface Scene {
    void play(Ibis here, Ibis there) throws Exception;
  }

  private static void over(String driver, Scene scene) throws Exception {
    String before = System.getProperty(Instances.LINKS);
    System.setProperty(Instances.LINKS, driver);
    try (var instances = new Instances(ONE, MANY)) {
      scene.play(instances.add(), instances.add());
    } finally {
      if (before == null) {
        System.clearProperty(Instances.LINKS);
      } else {
        System.setProperty(Instances.LINKS, before);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "uds", "shm", "tls"})
  void messagesOfAllSizesGoThereAndBack(String driver) throws Exception {
    over(
        driver,
        (here, there) -> {
          ReceivePort in = receiver(there, ONE, "in");
          ReceivePort back = receiver(here, ONE, "back");
          SendPort out = sender(here, in);
          SendPort reply = sender(there, back);
          var echo =
              start(
                  () -> {
                    for (int i = 0; i < 40; i++) {
                      ReadMessage message = in.receive();
                      double[] array = (double[]) message.readObject();
                      Object object = message.readObject();
                      message.finish();
                      WriteMessage answer = reply.newMessage();
                      answer.writeObject(object);
                      answer.writeArray(array);
                      answer.finish();
                    }
                    return true;
                  });
          for (int i = 0; i < 40; i++) {
            double[] array = new double[i * i * 200];
            Arrays.setAll(array, Math::sqrt);
            WriteMessage message = out.newMessage();
            message.writeArray(array);
            message.writeObject(List.of("a", i));
            message.finish();
            ReadMessage answer = back.receive();
            assertThat(answer.readObject()).isEqualTo(List.of("a", i));
            double[] returned = new double[array.length];
            answer.readArray(returned);
            answer.finish();
            assertThat(returned).isEqualTo(array);
          }
          assertThat(result(echo)).isTrue();
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "uds", "shm", "tls"})
  void whatWasSentBeforeDisconnectingIsStillReceived(String driver) throws Exception {
    over(
        driver,
        (here, there) -> {
          ReceivePort in = receiver(there, ONE, "in");
          SendPort out = here.createSendPort(ONE);
          for (int i = 0; i < 10; i++) {
            out.connect(in.identifier());
            send(out, i);
            out.disconnect(in.identifier());
          }
          out.close();
          for (int i = 0; i < 10; i++) {
            assertThat(receive(in)).isEqualTo(i);
          }
          in.close();
        });
  }

  /** Over tls the end of the link once came after the disconnect had returned, 19 times of 20. */
  @ParameterizedTest
  @ValueSource(strings = {"tcp", "uds", "shm", "tls"})
  void aDisconnectIsListedByTheReceiverBeforeItReturns(String driver) throws Exception {
    over(
        driver,
        (here, there) -> {
          ReceivePort in = receiver(there, MANY, "in");
          SendPort other = sender(here, in);
          SendPort out = here.createSendPort(MANY);
          for (int i = 0; i < 20; i++) {
            out.connect(in.identifier());
            if (i % 2 == 0) {
              send(out, i);
              assertThat(receive(in)).isEqualTo(i);
            }
            out.disconnect(in.identifier());
            assertThat(in.lostConnections()).as("round %s", i).containsExactly(out.identifier());
          }
          out.connect(in.identifier());
          send(out, 21);
          out.close();
          assertThat(in.lostConnections()).containsExactly(out.identifier());
          assertThat(receive(in)).isEqualTo(21);
          other.close();
          in.close();
          assertThat(in.lostConnections()).containsExactly(other.identifier());
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "uds", "shm", "tls"})
  void aSenderHearsWhyTheReceiverHasEndedItsConnection(String driver, LogRecords records)
      throws Exception {
    over(
        driver,
        (here, there) -> {
          ReceivePort in = receiver(there, ONE, "in");
          SendPort out = sender(here, in);
          send(out, 1);
          in.receive().finish(new IOException("the disk is full"));
          assertThat(failureOf(out)).contains("the disk is full");

          ReceivePort closed = receiver(there, ONE, "closed");
          SendPort late = sender(here, closed);
          closed.close(-1);
          assertThat(failureOf(late)).contains("was closed");
        });
    records.expect(WARNING, "receive port 'closed'", "closed its connection");
    records.expect(WARNING, "receive port 'in'", "closed its connection", "the disk is full");
  }

  /** Sends until that fails; returns what is said then. */
  private static String failureOf(SendPort port) throws Exception {
    var failure = new AtomicReference<String>();
    Polling.until(
        "a send fails",
        () -> {
          try {
            send(port, 2);
            return false;
          } catch (IOException e) {
            failure.set(e.getMessage());
            return true;
          }
        });
    return failure.get();
  }

  /** Regression: the refusal was thrown into the upcall, neither logged nor sent to the sender. */
  @ParameterizedTest
  @ValueSource(strings = {"tcp", "uds", "shm", "tls"})
  void aRefusedSendInAnUpcallIsLoggedAndReportedToItsSender(String driver, LogRecords records)
      throws Exception {
    over(
        driver,
        (here, there) -> {
          SendPort reply = there.createSendPort(ONE, "reply");
          ReceivePort in = there.createReceivePort(ONE, "in", _ -> send(reply, 1));
          in.enableConnections();
          in.enableMessageUpcalls();
          SendPort out = sender(here, in);
          assertThat(failureOf(out)).contains("has to finish its message before it begins one of");
          records.expect(WARNING, "send port 'reply'", "has to finish its message before");
          records.expect(
              WARNING,
              "an upcall of receive port 'in'",
              "has to finish its message before",
              "is closed");
          records.allow(WARNING, "closed its connection with send port");
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "uds", "shm", "tls"})
  void aCloseUnderAnUnfinishedMessageKeepsItsTimeLimitAndIsPrinted(
      String driver, LogRecords records) throws Exception {
    over(
        driver,
        (here, there) -> {
          ReceivePort in = receiver(there, ONE, "in");
          SendPort out = sender(here, in);
          send(out, 1);
          ReadMessage message = in.receive();
          out.close();
          in.close(50);
          records.expect(WARNING, "in spite of an unfinished message from send");
          assertThat(message.readInt()).isEqualTo(1);
          assertThat(in.connectedTo()).isEmpty();
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "uds", "shm", "tls"})
  void aCloseThatOnlyItsOwnThreadCouldEndIsGivenUp(String driver, LogRecords records)
      throws Exception {
    over(
        driver,
        (here, there) -> {
          ReceivePort in = receiver(there, ONE, "in");
          SendPort out = sender(here, in);
          send(out, 1);
          ReadMessage message = in.receive();
          long before = WaitNotice.afterMillis;
          try {
            WaitNotice.afterMillis = 20;
            var closed =
                start(
                    () -> {
                      records.expect(
                          WARNING,
                          "close of receive port 'in'",
                          "connected senders (send port",
                          "an unfinished message from");
                      out.close();
                      return true;
                    });
            in.close();
            assertThat(result(closed)).isTrue();
            records.expect(WARNING, "receive port 'in' of", "call finish() before close()");
          } finally {
            WaitNotice.afterMillis = before;
          }
          message.finish();
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "uds", "shm", "tls"})
  void pollingGetsTheMessagesOfAllSendersInOrder(String driver) throws Exception {
    over(
        driver,
        (here, there) -> {
          ReceivePort in = receiver(there, MANY, "in");
          List<SendPort> senders = List.of(sender(here, in), sender(here, in), sender(here, in));
          assertThat(in.poll()).isNull();
          for (int i = 0; i < 20; i++) {
            for (SendPort out : senders) {
              send(out, i);
            }
          }
          Map<SendPortIdentifier, Integer> next = new HashMap<>();
          for (int i = 0; i < 60; i++) {
            ReadMessage message = polled(in);
            int expected = next.merge(message.origin(), 1, Integer::sum) - 1;
            assertThat(message.readInt()).isEqualTo(expected);
            message.finish();
          }
          assertThat(next.values()).containsExactly(20, 20, 20);
          send(senders.getFirst(), 20);
          assertThat(receive(in)).isEqualTo(20); // between polls
          send(senders.getLast(), 21);
          ReadMessage last = polled(in);
          assertThat(last.readInt()).isEqualTo(21);
          last.finish();
          for (SendPort out : senders) {
            out.close();
          }
          Polling.until("the ends are noticed", () -> in.poll() == null && isIdle(in));
        });
  }

  private static boolean isIdle(ReceivePort port) {
    return port.connectedTo().length == 0;
  }

  private static ReadMessage polled(ReceivePort port) throws Exception {
    var message = new AtomicReference<ReadMessage>();
    Polling.until(
        "a message is there",
        () -> {
          message.set(port.poll());
          return message.get() != null;
        });
    return message.get();
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "uds", "shm", "tls"})
  void aSecondSenderIsHeardByWhoWaitsForTheFirst(String driver) throws Exception {
    over(
        driver,
        (here, there) -> {
          ReceivePort in = receiver(there, MANY, "in");
          SendPort first = sender(here, in);
          send(first, 1);
          assertThat(receive(in)).isEqualTo(1);
          var waiting = start(() -> receive(in));
          SendPort second = sender(here, in);
          send(second, 7);
          assertThat(result(waiting)).isEqualTo(7);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "uds", "shm", "tls"})
  void aForcedCloseIsFeltOnBothSides(String driver, LogRecords records) throws Exception {
    over(
        driver,
        (here, there) -> {
          ReceivePort in = receiver(there, ONE, "in");
          SendPort out = sender(here, in);
          send(out, 1);
          assertThat(receive(in)).isEqualTo(1);
          var waiting = start(() -> receive(in));
          in.close(10);
          assertThatThrownBy(() -> result(waiting)).isInstanceOf(ConnectionClosedException.class);
          Polling.until(
              "the sender notices",
              () -> {
                try {
                  send(out, 2);
                  return false;
                } catch (IOException _) {
                  return true;
                }
              });
          assertThat(out.lostConnections()).containsExactly(in.identifier());
        });
    // None is logged if the sender has closed its side before the port gives the connection up.
    records.allow(WARNING, "receive port 'in'", "closed its connection");
  }
}
