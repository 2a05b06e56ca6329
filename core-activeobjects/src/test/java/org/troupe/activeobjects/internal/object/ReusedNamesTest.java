package org.troupe.activeobjects.internal.object;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.failureOf;
import static org.troupe.activeobjects.Waits.valueOf;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.store.Journals;
import org.troupe.testing.LogRecords;

/** Names that are given to a new object while a node still has the former one. */
@Timeout(60)
class ReusedNamesTest {

  private static final long EPOCH = 7; // of another node

  @TempDir private Path temporary;

  /** Adds numbers. */
  public static class Sum {
    private int sum;

    public int add(int number) {
      return sum += number;
    }
  }

  @BeforeEach
  void begin(LogRecords records) {
    records.allow(Level.WARNING, "has failed");
    FaultyDirectory.mend();
    ActiveObjects.onFailure(failure -> {});
  }

  @AfterEach
  void end() {
    FaultyDirectory.mend();
    ActiveObjects.onFailure(null);
  }

  /** A node is taken for lost; its object was terminated elsewhere, and its name given anew. */
  @Test
  void anObjectLeavesTheJournalOfTheNextOfItsNameAlone() throws IOException {
    var store = new FaultyDirectory(temporary.resolve("store"));
    var options =
        Options.STANDARD
            .withKeep(Keep.calls(store))
            .withRestart(Restart.elsewhere().times(1, Duration.ofMinutes(1)));
    var grid = InProcessGrid.start(1);
    try {
      var creation = ActiveObjects.on(grid.nodes()).with(options);
      var failed = ActiveObjects.ref(creation.named("failed", Sum.class));
      var terminated = ActiveObjects.ref(creation.named("terminated", Sum.class));
      valueOf(failed.ask(sum -> sum.add(1)), "a sum");
      valueOf(terminated.ask(sum -> sum.add(1)), "a sum");
      giveAnew(store.journals(), "named-failed");
      giveAnew(store.journals(), "named-terminated");

      valueOf(terminated.terminate(), "the end");
      FaultyDirectory.fail("Journal.append");
      assertThat(failureOf(failed.ask(sum -> sum.add(1)), "a sum"))
          .isInstanceOf(ObjectTerminatedException.class);
      var end = valueOf(failed.end(), "the end");
      assertThat(end.how()).isEqualTo(End.How.FAILED);
      assertThat(end.why()).contains("has been taken over or deleted");

      assertIsAsGiven(store.journals(), "named-failed");
      assertIsAsGiven(store.journals(), "named-terminated");
    } finally {
      grid.close();
    }
  }

  private static void giveAnew(Journals journals, String name) throws IOException {
    assertThat(journals.epoch(name).orElseThrow()).isPositive(); // the number of its node
    journals.delete(name);
    try (var next = journals.create(name, EPOCH)) {
      next.replace(0, ByteBuffer.wrap("next".getBytes(UTF_8)));
    }
  }

  private static void assertIsAsGiven(Journals journals, String name) throws IOException {
    assertThat(journals.epoch(name)).hasValue(EPOCH);
    try (var next = journals.openExisting(name, EPOCH)) {
      assertThat(next.image().orElseThrow().content()).isEqualTo("next".getBytes(UTF_8));
      assertThat(next.last()).isZero();
    }
  }
}
