package org.troupe.activeobjects.internal.supervision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/** Objects that cannot be restarted on another node are refused, with remedies that work. */
@Timeout(60)
class RefusedSupervisionTest {

  private static final List<Integer> MANY = IntStream.range(0, 100_000).boxed().toList();

  @TempDir private Path folder;
  private InProcessGrid grid;

  /** Has numbers. */
  public static class Numbers {
    private final List<Integer> numbers;

    public Numbers(List<Integer> numbers) {
      this.numbers = numbers;
    }

    public int size() {
      return numbers.size();
    }
  }

  @BeforeEach
  void start(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    grid = InProcessGrid.start(3);
  }

  @AfterEach
  void end() {
    grid.close();
  }

  private Numbers create(Options options, List<Integer> numbers) {
    return ActiveObjects.on(grid.get(1))
        .with(options)
        .create(Numbers.class, new ArrayList<>(numbers));
  }

  @Test
  void becauseOfLargeArguments() {
    assertThatThrownBy(() -> create(Options.STANDARD.withRestart(Restart.elsewhere()), MANY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("a Numbers on node 'node-2' cannot be restarted on another node: ")
        .hasMessageContaining("the coordinator keeps at most 64 KiB")
        .hasMessageContaining("Options.withKeep")
        .hasMessageContaining("Restart.here()");
  }

  @Test
  void unlessAStoreHasTheirLargeArguments() {
    var kept =
        Options.STANDARD
            .withKeep(Keep.state(Store.copies(2)))
            .withRestart(
                Restart.elsewhere().retrying()); // a call may be sent before the loss is known
    var numbers = create(kept, MANY);
    grid.kill(1);

    assertThat(ActiveObjects.ref(numbers).ask(Numbers::size).join()).isEqualTo(MANY.size());
  }

  @Test
  void becauseOfABoundedQueue() {
    assertThatBoundedIsRefused(Options.STANDARD.withRestart(Restart.elsewhere()))
        .hasMessageEndingWith("or with Restart.here()");
    assertThatBoundedIsRefused(Options.STANDARD.withKeep(Keep.state(Store.copies(2))))
        .hasMessageEndingWith(
            "or in another store with Restart.here(), since objects in copies are restarted elsewhere"
                + " under any policy");
  }

  private AbstractThrowableAssert<?, ?> assertThatBoundedIsRefused(Options options) {
    return assertThatThrownBy(() -> create(options.withQueueBound(5), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("its queue is bounded");
  }

  @Test
  void becauseOfABoundedQueueOfAnObjectWithAName() {
    var kept = Options.STANDARD.withKeep(Keep.state(Store.directory(folder)));

    assertThatThrownBy(
            () ->
                ActiveObjects.on(grid.get(1))
                    .with(kept.withQueueBound(5))
                    .named("one", Numbers.class, List.of()))
        .hasMessageContaining("its queue is bounded")
        .hasMessageEndingWith(
            "or without a name with Restart.here(), since objects with a name are restarted elsewhere under any policy");
  }
}
