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

import ibis.ipl.ConnectionTimedOutException;
import ibis.ipl.ConnectionsFailedException;
import ibis.ipl.Ibis;
import ibis.ipl.PortType;
import ibis.ipl.ReadMessage;
import ibis.ipl.ReceivePort;
import ibis.ipl.ReceivePortConnectUpcall;
import ibis.ipl.SendPort;
import ibis.ipl.SendPortIdentifier;
import ibis.ipl.WriteMessage;
import ibis.ipl.internal.Instances;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.testing.LogRecords;
import org.troupe.testing.Polling;

/** Calls of ports that wait for ever, and print what for. */
@Timeout(60)
class WaitNoticeTest {

  private static final PortType TYPE = Instances.type(PortType.CONNECTION_MANY_TO_MANY);

  private final long before = WaitNotice.afterMillis;
  @AutoClose private final Instances instances = new Instances(TYPE);
  private final Ibis here = instances.add();
  private final Ibis there = instances.add();

  WaitNoticeTest() {
    WaitNotice.afterMillis = 20;
  }

  /** A connection that takes longer than 20 ms is worth a notice, too. */
  @BeforeEach
  void allowNoticesOfConnections(LogRecords records) {
    records.allow(WARNING, "is still being connected to");
  }

  @AfterEach
  void restore() {
    WaitNotice.afterMillis = before;
  }

  @Test
  void isPrintedByASecondMessageOfASendPort(LogRecords records) throws Exception {
    SendPort out = here.createSendPort(TYPE, "out");
    WriteMessage first = out.newMessage();
    var second = start(() -> out.newMessage());

    assertThat(records.expect(WARNING, "newMessage of send port 'out'"))
        .contains("begun by thread '" + Thread.currentThread().getName() + "'", "call finish()");
    first.finish();
    result(second).finish();
  }

  @Test
  void isPrintedByASecondReceipt(LogRecords records) throws Exception {
    ReceivePort in = receiver(there, TYPE, "in");
    SendPort out = sender(here, in);
    send(out, 1);
    send(out, 2);
    ReadMessage first = in.receive();
    var second = start(() -> receive(in));

    assertThat(records.expect(WARNING, "receive of receive port 'in'")).contains("is not finished");
    first.finish();
    assertThat(result(second)).isEqualTo(2);
  }

  @Test
  void isPrintedByAReceiptThatNoSenderCanReach(LogRecords records) throws Exception {
    ReceivePort in = there.createReceivePort(TYPE, "in");
    var waiting = start(() -> receive(in));

    records.expect(WARNING, "call enableConnections()");
    in.enableConnections();
    send(sender(here, in), 1);
    assertThat(result(waiting)).isEqualTo(1);
  }

  @Test
  void isPrintedByAConnectToAPortThatIsNotThere(LogRecords records) throws Exception {
    SendPort out = here.createSendPort(TYPE, "out");
    var connecting = start(() -> out.connect(there.identifier(), "in"));

    assertThat(records.expect(WARNING, "'out'")).contains("is still being connected to", "'in'");
    ReceivePort in = receiver(there, TYPE, "in");
    assertThat(result(connecting)).isEqualTo(in.identifier());
  }

  @Test
  void isPrintedByAConnectToSeveralPortsOfWhichOneIsNotThere(LogRecords records) throws Exception {
    SendPort out = here.createSendPort(TYPE, "out");
    ReceivePort mine = receiver(here, TYPE, "in");
    var connecting =
        start(() -> out.connect(Map.of(there.identifier(), "in", here.identifier(), "in")));

    records.expect(WARNING, "'in' of " + there.identifier().name());
    receiver(there, TYPE, "in");
    assertThat(result(connecting)).hasSize(2).contains(mine.identifier());
  }

  @Test
  void isPrintedByAConnectThatTheReceiverDecidesAbout(LogRecords records) throws Exception {
    var asked = new CountDownLatch(1);
    var decide = new CountDownLatch(1);
    ReceivePort in = there.createReceivePort(TYPE, "in", new Deciding(asked, decide));
    in.enableConnections();
    SendPort out = here.createSendPort(TYPE, "out");
    var connecting = start(() -> out.connect(there.identifier(), "in"));
    assertThat(await(asked)).isTrue();
    var disabling =
        start(
            () -> {
              in.disableConnections();
              return true;
            });

    assertThat(records.expect(WARNING, "deciding in gotConnection"))
        .contains("'out'", "is still being connected to");
    records.expect(WARNING, "disableConnections of receive port 'in'");
    decide.countDown();
    assertThat(result(connecting)).isEqualTo(in.identifier());
    assertThat(result(disabling)).isTrue();
  }

  private static boolean await(CountDownLatch latch) {
    try {
      return latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private record Deciding(CountDownLatch asked, CountDownLatch decide)
      implements ReceivePortConnectUpcall {
    @Override
    public boolean gotConnection(ReceivePort receiver, SendPortIdentifier applicant) {
      asked.countDown();
      return await(decide);
    }

    @Override
    public void lostConnection(ReceivePort receiver, SendPortIdentifier origin, Throwable cause) {}
  }

  /** The time limit of a connect once ended with the answer, whoever wrote a message then. */
  @Test
  void doesNotStandForATimeLimit() throws Exception {
    var asked = new CountDownLatch(1);
    var decide = new CountDownLatch(1);
    ReceivePort in = there.createReceivePort(TYPE, "in", new Deciding(asked, decide));
    in.enableConnections();
    SendPort out = here.createSendPort(TYPE, "out");
    var connecting = start(() -> out.connect(there.identifier(), "in", 2_000, true));
    assertThat(await(asked)).isTrue();
    WriteMessage message = out.newMessage();
    decide.countDown();

    assertThatThrownBy(() -> result(connecting))
        .isInstanceOf(ConnectionTimedOutException.class)
        .hasMessageContaining("is not finished");
    message.finish();
    Polling.until("the receiver forgets it", () -> in.connectedTo().length == 0);
    assertThatThrownBy(() -> out.connect(Map.of(there.identifier(), "nothing"), 20, false))
        .isInstanceOf(ConnectionsFailedException.class);
  }
}
