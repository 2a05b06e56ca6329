package ibis.ipl.internal;

import static ibis.ipl.internal.Instances.receive;
import static ibis.ipl.internal.Instances.receiver;
import static ibis.ipl.internal.Instances.send;
import static ibis.ipl.internal.Instances.sender;
import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;

import ibis.ipl.ConnectionClosedException;
import ibis.ipl.ConnectionFailedException;
import ibis.ipl.Ibis;
import ibis.ipl.MessageUpcall;
import ibis.ipl.PortType;
import ibis.ipl.ReceivePort;
import ibis.ipl.SendPort;
import java.io.IOException;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.testing.LogRecords;
import org.troupe.testing.Polling;

/** Messages that are given to an upcall: check 16 of the layer's specification. */
@Timeout(60)
class UpcallsTest extends OverEachDriver {

  private static final PortType TYPE = Instances.type(PortType.CONNECTION_MANY_TO_MANY);

  @AutoClose private final Instances instances = new Instances(TYPE);

  private final Ibis here = instances.add();
  private final Ibis there = instances.add();
  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

  private ReceivePort serving(MessageUpcall upcall) throws IOException {
    ReceivePort in = there.createReceivePort(TYPE, "in", upcall);
    in.enableConnections();
    in.enableMessageUpcalls();
    return in;
  }

  private String next() throws InterruptedException {
    return told.poll(20, TimeUnit.SECONDS);
  }

  @Test
  void messagesComeInTheirOrderAndOneAtATime() throws Exception {
    var running = new AtomicInteger();
    ReceivePort in =
        serving(
            message -> {
              assertThat(running.incrementAndGet()).isEqualTo(1);
              String text = message.origin().name() + message.readInt();
              running.decrementAndGet();
              told.add(text);
            });
    SendPort a = here.createSendPort(TYPE, "a");
    SendPort b = there.createSendPort(TYPE, "b");
    a.connect(in.identifier());
    b.connect(in.identifier());
    for (int i = 0; i < 50; i++) {
      send(a, i);
      send(b, i);
    }
    Polling.until("all came", () -> told.size() == 100);
    for (String sender : new String[] {"a", "b"}) {
      assertThat(told.stream().filter(each -> each.startsWith(sender)))
          .containsExactlyElementsOf(
              java.util.stream.IntStream.range(0, 50).mapToObj(i -> sender + i).toList());
    }
  }

  @Test
  void messagesThatCameBeforeUpcallsWereEnabledAreKept() throws Exception {
    ReceivePort in = there.createReceivePort(TYPE, "in", m -> told.add("" + m.readInt()));
    in.enableConnections();
    SendPort out = sender(here, in);
    send(out, 1);
    send(out, 2);
    assertThat(told).isEmpty();

    in.enableMessageUpcalls();

    assertThat(next()).isEqualTo("1");
    assertThat(next()).isEqualTo("2");
    in.disableMessageUpcalls();
    send(out, 3);
    SendPort other = here.createSendPort(TYPE); // its connection proves that time has passed
    other.connect(in.identifier());
    assertThat(told).isEmpty();
    in.enableMessageUpcalls();
    assertThat(next()).isEqualTo("3");
  }

  @Test
  void anUnfinishedMessageForbidsToSendAndToConnect(LogRecords records) throws Exception {
    ReceivePort back = receiver(here, TYPE, "back");
    SendPort reply = sender(there, back);
    SendPort unconnected = there.createSendPort(TYPE);
    ReceivePort in =
        serving(
            message -> {
              told.add(outcome(() -> reply.newMessage()));
              told.add(outcome(() -> unconnected.connect(back.identifier())));
              int number = message.readInt();
              message.finish();
              send(reply, number + 1);
            });
    SendPort out = sender(here, in);
    send(out, 4);

    assertThat(receive(back)).isEqualTo(5);
    assertThat(next()).startsWith("IOException").contains("finish its message");
    assertThat(next()).startsWith(ConnectionFailedException.class.getSimpleName());
    records.expect(WARNING, "before it begins one of send port");
    records.expect(WARNING, "before it connects send port");
  }

  @Test
  void propertiesLiftTheBan() throws Exception {
    var lifted = new Properties();
    lifted.setProperty("ibis.upcall.communication", "true");
    lifted.setProperty("ibis.upcall.connections", "true");
    ReceivePort back = receiver(here, TYPE, "back");
    SendPort reply = there.createSendPort(TYPE, "reply", null, lifted);
    ReceivePort in =
        serving(
            message -> {
              reply.connect(back.identifier());
              send(reply, message.readInt() + 1);
            });
    send(sender(here, in), 4);
    assertThat(receive(back)).isEqualTo(5);
  }

  private interface Attempt {
    void run() throws IOException;
  }

  private static String outcome(Attempt attempt) {
    try {
      attempt.run();
      return "allowed";
    } catch (IOException e) {
      return e.getClass().getSimpleName() + " " + e.getMessage();
    }
  }

  @Test
  void upcallsRunAtTheSameTimeOnceTheyHaveFinishedTheirMessages() throws Exception {
    var both = new CyclicBarrier(2);
    ReceivePort in =
        serving(
            message -> {
              int number = message.readInt();
              message.finish();
              try {
                both.await(20, TimeUnit.SECONDS); // passed only by two at a time
                told.add("met " + number);
              } catch (Exception e) {
                told.add(e.toString());
              }
            });
    SendPort out = sender(here, in);
    for (int i = 0; i < 4; i++) {
      send(out, i);
    }
    for (int i = 0; i < 4; i++) {
      assertThat(next()).startsWith("met");
    }
  }

  @Test
  void anExceptionOfTheUpcallCutsTheConnection(LogRecords records) throws Exception {
    records.allow(WARNING, "closed its connection with send port");
    for (Exception failure :
        new Exception[] {
          new IOException("on purpose"),
          new ClassNotFoundException("on purpose"),
          new IllegalStateException("on purpose")
        }) {
      var lost = new CountDownLatch(1);
      ReceivePort in =
          there.createReceivePort(
              TYPE,
              "in",
              message -> {
                switch (failure) {
                  case IOException e -> throw e;
                  case ClassNotFoundException e -> throw e;
                  default -> throw (RuntimeException) failure;
                }
              },
              new ibis.ipl.ReceivePortConnectUpcall() {
                @Override
                public boolean gotConnection(
                    ReceivePort receiver, ibis.ipl.SendPortIdentifier applicant) {
                  return true;
                }

                @Override
                public void lostConnection(
                    ReceivePort receiver, ibis.ipl.SendPortIdentifier origin, Throwable cause) {
                  told.add(String.valueOf(cause));
                  lost.countDown();
                }
              },
              null);
      in.enableConnections();
      in.enableMessageUpcalls();
      try {
        send(sender(here, in), 1);
      } catch (ConnectionClosedException e) {
        assertThat(e)
            .as("the loss, told before the message was finished")
            .hasMessageContaining("on purpose");
      }

      assertThat(lost.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(next()).contains("on purpose");
      assertThat(in.connectedTo()).isEmpty();
      in.close();
    }
    records.expect(WARNING, "an upcall of receive port", "failed: java.io.IOException: on purpose");
    records.expect(
        WARNING,
        "an upcall of receive port",
        "failed: java.lang.ClassNotFoundException: on purpose");
    records.expect(
        ERROR, "an upcall of receive port", "failed", "IllegalStateException: on purpose");
  }

  @Test
  void closingWaitsForTheMessagesOfThoseWhoHaveGone() throws Exception {
    var gate = new CountDownLatch(1);
    ReceivePort in =
        serving(
            message -> {
              try {
                assertThat(gate.await(20, TimeUnit.SECONDS)).isTrue();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
              told.add("" + message.readInt());
            });
    SendPort out = sender(here, in);
    for (int i = 0; i < 3; i++) {
      send(out, i);
    }
    out.close();
    var closing =
        Instances.start(
            () -> {
              in.close();
              return true;
            });
    gate.countDown();
    assertThat(Instances.result(closing)).isTrue();
    assertThat(told).containsExactly("0", "1", "2");
  }
}
