package ibis.ipl.internal;

import static ibis.ipl.internal.Instances.receive;
import static ibis.ipl.internal.Instances.receiver;
import static ibis.ipl.internal.Instances.send;
import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ibis.ipl.Ibis;
import ibis.ipl.PortType;
import ibis.ipl.ReadMessage;
import ibis.ipl.ReceivePort;
import ibis.ipl.ReceivePortIdentifier;
import ibis.ipl.SendPort;
import ibis.ipl.WriteMessage;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.testing.LogRecords;
import org.troupe.testing.Polling;

/** One message to many: check 15 of the layer's specification. */
@Timeout(60)
class ManyReceiversTest extends OverEachDriver {

  private static final PortType TYPE = Instances.type(PortType.CONNECTION_ONE_TO_MANY);
  private static final PortType ALONE = Instances.type(PortType.CONNECTION_ONE_TO_ONE);

  @AutoClose private final Instances instances = new Instances(TYPE, ALONE);

  private final Ibis here = instances.add();

  @Test
  void aDeadReceiverDoesNotHurtTheOthers(LogRecords records) throws Exception {
    ReceivePort one = receiver(instances.add(), TYPE, "one");
    ReceivePort dies = receiver(instances.add(), TYPE, "dies");
    ReceivePort other = receiver(instances.add(), TYPE, "other");
    BlockingQueue<ReceivePortIdentifier> lost = new LinkedBlockingQueue<>();
    SendPort out =
        here.createSendPort(TYPE, "out", (port, receiver, cause) -> lost.add(receiver), null);
    out.connect(
        new ReceivePortIdentifier[] {one.identifier(), dies.identifier(), other.identifier()});
    send(out, 1);
    assertThat(List.of(receive(one), receive(dies), receive(other))).containsOnly(1);

    dies.close(-1);

    // The sender notices when it writes, at the latest when the network's buffers are full.
    int sent = 1;
    int failures = 0;
    while (out.connectedTo().length == 3) {
      sent++;
      try {
        send(out, sent);
      } catch (IOException e) {
        failures++;
        assertThat(e).hasMessageContaining("dies");
      }
    }
    // The message that meets the closed link fails. Where the receiver's word came first, between
    // two
    // messages, the upcall alone reports the loss.
    assertThat(failures).isLessThanOrEqualTo(1);
    send(out, sent + 1);
    for (int i = 2; i <= sent + 1; i++) {
      assertThat(receive(one)).isEqualTo(i);
      assertThat(receive(other)).isEqualTo(i);
    }
    assertThat(lost.poll(20, TimeUnit.SECONDS)).isEqualTo(dies.identifier());
    assertThat(out.lostConnections()).containsExactly(dies.identifier());
    records.expect(WARNING, "receive port 'dies'", "closed its connection");
  }

  @Test
  void aSenderOfOneFailsAtOnce(LogRecords records) throws Exception {
    ReceivePort dies = receiver(instances.add(), ALONE, "dies");
    SendPort out = here.createSendPort(ALONE);
    out.connect(dies.identifier());
    dies.close(-1);

    assertThatThrownBy(
            () -> {
              while (true) {
                WriteMessage message = out.newMessage();
                try {
                  message.writeArray(new byte[100_000]);
                  message.finish();
                } catch (IOException e) {
                  message.finish(e);
                  throw e;
                }
              }
            })
        .isInstanceOf(IOException.class)
        .hasMessageContaining("dies");
    assertThat(out.connectedTo()).isEmpty();
    ReceivePort next = receiver(instances.add(), ALONE, "next");
    out.connect(next.identifier());
    send(out, 5);
    assertThat(receive(next)).isEqualTo(5);
    records.expect(WARNING, "receive port 'dies'", "closed its connection");
  }

  /** Types that the first receiver knows from former messages are described to the second. */
  @Test
  void aReceiverThatComesLaterUnderstandsObjects() throws Exception {
    ReceivePort first = receiver(instances.add(), TYPE, "first");
    ReceivePort second = receiver(instances.add(), TYPE, "second");
    SendPort out = here.createSendPort(TYPE);
    for (ReceivePort joins : List.of(first, second)) {
      out.connect(joins.identifier());
      for (int i = 0; i < 2; i++) {
        WriteMessage message = out.newMessage();
        message.writeObject(new ContentsTest.Pair("p", i));
        message.finish();
        for (ReceivePort each : joins == first ? List.of(first) : List.of(first, second)) {
          ReadMessage read = each.receive();
          assertThat(read.readObject()).isEqualTo(new ContentsTest.Pair("p", i));
          read.finish();
        }
      }
    }
  }

  @Test
  void anInstanceThatHasGoneIsCutOffOnBothSides() throws Exception {
    Ibis there = instances.add();
    ReceivePort in = receiver(there, ALONE, "in");
    ReceivePort back = receiver(here, ALONE, "back");
    SendPort out = here.createSendPort(ALONE);
    out.connect(in.identifier());
    SendPort reply = there.createSendPort(ALONE);
    reply.connect(back.identifier());

    ((IbisImplementation) here).ports().peerGone(there.identifier(), true);

    assertThat(out.connectedTo()).isEmpty();
    assertThat(out.lostConnections()).containsExactly(in.identifier());
    assertThat(back.connectedTo()).isEmpty();
    assertThat(back.lostConnections()).containsExactly(reply.identifier());
    assertThatThrownBy(() -> out.connect(in.identifier())).hasMessageContaining("died");
    Polling.until("the other side hears of it", () -> in.connectedTo().length == 0);
  }
}
