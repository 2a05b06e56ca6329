package org.troupe.activeobjects.internal.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.onPlatformThread;
import static org.troupe.activeobjects.Waits.onVirtualThread;
import static org.troupe.activeobjects.Waits.valueOf;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.futures.FutureResult;
import org.troupe.serialization.Reused;

@Timeout(60)
class ResetTest {

  private static final int SENDERS = 4;
  private static final int CALLS = 400;

  private FaultyTransport transport;
  private InProcessGrid grid;

  private void start(boolean offers) {
    transport = new FaultyTransport(offers);
    grid = InProcessGrid.start(2, transport);
  }

  @AfterEach
  void end() {
    transport.behave();
    grid.close();
  }

  /** Records every call, by sender. */
  public static class Log {
    private final List<List<Integer>> bySender = new ArrayList<>();

    public Log() {
      for (var sender = 0; sender < SENDERS; sender++) {
        bySender.add(new ArrayList<>());
      }
    }

    public void note(int sender, int call) {
      bySender.get(sender).add(call);
    }

    public int noteAndCount(int sender, int call) {
      note(sender, call);
      return bySender.get(sender).size();
    }

    public List<Integer> of(int sender) {
      return List.copyOf(bySender.get(sender));
    }
  }

  @ParameterizedTest
  @CsvSource({"1,true", "2,true", "3,true", "4,true", "1,false", "2,false", "3,false"})
  void losesNothingRepeatsNothingAndKeepsTheOrder(long seed, boolean offers) {
    start(offers);
    var log = ActiveObjects.on(grid.get(0)).create(Log.class);
    transport.misbehave(seed);

    var done = new AtomicBoolean();
    var resetting =
        onPlatformThread(
            () -> {
              while (!done.get()) {
                transport.reset();
                Thread.yield();
                valueOf(ActiveObjects.ref(log).ask(l -> l.of(0)), "a call between two resets");
              }
              return null;
            });
    List<CompletableFuture<Boolean>> senders = new ArrayList<>();
    for (var sender = 0; sender < SENDERS; sender++) {
      var number = sender;
      senders.add(
          sender % 2 == 0
              ? onPlatformThread(() -> send(log, number))
              : onVirtualThread(() -> send(log, number)));
    }

    for (var sender : senders) {
      assertThat(valueOf(sender, "a sender")).isTrue();
    }
    done.set(true);
    valueOf(resetting, "the one who resets");
    for (var sender = 0; sender < SENDERS; sender++) {
      assertThat(log.of(sender)).hasSize(CALLS + 1).isSorted().doesNotHaveDuplicates();
    }
    assertThat(grid.nodes().list()).as("no reset is a death").hasSize(2);
  }

  private static boolean send(Log log, int sender) {
    for (var call = 0; call < CALLS; call++) {
      var number = call;
      switch (call % 4) {
        case 0, 1 -> log.note(sender, call);
        case 2 -> assertThat(log.noteAndCount(sender, call)).isEqualTo(call + 1);
        default -> ActiveObjects.ref(log).ask(l -> l.noteAndCount(sender, number));
      }
    }
    return log.noteAndCount(sender, CALLS) == CALLS + 1 && log.of(sender).size() == CALLS + 1;
  }

  /** Receives arrays and checks that all numbers of one are equal. */
  private static final class Collector implements BodyExtension, Serializable {
    private static final Key KEY = new Key(7, 7);
    private static final Set<Long> TORN = ConcurrentHashMap.newKeySet();
    private static final List<Long> CAME = new CopyOnWriteArrayList<>();

    @Override
    public Key key() {
      return KEY;
    }

    @Override
    public void attached(Ref<?> self) {}

    @Override
    public void received(int from, long tag, Packet packet) {
      var numbers = (double[]) packet.value();
      if (numbers.length != length(tag) || !DoubleStream.of(numbers).allMatch(n -> n == tag)) {
        TORN.add(tag);
      }
      CAME.add(tag);
    }

    @Override
    public void lost(NodeId node, String why) {}

    /** Lengths from arrays in the body of a frame to arrays that fill the connection. */
    static int length(long tag) {
      return tag % 50 == 49 ? 200_000 : new int[] {10, 1_000, 20_000}[(int) tag % 3];
    }
  }

  @ParameterizedTest
  @CsvSource({"1,true", "2,true", "3,true", "1,false"})
  void keepsWhatItsSenderChangesAfterwards(long seed, boolean offers) {
    start(offers);
    Collector.TORN.clear();
    Collector.CAME.clear();
    var log = ActiveObjects.on(grid.get(0)).create(Log.class);
    Collectives.current()
        .attach(new Collector(), List.of(ActiveObjects.ref(log)))
        .forEach(FutureResult::await);
    transport.misbehave(seed);
    var array = new double[200_010];
    var loans = 200L;

    for (var tag = 0L; tag < loans; tag++) {
      var length = Collector.length(tag);
      Arrays.fill(array, 5, 5 + length, tag);
      Collectives.current()
          .sendZeroCopy(
              ActiveObjects.ref(log), Collector.KEY, 0, tag, new Frame.Slice(array, 5, length));
      Arrays.fill(array, Double.NaN);
      if (tag % 10 == 0) {
        transport.reset();
      }
    }

    assertThat(log.noteAndCount(0, 0)).as("a call behind all loans").isEqualTo(1);
    assertThat(Collector.TORN).isEmpty();
    assertThat(Collector.CAME)
        .containsExactlyElementsOf(LongStream.range(0, loans).boxed().toList());
  }

  /** Checks that all numbers of an array are the number of its call. */
  public static class Looker {
    private int calls;
    private int wrong;

    public Looker() {}

    public void look(@Reused double[] numbers) {
      var number = calls++;
      wrong += DoubleStream.of(numbers).allMatch(each -> each == number) ? 0 : 1;
    }

    public List<Integer> callsAndWrong() {
      return List.of(calls, wrong);
    }
  }

  @ParameterizedTest
  @CsvSource({"1,true", "2,true", "3,true", "1,false"})
  void keepsArgumentsThatTheirSenderChangesAfterwards(long seed, boolean offers) {
    start(offers);
    var looker = ActiveObjects.on(grid.get(0)).create(Looker.class);
    transport.misbehave(seed);
    var array = new double[2_000];

    for (var call = 0; call < CALLS; call++) {
      Arrays.fill(array, call);
      looker.look(array);
      if (call % 20 == 0) {
        transport.reset();
      }
    }
    Arrays.fill(array, Double.NaN);

    assertThat(looker.callsAndWrong()).containsExactly(CALLS, 0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void isMendedByOneConnection(boolean offers) {
    start(offers);
    var log = ActiveObjects.on(grid.get(0)).create(Log.class);
    log.noteAndCount(0, 1);
    var connections = transport.connections();

    transport.reset();
    assertThat(transport.connections()).isZero();
    log.note(0, 2);

    assertThat(log.noteAndCount(0, 3)).isEqualTo(3);
    assertThat(transport.connections()).isLessThanOrEqualTo(connections);
    assertThat(grid.nodes().list()).hasSize(2);
  }
}
