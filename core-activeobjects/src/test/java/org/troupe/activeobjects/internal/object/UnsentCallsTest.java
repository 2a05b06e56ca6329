package org.troupe.activeobjects.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.fault.Faults;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/** A logged object that could not send a call calls the same object again when it is made again. */
@Timeout(120)
class UnsentCallsTest {

  private static final String REASON_LOST = "take(Object) was not sent. The reason is lost";

  @TempDir private Path folder;
  private InProcessGrid grid;

  /** Counts. */
  public static class Counter {
    private int sum;

    public int add(int number) {
      sum += number;
      return sum;
    }

    public int take(Object any) {
      return sum;
    }
  }

  /** Calls a counter. */
  public static class Caller {
    public int add(Counter counter, int number) {
      return counter.add(number);
    }

    public String hand(Counter counter) {
      try {
        return "sum " + counter.take(new Thread());
      } catch (RuntimeException refused) {
        return String.valueOf(refused.getMessage());
      }
    }
  }

  @BeforeEach
  void start(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    ActiveObjects.onFailure(failure -> {});
    grid = InProcessGrid.start(3);
  }

  @AfterEach
  void end() {
    grid.close();
    ActiveObjects.onFailure(null);
  }

  private <T> Ref<T> kept(Class<T> type, int node) {
    return kept(type, node, Store.directory(folder));
  }

  private <T> Ref<T> kept(Class<T> type, int node, Store store) {
    var options = Options.STANDARD.withKeep(Keep.calls(store)).withRestart(Restart.elsewhere());
    return ActiveObjects.ref(ActiveObjects.on(grid.get(node)).with(options).create(type));
  }

  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true", "false,false"})
  void aCallThatCouldNotBeSentLeavesNoGap(boolean isCalledKept, boolean hasImage) {
    var counter =
        isCalledKept
            ? kept(Counter.class, 1).stub()
            : ActiveObjects.on(grid.get(1)).create(Counter.class);
    var caller = kept(Caller.class, 0);
    assertThat((int) valueOf(caller.ask(it -> it.add(counter, 1)), "a sum")).isEqualTo(1);
    String refusal = valueOf(caller.ask(it -> it.hand(counter)), "a failure");
    assertThat(refusal).contains("Thread");
    if (hasImage) {
      valueOf(caller.checkpoint(), "an image");
    }
    grid.kill(0);
    assertThat((int) valueOf(caller.ask(it -> it.add(counter, 2)), "a sum")).isEqualTo(3);
  }

  /**
   * The caller learns that the call was not sent, also if its node is lost before the end is
   * logged.
   */
  @Test
  void aCallThatCouldNotBeSentIsNeverSent() {
    List<String> refusals = new ArrayList<>();
    for (var passage = 1; losesNodeAt(passage, refusals); passage++) {
      grid.close();
      grid = InProcessGrid.start(3);
    }
    assertThat(refusals)
        .allMatch(each -> each.contains("Thread") || each.contains(REASON_LOST))
        .anyMatch(each -> each.contains(REASON_LOST));
  }

  private boolean losesNodeAt(int passage, List<String> refusals) {
    var store = new KillingStore(folder.resolve("s" + passage));
    var caller = kept(Caller.class, 0, store);
    var counter = ActiveObjects.on(grid.get(1)).create(Counter.class);
    var isOver = new CountDownLatch(1);
    store.at(
        passage,
        () -> {
          Faults.happen(() -> grid.kill(0));
          Waits.await(isOver, "the end"); // what is left of the node logs nothing more
        });
    refusals.add(valueOf(caller.ask(it -> it.hand(counter)), "a failure"));
    assertThat((int) valueOf(caller.ask(it -> it.add(counter, 2)), "a sum")).isEqualTo(2);
    isOver.countDown();
    return store.hasPassed();
  }
}
