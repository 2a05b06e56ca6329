package org.troupe.activeobjects.internal.keeping;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.valueOf;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.WaitCycleException;
import org.troupe.activeobjects.Waits;

/** Checkpoints that objects ask for themselves. */
@Timeout(60)
class OwnCheckpointTest {

  @TempDir private Path folder;
  private LocalNodes nodes;
  private Ref<Writer> writer;

  /** Asks for checkpoints of itself. */
  public static class Writer {
    private transient CompletableFuture<Void> checkpoint;

    public void waitFor(String how)
        throws InterruptedException, ExecutionException, TimeoutException {
      var image = ActiveObjects.self(Writer.class).checkpoint();
      switch (how) {
        case "join" -> image.join();
        case "get" -> image.get();
        default -> image.get(1, TimeUnit.HOURS);
      }
    }

    public void ask() {
      checkpoint = ActiveObjects.self(Writer.class).checkpoint();
    }

    /** Waits for a checkpoint that an earlier request has asked for, if it is there. */
    public boolean isStable() {
      if (!checkpoint.isDone()) {
        return false;
      }
      checkpoint.join();
      return true;
    }
  }

  @BeforeEach
  void start() {
    nodes = LocalNodes.start(1);
    var options = Options.STANDARD.withKeep(Keep.state(Store.directory(folder)));
    writer = ActiveObjects.ref(ActiveObjects.on(nodes.get(0)).with(options).create(Writer.class));
  }

  @AfterEach
  void end() {
    nodes.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"join", "get", "get within a time"})
  void cannotBeAwaitedInTheRequestThatAsks(String how) {
    var waited = writer.tell(it -> it.waitFor(how));
    assertThatThrownBy(() -> valueOf(waited, "the request"))
        .hasRootCauseInstanceOf(WaitCycleException.class)
        .hasRootCauseMessage(
            "a Writer on node '%s' waits for its own checkpoint, which is made after the request that"
                + " waits; do not wait for it there, or let the caller ask for the checkpoint",
            nodes.get(0).name());
    valueOf(writer.checkpoint(), "the caller's checkpoint");
  }

  @Test
  void canBeUsedByLaterRequests() {
    valueOf(writer.tell(Writer::ask), "the request");
    Waits.until(() -> valueOf(writer.ask(Writer::isStable), "the answer"), "the checkpoint");
  }
}
