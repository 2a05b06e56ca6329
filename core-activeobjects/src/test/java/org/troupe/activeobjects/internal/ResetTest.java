package org.troupe.activeobjects.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.onPlatformThread;
import static org.troupe.activeobjects.Waits.onVirtualThread;
import static org.troupe.activeobjects.Waits.valueOf;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;

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

  /** Notes every call, by sender. */
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
