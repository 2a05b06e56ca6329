package org.troupe.activeobjects.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

/** Effects outside of the grid get the same key each time that they are tried. */
@Timeout(300)
class EffectsWithKeysTest {

  /** What a service outside of the grid has done, by the keys of the requests. */
  private static final Map<String, Integer> paid = new ConcurrentHashMap<>();

  private static final List<String> tried = new CopyOnWriteArrayList<>();

  /** Happens behind the next effect, before its value is logged. */
  private static final AtomicReference<@Nullable Runnable> loss = new AtomicReference<>();

  @TempDir private Path temporary;

  /** Pays by a service that knows the keys of its requests. */
  public static class Payer {
    private int sum;

    public int pay(int first, int second) {
      sum += ActiveObjects.onceByKey(key -> pay(key, first));
      sum += ActiveObjects.onceByKey(key -> pay(key, second));
      return sum;
    }

    public String key() {
      return ActiveObjects.onceByKey(key -> key);
    }

    public int fail() {
      throw new StackOverflowError("deep");
    }

    private static int pay(String key, int sum) {
      tried.add(key);
      paid.putIfAbsent(key, sum);
      var happens = loss.getAndSet(null);
      if (happens != null) {
        happens.run();
      }
      return sum;
    }
  }

  @BeforeEach
  void begin(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    records.allow(Level.WARNING, "has failed");
    ActiveObjects.onFailure(failure -> {}); // the rest of a lost node goes on, and fails
  }

  @AfterEach
  void end() {
    ActiveObjects.onFailure(null);
  }

  private static Ref<Payer> payer(InProcessGrid grid, int node, Store store) {
    var options =
        Options.STANDARD
            .withKeep(Keep.calls(store))
            .withRestart(Restart.elsewhere().times(1_000, Duration.ofMinutes(1)));
    return ActiveObjects.ref(ActiveObjects.on(grid.get(node)).with(options).create(Payer.class));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theLossOfTheNodeAtAnyRecordChangesNoKey(boolean hasMoved) {
    var passages = 1;
    for (var isOver = false; !isOver; passages++) {
      tried.clear();
      paid.clear();
      isOver = !losesNodeAt(passages, hasMoved);
    }
    assertThat(passages).isGreaterThan(8);
  }

  private boolean losesNodeAt(int passage, boolean hasMoved) {
    var store = new KillingStore(temporary.resolve("s" + passage));
    try (var grid = InProcessGrid.start(3)) {
      var ref = payer(grid, 0, store);
      var node = hasMoved ? 1 : 0;
      if (hasMoved) {
        valueOf(ref.move(grid.get(1).id()), "a move");
      }
      store.at(passage, () -> kill(grid, node));
      var when = "the loss of the node at passage " + passage;
      var answers = new ArrayList<CompletableFuture<Integer>>();
      answers.add(ref.ask(it -> it.pay(1, 2)));
      answers.add(ref.ask(it -> it.pay(3, 3)));
      assertThat(answers).as(when).extracting(each -> valueOf(each, when)).containsExactly(3, 9);
      assertThat(paid.values()).as("payments after " + when).containsExactlyInAnyOrder(1, 2, 3, 3);
      return store.hasPassed();
    }
  }

  @Test
  void anEffectThatIsTriedAgainGetsItsKeyAgain() {
    tried.clear();
    paid.clear();
    try (var grid = InProcessGrid.start(2)) {
      var ref = payer(grid, 0, Store.directory(temporary.resolve("s")));
      valueOf(ref.ask(it -> it.pay(1, 2)), "payments before the loss");
      loss.set(
          () -> {
            kill(grid, 0);
            Waits.until(() -> tried.size() == 4, "the second trial"); // before its value is logged
          });
      assertThat((int) valueOf(ref.ask(it -> it.pay(3, 4)), "payments")).isEqualTo(10);
    }
    assertThat(tried).hasSize(5);
    assertThat(tried.get(3)).isEqualTo(tried.get(2));
    assertThat(paid.values()).containsExactlyInAnyOrder(1, 2, 3, 4);
  }

  /** Ends a node, as far as that is possible without the locks of the current thread. */
  private static void kill(InProcessGrid grid, int node) {
    Faults.happen(
        () -> {
          grid.kill(node);
          // What is left of the node must not wait for ever.
          grid.member(node).node().peers().all().forEach(each -> each.lose("killed"));
        });
  }

  @Test
  void aKeyIsNeverGivenToAnotherEffect() {
    var store = Store.directory(temporary.resolve("s"));
    List<String> keys = new ArrayList<>();
    try (var grid = InProcessGrid.start(2)) {
      var first = payer(grid, 0, store);
      var second = payer(grid, 1, store);
      keys.add(valueOf(first.ask(Payer::key), "a key"));
      keys.add(valueOf(first.ask(Payer::key), "a key"));
      keys.add(valueOf(second.ask(Payer::key), "a key"));
      assertThat(failureOf(first.ask(Payer::fail), "a failure"))
          .isInstanceOf(StackOverflowError.class);
      keys.add(valueOf(first.ask(Payer::key), "a key after a restart"));
      valueOf(first.move(grid.get(1).id()), "a move");
      keys.add(valueOf(first.ask(Payer::key), "a key after a move"));
      var plain = ActiveObjects.ref(ActiveObjects.on(grid.get(0)).create(Payer.class));
      keys.add(valueOf(plain.ask(Payer::key), "a key of an object without a log"));
      keys.add(ActiveObjects.onceByKey(key -> key));
      keys.add(ActiveObjects.onceByKey(key -> key));
    }
    assertThat(new HashSet<>(keys)).hasSameSizeAs(keys);
    assertThat(keys).allMatch(each -> each.matches("[0-9a-f-]{7,80}"));
  }

  @Test
  void anEffectBeginsWhenItsRequestIsStable() {
    tried.clear();
    var store = new FailingStore(temporary.resolve("s"));
    try (var grid = InProcessGrid.start(1)) {
      var ref =
          ActiveObjects.ref(
              ActiveObjects.on(grid.get(0))
                  .with(Options.STANDARD.withKeep(Keep.calls(store)))
                  .create(Payer.class));
      valueOf(ref.ask(Payer::key), "the first request");
      var stability = new CompletableFuture<Void>();
      store.stableWith(stability);
      var before = store.appends();
      var first = ref.ask(it -> it.pay(1, 2));
      var second = ref.ask(it -> it.pay(3, 4));
      Waits.until(() -> store.appends() > before, "the record of the request");
      assertThat(tried).isEmpty();
      stability.complete(null);
      assertThat((int) valueOf(first, "payments")).isEqualTo(3);
      assertThat((int) valueOf(second, "payments")).isEqualTo(10);
      assertThat(tried).hasSize(4);
    }
  }
}
