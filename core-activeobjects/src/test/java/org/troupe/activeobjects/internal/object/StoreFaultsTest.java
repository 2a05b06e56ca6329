package org.troupe.activeobjects.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.Immediate;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.Waits;
import org.troupe.activeobjects.internal.fault.RestartStep;
import org.troupe.testing.LogRecords;

/** Kept objects whose store fails while they are created, made again, or end. */
@Timeout(60)
class StoreFaultsTest {

  private final List<String> failures = new CopyOnWriteArrayList<>();
  @TempDir private Path temporary;

  /** Adds numbers. */
  static class Sum {
    private int sum;

    int add(int number) {
      return sum += number;
    }

    @Immediate
    int failAtOnce() {
      throw new StackOverflowError("deep");
    }
  }

  @BeforeEach
  void begin(LogRecords records) {
    records.allow(Level.WARNING, "has failed");
    FaultyDirectory.mend();
    ActiveObjects.onFailure(
        failure -> failures.add(failure.call() + ": " + failure.cause().getMessage()));
  }

  @AfterEach
  void end() {
    RestartStep.follow(null);
    FaultyDirectory.mend();
    ActiveObjects.onFailure(null);
  }

  private FaultyDirectory store() {
    return new FaultyDirectory(temporary.resolve("store"));
  }

  private static Ref<Sum> sum(Keep keep) {
    return sum(kept(keep));
  }

  private static Ref<Sum> sum(Options options) {
    return ActiveObjects.ref(ActiveObjects.here().with(options).create(Sum.class));
  }

  private static Options kept(Keep keep) {
    return Options.STANDARD
        .withKeep(keep)
        .withRestart(Restart.here().times(20, Duration.ofMinutes(1)));
  }

  @Test
  void aJournalThatFailsWhileItIsReadIsOpenedAnew() {
    var store = new FlushedStore(temporary.toString());
    var ref = sum(Keep.calls(store));
    assertThat((int) valueOf(ref.ask(sum -> sum.add(1)), "a sum")).isEqualTo(1);
    store.failAfter(1); // the end of that request is made stable before the journal is read
    assertThat(failureOf(ref.ask(Sum::failAtOnce), "an overflow"))
        .isInstanceOf(StackOverflowError.class);
    Waits.until(store::hasFailed, "the failure of the log");
    assertThat((int) valueOf(ref.ask(sum -> sum.add(2)), "a sum")).isEqualTo(3);
    valueOf(ref.terminateNow(), "the end");
  }

  /** Returns how many objects sleep from now on. */
  private static AtomicInteger followSleep() {
    var sleeping = new AtomicInteger();
    RestartStep.follow(
        (step, node) -> {
          switch (step) {
            case ASLEEP -> sleeping.incrementAndGet();
            case WOKEN -> sleeping.decrementAndGet();
            default -> {}
          }
        });
    return sleeping;
  }

  @Test
  void anObjectSleepsOnWhileItsStoreCannotBeRead(LogRecords records) {
    records.allow(Level.WARNING, "it sleeps on for");
    var sleeping = followSleep();
    for (var keep : List.of(Keep.state(store()), Keep.calls(store()))) {
      sleeping.set(0);
      var ref = sum(kept(keep).withIdle(Duration.ofMillis(20)));
      assertThat((int) valueOf(ref.ask(sum -> sum.add(1)), "a sum")).isEqualTo(1);
      FaultyDirectory.fail("Journal.image");
      Waits.until(() -> sleeping.get() == 1, "the sleep");
      var answer = ref.ask(sum -> sum.add(2));
      Waits.until(() -> FaultyDirectory.faults() > 0, "an attempt to wake it");
      FaultyDirectory.mend();
      assertThat((int) valueOf(answer, "a sum")).isEqualTo(3);
      valueOf(ref.terminateNow(), "the end");
    }
  }

  @Test
  void anObjectThatSleepsOnEndsWithoutItsStore(LogRecords records) {
    records.allow(Level.WARNING, "it sleeps on for");
    for (var keep : List.of(Keep.state(store()), Keep.calls(store()))) {
      var sleeping = followSleep();
      var ref = sum(kept(keep).withIdle(Duration.ofMillis(20)));
      assertThat((int) valueOf(ref.ask(sum -> sum.add(1)), "a sum")).isEqualTo(1);
      FaultyDirectory.fail("Journal.image");
      Waits.until(() -> sleeping.get() == 1, "the sleep");
      var answer = ref.ask(sum -> sum.add(2));
      Waits.until(() -> FaultyDirectory.faults() > 0, "an attempt to wake it");
      assertThat(valueOf(ref.terminateNow(), "the end").how()).isEqualTo(End.How.TERMINATED);
      assertThat(failureOf(answer, "a sum")).isInstanceOf(ObjectTerminatedException.class);
      FaultyDirectory.mend();
    }
  }

  @Test
  void theFirstFailureOfACreationIsNamed() {
    var store = store();
    FaultyDirectory.fail("Journal.replace", "Journals.delete");
    assertThatThrownBy(() -> sum(Keep.state(store)))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("was not created: no replace");
  }

  @Test
  void theJournalOfATerminatedObjectThatCannotBeClosedIsDeleted() throws IOException {
    var store = store();
    var ref = sum(Keep.state(store));
    FaultyDirectory.fail("Journal.close");
    valueOf(ref.terminate(), "the end");
    assertThat(store.journals().names()).isEmpty();
    Waits.until(() -> !failures.isEmpty(), "a report");
    assertThat(failures).containsExactly("the image of a Sum on node 'main': no close");
  }

  @Test
  void aJournalThatCannotBeDeletedIsReportedWithTheConsequence() {
    var ref = sum(Keep.state(store()));
    FaultyDirectory.fail("Journals.delete");
    valueOf(ref.terminate(), "the end");
    Waits.until(() -> !failures.isEmpty(), "a report");
    assertThat(failures).hasSize(1);
    assertThat(failures.getFirst())
        .matches(
            "the deletion of the journal of a Sum on node 'main': no delete; a later run would resume the object, so delete its journal 'object-[0-9a-f]+-[0-9]+'");
  }
}
