package ibis.ipl.internal.port;

import static ibis.ipl.internal.Instances.receive;
import static ibis.ipl.internal.Instances.receiver;
import static ibis.ipl.internal.Instances.result;
import static ibis.ipl.internal.Instances.send;
import static ibis.ipl.internal.Instances.sender;
import static ibis.ipl.internal.Instances.start;
import static ibis.ipl.internal.Instances.untilWaiting;
import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ibis.ipl.AlreadyConnectedException;
import ibis.ipl.ConnectionClosedException;
import ibis.ipl.ConnectionFailedException;
import ibis.ipl.ConnectionRefusedException;
import ibis.ipl.ConnectionTimedOutException;
import ibis.ipl.ConnectionsFailedException;
import ibis.ipl.Ibis;
import ibis.ipl.IbisConfigurationException;
import ibis.ipl.IbisIdentifier;
import ibis.ipl.PortMismatchException;
import ibis.ipl.PortType;
import ibis.ipl.ReceivePort;
import ibis.ipl.ReceivePortConnectUpcall;
import ibis.ipl.ReceivePortIdentifier;
import ibis.ipl.SendPort;
import ibis.ipl.SendPortIdentifier;
import ibis.ipl.internal.Instances;
import ibis.ipl.internal.OverEachDriver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.testing.LogRecords;
import org.troupe.testing.Polling;

/** Connecting and disconnecting: the checks 1 to 5 of the layer's specification. */
@Timeout(60)
class ConnectingTest extends OverEachDriver {

  private static final PortType ONE_TO_ONE = Instances.type(PortType.CONNECTION_ONE_TO_ONE);
  private static final PortType ONE_TO_MANY = Instances.type(PortType.CONNECTION_ONE_TO_MANY);
  private static final PortType MANY_TO_ONE = Instances.type(PortType.CONNECTION_MANY_TO_ONE);
  private static final PortType MANY_TO_MANY = Instances.type(PortType.CONNECTION_MANY_TO_MANY);

  @AutoClose
  private final Instances instances =
      new Instances(ONE_TO_ONE, ONE_TO_MANY, MANY_TO_ONE, MANY_TO_MANY);

  private final Ibis here = instances.add();
  private final Ibis there = instances.add();

  /** Tells what it is told, and decides as it is told. */
  private static final class Events implements ReceivePortConnectUpcall {

    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final BlockingQueue<Throwable> causes = new LinkedBlockingQueue<>();
    private final boolean accepts;

    Events(boolean accepts) {
      this.accepts = accepts;
    }

    @Override
    public boolean gotConnection(ReceivePort receiver, SendPortIdentifier applicant) {
      told.add("got " + applicant.name());
      return accepts;
    }

    @Override
    public void lostConnection(ReceivePort receiver, SendPortIdentifier origin, Throwable cause) {
      told.add("lost " + origin.name() + (cause == null ? "" : " by failure"));
      causes.add(cause == null ? new AssertionError("no cause") : cause);
    }

    String next() throws InterruptedException {
      return told.poll(20, TimeUnit.SECONDS);
    }
  }

  private static PortType typeOf(String cardinality) {
    return Instances.type("connection." + cardinality);
  }

  /** 1. */
  @Test
  void connectWaitsForThePortToBeMadeAndEnabled() throws Exception {
    SendPort out = here.createSendPort(ONE_TO_ONE);
    var connecting = start(() -> out.connect(there.identifier(), "late"));
    ReceivePort in = there.createReceivePort(ONE_TO_ONE, "late");
    assertThat(connecting.isDone()).isFalse();

    in.enableConnections();

    assertThat(result(connecting)).isEqualTo(in.identifier());
    assertThat(in.connectedTo()).containsExactly(out.identifier());
    assertThat(out.connectedTo()).containsExactly(in.identifier());
  }

  /** 1. */
  @Test
  void connectToAPortThatNeverComesTimesOut() throws Exception {
    SendPort out = here.createSendPort(ONE_TO_ONE);

    assertThatThrownBy(() -> out.connect(there.identifier(), "never", 1_000, true))
        .isInstanceOfSatisfying(
            ConnectionTimedOutException.class,
            e -> {
              assertThat(e.receivePortName()).isEqualTo("never");
              assertThat(e.ibisIdentifier()).isEqualTo(there.identifier());
              assertThat(e.receivePortIdentifier()).isNull();
            })
        .hasMessageContaining("enableConnections");
  }

  @Test
  void anEndedInstanceCannotBeReached() throws Exception {
    SendPort out = here.createSendPort(ONE_TO_ONE);
    there.end();

    assertThatThrownBy(() -> out.connect(there.identifier(), "any", 2_000, false))
        .isInstanceOf(ConnectionFailedException.class);
    assertThatThrownBy(() -> out.connect(there.identifier(), "any", 150, true))
        .isInstanceOf(ConnectionTimedOutException.class);
  }

  /** 2. */
  @ParameterizedTest
  @ValueSource(strings = {"onetoone", "onetomany", "manytoone", "manytomany"})
  void connectAndDisconnectTwentyTimes(String cardinality) throws Exception {
    PortType type = typeOf(cardinality);
    ReceivePort in = receiver(there, type, "in");
    SendPort out = here.createSendPort(type);
    for (int i = 0; i < 20; i++) {
      out.connect(in.identifier());
      assertThat(in.connectedTo()).containsExactly(out.identifier());
      if (i % 2 == 0) {
        send(out, i);
        assertThat(receive(in)).isEqualTo(i);
      }
      out.disconnect(in.identifier());
      assertThat(in.connectedTo()).isEmpty();
      assertThat(out.connectedTo()).isEmpty();
    }
  }

  /** 2: the receiver is not in receive, and what was sent is not lost. */
  @Test
  void disconnectDoesNotWaitForUnreadMessages() throws Exception {
    ReceivePort in = receiver(there, ONE_TO_ONE, "in");
    SendPort out = here.createSendPort(ONE_TO_ONE);
    for (int i = 0; i < 20; i++) {
      out.connect(in.identifier());
      send(out, i);
      out.disconnect(in.identifier());
    }
    for (int i = 0; i < 20; i++) {
      assertThat(receive(in)).isEqualTo(i);
    }
    out.close();
    in.close();
  }

  /** 3. */
  @Test
  void aSecondReceiverOfToOneIsRefusedByTheSendPort() throws Exception {
    ReceivePort in = receiver(there, ONE_TO_ONE, "in");
    ReceivePort other = receiver(there, ONE_TO_ONE, "other");
    SendPort out = sender(here, in);

    assertThatThrownBy(() -> out.connect(other.identifier()))
        .isInstanceOf(IbisConfigurationException.class)
        .hasMessageContaining("one receiver");
    send(out, 1);
    assertThat(receive(in)).isEqualTo(1);
  }

  /** 3. */
  @Test
  void aSecondSenderOfOneToIsRefusedByTheReceivePort() throws Exception {
    ReceivePort in = receiver(there, ONE_TO_MANY, "in");
    SendPort first = sender(here, in);
    SendPort second = here.createSendPort(ONE_TO_MANY);

    assertThatThrownBy(() -> second.connect(in.identifier()))
        .isInstanceOf(ConnectionRefusedException.class)
        .hasMessageContaining(first.name());

    first.disconnect(in.identifier());
    second.connect(in.identifier());
  }

  @Test
  void connectingTwiceSaysSo() throws Exception {
    ReceivePort in = receiver(there, MANY_TO_MANY, "in");
    SendPort out = sender(here, in);

    assertThatThrownBy(() -> out.connect(in.identifier()))
        .isInstanceOf(AlreadyConnectedException.class);
  }

  @Test
  void otherTypesAreNamedInBothDirections() throws Exception {
    receiver(there, MANY_TO_ONE, "in");
    SendPort out = here.createSendPort(ONE_TO_ONE);

    assertThatThrownBy(() -> out.connect(there.identifier(), "in"))
        .isInstanceOf(PortMismatchException.class)
        .hasMessageContaining("connection.onetoone")
        .hasMessageContaining("connection.manytoone");
  }

  /** 4. */
  @Test
  void aRefusalIsImmediateAndIsNotTriedAgain() throws Exception {
    var refusing = new Events(false);
    ReceivePort in = there.createReceivePort(MANY_TO_ONE, "in", refusing);
    in.enableConnections();
    SendPort out = here.createSendPort(MANY_TO_ONE, "out");

    assertThatThrownBy(() -> out.connect(in.identifier(), 0, true))
        .isInstanceOf(ConnectionRefusedException.class);
    assertThat(refusing.told).containsExactly("got out");
  }

  /** 4. */
  @Test
  void anUpcallThatFailsRefuses(LogRecords records) throws Exception {
    ReceivePortConnectUpcall failing =
        new ReceivePortConnectUpcall() {
          @Override
          public boolean gotConnection(ReceivePort receiver, SendPortIdentifier applicant) {
            throw new IllegalStateException("on purpose");
          }

          @Override
          public void lostConnection(
              ReceivePort receiver, SendPortIdentifier origin, Throwable cause) {}
        };
    ReceivePort in = there.createReceivePort(MANY_TO_ONE, "in", failing);
    in.enableConnections();

    assertThatThrownBy(() -> sender(here, in)).isInstanceOf(ConnectionRefusedException.class);
    records.expect(ERROR, "gotConnection of receive port", "is refused", "on purpose");
  }

  /** 4. */
  @Test
  void theCauseOfALossTellsClosingFromFailing(LogRecords records) throws Exception {
    records.allow(WARNING, "closed its connection with send port");
    var events = new Events(true);
    ReceivePort in = there.createReceivePort(MANY_TO_ONE, "in", events);
    in.enableConnections();
    SendPort closes = here.createSendPort(MANY_TO_ONE, "closes");
    closes.connect(in.identifier());
    SendPort stays = here.createSendPort(MANY_TO_ONE, "stays");
    stays.connect(in.identifier());
    closes.close();
    assertThat(List.of(events.next(), events.next(), events.next()))
        .containsExactly("got closes", "got stays", "lost closes");

    in.close(-1);

    assertThat(events.next()).isEqualTo("lost stays by failure");
  }

  /** 4: also when what was sent before has not been read. */
  @Test
  void aLossIsToldBeforeTheSameSenderComesAgain() throws Exception {
    var events = new Events(true);
    ReceivePort in = there.createReceivePort(MANY_TO_ONE, "in", events);
    in.enableConnections();
    SendPort out = here.createSendPort(MANY_TO_ONE, "out");
    for (int i = 0; i < 3; i++) {
      out.connect(in.identifier());
      send(out, i);
      out.disconnect(in.identifier());
    }
    for (int i = 0; i < 3; i++) {
      assertThat(receive(in)).isEqualTo(i);
    }
    for (int i = 0; i < 3; i++) {
      assertThat(events.next()).isEqualTo("got out");
      assertThat(events.next()).isEqualTo("lost out");
    }
  }

  @Test
  void noUpcallComesOnceConnectionsAreDisabled() throws Exception {
    var events = new Events(true);
    ReceivePort in = there.createReceivePort(MANY_TO_ONE, "in", events);
    in.enableConnections();
    in.disableConnections();
    SendPort out = here.createSendPort(MANY_TO_ONE, "out");

    assertThatThrownBy(() -> out.connect(in.identifier(), 250, true))
        .isInstanceOf(ConnectionTimedOutException.class);
    assertThat(events.told).isEmpty();
  }

  @Test
  void downcallsGiveWhatHappenedSinceTheLast() throws Exception {
    ReceivePort in = receiver(there, MANY_TO_ONE, "in");
    SendPort out = sender(here, in);
    assertThat(in.newConnections()).containsExactly(out.identifier());
    assertThat(in.newConnections()).isEmpty();
    assertThat(in.lostConnections()).isEmpty();

    out.close();

    List<SendPortIdentifier> lost = new ArrayList<>();
    Polling.until("the loss is told", () -> lost.addAll(List.of(in.lostConnections())));
    assertThat(lost).containsExactly(out.identifier());
    assertThat(in.lostConnections()).isEmpty();
  }

  @Test
  void withoutTheCapabilityThereAreNoDowncalls() throws Exception {
    var plain = new PortType("connection.onetoone", "receive.explicit", "serialization.byte");
    try (var others = new Instances(plain)) {
      Ibis ibis = others.add();
      ReceivePort in = ibis.createReceivePort(plain, "in");
      SendPort out = ibis.createSendPort(plain);
      assertThatThrownBy(in::newConnections).isInstanceOf(IbisConfigurationException.class);
      assertThatThrownBy(in::lostConnections).isInstanceOf(IbisConfigurationException.class);
      assertThatThrownBy(out::lostConnections).isInstanceOf(IbisConfigurationException.class);
    }
  }

  /** 5. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aBadTargetAmongManyCostsOnlyItself(boolean fill) throws Exception {
    ReceivePort good = receiver(there, MANY_TO_MANY, "good");
    ReceivePort alsoGood = receiver(here, MANY_TO_MANY, "also good");
    ReceivePort other = receiver(there, ONE_TO_ONE, "other type");
    var never = new ReceivePortName("never", there.identifier());
    SendPort out = here.createSendPort(MANY_TO_MANY);
    // The first connections load classes, for longer than the share of a target below.
    sender(here, receiver(there, MANY_TO_MANY, "first")).close();
    sender(here, receiver(here, MANY_TO_MANY, "second")).close();
    ReceivePortIdentifier[] targets = {
      good.identifier(), never, other.identifier(), alsoGood.identifier()
    };

    assertThatThrownBy(() -> out.connect(targets, 2_000, fill))
        .isInstanceOfSatisfying(
            ConnectionsFailedException.class,
            e -> {
              assertThat(e.getObtainedConnections())
                  .containsExactlyInAnyOrder(good.identifier(), alsoGood.identifier());
              assertThat(e.getFailures())
                  .extracting(f -> f.receivePortName() + " " + f.getClass().getSimpleName())
                  .containsExactlyInAnyOrder(
                      "never ConnectionTimedOutException", "other type PortMismatchException");
            });

    send(out, 3);
    assertThat(receive(good)).isEqualTo(3);
    assertThat(receive(alsoGood)).isEqualTo(3);
  }

  /** 5. */
  @Test
  void manyAreConnectedByName() throws Exception {
    receiver(there, ONE_TO_MANY, "in");
    receiver(here, ONE_TO_MANY, "in");
    Map<IbisIdentifier, String> targets = new LinkedHashMap<>();
    targets.put(there.identifier(), "in");
    targets.put(here.identifier(), "in");
    SendPort out = here.createSendPort(ONE_TO_MANY);

    ReceivePortIdentifier[] connected = out.connect(targets);

    assertThat(connected)
        .extracting(ReceivePortIdentifier::ibisIdentifier)
        .containsExactly(there.identifier(), here.identifier());
    assertThat(out.connectedTo()).containsExactly(connected);
  }

  @Test
  void anUnknownReceiverCannotBeDisconnected() throws Exception {
    ReceivePort in = receiver(there, ONE_TO_ONE, "in");
    SendPort out = here.createSendPort(ONE_TO_ONE);
    assertThatThrownBy(() -> out.disconnect(in.identifier()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not connected");
  }

  @Test
  void aMessageHoldsConnectionsAsTheyAre() throws Exception {
    ReceivePort in = receiver(there, MANY_TO_MANY, "in");
    ReceivePort other = receiver(there, MANY_TO_MANY, "other");
    SendPort out = sender(here, in);
    var message = out.newMessage();

    assertThatThrownBy(() -> out.connect(other.identifier()))
        .isInstanceOf(ConnectionFailedException.class);
    assertThatThrownBy(() -> out.disconnect(in.identifier())).isInstanceOf(IOException.class);
    assertThatThrownBy(out::close).isInstanceOf(ConnectionClosedException.class);

    message.writeInt(5);
    message.finish();
    assertThat(receive(in)).isEqualTo(5);
    out.close();
    assertThatThrownBy(out::close).isInstanceOf(ConnectionClosedException.class);
  }

  @Test
  void closingAReceivePortWaitsForItsSenders() throws Exception {
    ReceivePort in = receiver(there, MANY_TO_ONE, "in");
    SendPort out = sender(here, in);
    var closer = new CompletableFuture<Thread>();
    var closing =
        start(
            () -> {
              closer.complete(Thread.currentThread());
              in.close();
              return true;
            });
    untilWaiting(closer.get());
    SendPort late = here.createSendPort(MANY_TO_ONE);
    assertThatThrownBy(() -> late.connect(in.identifier(), 200, true))
        .isInstanceOf(ConnectionTimedOutException.class);
    assertThat(closing.isDone()).isFalse();

    out.close();

    assertThat(result(closing)).isTrue();
    assertThatThrownBy(in::close).isInstanceOf(IOException.class);
    assertThatThrownBy(in::receive).isInstanceOf(ConnectionClosedException.class);
  }

  @Test
  void aClosedPortsNameIsFreeAgain() throws Exception {
    ReceivePort in = receiver(there, MANY_TO_ONE, "in");
    assertThatThrownBy(() -> there.createReceivePort(MANY_TO_ONE, "in"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("already");
    in.close();
    receiver(there, MANY_TO_ONE, "in").close();
    here.createSendPort(MANY_TO_ONE, "out").close();
    here.createSendPort(MANY_TO_ONE, "out").close();
  }

  @Test
  void invitedNamesAreTheirOwn() throws Exception {
    assertThat(here.createSendPort(MANY_TO_ONE, null).name())
        .isNotEqualTo(here.createSendPort(MANY_TO_ONE).name());
    assertThat(here.createReceivePort(MANY_TO_ONE, null).name()).isNotNull();
  }

  @Test
  void aConnectThatWaitsHoldsNobodyUp() throws Exception {
    SendPort waits = here.createSendPort(MANY_TO_ONE);
    var connecting = start(() -> waits.connect(there.identifier(), "never"));

    assertThat(here.managementProperties()).isNotEmpty();
    assertThat(waits.managementProperties()).isNotEmpty();
    assertThat(waits.connectedTo()).isEmpty();
    ReceivePort in = receiver(there, MANY_TO_ONE, "in");
    send(sender(here, in), 1);
    assertThat(receive(in)).isEqualTo(1);

    waits.close();
    assertThatThrownBy(() -> result(connecting)).isInstanceOf(ConnectionFailedException.class);
  }

  /** Of the races of connecting: many come and go at once, and the books are right in the end. */
  @Test
  void sendersThatComeAndGoAtOnceAreCountedRight() throws Exception {
    var got = new AtomicInteger();
    var lost = new AtomicInteger();
    var all = new CountDownLatch(4 * 25);
    ReceivePortConnectUpcall counting =
        new ReceivePortConnectUpcall() {
          @Override
          public boolean gotConnection(ReceivePort receiver, SendPortIdentifier applicant) {
            got.incrementAndGet();
            return true;
          }

          @Override
          public void lostConnection(
              ReceivePort receiver, SendPortIdentifier origin, Throwable cause) {
            assertThat(cause).isNull();
            lost.incrementAndGet();
            all.countDown();
          }
        };
    ReceivePort in = there.createReceivePort(MANY_TO_ONE, "in", counting);
    in.enableConnections();
    var reader =
        start(
            () -> {
              int sum = 0;
              for (int i = 0; i < 100; i++) {
                sum += receive(in);
              }
              return sum;
            });
    var senders = new ArrayList<java.util.concurrent.FutureTask<Boolean>>();
    for (int s = 0; s < 4; s++) {
      senders.add(
          start(
              () -> {
                SendPort out = here.createSendPort(MANY_TO_ONE);
                for (int i = 0; i < 25; i++) {
                  out.connect(in.identifier());
                  send(out, i);
                  out.disconnect(in.identifier());
                }
                out.close();
                return true;
              }));
    }
    for (var each : senders) {
      assertThat(result(each)).isTrue();
    }
    assertThat(result(reader)).isEqualTo(4 * 300);
    assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(got).hasValue(100);
    assertThat(lost).hasValue(100);
    assertThat(in.connectedTo()).isEmpty();
    in.close();
  }
}
