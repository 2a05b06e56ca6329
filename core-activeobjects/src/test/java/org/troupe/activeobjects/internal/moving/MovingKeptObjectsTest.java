package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.CallException;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.MoveException;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.fault.Faults;
import org.troupe.activeobjects.internal.fault.MoveStep;
import org.troupe.activeobjects.internal.fault.RestartStep;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.MissingJournalException;
import org.troupe.activeobjects.store.StoreUser;
import org.troupe.testing.LogRecords;

/** Kept objects move, and their journals follow them. */
@Timeout(120)
class MovingKeptObjectsTest {

  @TempDir private Path folder;
  private InProcessGrid grid;

  /** Counts. */
  public static class Counter {
    private int sum;

    public int add(int number) {
      sum += number;
      return sum;
    }

    public String place() {
      return ActiveObjects.node().name();
    }
  }

  /** Moves an object from its node. */
  public static class Mover {
    public String move(Counter counter, NodeId to) {
      ActiveObjects.ref(counter).move(to).join();
      return counter.place();
    }
  }

  /** A store in a directory that one node does not see. */
  record HiddenStore(Store.Directory directory) implements Store {
    @Override
    public Journals open(StoreUser user) throws IOException {
      return directory.open(user);
    }

    @Override
    public Journals openExisting(StoreUser user) throws IOException {
      if (ActiveObjects.node().name().equals("node-2")) {
        throw new MissingJournalException("there is no store in /there");
      }
      return directory.openExisting(user);
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
    MoveStep.follow(null);
    RestartStep.follow(null);
    grid.close();
    ActiveObjects.onFailure(null);
  }

  private Options kept(Store store) {
    return Options.STANDARD.withKeep(Keep.state(store)).withRestart(Restart.elsewhere());
  }

  private Store.Directory store() {
    return Store.directory(folder.resolve("store"));
  }

  private Ref<Counter> counter(Options options) {
    return ActiveObjects.ref(ActiveObjects.on(grid.get(0)).with(options).create(Counter.class));
  }

  private NodeId node(int index) {
    return grid.get(index).id();
  }

  private void kill(String name) {
    grid.kill(grid.list().stream().map(each -> each.name()).toList().indexOf(name));
  }

  private int sum(Ref<Counter> counter) {
    for (var attempts = 0; ; attempts++) {
      try {
        return counter.ask(each -> each.add(0)).join();
      } catch (CompletionException failure) {
        assertThat(failure.getCause()).isInstanceOf(CallException.class);
        assertThat(attempts).isLessThan(4);
      }
    }
  }

  @Test
  void theJournalFollowsTheObject() throws IOException {
    var counter = counter(kept(store()));
    counter.stub().add(1);
    for (var i = 1; i <= 6; i++) {
      valueOf(counter.move(node(i % 3)), "move " + i);
      assertThat(counter.stub().place()).isEqualTo("node-" + (i % 3 + 1));
      assertThat(counter.stub().add(1)).isEqualTo(i + 1);
      valueOf(counter.checkpoint(), "an image");
    }
    kill("node-1");
    assertThat(sum(counter)).isEqualTo(7);
    valueOf(counter.terminate(), "the end");
    try (var all = Files.list(folder.resolve("store").resolve("journals"))) {
      assertThat(all).isEmpty();
    }
  }

  @Test
  void aMoveLosesNothingIfTheNextNodeIsLost() {
    var counter = counter(kept(store()));
    counter.stub().add(5);
    valueOf(counter.move(node(1)), "a move");
    kill("node-2");
    assertThat(sum(counter)).isEqualTo(5);
  }

  @Test
  void anObjectThatSleepsMoves() {
    var asleep = new CountDownLatch(1);
    RestartStep.follow(
        (step, node) -> {
          if (step == RestartStep.ASLEEP) {
            asleep.countDown();
          }
        });
    var counter = counter(kept(store()).withIdle(Duration.ofMillis(10)));
    counter.stub().add(5);
    Waits.await(asleep, "the sleep");
    RestartStep.follow(null);
    valueOf(counter.move(node(1)), "a move");
    assertThat(counter.stub().place()).isEqualTo("node-2");
    assertThat(counter.stub().add(1)).isEqualTo(6);
  }

  @Test
  void aNodeForgetsTheImageOfAMoveThatFails() {
    var counter = counter(kept(store()));
    counter.stub().add(5);
    MoveStep.follow(
        (step, node) -> {
          if (step == MoveStep.READY) {
            throw new IllegalStateException("no more");
          }
        });
    assertThat(failureOf(counter.move(node(1)), "a move"))
        .isInstanceOf(MoveException.class)
        .hasMessageContaining("no more");
    MoveStep.follow(null);

    var mover = ActiveObjects.ref(ActiveObjects.on(grid.get(1)).create(Mover.class));
    var place = mover.ask(each -> each.move(counter.stub(), node(2)));

    assertThat(valueOf(place, "a move")).isEqualTo("node-3");
    assertThat(counter.stub().add(1)).isEqualTo(6);
  }

  @Test
  void aNodeThatDoesNotSeeTheStoreIsRefused() {
    var counter = counter(kept(new HiddenStore(store())));
    counter.stub().add(5);
    assertThat(failureOf(counter.move(node(1)), "a move"))
        .isInstanceOf(MoveException.class)
        .hasMessageContaining("node 'node-2' could not read it: there is no store in /there")
        .hasMessageEndingWith("it goes on where it is");
    assertThat(counter.stub().add(1)).isEqualTo(6);
    valueOf(counter.checkpoint(), "an image");
    valueOf(counter.move(node(2)), "a move");
    assertThat(counter.stub().add(1)).isEqualTo(7);
  }

  @ParameterizedTest
  @EnumSource(MoveStep.class)
  void theObjectIsInOnePlaceIfANodeEndsAt(MoveStep step) {
    for (var ending = 0; ending < 2; ending++) {
      var counter = counter(kept(store()));
      counter.stub().add(5);
      valueOf(counter.checkpoint(), "an image");
      var host = node(ending);
      var hasEnded = new AtomicBoolean();
      MoveStep.follow(
          (at, where) -> {
            if (at == step && where.equals(host) && hasEnded.compareAndSet(false, true)) {
              Faults.happen(() -> kill(host.name()));
            }
          });
      List<CompletableFuture<Integer>> calls = new ArrayList<>();
      var move = counter.move(node(1));
      for (var i = 0; i < 20; i++) {
        calls.add(counter.ask(each -> each.add(0)));
      }
      move.handle((done, failure) -> done)
          .orTimeout(20, java.util.concurrent.TimeUnit.SECONDS)
          .join();
      for (var each : calls) {
        each.handle((done, failure) -> done)
            .orTimeout(20, java.util.concurrent.TimeUnit.SECONDS)
            .join();
      }
      assertThat(sum(counter)).as("after the end of " + host).isEqualTo(5);
      MoveStep.follow(null);
      grid.close();
      grid = InProcessGrid.start(3);
    }
  }
}
