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

import ibis.ipl.Ibis;
import ibis.ipl.IbisCapabilities;
import ibis.ipl.IbisConfigurationException;
import ibis.ipl.PortType;
import ibis.ipl.ReadMessage;
import ibis.ipl.ReceivePort;
import ibis.ipl.SendPort;
import ibis.ipl.TestPool;
import ibis.ipl.WriteMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.testing.Polling;

/** Counters, numbers and ends: the checks 22 to 24 and 27 of the layer's specification. */
@Timeout(60)
class CountersAndEndTest extends OverEachDriver {

  private static final PortType ONE_TO_ONE = Instances.type(PortType.CONNECTION_ONE_TO_ONE);
  private static final PortType MANY_TO_ONE = Instances.type(PortType.CONNECTION_MANY_TO_ONE);
  private static final PortType ONE_TO_MANY = Instances.type(PortType.CONNECTION_ONE_TO_MANY);
  private static final PortType NUMBERED =
      Instances.type(
          PortType.CONNECTION_MANY_TO_ONE,
          PortType.SERIALIZATION_DATA,
          PortType.COMMUNICATION_NUMBERED);

  @AutoClose
  private final Instances instances = new Instances(ONE_TO_ONE, MANY_TO_ONE, ONE_TO_MANY);

  private final Ibis here = instances.add();
  private final Ibis there = instances.add();

  private static long counter(ibis.ipl.Manageable of, String key) throws Exception {
    return Long.parseLong(of.getManagementProperty(key));
  }

  /** 24. */
  @Test
  void countersAddUp() throws Exception {
    ReceivePort in = receiver(there, ONE_TO_MANY, "in");
    ReceivePort other = receiver(there, ONE_TO_MANY, "other");
    SendPort out = sender(here, in);
    out.connect(other.identifier());
    long bytes = 0;
    for (int i = 0; i < 5; i++) {
      WriteMessage message = out.newMessage();
      message.writeArray(new double[1_000 * i]);
      bytes += message.finish();
      for (ReceivePort each : List.of(in, other)) {
        ReadMessage read = each.receive();
        read.readArray(new double[1_000 * i]);
        read.finish();
      }
    }
    assertThat(counter(out, "Messages")).isEqualTo(5);
    assertThat(counter(out, "MessageBytes")).isEqualTo(bytes).isGreaterThanOrEqualTo(80_000);
    assertThat(counter(out, "Bytes")).isEqualTo(2 * bytes);
    assertThat(counter(out, "Connections")).isEqualTo(2);
    assertThat(counter(in, "Messages")).isEqualTo(5);
    assertThat(counter(in, "Bytes")).isEqualTo(bytes);
    assertThat(counter(in, "Connections")).isEqualTo(1);
    assertThat(counter(here, "outgoingMessageCount")).isEqualTo(5);
    assertThat(counter(here, "bytesSent")).isEqualTo(2 * bytes);
    assertThat(counter(there, "incomingMessageCount")).isEqualTo(10);
    assertThat(counter(there, "bytesReceived")).isEqualTo(2 * bytes);

    out.setManagementProperty("Messages", "0");
    out.close();
    assertThat(counter(out, "Messages")).isZero();
    assertThat(counter(out, "ClosedConnections")).isEqualTo(2);
    Polling.until("the receiver counts it", () -> counter(in, "ClosedConnections") == 1);
    here.end();
    var printed = new ByteArrayOutputStream();
    here.printManagementProperties(new PrintStream(printed, true));
    assertThat(printed.toString()).contains("outgoingMessageCount 5");
  }

  /** Statistics against close: reading them while ports come and go never waits or fails. */
  @Test
  void countersCanBeReadWhilePortsClose() throws Exception {
    var reading =
        start(
            () -> {
              long sum = 0;
              while (!Thread.currentThread().isInterrupted() && sum < 20_000) {
                for (Map.Entry<String, String> each : here.managementProperties().entrySet()) {
                  sum += 1 + Long.parseLong(each.getValue()) % 2;
                }
              }
              return sum;
            });
    ReceivePort in = receiver(there, MANY_TO_ONE, "in");
    for (int i = 0; i < 10; i++) {
      SendPort out = sender(here, in);
      send(out, i);
      out.close();
      assertThat(receive(in)).isEqualTo(i);
    }
    assertThat(result(reading)).isPositive();
  }

  /** 23. */
  @Test
  void numbersOfOneNameAreDistinctAndWithoutGapsInThePool() throws Exception {
    try (var pool = new TestPool()) {
      Ibis a = pool.join(new IbisCapabilities(), NUMBERED);
      Ibis b = pool.join(new IbisCapabilities(), NUMBERED);
      ReceivePort in = receiver(a, NUMBERED, "in");
      List<FutureTask<Boolean>> senders = new ArrayList<>();
      for (Ibis each : List.of(a, b)) {
        SendPort out = each.createSendPort(NUMBERED, "same name");
        out.connect(in.identifier());
        senders.add(
            start(
                () -> {
                  for (int i = 0; i < 20; i++) {
                    send(out, i);
                  }
                  return true;
                }));
      }
      List<Long> numbers = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        ReadMessage message = in.receive();
        numbers.add(message.sequenceNumber());
        message.finish();
      }
      assertThat(numbers)
          .containsExactlyInAnyOrderElementsOf(
              LongStream.rangeClosed(ReadMessage.INITIAL_SEQNO, 40).boxed().toList());
      for (FutureTask<Boolean> sender : senders) {
        assertThat(result(sender)).isTrue();
      }
    }
  }

  /** 23. */
  @Test
  void withoutTheCapabilityThereAreNoNumbers() throws Exception {
    ReceivePort in = receiver(there, ONE_TO_ONE, "in");
    send(sender(here, in), 1);
    ReadMessage message = in.receive();
    assertThatThrownBy(message::sequenceNumber)
        .isInstanceOf(IbisConfigurationException.class)
        .hasMessageContaining("communication.numbered");
  }

  /** 22. */
  @Test
  void anInstanceConnectsToItself() throws Exception {
    ReceivePort in = receiver(here, ONE_TO_ONE, "in");
    SendPort out = sender(here, in);
    send(out, 1);
    assertThat(receive(in)).isEqualTo(1);
    out.close();
    in.close();
  }

  /** 27. */
  @Test
  void endWakesWhoWaitsAndCanBeRepeated() throws Exception {
    ReceivePort in = receiver(there, ONE_TO_ONE, "in");
    ReceivePort idle = receiver(there, MANY_TO_ONE, "idle");
    SendPort out = sender(here, in);
    SendPort back = sender(there, receiver(here, ONE_TO_ONE, "full"));
    SendPort alone = there.createSendPort(ONE_TO_ONE);
    Thread[] threads = new Thread[4];
    List<FutureTask<?>> waiting = new ArrayList<>();
    List<java.util.concurrent.Callable<?>> works =
        List.of(
            in::receive,
            idle::receive,
            () -> {
              while (true) {
                WriteMessage message = back.newMessage();
                message.writeArray(new byte[1 << 20]);
                message.finish();
              }
            },
            () -> alone.connect(here.identifier(), "never"));
    for (int i = 0; i < works.size(); i++) {
      int number = i;
      waiting.add(
          start(
              () -> {
                threads[number] = Thread.currentThread();
                return works.get(number).call();
              }));
    }
    Polling.until("all run", () -> Stream.of(threads).allMatch(thread -> thread != null));
    untilWaiting(threads[1]);

    there.end();
    there.end();

    for (FutureTask<?> each : waiting) {
      assertThatThrownBy(() -> result(each)).isInstanceOf(IOException.class);
    }
    assertThatThrownBy(() -> there.createSendPort(ONE_TO_ONE)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> there.createReceivePort(ONE_TO_ONE, "x"))
        .isInstanceOf(IOException.class);
    assertThat(out.name()).isNotNull();
  }

  /** File-descriptor leaks: connections that come and go leave nothing open. */
  @Test
  void connectionsLeaveNoDescriptors() throws Exception {
    ReceivePort in = receiver(there, MANY_TO_ONE, "in");
    long before = 0;
    for (int round = 0; round < 4; round++) {
      for (int i = 0; i < 10; i++) {
        SendPort out = sender(here, in);
        send(out, i);
        assertThat(receive(in)).isEqualTo(i);
        out.close();
      }
      SendPort refused = here.createSendPort(ONE_TO_ONE);
      assertThatThrownBy(() -> refused.connect(in.identifier())).isInstanceOf(IOException.class);
      if (round == 0) {
        before = descriptors();
      }
    }
    long limit = before + 8;
    Polling.until("descriptors are closed", () -> descriptors() <= limit);
  }

  private static long descriptors() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.count();
    }
  }
}
