package ibis.ipl.internal;

import static ibis.ipl.internal.Instances.receive;
import static ibis.ipl.internal.Instances.receiver;
import static ibis.ipl.internal.Instances.result;
import static ibis.ipl.internal.Instances.send;
import static ibis.ipl.internal.Instances.sender;
import static ibis.ipl.internal.Instances.start;
import static ibis.ipl.internal.Instances.untilWaiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ibis.ipl.ConnectionClosedException;
import ibis.ipl.Ibis;
import ibis.ipl.IbisConfigurationException;
import ibis.ipl.PortType;
import ibis.ipl.ReadMessage;
import ibis.ipl.ReceivePort;
import ibis.ipl.ReceiveTimedOutException;
import ibis.ipl.SendPort;
import ibis.ipl.WriteMessage;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.testing.Polling;

/** Messages that are asked for: the checks 6 to 8 of the layer's specification. */
@Timeout(60)
class ReceivingTest extends OverEachDriver {

  private static final PortType ONE_TO_ONE = Instances.type(PortType.CONNECTION_ONE_TO_ONE);
  private static final PortType MANY_TO_ONE = Instances.type(PortType.CONNECTION_MANY_TO_ONE);
  private static final PortType BARE =
      new PortType("connection.onetoone", "receive.explicit", "serialization.byte");

  @AutoClose private final Instances instances = new Instances(ONE_TO_ONE, MANY_TO_ONE, BARE);

  private final Ibis here = instances.add();
  private final Ibis there = instances.add();

  /** 6. */
  @Test
  void oneMessageOfASendPortIsAliveAtATime() throws Exception {
    ReceivePort in = receiver(there, ONE_TO_ONE, "in");
    SendPort out = sender(here, in);
    WriteMessage first = out.newMessage();
    Thread[] waiting = new Thread[1];
    var second =
        start(
            () -> {
              waiting[0] = Thread.currentThread();
              send(out, 2);
              return true;
            });
    Polling.until("the second writer runs", () -> waiting[0] != null);
    untilWaiting(waiting[0]);

    first.writeInt(1);
    first.finish();

    assertThat(result(second)).isTrue();
    assertThat(receive(in)).isEqualTo(1);
    assertThat(receive(in)).isEqualTo(2);
    assertThatThrownBy(() -> first.writeInt(1)).isInstanceOf(IOException.class);
    assertThatThrownBy(first::finish).isInstanceOf(IOException.class);
  }

  /** 6. */
  @Test
  void whoWaitsForANewMessageHearsThatThePortIsClosed() throws Exception {
    SendPort out = here.createSendPort(ONE_TO_ONE);
    WriteMessage alive = out.newMessage();
    Thread[] waiting = new Thread[1];
    var second =
        start(
            () -> {
              waiting[0] = Thread.currentThread();
              return out.newMessage();
            });
    Polling.until("the second writer runs", () -> waiting[0] != null);
    untilWaiting(waiting[0]);

    out.close(); // is not connected: nobody would miss the message

    assertThatThrownBy(() -> result(second)).isInstanceOf(IOException.class);
    assertThatThrownBy(out::newMessage).isInstanceOf(ConnectionClosedException.class);
    alive.finish();
  }

  /** 7. */
  @Test
  void oneMessageOfAReceivePortIsAliveAtATime() throws Exception {
    ReceivePort in = receiver(there, MANY_TO_ONE, "in");
    SendPort one = sender(here, in);
    SendPort other = sender(there, in);
    send(one, 1);
    ReadMessage first = in.receive();
    send(other, 2);
    Thread[] waiting = new Thread[1];
    var second =
        start(
            () -> {
              waiting[0] = Thread.currentThread();
              return receive(in);
            });
    Polling.until("the second reader runs", () -> waiting[0] != null);
    untilWaiting(waiting[0]);
    assertThat(in.poll()).isNull();

    assertThat(first.readInt()).isEqualTo(1);
    assertThat(first.origin()).isEqualTo(one.identifier());
    first.finish();

    assertThat(result(second)).isEqualTo(2);
  }

  /** 7. */
  @Test
  void eightSendersAreServedInTurn() throws Exception {
    int each = 200;
    ReceivePort in = receiver(there, MANY_TO_ONE, "in");
    List<FutureTask<Boolean>> senders = new ArrayList<>();
    for (int s = 0; s < 8; s++) {
      SendPort out = sender(here, in);
      int number = s;
      senders.add(
          start(
              () -> {
                for (int i = 0; i < each; i++) {
                  send(out, number * each + i);
                }
                out.close();
                return true;
              }));
    }
    Map<Integer, Integer> next = new HashMap<>();
    for (int i = 0; i < 8 * each; i++) {
      int number = receive(in);
      int expected = next.merge(number / each, 1, Integer::sum) - 1;
      assertThat(number % each).as("order of sender %d", number / each).isEqualTo(expected);
    }
    for (FutureTask<Boolean> sender : senders) {
      assertThat(result(sender)).isTrue();
    }
  }

  /** 7: a receiver that waits for one sender alone hears of the message of another. */
  @Test
  void aSecondSenderIsHeardByWhoWaitsForTheFirst() throws Exception {
    ReceivePort in = receiver(there, MANY_TO_ONE, "in");
    SendPort first = sender(here, in);
    for (int i = 0; i < 3; i++) {
      send(first, i);
      assertThat(receive(in)).isEqualTo(i);
    }
    var waiting = start(() -> receive(in));

    SendPort second = sender(here, in);
    send(second, 7);

    assertThat(result(waiting)).isEqualTo(7);
    send(first, 8);
    assertThat(receive(in)).isEqualTo(8);
  }

  /** 8. */
  @Test
  void waitingHasALimit() throws Exception {
    ReceivePort in = receiver(there, ONE_TO_ONE, "in");
    SendPort out = sender(here, in);
    assertThatThrownBy(() -> in.receive(20)).isInstanceOf(ReceiveTimedOutException.class);
    assertThatThrownBy(() -> in.receive(-1)).isInstanceOf(IOException.class);

    send(out, 1);
    ReadMessage message = in.receive(20_000);

    assertThat(message.readInt()).isEqualTo(1);
    message.finish();
    send(out, 2);
    assertThat(in.receive(0).readInt()).isEqualTo(2);
  }

  /** 8. */
  @Test
  void pollNeverWaits() throws Exception {
    ReceivePort in = receiver(there, ONE_TO_ONE, "in");
    SendPort out = sender(here, in);
    assertThat(in.poll()).isNull();
    for (int i = 0; i < 10; i++) {
      send(out, i);
      ReadMessage[] polled = new ReadMessage[1];
      Polling.until("the message is there", () -> (polled[0] = in.poll()) != null);
      assertThat(polled[0].readInt()).isEqualTo(i);
      assertThat(in.poll()).isNull();
      polled[0].finish();
    }
  }

  /** 8. */
  @Test
  void missingCapabilitiesAreNamed() throws Exception {
    ReceivePort in = there.createReceivePort(BARE, "in");
    assertThatThrownBy(in::poll)
        .isInstanceOf(IbisConfigurationException.class)
        .hasMessageContaining("receive.poll");
    assertThatThrownBy(() -> in.receive(1))
        .isInstanceOf(IbisConfigurationException.class)
        .hasMessageContaining("receive.timeout");
    assertThatThrownBy(() -> there.createReceivePort(BARE, "upcall", message -> {}))
        .isInstanceOf(IbisConfigurationException.class)
        .hasMessageContaining("upcalls");

    ReceivePort upcall = there.createReceivePort(ONE_TO_ONE, "upcall", message -> {});
    assertThatThrownBy(upcall::receive).isInstanceOf(IbisConfigurationException.class);
    assertThat(upcall.poll()).isNull();
  }

  @Test
  void aClosedPortWakesWhoReceives() throws Exception {
    ReceivePort in = receiver(there, ONE_TO_ONE, "in");
    SendPort out = sender(here, in);
    send(out, 1);
    assertThat(receive(in)).isEqualTo(1);
    var waiting = start(() -> receive(in));

    in.close(1);

    assertThatThrownBy(() -> result(waiting)).isInstanceOf(ConnectionClosedException.class);
  }

  @Test
  void anInterruptEndsTheWaitAndStays() throws Exception {
    ReceivePort in = receiver(there, ONE_TO_ONE, "in");
    Thread[] waiting = new Thread[1];
    var interrupted =
        start(
            () -> {
              waiting[0] = Thread.currentThread();
              try {
                return in.receive();
              } catch (InterruptedIOException e) {
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
                throw e;
              }
            });
    Polling.until("the reader runs", () -> waiting[0] != null);
    untilWaiting(waiting[0]);

    waiting[0].interrupt();

    assertThatThrownBy(() -> result(interrupted)).isInstanceOf(InterruptedIOException.class);
    SendPort out = sender(here, in);
    send(out, 4);
    assertThat(receive(in)).isEqualTo(4);
  }

  @Test
  void virtualThreadsSendAndReceive() throws Exception {
    ReceivePort in = receiver(there, ONE_TO_ONE, "in");
    var done = new FutureTask<>(() -> receive(in) + receive(in));
    Thread.startVirtualThread(done);
    var sent =
        new FutureTask<>(
            () -> {
              SendPort out = sender(here, in);
              send(out, 1);
              send(out, 2);
              out.close();
              return true;
            });
    Thread.startVirtualThread(sent);
    assertThat(result(sent)).isTrue();
    assertThat(result(done)).isEqualTo(3);
  }

  /** A receiver that does not read holds back its own sender, and nobody else. */
  @Test
  void aReceiverThatDoesNotReadSlowsOnlyItsSender() throws Exception {
    ReceivePort slow = receiver(there, ONE_TO_ONE, "slow");
    ReceivePort quick = receiver(there, ONE_TO_ONE, "quick");
    SendPort toSlow = sender(here, slow);
    SendPort toQuick = sender(here, quick);
    int megabytes = 32;
    var held =
        start(
            () -> {
              for (int i = 0; i < megabytes; i++) {
                WriteMessage message = toSlow.newMessage();
                message.writeArray(new byte[1 << 20]);
                message.finish();
              }
              return true;
            });
    for (int i = 0; i < 100; i++) {
      send(toQuick, i);
      assertThat(receive(quick)).isEqualTo(i);
    }
    assertThat(held.isDone()).isFalse();

    byte[] bytes = new byte[1 << 20];
    for (int i = 0; i < megabytes; i++) {
      ReadMessage message = slow.receive();
      message.readArray(bytes);
      message.finish();
    }
    assertThat(result(held)).isTrue();
  }
}
