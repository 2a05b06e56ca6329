package org.troupe.activeobjects.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.fault.Faults;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.testing.LogRecords;

/**
 * Calls of logged objects that end, while nodes are lost and the called object moves and makes
 * images: no call is served twice, and none is lost whose caller has awaited it.
 */
@Timeout(300)
class EndedCallersElsewhereTest {

  private static final int CALLERS = 6;

  /** How many records are between two losses; a build takes every fifth, other ones per node. */
  private static final int STRIDE = Boolean.getBoolean("troupe.long") ? 1 : 5;

  private static final int SERVICE = 1;
  private static final int NEXT = 2;
  private static final int SAFE = 3;

  @TempDir private Path temporary;

  /** Keeps entries. */
  public static class Service {
    private final List<String> entries = new ArrayList<>();

    public void note(String entry) {
      entries.add(entry);
    }

    public int enter(String entry) {
      entries.add(entry);
      return entries.size();
    }

    public List<String> entries(String caller) {
      return entries.stream().filter(each -> each.startsWith(caller)).toList();
    }
  }

  /** Calls a service, and ends. */
  public static class Caller {
    public int ask(Service service, String name) {
      service.note(name + " first");
      return service.enter(name + " last");
    }

    public void tell(Service service, String name) {
      service.note(name + " first");
      service.note(name + " last");
    }
  }

  @BeforeEach
  void begin(LogRecords records) {
    records.allow(Level.WARNING, "restarted on another node");
    records.allow(Level.WARNING, "has failed");
    ActiveObjects.onFailure(failure -> {});
  }

  @AfterEach
  void end() {
    ActiveObjects.onFailure(null);
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

  @ParameterizedTest
  @ValueSource(ints = {0, SERVICE, NEXT})
  void theLossOfANodeAtAnyRecordLetsEachCallBeServedOnce(int lost) {
    var passage = 1 + lost % STRIDE;
    while (losesNodeAt(passage, lost)) {
      passage += STRIDE;
    }
    assertThat(passage).isGreaterThan(20);
  }

  private boolean losesNodeAt(int passage, int lost) {
    var loss = "the loss of node %d at passage %d".formatted(lost, passage);
    var store = new KillingStore(temporary.resolve("s" + passage));
    var options =
        Options.STANDARD
            .withKeep(Keep.calls(store))
            .withRestart(Restart.elsewhere().times(1_000, Duration.ofMinutes(1)));
    try (var grid = InProcessGrid.start(SAFE + 1)) {
      var service =
          ActiveObjects.ref(
              ActiveObjects.on(grid.get(SERVICE)).with(options).create(Service.class));
      store.at(passage, () -> kill(grid, lost));
      List<CompletableFuture<?>> calls = new ArrayList<>();
      for (var i = 0; i < CALLERS; i++) {
        calls.add(call(grid, service, options, i));
        if (i % 3 == 2) {
          attempt(service.checkpoint());
        }
        if (i == CALLERS / 2) {
          attempt(service.move(grid.get(NEXT).id()));
        }
      }
      calls.forEach(each -> valueOf(each, "a call with " + loss));
      attempt(service.checkpoint());
      kill(grid, NEXT); // whatever is kept is sent again
      for (var i = 0; i < CALLERS; i += 2) {
        var name = name(i);
        Waits.until(() -> entries(service, name).size() >= 2, "the calls of " + name + ", " + loss);
      }
      attempt(service.checkpoint());
      kill(grid, lost);
      for (var i = 0; i < CALLERS; i++) {
        var all = List.of(name(i) + " first", name(i) + " last");
        var served = entries(service, name(i));
        assertThat(all)
            .as("the calls of " + name(i) + " with " + loss)
            .startsWith(served.toArray(String[]::new));
        if (i % 2 == 0) { // one-way calls may be lost with the node of a caller that has ended
          assertThat(served).as("the calls of " + name(i) + " with " + loss).isEqualTo(all);
        }
      }
      return store.hasPassed();
    }
  }

  private static String name(int caller) {
    return "caller " + caller;
  }

  private static List<String> entries(Ref<Service> service, String caller) {
    return valueOf(service.ask(each -> each.entries(caller)), "the entries of " + caller);
  }

  /** Lets a new object call the service, and ends it. */
  private static CompletableFuture<?> call(
      InProcessGrid grid, Ref<Service> service, Options options, int number) {
    var caller = create(grid, number % 3 == 2 ? SERVICE : 0, options);
    var name = name(number);
    var called =
        number % 2 == 0
            ? caller.ask(each -> each.ask(service.stub(), name))
            : caller.tell(each -> each.tell(service.stub(), name));
    attempt(called);
    attempt(caller.terminate());
    return called;
  }

  private static Ref<Caller> create(InProcessGrid grid, int node, Options options) {
    try {
      return ActiveObjects.ref(ActiveObjects.on(grid.get(node)).with(options).create(Caller.class));
    } catch (RuntimeException lost) {
      return ActiveObjects.ref(ActiveObjects.on(grid.get(SAFE)).with(options).create(Caller.class));
    }
  }

  /** Waits for the end of something that may fail, or not end, as a node is lost. */
  private static void attempt(CompletableFuture<?> action) {
    try {
      action.copy().get(10, TimeUnit.SECONDS);
    } catch (Exception failure) {
      // The calls tell whether that matters.
    }
  }
}
